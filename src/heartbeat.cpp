#include <Rcpp.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#ifdef _WIN32
#include <process.h>
#else
#include <signal.h>
#include <unistd.h>
#endif

// A sign of life while R computes: a thread appends a byte to a file from time to time. A write, other than setting a
// file's time, makes the file system enter its own time, so the clocks of different machines do not matter. The thread
// does not use R. It does not recreate the file once it is removed.

namespace {

long process_id() {
#ifdef _WIN32
  return _getpid();
#else
  return getpid();
#endif
}

class Heartbeat {
 public:
  Heartbeat(const std::string& path, double seconds)
      : path_(path), pause_(seconds), process_(process_id()), thread_([this] { run(); }) {}

  // A forked process has a copy of this object, but not the thread.
  bool is_forked() const { return process_ != process_id(); }

  ~Heartbeat() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

 private:
  void run() {
#ifndef _WIN32
    // Signals, such as interrupts, are for R's own thread.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
#endif
    std::unique_lock<std::mutex> lock(mutex_);
    while (!wake_.wait_for(lock, pause_, [this] { return stop_; })) beat();
  }

  void beat() {
    std::FILE* file = std::fopen(path_.c_str(), "r+b");
    if (file == nullptr) return;
    std::fseek(file, 0, SEEK_END);
    std::fputc('.', file);
    std::fclose(file);
  }

  const std::string path_;
  const std::chrono::duration<double> pause_;
  const long process_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

void finish(Heartbeat* beats) {
  if (!beats->is_forked()) delete beats;
}

using HeartbeatPointer = Rcpp::XPtr<Heartbeat, Rcpp::PreserveStorage, finish>;

}  // namespace

// [[Rcpp::export(rng = false)]]
SEXP cpp_start_heartbeat(std::string path, double seconds) {
  return HeartbeatPointer(new Heartbeat(path, seconds), true);
}

// [[Rcpp::export(rng = false)]]
void cpp_stop_heartbeat(SEXP beats) { HeartbeatPointer(beats).release(); }

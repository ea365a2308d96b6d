#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace mlsift {

/// Thrown on the main thread when the user interrupts; every worker has stopped by then.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

/// The environment of a computation: how many threads it may use and what it reports to. The core does not know R; the
/// glue provides the callback. Every long-running function takes a context.
struct Context {
  /// > 0: that many threads. <= 0: chosen from the size of the work, at most -threads (0: at most the hardware's).
  int threads = 1;
  /// Called on the main thread about ten times a second with the share of work done; true means "stop".
  std::function<bool(double)> poll;
  /// The time of the last call, for Poll. It is kept here because many short loops take as long as one long loop.
  mutable std::chrono::steady_clock::time_point last_poll = std::chrono::steady_clock::now();
};

/// Polls from a loop of the main thread (worker 0 of parallel_for() runs there), about ten times a second; throws
/// Interrupted. Call it without arguments if the share of work done is not known.
class Poll {
 public:
  explicit Poll(const Context& context) : context_(context) {}

  void operator()(std::size_t done = 0, std::size_t n = 1) {
    if (!context_.poll || clock::now() - context_.last_poll < std::chrono::milliseconds(100)) return;
    context_.last_poll = clock::now();
    if (context_.poll(static_cast<double>(done) / static_cast<double>(n))) throw Interrupted();
  }

 private:
  using clock = std::chrono::steady_clock;
  const Context& context_;
};

/// For bodies of parallel_for() that run long: worker 0 polls, and the others notice when it throws.
class SharedPoll {
 public:
  explicit SharedPoll(const Context& context) : poll_(context) {}

  /// Whether this worker should return at once.
  bool operator()(int worker, std::size_t done, std::size_t n) {
    if (worker != 0) return stopped_.load(std::memory_order_relaxed);
    try {
      poll_(done, n);
    } catch (...) {
      stopped_ = true;
      throw;
    }
    return false;
  }

 private:
  Poll poll_;
  std::atomic<bool> stopped_{false};
};

/// The number of elementary steps (table look-ups, increments) that justify a thread: about a millisecond.
constexpr double work_per_thread = 1e6;

inline int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

inline int choose_threads(const Context& context, double work) {
  if (context.threads > 0) return context.threads;
  const int most = context.threads < 0 ? -context.threads : hardware_threads();
  return static_cast<int>(std::max(1.0, std::min<double>(most, work / work_per_thread)));
}

/// Calls body(worker, begin, end) for consecutive chunks that cover 0 .. n - 1, from several threads at once; `worker`
/// (0 .. threads - 1) says which scratch space to use. Results must go to slots that belong to a single index, so that
/// nothing depends on the number of threads. The calling thread works too, and is the only one that polls. `work`: the
/// total number of elementary steps, which determines threads and chunks.
inline void parallel_for(const Context& context, std::size_t n, double work,
                         const std::function<void(int, std::size_t, std::size_t)>& body) {
  if (n == 0) return;
  const int threads =
      static_cast<int>(std::min<std::size_t>(n, static_cast<std::size_t>(choose_threads(context, work))));
  // Chunks small enough to poll often and to balance the load, large enough to make the counter cheap.
  const double chunks = std::max({work / work_per_thread, 8.0 * threads, 1.0});
  const std::size_t chunk = std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(n) / chunks));

  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  std::exception_ptr error;
  std::mutex error_mutex;

  auto run = [&](int worker) {
    Poll poll(context);
    try {
      while (!stop.load(std::memory_order_relaxed)) {
        const std::size_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
        if (begin >= n) break;
        body(worker, begin, std::min(n, begin + chunk));
        if (worker == 0) poll(std::min(n, next.load(std::memory_order_relaxed)), n);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(error_mutex);
      if (!error) error = std::current_exception();
      stop = true;
    }
  };

  std::vector<std::thread> pool;
  pool.reserve(static_cast<std::size_t>(threads - 1));
  for (int worker = 1; worker < threads; ++worker) {
    try {
      pool.emplace_back(run, worker);
    } catch (const std::system_error&) {
      break;  // the system gives no more threads: the existing ones do all the work
    }
  }
  run(0);
  for (auto& thread : pool) thread.join();
  if (error) std::rethrow_exception(error);
}

/// The number of scratch spaces that parallel_for() may need for this amount of work.
inline std::size_t worker_count(const Context& context, std::size_t n, double work) {
  return std::min<std::size_t>(std::max<std::size_t>(n, 1), static_cast<std::size_t>(choose_threads(context, work)));
}

/// The same one by one: calls body(i).
template <class Body>
void parallel_each(const Context& context, std::size_t n, double work, Body body) {
  parallel_for(context, n, work, [&](int, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

/// The same where each thread has scratch space: calls body(scratch, i), where make() makes the scratch.
template <class Make, class Body>
void parallel_each(const Context& context, std::size_t n, double work, Make make, Body body) {
  std::vector<decltype(make())> scratch;
  for (std::size_t w = 0; w < worker_count(context, n, work); ++w) scratch.push_back(make());
  parallel_for(context, n, work, [&](int worker, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(scratch[static_cast<std::size_t>(worker)], i);
  });
}

}  // namespace mlsift

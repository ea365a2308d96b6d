#ifndef MLSIFT_CORE_ZERO_PAGES_H
#define MLSIFT_CORE_ZERO_PAGES_H

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace mlsift {

/// An array of zeros that takes no memory before it is written.
template <class T>
class ZeroPages {
 public:
  explicit ZeroPages(std::size_t size) {
#if defined(__linux__)
    const std::size_t bytes = size * sizeof(T);
    void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    pages_ = {static_cast<T*>(pages), Free{bytes}};
#else
    void* const pages = std::calloc(size, sizeof(T));
    if (!pages) throw std::bad_alloc();
    pages_ = {static_cast<T*>(pages), Free()};
#endif
  }

  /// Says that all of it will be written. A large table gets large pages if the system has them: looking up values all
  /// over it is faster then.
  void will_be_full() {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (pages_.get_deleter().bytes >= large) madvise(pages_.get(), pages_.get_deleter().bytes, MADV_HUGEPAGE);
#endif
  }

  T* data() const { return pages_.get(); }

 private:
  struct Free {
    std::size_t bytes = 0;
    void operator()(T* pages) const {
#if defined(__linux__)
      munmap(pages, bytes);
#else
      std::free(pages);
#endif
    }
  };
  static constexpr std::size_t large = std::size_t{4} << 20;  // bytes

  std::unique_ptr<T, Free> pages_;
};

}  // namespace mlsift

#endif

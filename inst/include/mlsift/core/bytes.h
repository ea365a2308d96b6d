#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace mlsift {

// Values as bytes, for another process of the same build. A class takes part by a member template
// `void pass(Bytes& bytes)` that hands its members to `bytes`, whichever of the two that is.

namespace detail {

template <class Self>
class ByteStream {
 public:
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_arithmetic<T>::value || std::is_enum<T>::value) {
      self().raw(&value, sizeof value);
    } else {
      value.pass(self());
    }
  }

  template <class A, class B>
  void operator()(std::pair<A, B>& value) {
    (*this)(value.first);
    (*this)(value.second);
  }

  template <class T>
  void operator()(std::vector<T>& values) {
    std::size_t size = values.size();
    (*this)(size);
    values.resize(size);
    if constexpr (std::is_arithmetic<T>::value) {
      if (size > 0) self().raw(values.data(), size * sizeof(T));
    } else {
      for (T& value : values) (*this)(value);
    }
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace detail

class ByteWriter : public detail::ByteStream<ByteWriter> {
 public:
  void raw(const void* from, std::size_t size) {
    const auto* const begin = static_cast<const unsigned char*>(from);
    bytes.insert(bytes.end(), begin, begin + size);
  }
  std::vector<unsigned char> bytes;
};

class ByteReader : public detail::ByteStream<ByteReader> {
 public:
  ByteReader(const unsigned char* begin, std::size_t size) : next_(begin), left_(size) {}

  void raw(void* to, std::size_t size) {
    if (size > left_) throw std::runtime_error("The bytes of another process are cut short.");
    std::memcpy(to, next_, size);
    next_ += size;
    left_ -= size;
  }

 private:
  const unsigned char* next_;
  std::size_t left_;
};

}  // namespace mlsift

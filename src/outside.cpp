#include "convert.h"

#include <R_ext/Altrep.h>

#include <algorithm>
#include <memory>

// Vectors of R in memory of their own, for rows that are kept. While R's memory grows, a fifth at a time, its garbage
// collector looks again and again at all objects of all loaded packages, which takes up to half of the time to read the
// rows. This memory doubles. It is given back by cpp_give_back(), or when the vector is collected.

namespace {

constexpr std::size_t little = std::size_t{256} << 20;
std::size_t held = 0, most_held = little;  // bytes now, and before garbage is collected

struct Memory {
  Memory(std::size_t n_values, std::size_t n_bytes)
      : begin(new double[(n_bytes + 7) / 8]), n(static_cast<R_xlen_t>(n_values)), bytes(n_bytes) {
    held += bytes;
  }
  Memory(const Memory&) = delete;
  ~Memory() {
    held -= bytes;
    most_held = std::max(little, 2 * held);
  }

  std::unique_ptr<double[]> begin;
  R_xlen_t n;
  std::size_t bytes;
};

R_altrep_class_t outside_integers, outside_doubles;

Memory* memory(SEXP x) { return static_cast<Memory*>(R_ExternalPtrAddr(R_altrep_data1(x))); }

R_xlen_t length(SEXP x) { return memory(x) ? memory(x)->n : 0; }

const void* known_address(SEXP x) { return memory(x) ? memory(x)->begin.get() : nullptr; }

void* address(SEXP x, Rboolean) { return const_cast<void*>(known_address(x)); }

void add_methods(R_altrep_class_t type) {
  R_set_altrep_Length_method(type, length);
  R_set_altvec_Dataptr_method(type, address);
  R_set_altvec_Dataptr_or_null_method(type, known_address);
}

}  // namespace

// [[Rcpp::init]]
void init_outside_vectors(DllInfo* dll) {
  add_methods(outside_integers = R_make_altinteger_class("outside_integers", "mlsift", dll));
  add_methods(outside_doubles = R_make_altreal_class("outside_doubles", "mlsift", dll));
}

SEXP mlsift_glue::outside_vector(SEXPTYPE type, std::size_t n) {
  const std::size_t bytes = n * (type == REALSXP ? sizeof(double) : sizeof(int));
  if (held + bytes > most_held) {
    R_gc();
    most_held = std::max(little, 2 * (held + bytes));
  }
  const Rcpp::XPtr<Memory> owner(new Memory(n, bytes));
  return R_new_altrep(type == REALSXP ? outside_doubles : outside_integers, owner, R_NilValue);
}

// Frees the memory of an outside_vector(), which then has no values, and ignores all else.
// [[Rcpp::export(rng = false)]]
void cpp_give_back(SEXP x) {
  if (!ALTREP(x) || !(R_altrep_inherits(x, outside_integers) || R_altrep_inherits(x, outside_doubles))) return;
  Rcpp::XPtr<Memory>(R_altrep_data1(x)).release();
}

#include <Rcpp.h>

#include <R_ext/Altrep.h>

#include <cstdio>
#include <string>

// Names "f1", "f2", ... of columns that have none: a character vector in R whose strings are made when they are read.
// Millions of columns then need no strings until some are selected or printed.

namespace {

R_altrep_class_t numbered_names;

// data1: list(prefix, number of names). data2: all strings, once their address was requested or one changed, or NULL.
SEXP new_numbered_names(SEXP parts) { return R_new_altrep(numbered_names, parts, R_NilValue); }

R_xlen_t n_names(SEXP x) { return static_cast<R_xlen_t>(REAL(VECTOR_ELT(R_altrep_data1(x), 1))[0]); }

SEXP one_name(SEXP x, R_xlen_t i) {
  const SEXP all = R_altrep_data2(x);
  if (all != R_NilValue) return STRING_ELT(all, i);
  const SEXP prefix = STRING_ELT(VECTOR_ELT(R_altrep_data1(x), 0), 0);
  char name[64];
  std::snprintf(name, sizeof name, "%s%.0f", CHAR(prefix), static_cast<double>(i) + 1);
  return Rf_mkChar(name);
}

SEXP all_names(SEXP x) {
  if (R_altrep_data2(x) != R_NilValue) return R_altrep_data2(x);
  const R_xlen_t n = n_names(x);
  SEXP all = PROTECT(Rf_allocVector(STRSXP, n));
  for (R_xlen_t i = 0; i < n; ++i) SET_STRING_ELT(all, i, one_name(x, i));
  R_set_altrep_data2(x, all);
  UNPROTECT(1);
  return all;
}

void* address(SEXP x, Rboolean) { return const_cast<SEXP*>(STRING_PTR_RO(all_names(x))); }

const void* known_address(SEXP x) {
  return R_altrep_data2(x) == R_NilValue ? nullptr : static_cast<const void*>(STRING_PTR_RO(R_altrep_data2(x)));
}

void set_name(SEXP x, R_xlen_t i, SEXP value) { SET_STRING_ELT(all_names(x), i, value); }

// A changed vector is copied like any other.
SEXP copy_names(SEXP x, Rboolean) {
  return R_altrep_data2(x) == R_NilValue ? new_numbered_names(R_altrep_data1(x)) : nullptr;
}

int no_missing(SEXP x) { return R_altrep_data2(x) == R_NilValue; }

}  // namespace

// [[Rcpp::init]]
void init_numbered_names(DllInfo* dll) {
  numbered_names = R_make_altstring_class("numbered_names", "mlsift", dll);
  R_set_altrep_Length_method(numbered_names, n_names);
  R_set_altrep_Duplicate_method(numbered_names, copy_names);
  R_set_altvec_Dataptr_method(numbered_names, address);
  R_set_altvec_Dataptr_or_null_method(numbered_names, known_address);
  R_set_altstring_Elt_method(numbered_names, one_name);
  R_set_altstring_Set_elt_method(numbered_names, set_name);
  R_set_altstring_No_NA_method(numbered_names, no_missing);
}

// paste0(prefix, seq_len(n)); `prefix` is one short ASCII string.
// [[Rcpp::export(rng = false)]]
SEXP cpp_numbered_names(const std::string& prefix, double n) {
  return new_numbered_names(Rcpp::List::create(prefix, n));
}

// Whether a vector was made by cpp_numbered_names() and never changed.
// [[Rcpp::export(rng = false)]]
bool cpp_are_numbered_names(SEXP x) {
  return ALTREP(x) && R_altrep_inherits(x, numbered_names) && R_altrep_data2(x) == R_NilValue;
}

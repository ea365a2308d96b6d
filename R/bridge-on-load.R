# Registers what other packages need from mlsift once both are loaded, in either order.
.onLoad <- function(libname, pkgname) {
  when_loaded("recipes", register_preserve_sparsity)
  when_loaded("mlr3filters", register_mlr3_filters)
}

when_loaded <- function(package, action) {
  if (isNamespaceLoaded(package)) action()
  setHook(packageEvent(package, "onLoad"), function(...) action())
}

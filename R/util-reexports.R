#' @export
generics::fit

#' @export
generics::tidy

#' @export
generics::glance

#' @export
generics::evaluate

#' @export
ggplot2::autoplot

#' @export
generics::augment

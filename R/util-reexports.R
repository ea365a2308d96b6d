#' @importFrom generics fit
#' @export
generics::fit

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @importFrom generics evaluate
#' @export
generics::evaluate

#' @importFrom ggplot2 autoplot
#' @export
ggplot2::autoplot

#' @importFrom generics augment
#' @export
generics::augment

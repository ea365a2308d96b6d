# Expectations of testthat that hold are told at once. Before it compares, testthat prepares to print a difference, and
# that takes longer than much of what is tested. What is not plainly the same is left to testthat.

expect_identical <- function(object, expected, ..., label = NULL, expected.label = NULL) {
  if (...length() == 0L || identical(...names(), "info")) {
    if (identical(object, expected)) return(holds(object))
  }
  testthat::expect_identical(object, expected, ..., label = label %||% label_of(substitute(object)),
    expected.label = expected.label %||% label_of(substitute(expected)))
}

expect_equal <- function(object, expected, ..., tolerance = testthat::testthat_tolerance(), label = NULL,
                         expected.label = NULL) {
  if (...length() == 0L || identical(...names(), "info")) {
    if (is_plainly_equal(object, expected, tolerance)) return(holds(object))
  }
  testthat::expect_equal(object, expected, ..., tolerance = tolerance,
    label = label %||% label_of(substitute(object)),
    expected.label = expected.label %||% label_of(substitute(expected)))
}

expect_true <- function(object, info = NULL, label = NULL) {
  if (identical(object, TRUE)) return(holds(object))
  testthat::expect_true(object, info, label = label %||% label_of(substitute(object)))
}

expect_false <- function(object, info = NULL, label = NULL) {
  if (identical(object, FALSE)) return(holds(object))
  testthat::expect_false(object, info, label = label %||% label_of(substitute(object)))
}

# What holds needs no line of a file, which testthat would search for.
no_line <- srcref(srcfile("none"), rep(1L, 4L))

# Not by expectation(), which tells nothing in older versions of testthat.
holds <- function(object) {
  testthat::exp_signal(testthat::new_expectation("success", "success", srcref = no_line))
  invisible(object)
}

label_of <- function(expression) paste0("`", rlang::as_label(expression), "`")

# No value is farther off than a share of itself. testthat asks this of their mean only.
is_plainly_equal <- function(x, y, tolerance) {
  if (identical(x, y)) return(TRUE)
  if (is.null(tolerance) || tolerance >= 1 || !identical(attributes(x), attributes(y))) return(FALSE)
  if (is.list(x) && is.list(y) && length(x) == length(y)) return(all(mapply(is_plainly_equal, x, y, tolerance)))
  is.double(x) && is.double(y) && !is.object(x) && isTRUE(all(x == y | abs(x - y) < tolerance * abs(y)))
}

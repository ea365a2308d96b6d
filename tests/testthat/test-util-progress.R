test_that("a long computation shows what runs, a short one and one inside another do not", {
  shown <- list()
  local_mocked_bindings(
    cli_progress_bar = function(name, ...) {
      shown[[length(shown) + 1L]] <<- name
      "bar"
    },
    cli_progress_update = function(...) NULL, cli_progress_done = function(...) shown[[length(shown) + 1L]] <<- "done",
    .package = "cli"
  )
  withr::local_options(mlsift.progress = TRUE)
  long <- function(what) {
    local_progress(what)
    progress$started <- progress$started - 3
    show_progress()
    inner <- function() {
      local_progress("inner")
      show_progress()
    }
    inner()
    show_progress()
  }
  long("Selecting by SCLS")
  expect_identical(shown, list("Selecting by SCLS", "done"))
  expect_null(progress$what)
  try(sift_features(simulate_mltask(30, 5, 2), sel_mim()))
  expect_length(shown, 2)
  # The line also ends with an error.
  failing <- sel_custom("failing", function(task, k) {
    progress$started <- progress$started - 3
    show_progress()
    stop("no")
  })
  expect_error(sift_features(simulate_mltask(30, 5, 2), failing))
  expect_identical(shown[3:4], list("Selecting by failing", "done"))
  withr::local_options(mlsift.progress = FALSE)
  long("quiet")
  expect_length(shown, 4)
})

test_that("a long computation shows what runs, a short one and one inside another do not", {
  shown <- character()
  local_mocked_bindings(
    cli_progress_bar = function(name, ..., .envir) {
      shown <<- c(shown, name)
      # The bar ends with this function, as cli does it.
      do.call(base::on.exit, list(quote(invisible()), TRUE), envir = .envir)
      "bar"
    },
    cli_progress_update = function(...) NULL, .package = "cli"
  )
  withr::local_options(mlsift.progress = TRUE)
  wait <- function() {
    running <- getOption("mlsift.running")
    running$started <- running$started - 3
  }
  long <- function(what) {
    local_progress(what)
    show_progress()
    wait()
    show_progress()
    inner <- function() {
      local_progress("inner")
      show_progress()
    }
    inner()
    show_progress()
  }
  long("Selecting by SCLS")
  expect_identical(shown, "Selecting by SCLS")
  expect_null(getOption("mlsift.running"))
  sift_features(simulate_mltask(30, 5, 2), sel_mim())
  expect_length(shown, 1)
  # What runs is forgotten after an error too.
  failing <- sel_custom("failing", function(task, k) {
    wait()
    show_progress()
    stop("no")
  })
  expect_error(sift_features(simulate_mltask(30, 5, 2), failing))
  expect_identical(shown[2], "Selecting by failing")
  expect_null(getOption("mlsift.running"))
  withr::local_options(mlsift.progress = FALSE)
  expect_null(local_progress("quiet"))
  expect_length(shown, 2)
})

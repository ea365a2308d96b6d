# Objects of all kinds that are saved, as each format of them was written. Later versions must read them all.
#   NOT_CRAN=true Rscript -e 'library(mlsift); source("tests/testthat/objects/write.R")'
# adds a file when `object_format` was raised. Those of earlier formats stay as they are.

object_files <- function() list.files(testthat::test_path("objects"), "^format-[0-9]+[.]rds$", full.names = TRUE)

test_that("objects that earlier versions saved are used as new ones are", {
  files <- object_files()
  expect_true(paste0("format-", object_format, ".rds") %in% basename(files))
  for (file in files) {
    old <- readRDS(file)
    info <- basename(file)
    task <- old$task
    expect_s3_class(task, "mltask")
    # Scores have the same bits, so that a saved choice can be checked.
    expect_identical(as.data.frame(sift_features(task, sel_scls())), as.data.frame(old$selection), info = info)
    expect_identical(as.data.frame(extend_selection(old$short, task, k = 4)), as.data.frame(old$selection)[1:4, ],
      info = info)
    for (name in names(old$models)) {
      expect_equal(predict(old$models[[name]], task), old$predictions[[name]], tolerance = 1e-12, info = name)
    }
    expect_identical(as.data.frame(sift_features(old$counts, sel_mim())), as.data.frame(sift_features(task, sel_mim())),
      info = info)
    expect_identical(features(predict(old$discretizer, task)), old$levels, info = info)
    expect_identical(selected(old$answer), old$chosen, info = info)
    expect_equal(predict(old$answer, old$answer$task)$response, old$answered$response, info = info)
    for (name in names(old)) expect_no_error(utils::capture.output(print(old[[name]])))
    expect_identical(tidy(old$ranks)$p.value, old$p_values, info = info)
    expect_match(summary(old$ranks), "methods", info = info)
  }
  expect_lt(sum(file.size(files)), 50000)
})

test_that("every class that is saved has a format, and an object of a later one is refused by name", {
  old <- readRDS(utils::tail(object_files(), 1L))
  plain <- c(old[c("task", "selection", "counts", "discretizer", "imputer", "answer", "ranks", "pairs", "pair",
    "posterior")], list(tuning = old$answer$tuning), old$models)
  later <- lapply(plain, function(object) {
    expect_identical(attr(object, "mlsift_format"), object_format)
    attr(object, "mlsift_format") <- object_format + 1L
    object
  })
  refused <- function(code) expect_error(code, "made by a later version of mlsift", class = "mlsift_error")
  refused(sift_features(later$task, sel_mim()))
  refused(selected(later$selection))
  refused(predict(later[[length(later)]], old$task))
  for (object in later) refused(print(object))
  expect_snapshot(error = TRUE, print(later$task))
})

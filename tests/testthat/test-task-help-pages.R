test_that("the shipped task is what its help describes", {
  expect_s3_class(help_pages, "mltask")
  expect_identical(attr(help_pages, "mlsift_format"), object_format)
  expect_s4_class(features(help_pages), "dgCMatrix")
  expect_identical(task_kind(help_pages), "label")
  expect_identical(check_task(help_pages)$problem, "repeated_rows")
  words <- features(help_pages)
  keywords <- targets(help_pages)
  expect_match(rownames(help_pages), "^[[:alnum:]]+::.")
  expect_identical(anyDuplicated(rownames(help_pages)), 0L)
  expect_identical(rownames(keywords), rownames(help_pages))
  packages <- function(on) length(unique(sub("::.*", "", rownames(help_pages)[on])))
  expect_true(all(words@x >= 1 & words@x %% 1 == 0))
  expect_gte(min(Matrix::colSums(words > 0)), 20)
  expect_gte(min(apply(as.matrix(words > 0), 2L, packages)), 3)
  expect_gte(min(colSums(keywords)), 30)
  expect_gte(min(apply(keywords > 0, 2L, packages)), 3)
  expect_true(all(rowSums(keywords) > 0 & Matrix::rowSums(words) > 0))
  expect_match(colnames(keywords), "^key_[a-z]+$")
  expect_false(is.unsorted(sub("^[[:alnum:]]+::", "", rownames(help_pages))[c(1, 1000, 2000)]))
})

test_that("its words show its keywords, and those of other packages less well", {
  package <- sub("::.*", "", rownames(help_pages))
  grouped <- mltask(features(help_pages), targets(help_pages), group = package)
  value <- function(task) {
    withr::local_seed(1)
    selector <- sel_mim()
    mean(vapply(split_rows(task, rs_cv(3)), function(rows) {
      train <- task[rows$train, ]
      chosen <- sift_features(train, selector, k = 20)
      model <- fit(lrn_nb(), subset_features(train, chosen))
      evaluate(predict(model, task[rows$test, ]), task[rows$test, ], "average_precision")$value
    }, 0))
  }
  expect_gt(value(help_pages), value(grouped) + 0.05)
  ranked <- sift_features(help_pages, sel_mim(), k = 20)
  expect_true(all(c("data", "model", "file") %in% selected(ranked)))
})

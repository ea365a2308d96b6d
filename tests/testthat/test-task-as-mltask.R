toy_mldr <- function() {
  data <- data.frame(
    size = c(1.5, 2, 3), wing = c(" NO", " YES", "?"), flag = c("0", "1", " 1"), count = c(4, 5, 6), tag_a = c(0, 1, 1),
    tag_b = c(1, 0, 0),
    .labelcount = c(1, 1, 1), .SCUMBLE = c(0, 0.1, 0), check.names = FALSE
  )
  structure(list(
    name = "toy", dataset = data, attributesIndexes = 1:4,
    attributes = c(
      size = "numeric", wing = "{YES, NO}", flag = "{0, 1}", count = "integer", tag_a = "{0,1}", tag_b = "{0,1}"
    ),
    labels = data.frame(index = 5:6, row.names = c("tag_a", "tag_b"))
  ), class = "mldr")
}

test_that("mldr objects become tasks", {
  task <- as_mltask(toy_mldr())
  expect_identical(
    features(task),
    data.frame(size = c(1.5, 2, 3), wing = factor(c("NO", "YES", NA), c("YES", "NO")), flag = c(0, 1, 1), count = 4:6)
  )
  expect_identical(targets(task), cbind(tag_a = c(0L, 1L, 1L), tag_b = c(1L, 0L, 0L)))
  expect_identical(task$name, "toy")
  expect_identical(as_mltask(toy_mldr(), name = "mine")$name, "mine")
  factors <- toy_mldr()
  factors$dataset[2:3] <- lapply(factors$dataset[2:3], factor)
  expect_identical(as_mltask(factors), task)
})

test_that("an mldr object and the ARFF file of the same data give the same task", {
  x <- toy_mldr()
  file <- local_arff(c("@relation toy", paste("@attribute", names(x$attributes), x$attributes), "@data",
    do.call(paste, c(lapply(x$dataset[1:6], trimws), sep = ","))))
  expect_identical(read_mulan(file, labels = c("tag_a", "tag_b")), as_mltask(x))
})

test_that("all numbers become a matrix, sparse when most are 0", {
  x <- toy_mldr()
  x$dataset$wing <- NULL
  x$dataset$count <- NULL
  x$labels$index <- 3:4
  expect_identical(features(as_mltask(x)), cbind(size = c(1.5, 2, 3), flag = c(0, 1, 1)))
  x$dataset$size <- c(0, 0, NA)
  x$dataset$flag <- 0
  task <- as_mltask(x)
  expect_identical(as.matrix(features(task)), cbind(size = c(0, 0, NA), flag = 0))
  expect_s4_class(features(task), "dgCMatrix")
  expect_s4_class(targets(task), "dgCMatrix")
})

test_that("without declarations characters are factors", {
  x <- toy_mldr()
  x$attributes <- NULL
  expect_identical(features(as_mltask(x))$wing, factor(c("NO", "YES", NA)))
  expect_identical(features(as_mltask(x))$count, c(4, 5, 6))
})

test_that("a task stays as it is, other things are refused", {
  task <- simulate_mltask(5, n_features = 3, n_targets = 2)
  expect_identical(as_mltask(task), task)
  broken <- toy_mldr()
  broken$labels <- NULL
  expect_snapshot(error = TRUE, {
    as_mltask(broken)
    as_mltask(data.frame(a = 1))
    as_mltask(mean)
  })
})

test_that("the sets of mldr.datasets read with the sizes they state", {
  skip_unless_all()
  skip_if_not_installed("mldr.datasets")
  # Smaller ones first.
  for (name in first_or_all(c(
    "birds", "cal500", "emotions", "flags", "genbase", "medical", "langlog", "ng20", "slashdot", "stackex_chess"
  ), 6)) {
    x <- getExportedValue("mldr.datasets", name)
    task <- suppressMessages(as_mltask(x))
    facts <- summary(task)
    stated <- x$measures
    expect_identical(dim(task), as.integer(c(stated$num.instances, stated$num.inputs)), info = name)
    expect_length(target_names(task), stated$num.labels)
    expect_equal(facts$cardinality, stated$cardinality, info = name)
    expect_equal(facts$label_sets, stated$num.labelsets, info = name)
    expect_equal(facts$single_label_sets, stated$num.single.labelsets, info = name)
    expect_equal(facts$top_label_set, stated$max.frequency, info = name)
    expect_equal(facts$scumble, stated$scumble, info = name)
    expect_equal(facts$tcs, stated$tcs, info = name)
  }
})

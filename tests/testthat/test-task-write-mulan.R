expect_round_trip <- function(task, file = "toy.arff") {
  write_mulan(task, file)
  expect_identical(suppressMessages(read_mulan(file)), task)
}

test_that("the file is plain ARFF with an XML beside it", {
  local_arff()
  x <- data.frame(n = c(1.5, NA), i = c(3L, -4L), f = factor(c("a b", "c"), c("c", "a b")), b = c(0, 1),
    l = c(TRUE, NA),
    o = factor(1:2, ordered = TRUE))
  task <- mltask(x, cbind("y<1>" = 0:1, "it's" = c(1L, 1L)), name = "toy")
  expect_identical(write_mulan(task, "toy.arff"), "toy.arff")
  expect_snapshot(cat(readLines("toy.arff"), readLines("toy.xml"), sep = "\n"))
  expect_identical(read_mulan("toy.arff"), task)
})

test_that("a sparse task is written with sparse rows", {
  local_arff()
  x <- dgc(matrix(c(0, 2.5, 0, 1, 0, NA, 0, 0, 0), 3, dimnames = list(NULL, c("a", "b", "c"))))
  task <- mltask(x, dgc(cbind(l = c(0, 1, 0))), name = "toy")
  write_mulan(task, "toy.arff")
  expect_snapshot(cat(readLines("toy.arff"), sep = "\n"))
  expect_identical(read_mulan("toy.arff"), task)
})

test_that("any task comes back identical", {
  withr::local_seed(20)
  local_arff()
  for (i in first_or_all(1:150, 50)) expect_round_trip(random_task())
  for (layout in c("frame", "double", "integer", "logical", "sparse")) expect_round_trip(random_task(layout, n = 1))
  expect_round_trip(random_task("frame", n = 300), "toy.arff.gz")
  expect_round_trip(random_task("sparse", n = 300), "toy.arff.gz")
})

test_that("numbers come back to the bit", {
  withr::local_seed(21)
  local_arff()
  x <- c(2^stats::runif(500, -1070, 1020), stats::runif(500), 10^(-30:30), round(stats::runif(500), 1:10),
    .Machine$double.xmax, 5e-324,
    .Machine$integer.max, 2^53 + 2, 1e15)
  expect_round_trip(mltask(cbind(a = c(x, -x)), cbind(l = rep(0:1, length(x))), name = "toy"))
})

test_that("-0 keeps its sign", {
  local_arff()
  task <- mltask(cbind(a = c(-0, 1), b = c(-0, 2), c = 0:1), cbind(l = 0:1), name = "toy")
  expect_round_trip(task)
  expect_identical(1 / features(read_mulan("toy.arff"))[1, ], c(a = -Inf, b = -Inf, c = Inf))
})

test_that("simulated tasks and their subsets come back", {
  withr::local_seed(22)
  local_arff()
  task <- simulate_mltask(60, n_features = 8, n_targets = 3)
  attr(task, "truth") <- NULL
  expect_round_trip(task)
  expect_round_trip(task[c(2, 5), 3:1])
  expect_round_trip(subset_targets(task, 2))
})

test_that("rows are written in blocks", {
  withr::local_seed(23)
  local_arff()
  x <- matrix(round(stats::runif(3e5), 2), 1e4, dimnames = list(NULL, paste0("f", 1:30)))
  expect_round_trip(mltask(x, matrix(stats::rbinom(3e5, 1, 0.1), 1e4), name = "toy"))
})

test_that("stored zeros are left out", {
  local_arff()
  x <- methods::new("dgCMatrix", i = c(0L, 1L), p = c(0L, 2L), x = c(0, 3), Dim = c(2L, 1L), Dimnames = list(NULL, "a"))
  write_mulan(mltask(x, c(0, 1)), "toy.arff")
  expect_identical(features(read_mulan("toy.arff")), Matrix::drop0(x))
})

test_that("xml goes where it is told, existing files are replaced, nothing else stays", {
  local_arff()
  task <- simulate_mltask(5, n_features = 3, n_targets = 2)
  writeLines("old", "toy.arff")
  write_mulan(task, "toy.arff", xml = "labels.xml")
  expect_setequal(list.files(), c("toy.arff", "labels.xml"))
  expect_identical(features(read_mulan("toy.arff", xml = "labels.xml")), features(task))
  write_mulan(task, "toy.arff.gz")
  expect_identical(readBin("toy.arff.gz", "raw", 2), as.raw(c(0x1f, 0x8b)))
  expect_setequal(list.files(), c("toy.arff", "labels.xml", "toy.arff.gz", "toy.xml"))
})

test_that("notes of ours that do not fit the file are passed over", {
  local_arff(c("%mlsift features integer", "%mlsift targets nonsense", "%mlsift unknown thing",
    "%mlsift column 1 ordered",
    "%mlsift discrete", "%mlsift discrete 9 TRUE", "%mlsift discrete x TRUE",
    arff_lines("a numeric", rows = "1.5,1")))
  expect_identical(features(read_mulan("toy.arff", labels = -1)), cbind(a = 1.5))
  # A number has no levels.
  local_arff(c("%mlsift features data.frame", "%mlsift column 1 factor",
    arff_lines("a numeric", "b {u,v}", rows = c("1.5,u,1", "2,v,0"))))
  expect_identical(features(read_mulan("toy.arff", labels = -1)), data.frame(a = c(1.5, 2), b = factor(c("u", "v"))))
})

test_that("a name without a suffix gets that of the format", {
  withr::local_dir(withr::local_tempdir())
  task <- simulate_mltask(5, n_features = 3, n_targets = 2)
  write_mulan(task, "toy")
  write_mulan(task, "toy.2024.gz")
  expect_setequal(list.files(), c("toy.arff", "toy.xml", "toy.2024.gz", "toy.2024.xml"))
  expect_identical(dim(read_mulan("toy.arff")), c(5L, 3L))
})

test_that("bad arguments are refused", {
  local_arff()
  task <- simulate_mltask(5, n_features = 3, n_targets = 2)
  dir.create("sub.arff")
  expect_snapshot(error = TRUE, {
    write_mulan(1, "toy.arff")
    write_mulan(task, 1)
    write_mulan(task, "sub.arff")
    write_mulan(task, "nowhere/toy.arff")
    write_mulan(task, "toy.arff", xml = "toy.arff")
    write_mulan(task, "toy.arff", xml = NA)
  })
  expect_identical(list.files(), "sub.arff")
  expect_error(write_mulan(task, paste0(strrep("n", 300), ".arff")), "cannot be written.*cannot open file",
    class = "mlsift_error")
  expect_identical(list.files(), "sub.arff")
})

visits <- function(n_patients = 6, n_visits = 4) {
  n <- n_patients * n_visits
  set.seed(11)
  data.frame(
    patient = rep(letters[seq_len(n_patients)], each = n_visits), day = as.Date("2024-01-01") + sample(n),
    count = rep(1:2, length.out = n), a = rnorm(n), b = rnorm(n), l1 = rbinom(n, 1, 0.5), l2 = rbinom(n, 1, 0.4)
  )
}

test_that("group and time are columns or vectors, and no features", {
  data <- visits()
  task <- mltask(data, targets = c("l1", "l2"), group = "patient", time = "day", weights = "count")
  expect_identical(feature_names(task), c("a", "b"))
  expect_identical(row_groups(task), factor(data$patient))
  expect_identical(row_times(task), data$day)
  expect_identical(row_weights(task), as.double(data$count))

  x <- data[c("a", "b")]
  y <- data[c("l1", "l2")]
  again <- mltask(x, y, group = data$patient, time = data$day, weights = data$count)
  expect_identical(again, task)
  by_formula <- mltask(l1 + l2 ~ ., data, group = "patient", time = "day", weights = "count")
  expect_identical(by_formula, task)
  numbers <- as.matrix(data[c("a", "b", "count", "l1", "l2")])
  from_matrix <- mltask(numbers, targets = c("l1", "l2"), group = "count", time = 24:1)
  expect_identical(row_groups(from_matrix), factor(data$count))
  expect_identical(row_times(from_matrix), 24:1)

  plain <- mltask(x, y)
  expect_null(row_groups(plain))
  expect_null(row_times(plain))
})

test_that("groups of any type are told apart", {
  number <- c(1:3, 1:3)
  x <- data.frame(a = c(2, 5, 1, 4, 3, 6))
  # Times within one second, and whole numbers of 64 bits that differ in the last one only, are written alike by R.
  types <- list(
    as.raw(number), number * 1i, as.Date("2024-01-01") + number, as.POSIXct("2024-01-01", tz = "UTC") + number / 10,
    as.difftime(number, units = "mins"), structure((2^50 + number) * 2^-1074, class = "integer64"), number > 1
  )
  for (group in types) {
    expected <- match(as.vector(unclass(group)), unique(as.vector(unclass(group))))
    task <- mltask(x, c(0, 1, 1, 0, 1, 0), group = group)
    expect_equal(as.integer(row_groups(task)), rank(unique(expected))[expected])
  }
})

test_that("groups of chunks are the same text in every chunk, and told apart", {
  whole <- as.POSIXct("2024-01-01 10:00:00", tz = "UTC") + c(0, 1, 60)
  expect_identical(as_text(whole), as.character(whole))
  parts <- whole + 0.25
  expect_identical(anyDuplicated(as_text(c(whole, parts, parts + 0.5))), 0L)
  expect_identical(as_text(c(whole, parts)), c(as_text(whole), as_text(parts)))
  expect_identical(as_text(parts[0]), character())
})

test_that("rows keep their groups and times", {
  data <- visits()
  task <- mltask(data, targets = c("l1", "l2"), group = "patient", time = "day")
  part <- task[c(9:12, 1), ]
  expect_identical(row_groups(part), factor(c("c", "c", "c", "c", "a")))
  expect_identical(row_times(part), data$day[c(9:12, 1)])
  expect_identical(row_groups(subset_targets(task, "l2")), row_groups(task))
  expect_identical(row_groups(task[, "b"]), row_groups(task))
  expect_identical(row_groups(predict(fit(disc_equal_width(3), task), task)), row_groups(task))
  expect_identical(row_times(drop_features(task, "constant")), row_times(task))

  both <- rbind(task[1:10, ], task[11:24, ])
  expect_identical(row_groups(both), row_groups(task))
  expect_identical(row_times(both), row_times(task))
  expect_error(rbind(task, mltask(data[3:7], targets = c("l1", "l2"))), "groups")

  file <- tempfile(fileext = ".rds")
  saveRDS(task, file)
  expect_identical(readRDS(file), task)
})

test_that("print and fingerprints know groups and times", {
  data <- visits()
  task <- mltask(data, targets = c("l1", "l2"), group = "patient", time = "day")
  expect_output(print(task), "6 groups of 4 rows\ntimes from 2024-01-02 to 2024-01-25")
  plain <- mltask(data[4:7], targets = c("l1", "l2"))
  prints <- lapply(list(
    plain, mltask(data[c(1, 4:7)], targets = c("l1", "l2"), group = "patient"),
    mltask(data[c(2, 4:7)], targets = c("l1", "l2"), time = "day")
  ), fingerprint)
  expect_length(unique(prints), 3)
  expect_output(print(mltask(data[4:7], targets = c("l1", "l2"), group = c(1, 1, 1, 2:22))), "22 groups of 1 to 3 rows")
})

test_that("groups and times that cannot be used are refused by name", {
  data <- visits()
  targets <- c("l1", "l2")
  make <- function(...) mltask(data[c("a", "b", "l1", "l2")], targets = targets, ...)
  expect_error(make(group = c("a", "b")), "`group` must be the name of a column, or have one value for each of the 24")
  expect_error(make(group = replace(data$patient, 3, NA)), "That of row 3 is")
  expect_error(make(time = replace(data$day, 5, NA)), "`time` must not be missing")
  expect_error(make(time = data$patient), "`time` must be finite numbers, dates or times")
  expect_error(make(time = as.difftime(1:24, units = "days")), "difftime.*`as.numeric\\(\\)` makes numbers")
  expect_error(make(group = "patent"), "no column \"patent\"")
  expect_error(mltask(data, targets = targets, group = "l1"), "`group` must not name a target")
  expect_error(make(group = list(1)), class = "mlsift_error")
  expect_error(make(time = c(Inf, 2:24)), class = "mlsift_error")
})

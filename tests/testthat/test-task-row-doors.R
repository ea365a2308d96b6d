# What is known of rows, weights, groups and times, means the same through every door.

visits <- function(n = 60) withr::with_seed(4, {
  df <- data.frame(
    patient = sprintf("p%d", sample(rep(1:12, length.out = n))), date = as.Date("2024-02-27") + sample(n),
    often = sample(0:3, n, TRUE), a = round(stats::rnorm(n), 3), b = sample(0:1, n, TRUE),
    color = sample(c("red", "dark blue"), n, TRUE)
  )
  df$l1 <- stats::rbinom(n, 1, 0.5)
  df$l2 <- stats::rbinom(n, 1, 0.3)
  df
})

visit_task <- function(df) {
  mltask(df, targets = starts_with("l"), weights = "often", group = "patient", time = "date")
}

expect_rows <- function(task, df) {
  expect_identical(row_weights(task), as.double(df$often))
  expect_identical(as.character(row_groups(task)), df$patient)
  expect_identical(row_times(task), df$date)
  expect_identical(feature_names(task), c("a", "b", "color"))
}

write_visits <- function(df, file) {
  quote <- function(text) ifelse(grepl(" ", text), paste0("'", text, "'"), text)
  writeLines(c("@relation visits", "@attribute patient string", "@attribute date date 'yyyy-MM-dd'",
    "@attribute often integer", "@attribute a numeric", "@attribute b {0,1}", "@attribute color {'dark blue',red}",
    "@attribute l1 {0,1}", "@attribute l2 {0,1}", "@data",
    do.call(paste, c(lapply(df, function(column) quote(as.character(column))), sep = ","))), file)
}

expect_same_tables <- function(source, task, selector = sel_mim()) {
  tables <- function(x) lapply(suppressMessages(count_tables(x, selector)), `[[`, "tables")
  expected <- tables(task)
  expect_identical(names(expected), sort(levels(row_groups(task)), method = "radix"))
  expect_identical(tables(source), expected)
  expect_identical(sift_features(source, sel_scls(), k = 2)$score, sift_features(task, sel_scls(), k = 2)$score)
}

test_that("data frames, ARFF, CSV and functions give the same rows", {
  df <- visits()
  task <- visit_task(df)
  expect_rows(task, df)
  folder <- withr::local_tempdir()
  arff <- file.path(folder, "visits.arff")
  csv <- file.path(folder, "visits.csv")
  write_visits(df, arff)
  utils::write.csv(df, csv, row.names = FALSE)
  expect_rows(read_mulan(arff, labels = -2, weights = "often", group = "patient", time = "date"), df)
  expect_rows(
    read_mulan(arff, labels = -2, exclude = c(patient, date, often), weights = df$often, group = df$patient,
      time = df$date), df
  )
  # read.csv() gives dates as text.
  expect_rows(visit_task(utils::read.csv(csv)), df)
  known <- list(weights = "often", group = "patient", time = "date")
  chunks <- function(...) do.call(read_chunks, c(list(...), rows = 13, known))
  expect_same_tables(chunks(csv, targets = c("l1", "l2")), task)
  expect_same_tables(chunks(arff, labels = -2), task)
  some <- function(i) if (i <= 3) df[20 * i - 19:0, ]
  of_frames <- do.call(chunk_source, c(list(some, c("a", "b", "color"), c("l1", "l2"), classes = NULL), known))
  df$color <- factor(df$color)
  expect_same_tables(of_frames, task)
  expect_same_tables(chunked(task), task)
  lists <- function(i) if (i <= 3) list(
    x = some(i)[c("a", "b", "color")], y = some(i)[c("l1", "l2")], weights = some(i)$often, group = some(i)$patient
  )
  expect_same_tables(chunk_source(lists, c("a", "b", "color"), c("l1", "l2")), task)
  expect_output(print(of_frames), "weighted, in groups, with times")
  expect_output(print(chunks(csv, targets = c("l1", "l2"))), "weighted, in groups, with times")
})

test_that("numbers in sparse files and in LIBSVM can be groups and times", {
  folder <- withr::local_tempdir()
  arff <- file.path(folder, "toy.arff")
  writeLines(c("@relation 'toy: -C -1'", "@attribute who string", "@attribute w numeric", "@attribute a numeric",
    "@attribute l {0,1}", "@data", "{0 eve, 1 2, 2 1.5, 3 1}", "{1 1, 2 3}", "{0 'bob b', 1 3}", "{0 bob, 1 1, 3 1}"),
  arff)
  task <- read_mulan(arff, group = "who", weights = "w")
  # Values that a row leaves out are the first one.
  expect_identical(as.character(row_groups(task)), c("eve", "eve", "bob b", "bob"))
  expect_identical(row_weights(task), c(2, 1, 3, 1))
  expect_s4_class(features(task), "dgCMatrix")
  expect_identical(feature_names(task), "a")
  svm <- file.path(folder, "toy.svm")
  writeLines(c("1 1:2 2:5 3:1", "2 1:2 2:4 4:1", "1 1:7 2:6 3:1", "1,2 1:7 3:1 4:1"), svm)
  task <- read_libsvm(svm, group = "f1", time = "f2")
  expect_identical(as.character(row_groups(task)), c("2", "2", "7", "7"))
  expect_identical(row_times(task), c(5, 4, 6, 0))
  expect_identical(feature_names(task), c("f3", "f4"))
  expect_same_tables(read_chunks(svm, rows = 3, group = "f1", time = "f2"), task)
  expect_identical(row_groups(read_libsvm(svm, group = c("b", "b", "a", "a"))), factor(c("b", "b", "a", "a")))
})

test_that("objects of mldr keep what columns say of rows", {
  df <- visits(20)
  object <- structure(list(
    name = "visits", dataset = df, labels = data.frame(index = 7:8, row.names = c("l1", "l2")),
    attributes = NULL
  ), class = "mldr")
  expect_rows(as_mltask(object, weights = "often", group = "patient", time = "date"), df)
  expect_error(as_mltask(object, group = "l1"), "`group` must not name a target", class = "mlsift_error")
})

test_that("text that holds times becomes times", {
  made <- function(time) row_times(mltask(data.frame(a = c(1, 3, 2), time = time), c(0, 1, 0), time = "time"))
  days <- c("2024-02-29", "2023-12-31", "2024-03-01")
  expect_identical(made(days), as.Date(days))
  expect_identical(made(factor(days)), as.Date(days))
  clock <- as.POSIXct(c("2024-02-29 10:15:30", "2024-02-29 00:00:00", "2024-02-28 23:59:59"), "UTC")
  for (shape in c("%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S")) expect_equal(made(format(clock, shape)), clock)
  expect_equal(made(c("2024-02-29 10:15", "2024-02-29 00:00", "2024-01-01 00:01"))[1], clock[1] - 30)
  for (odd in list(c("2023-02-29", days[-1]), c("29.2.2024", days[-1]), c("a", "b", "c"))) {
    expect_error(made(odd), "must be written as in \"2024-01-31\"", class = "mlsift_error")
  }
})

test_that("dates among the features are refused with the remedy", {
  expect_error(mltask(visits(), targets = c("l1", "l2")), "If it is the time of rows, name it: `time = \"date\"`",
    class = "mlsift_error")
})

test_that("bad columns of rows are refused by name at every door", {
  df <- visits()
  folder <- withr::local_tempdir()
  arff <- file.path(folder, "visits.arff")
  csv <- file.path(folder, "visits.csv")
  write_visits(df, arff)
  utils::write.csv(df, csv, row.names = FALSE)
  refused <- function(object, why) expect_error(object, why, class = "mlsift_error")
  refused(read_mulan(arff, labels = -2, group = "patien"), "`group` must name a column.*Did you mean \"patient\"")
  refused(read_mulan(arff, labels = -2, time = "date"), "\"patient\" is of type string.*`group` and `time`")
  refused(read_mulan(arff, labels = -2, group = "l2", time = "date"), "`group` must not name a target")
  refused(read_mulan(arff, labels = -2, group = 1:3, exclude = c(patient, date)), "one value for each of the 60 rows")
  refused(read_mulan(arff, labels = -2, group = "patient", time = "color", exclude = date), "finite numbers, dates")
  for (arg in c("weights", "group", "time")) {
    given <- function(name) stats::setNames(list(name), arg)
    read <- function(name) do.call(read_chunks, c(list(csv, targets = c("l1", "l2")), given(name)))
    refused(read("nobody"), paste0("`", arg, "` must name a column"))
    refused(read("l1"), paste0("`", arg, "` must not name a target"))
    refused(read(1), paste0("`", arg, "` must be one string"))
    refused(do.call(chunk_source, c(list(identity, c("a", "b"), c("l1", "l2")), given("a"))), "neither a feature nor")
    refused(do.call(mltask, c(list(df[-(1:3)], targets = c("l1", "l2")), given("nobody"))), "must name a column")
  }
  df$patient[7] <- NA
  refused(visit_task(df), "`group` must not be missing.*row 7")
  some <- function(i) if (i <= 3) df[20 * i - 19:0, ]
  source <- chunk_source(some, c("a", "b"), c("l1", "l2"), exclude = c("often", "color"), group = "patient",
    time = "date")
  refused(count_tables(source, sel_mim()), "`group` must not be missing.*row 7")
  task <- visit_task(visits())
  mixed <- function(i) if (i <= 3) {
    part <- task[20 * i - 19:0, ]
    if (i < 3) part else mltask(features(part), targets(part), weights = row_weights(part))
  }
  source <- chunk_source(mixed, feature_names(task), target_names(task))
  refused(count_tables(source, sel_mim()), "All chunks must have groups, or none.*begins with row 41")
  source <- chunk_source(some, c("a", "b", "color"), c("l1", "l2"), weights = "often", group = "nobody", time = "date")
  refused(count_tables(source, sel_mim()), "`group` must name a column of every chunk.*\"nobody\"")
})

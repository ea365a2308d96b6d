# The same rows through every door: `frame` has a column to leave out, features and labels as numbers.
write_rows <- function(frame, labels, folder, na = "?") {
  paths <- file.path(folder, c(csv = "rows.csv", arff = "rows.arff"))
  names(paths) <- c("csv", "arff")
  text <- lapply(frame, function(column) ifelse(is.na(column), na, as.character(column)))
  utils::write.csv(text, paths[["csv"]], row.names = FALSE, quote = FALSE)
  type <- ifelse(names(frame) %in% labels, "{0,1}", ifelse(vapply(frame, is.character, NA), "string", "numeric"))
  writeLines(c("@relation rows", paste("@attribute", names(frame), type), "@data",
    do.call(paste, c(unname(text), sep = ","))), paths[["arff"]])
  paths
}

example_rows <- function(n = 60) {
  withr::with_seed(1, data.frame(
    note = paste0("n", seq_len(n)), a = round(stats::rnorm(n), 3), b = sample(c(0, 3, 7), n, TRUE),
    c = replace(sample(0:1, n, TRUE), 5L, NA), l = sample(0:1, n, TRUE), m = sample(0:1, n, TRUE)
  ))
}

scores_of <- function(x) {
  found <- sift_features(x, sel_mim(), discretizer = disc_auto(na = "level"))
  data.frame(feature = found$feature, score = found$score)
}

test_that("columns are left out and strings are missing at every door", {
  rows <- example_rows()
  labels <- c("l", "m")
  folder <- withr::local_tempdir()
  paths <- write_rows(rows, labels, folder, na = "-9")
  expected <- scores_of(mltask(rows[c("a", "b", "c")], rows[labels]))
  marked <- replace(rows, "c", replace(rows$c, is.na(rows$c), -9))
  out <- "note"
  expect_identical(scores_of(mltask(marked, targets = labels, exclude = note, na = "-9")), expected)
  expect_identical(scores_of(mltask(l + m ~ ., marked, exclude = out, na = "-9")), expected)
  expect_identical(scores_of(mltask(marked[1:4], rows[labels], exclude = 1, na = "-9")), expected)
  expect_identical(scores_of(read_mulan(paths[["arff"]], labels = labels, exclude = note, na = "-9")), expected)
  for (path in paths) {
    source <- if (path == paths[["csv"]]) {
      read_chunks(path, targets = c(l, m), exclude = note, na = "-9", rows = 25)
    } else read_chunks(path, labels = labels, exclude = "note", na = "-9", rows = 25)
    expect_identical(scores_of(source), expected)
  }
  chunks <- chunk_source(
    function(i) if (i <= 3) marked[(20 * i - 19):(20 * i), ], c("a", "b", "c"), labels, exclude = "note", na = "-9"
  )
  expect_identical(scores_of(chunks), expected)
  skip_if_not_installed("arrow")
  file <- file.path(folder, "rows.parquet")
  marked$when <- as.Date("2020-01-01")
  arrow::write_parquet(marked, file)
  source <- read_chunks(file, targets = all_of(labels), exclude = c(note, when), na = "-9", rows = 25)
  expect_identical(scores_of(source), expected)
  expect_error(read_chunks(file, targets = labels), "out with `exclude`: \"when\"", class = "mlsift_error")
})

test_that("LIBSVM files and databases leave features out", {
  file <- withr::local_tempfile(fileext = ".svm")
  writeLines(c("1 1:0.5 2:3 4:1", "2 1:NaN 3:2", "1,2 2:5 3:1 4:1", "1 3:1"), file)
  task <- read_libsvm(file, exclude = f3, na = "NaN")
  whole <- read_libsvm(file, na = "NaN")
  expect_identical(task, whole[, c("f1", "f2", "f4")])
  expect_identical(which(is.na(features(task)[, "f1"])), 2L)
  expect_error(read_libsvm(file), "f1|feature 1", class = "mlsift_error")
  source <- read_chunks(file, exclude = "f3", na = "NaN", rows = 2)
  expect_identical(scores_of(source), scores_of(task))
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  cells <- data.frame(row = c(1, 1, 2, 3, 4, 5, 5), feature = c("a", "b", "b", "c", "a", "c", "b"))
  DBI::dbWriteTable(con, "x", cells)
  DBI::dbWriteTable(con, "y", data.frame(row = c(1, 2, 4), label = c("l", "m", "l")))
  matrix <- array(0, c(5, 3), list(NULL, c("a", "b", "c")))
  matrix[cbind(cells$row, match(cells$feature, colnames(matrix)))] <- 1
  task <- mltask(matrix[, c("a", "b")], cbind(l = c(1, 0, 0, 1, 0), m = c(0, 1, 0, 0, 0)))
  for (selector in list(sel_mim(), sel_jim())) for (push in c(FALSE, TRUE)) {
    source <- db_source(con, "x", "y", n_rows = 5, exclude = "c", push_down = push)
    expect_identical(sift_features(source, selector)$score, sift_features(task, selector)$score)
  }
})

test_that("attributes that cannot be used are named with the remedy", {
  rows <- example_rows()
  path <- write_rows(rows, c("l", "m"), withr::local_tempdir())[["arff"]]
  expect_snapshot(error = TRUE, {
    read_mulan(path, labels = -2)
    read_mulan(path, labels = -2, exclude = c(note, l))
    read_chunks(path, labels = -2)
    read_mulan(path, labels = -2, exclude = 1:4)
  }, transform = function(text) gsub("'[^']*rows.arff'", "'rows.arff'", text))
  # what is left out is not read
  lines <- sub("^n7,", "'a, b',", readLines(path))
  writeLines(lines, path)
  expect_identical(dim(read_mulan(path, labels = -2, exclude = "note")), c(60L, 3L))
})

test_that("a range of names in quotes chooses columns without a warning", {
  df <- data.frame("an x" = c(0.5, 1, 2, 4), "tag 1" = c(0, 1, 1, 0), "tag 2" = c(1, 0, 1, 0), check.names = FALSE)
  expect_no_warning(task <- mltask(df, targets = "tag 1":"tag 2"))
  expect_identical(target_names(task), c("tag 1", "tag 2"))
  mine <- function() {
    warning("a warning of the user's")
    "tag 1"
  }
  expect_warning(task <- mltask(df, targets = mine()), "of the user's")
  expect_identical(target_names(task), "tag 1")
})

test_that("counts are named as such in errors, however large", {
  df <- data.frame(a = 1:4 / 2)
  for (large in c(2, 2^31, 1e160)) {
    y <- cbind(l = c(0, 1, 1, 0), m = c(0, 1, 2, large))
    expect_no_warning(expect_error(mltask(df, y), "compare them with 0", class = "mlsift_error"))
  }
  halves <- expect_error(mltask(df, cbind(l = c(0, 1, 1, 0), m = c(0, 1, 2.5, 3))), class = "mlsift_error")
  expect_no_match(conditionMessage(halves), "compare them")
})

test_that("labels that are empty cells where they are off are refused with the remedy", {
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(data.frame(a = 1:30, l = rep(c("yes", "", ""), 10)), file, row.names = FALSE)
  source <- suppressMessages(read_chunks(file, targets = "l"))
  expect_error(sift_features(source, sel_mim()), "empty cell means off, fill in 0", class = "mlsift_error")
})

test_that("a name that is a column and a variable is ambiguous at every door and through functions", {
  df <- data.frame(labels = c(0.5, 1, 2, 4), a = c(0, 1, 1, 0), b = c(1, 0, 1, 0), out = 1:4 / 2)
  labels <- c("a", "b")
  out <- "labels"
  expect_snapshot(error = TRUE, {
    mltask(df, targets = labels)
    mltask(df, targets = c("a", "b"), exclude = out)
    mltask(df, targets = c(labels, out))
    sift(df, targets = labels)
  })
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(df, file, row.names = FALSE)
  ambiguous <- function(expr) expect_error(expr, "is a column and a variable", class = "mlsift_error")
  ambiguous(read_chunks(file, targets = labels))
  ambiguous(read_chunks(file, targets = all_of(labels), exclude = out))
  through <- function(data, ...) mltask(data, ...)
  ambiguous(through(df, targets = labels))
  held <- function(data, labels) mltask(data, targets = labels)
  ambiguous(held(df, c("a", "b")))
  embraced <- function(data, what) mltask(data, targets = {{ what }})
  ambiguous(embraced(df, labels))
  ambiguous(embraced(df, -labels))
  expect_identical(target_names(mltask(df, targets = all_of(labels))), labels)
  expect_identical(target_names(read_chunks(file, targets = all_of(labels), exclude = "out")), labels)
  without <- function(data, targets, exclude = NULL) mltask(data, targets = targets, exclude = exclude)
  expect_no_warning(task <- without(df, "a"))
  withr::local_options(lifecycle_verbosity = "error")
  expect_error(without(df, NULL), "at least one column", class = "mlsift_error")
  expect_identical(feature_names(task), c("labels", "b", "out"))
  # not ambiguous: the variable means the same column, or no columns
  a <- "a"
  b <- c(0, 1.5)
  expect_identical(target_names(mltask(df, targets = c(a, b))), labels)
  expect_identical(target_names(mltask(df, targets = starts_with(a))), "a")
})

test_that("text that is nearly all numbers is refused, with the cells that are not", {
  numbers <- as.character(seq(0.5, 100, by = 0.5))
  text <- replace(numbers, c(3, 70, 90), c("<0.1", "-", "<0.1"))
  y <- rep(0:1, 100)
  df <- data.frame(a = text, b = seq_along(y) / 3)
  expect_snapshot(error = TRUE, mltask(df, y))
  cleared <- mltask(df, y, na = c("<0.1", "-"))
  expect_identical(features(cleared)$a, replace(as.numeric(numbers), c(3, 70, 90), NA))
  expect_identical(features(mltask(df, y, na = c("<0.1", "-"))), features(mltask(transform(df, a = factor(a)), y,
    na = c("<0.1", "-"))))
  levels <- suppressMessages(mltask(df, y, discrete = c(a = TRUE)))
  expect_identical(features(levels)$a, factor(text))
  # 9 numbers in 10 cells, or more than a tenth other cells, are text
  few <- c(as.character(1:9), "x")
  expect_s3_class(features(mltask(data.frame(a = few), rep(0:1, 5)))$a, "factor")
  expect_error(mltask(data.frame(a = c(as.character(1:10), "x")), rep(0, 11)), "1 of 11", class = "mlsift_error")
  many <- c(as.character(1:18), "x", "y")
  expect_s3_class(features(suppressMessages(mltask(data.frame(a = many), rep(0:1, 10))))$a, "factor")
})

test_that("files and chunks refuse text that is nearly all numbers", {
  file <- withr::local_tempfile(fileext = ".csv")
  rows <- data.frame(a = replace(as.character(1:40 / 2), c(2, 30), c("<0.1", "-")), l = rep(0:1, 20))
  utils::write.csv(rows, file, row.names = FALSE)
  refused <- function(expr) expect_error(expr, "2 of 40 are not: `<0.1`, `-`|2 of 40 are not: `-`, `<0.1`",
    class = "mlsift_error")
  refused(read_chunks(file, targets = "l", rows = 10))
  expected <- scores_of(mltask(data.frame(a = replace(1:40 / 2, c(2, 30), NA)), rows["l"]))
  na <- c("<0.1", "-")
  expect_identical(scores_of(read_chunks(file, targets = "l", rows = 10, na = na)), expected)
  expect_s3_class(read_chunks(file, targets = "l", rows = 10, discrete = c(a = TRUE)), "mlsource")
  source <- chunk_source(function(i) if (i == 1) rows, "a", "l")
  refused(sift_features(source, sel_mim()))
  expect_identical(scores_of(chunk_source(function(i) if (i == 1) rows, "a", "l", na = na)), expected)
  skip_if_not_installed("arrow")
  file <- withr::local_tempfile(fileext = ".parquet")
  arrow::write_parquet(rows, file)
  refused(read_chunks(file, targets = "l"))
  expect_identical(scores_of(read_chunks(file, targets = "l", na = na)), expected)
})

test_that("na is strings, and not what a sparse matrix leaves out", {
  x <- Matrix::sparseMatrix(i = c(1, 3), j = c(1, 2), x = c(-1, 2), dims = c(4, 2))
  expect_identical(which(is.na(as.matrix(mltask(x, 0:3 %% 2, na = "-1")))), 1L)
  expect_error(mltask(x, 0:3 %% 2, na = "0"), "not stored", class = "mlsift_error")
  expect_error(mltask(as.matrix(x), 0:3 %% 2, na = -1), "strings", class = "mlsift_error")
})

# --- the same values through every door -------------------------------------------------------------------------------

# Small whole numbers: mostly 0, codes, up to 9, counts with many values, 0/1, and one value.
counts_of_rows <- function(n = 240) withr::with_seed(2, {
  x <- cbind(stats::rpois(n, 0.4), sample(1:4, n, TRUE), sample(0:8, n, TRUE), stats::rpois(n, 40),
    sample(0:1, n, TRUE), 7L, sample(c(-2L, 0L, 3L), n, TRUE, c(0.3, 0.4, 0.3)))
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  storage.mode(x) <- "integer"
  y <- cbind(l1 = as.integer(x[, 1] + x[, 5] > 1), l2 = as.integer(x[, 2] + stats::rnorm(n) > 2))
  list(x = x, y = y)
})

doors_of <- function(x, y, folder) {
  frame <- data.frame(x, y)
  arff <- function(type, name) {
    file <- file.path(folder, paste0(name, ".arff"))
    writeLines(c("@relation r", paste("@attribute", colnames(x), type), paste("@attribute", colnames(y), "{0,1}"),
      "@data", do.call(paste, c(unname(frame), sep = ","))), file)
    file
  }
  csv <- file.path(folder, "rows.csv")
  utils::write.csv(frame, csv, row.names = FALSE)
  svm <- file.path(folder, "rows.svm")
  cells <- function(row) paste(paste0(which(x[row, ] != 0), ":", x[row, x[row, ] != 0]), collapse = " ")
  labels <- function(row) paste(which(y[row, ] != 0), collapse = ",")
  writeLines(trimws(paste(vapply(seq_len(nrow(x)), labels, ""), vapply(seq_len(nrow(x)), cells, ""))), svm)
  doubles <- array(as.double(x), dim(x), dimnames(x))
  integer <- arff("integer", "integer")
  numeric <- arff("numeric", "numeric")
  whole <- function(i) if (i <= 4) list(x = x[60 * i - 59:0, ], y = y[60 * i - 59:0, ])
  mixed <- function(i) {
    if (i <= 4) list(x = (if (i %% 2) x else sparse(doubles))[60 * i - 59:0, ], y = y[60 * i - 59:0, ])
  }
  list(
    integer = mltask(x, y), double = mltask(doubles, y), frame = mltask(data.frame(x), y),
    sparse = mltask(sparse(doubles), y), formula = mltask(l1 + l2 ~ ., frame),
    numeric = read_mulan(numeric, labels = -2),
    declared = read_mulan(integer, labels = -2), libsvm = read_libsvm(svm),
    csv = read_chunks(csv, targets = c(l1, l2), rows = 50), arff = read_chunks(numeric, labels = -2, rows = 70),
    arff_integer = read_chunks(integer, labels = -2, rows = 70), svm = read_chunks(svm, rows = 33),
    chunks = chunk_source(whole, colnames(x), colnames(y)), mixed = chunk_source(mixed, colnames(x), colnames(y))
  )
}

local_long_tables <- function(x, y, .local_envir = parent.frame()) {
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con), .local_envir)
  at <- which(x != 0, arr.ind = TRUE)
  DBI::dbWriteTable(con, "x", data.frame(row = at[, 1], feature = colnames(x)[at[, 2]], level = x[at]))
  at <- which(y != 0, arr.ind = TRUE)
  DBI::dbWriteTable(con, "y", data.frame(row = at[, 1], label = colnames(y)[at[, 2]]))
  con
}

test_that("whole numbers are the same features through every door", {
  skip_unless_all()
  rows <- counts_of_rows()
  doors <- suppressMessages(doors_of(rows$x, rows$y, withr::local_tempdir()))
  if (requireNamespace("RSQLite", quietly = TRUE)) {
    doors$db <- db_source(local_long_tables(rows$x, rows$y), "x", "y", n_rows = nrow(rows$x))
  }
  # the rule from its text: 0 and 1, or few values that are not mostly 0
  few <- apply(rows$x, 2, function(v) length(unique(v))) <= min(10, max(5, nrow(rows$x) %/% 20))
  discrete <- apply(rows$x, 2, function(v) all(v %in% 0:1)) | (few & colMeans(rows$x == 0) <= 0.5)
  expect_setequal(discrete, c(TRUE, FALSE))
  first <- suppressMessages(count_tables(doors$integer, sel_mim()))$tables
  for (name in names(doors)) suppressMessages({
    door <- doors[[name]]
    if (inherits(door, "mltask")) expect_identical(door$discrete, discrete, info = name)
    tables <- count_tables(door, sel_mim())$tables
    expect_identical(!tables$levels$cut, unname(discrete), info = name)
    for (part in c("n", "levels", "in_level", "in_target")) expect_identical(tables[[part]], first[[part]], info = name)
    for (selector in list(sel_mim(), sel_scls())) {
      expected <- as.data.frame(sift_features(doors$integer, selector))
      expect_identical(as.data.frame(sift_features(door, selector)), expected, info = name)
    }
  })
  # weights: by the rows that count
  weights <- rep(c(0, 1, 2), 80)
  weighted <- suppressMessages(mltask(rows$x, rows$y, weights = weights))
  times <- rep(seq_along(weights), weights)
  share <- colMeans(rows$x[times, ] == 0)
  few <- apply(rows$x[weights > 0, ], 2, function(v) length(unique(v))) <= min(10, max(5, sum(weights > 0) %/% 20))
  expect_identical(weighted$discrete, apply(rows$x, 2, function(v) all(v %in% 0:1)) | (few & share <= 0.5))
  expect_identical(suppressMessages(mltask(sparse(rows$x + 0), rows$y, weights = weights))$discrete, weighted$discrete)
})

test_that("columns without quotes and formulas at the wrong place are refused with what to write", {
  df <- data.frame(a = c(0.5, 1, 2, 4), site = c(1, 1, 2, 2), time = 1:4, l = c(0, 1, 0, 1))
  expect_snapshot(error = TRUE, {
    mltask(df, l)
    mltask(df, c(l, a))
    mltask(df, targets = l, group = site)
    mltask(l ~ a, df, time = time)
    sift(df, l, group = paste(site))
    sift(l ~ a, df)
    sift(l ~ a, data = df)
    sift("rows.csv", l)
    sift(df)
  })
  # Errors in what is no column are the user's own.
  expect_error(mltask(df["a"], stop("own")), "own", fixed = TRUE)
  expect_error(mltask(df, targets = l, group = nowhere), "nowhere")
  expect_error(mltask(df, targets = l, group = nowhere$site), "nowhere")
  site <- c("a", "b", "a", "b")
  expect_error(mltask(df, targets = l, group = factor(site, lables = "a")), "lables")
  expect_identical(row_groups(mltask(df, targets = l, group = site)), row_groups(mltask(df[c("a", "l")], targets = l,
    group = c("a", "b", "a", "b"))))
})

test_that("values of a column are not taken as numbers of columns", {
  data <- data.frame(a = stats::rnorm(6), b = 6:1 / 3, sick = rep(0:1, 3), grade = rep(1:3, 2))
  for (column in c("sick", "grade")) {
    expect_error(mltask(data, targets = data[[column]]), paste0("value for each row.*targets = \"", column),
      class = "mlsift_error")
  }
  expect_error(mltask(data, targets = data$sick), "value for each row.*targets = \"sick\"", class = "mlsift_error")
  data$site <- factor(letters[c(1, 2, 1, 2, 2, 1)])
  expect_error(mltask(data, targets = data$site), "value for each row.*targets = \"site\"", class = "mlsift_error")
  expect_error(mltask(data[1:2], targets = data$site), "value for each row.*mltask\\(x, y\\)", class = "mlsift_error")
  names <- list(of = c("sick", "a"))
  expect_identical(target_names(mltask(data, targets = names$of, kind = "numeric")), c("a", "sick"))
  expect_identical(target_names(mltask(data, targets = c(3, 3))), "sick")
  expect_error(mltask(data, targets = a + b), "c(a, b)", fixed = TRUE, class = "mlsift_error")
  expect_error(mltask(data.frame(a = 1:3, k = c("", "1", "0")), targets = "k", kind = "label"), "has \"\" in row 1",
    class = "mlsift_error")
})

test_that("new columns may have another type that means the same, at every door", {
  skip_unless_all()
  withr::local_seed(31)
  n <- 60
  x <- data.frame(flag = runif(n) < 0.5, bit = sample(0:1, n, TRUE), real = round(rnorm(n), 1),
    code = factor(sample(c(1, 20), n, TRUE)), word = factor(sample(c("u", "v", "w"), n, TRUE)))
  data <- cbind(x, y = x$real + x$flag + x$bit + (x$code == "20") + 2 * (x$word == "u"))
  holey <- replace(data, cbind(1:5, 1:5), NA)
  task <- mltask(holey[1:5], holey["y"])
  choose <- function(data) suppressMessages(sift(data, y, learner = lrn_linear(), selectors = sel_none(),
    estimate = FALSE, inner = rs_cv(2)))
  linear <- lrn_custom("linear", function(x, y) lm(y[, 1] ~ ., x), function(model, x) cbind(y = predict(model, x)))
  doors <- list(
    model = fit(lrn_linear(), mltask(x, data["y"])), user = fit(linear, mltask(x, data["y"])),
    answer = choose(data), imputed = choose(holey),
    imputer = fit(impute_mean(), task), discretizer = fit(disc_equal_width(3, na = "level"), task)
  )
  at <- function(door, x) {
    if (!door %in% c("imputer", "discretizer")) return(predict(doors[[door]], x))
    found <- features(predict(doors[[door]], mltask(x, data["y"])))
    as_number <- function(x) as.double(if (is.factor(x)) factor(x, c(1, 20, "u", "v", "w")) else x)
    vapply(found, as_number, double(n))
  }
  same <- list(
    quote(flag <- as.integer(flag)), quote(flag <- as.double(flag)), quote(bit <- as.logical(bit)),
    quote(bit <- as.double(bit)), quote(code <- as.double(as.character(code))), quote(word <- as.character(word))
  )
  for (door in names(doors)) {
    for (change in same) expect_identical(at(door, within(x, eval(change))), at(door, x), info = paste(door, change))
    for (feature in c("flag", "bit", "real")) {
      expect_error(at(door, replace(x, feature, list(letters[1:n %% 3 + 1]))), "type they had", class = "mlsift_error")
    }
  }
  # A column without values may have any type.
  for (door in c("imputed", "imputer", "discretizer")) for (feature in names(x)) {
    gone <- lapply(list(NA, NA_real_, NA_character_), function(value) at(door, replace(x, feature, list(value))))
    expect_identical(gone[-1], gone[c(1, 1)], info = paste(door, feature))
    expect_false(identical(gone[[1]], at(door, x)), info = paste(door, feature))
  }
  # What is filled in has the type of training, and numbers for a logical stay numbers.
  values <- doors$imputer$values
  imputed <- function(x) features(predict(doors$imputer, mltask(x, data["y"])))
  expect_identical(imputed(replace(x, c("flag", "bit", "real", "code"), list(1, TRUE, NA, 20)))[1:4],
    data.frame(flag = TRUE, bit = 1, real = values$real, code = factor(rep(20, n), c(1, 20))))
  expect_identical(imputed(transform(x, flag = c(0.5, NA, rep(0, n - 2))))$flag[1:2],
    c(0.5, values$flag))
})

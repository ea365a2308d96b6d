# One meaning of a target, whatever door it comes through.

# 0/1 features, and the words of targets: 0/1 with a word for each value; NA where it is unknown.
coded_x <- function(n = 42) array(stats::rbinom(4 * n, 1, 0.5), c(n, 4), list(NULL, paste0("f", 1:4)))

coded_labels <- function(n = 42, unknown = FALSE) {
  y <- array(stats::rbinom(3 * n, 1, 0.5), c(n, 3), list(NULL, c("a", "b", "c")))
  y[1:2, ] <- 0:1
  if (unknown) y[cbind(c(5, 9, 9, 30), c(1, 1, 2, 3))] <- NA
  y
}

in_words <- function(y, code) as.data.frame(array(code[y + 1L], dim(y), dimnames(y)))

write_words_arff <- function(x, y, types, file = "toy.arff") {
  rows <- cbind(x, as.matrix(y))
  rows[is.na(rows)] <- "?"
  types <- c(rep("numeric", ncol(x)), rep_len(types, ncol(y)))
  writeLines(c("@relation toy", paste("@attribute", c(colnames(x), names(y)), types), "@data",
    do.call(paste, c(as.data.frame(rows), sep = ","))), file)
  file
}

rows_in_chunks <- function(x, y, size, ...) {
  next_chunk <- function(i) {
    rows <- seq_len(nrow(x))[ceiling(seq_len(nrow(x)) / size) == i]
    if (length(rows) > 0L) list(x = x[rows, , drop = FALSE], y = y[rows, , drop = FALSE])
  }
  chunk_source(next_chunk, colnames(x), colnames(y), ...)
}

# Doors for targets that are words, and for targets that are numbers.
word_doors <- function(code) list(
  text = function(x, y, ...) mltask(x, y, ...),
  factors = function(x, y, ...) mltask(x, as.data.frame(lapply(y, factor, code)), ...),
  matrix = function(x, y, ...) mltask(x, as.matrix(y), ...),
  columns = function(x, y, ...) mltask(data.frame(x, y), targets = names(y), ...),
  formula = function(x, y, ...) mltask(a + b + c ~ ., data.frame(x, y), ...),
  arff = function(x, y, ...) {
    read_mulan(write_words_arff(x, y, paste0("{", paste(code, collapse = ","), "}")), labels = -3, ...)
  },
  arff_chunks = function(x, y, ...) {
    read_chunks(write_words_arff(x, y, paste0("{", paste(rev(code), collapse = ","), "}")), labels = -3, rows = 9, ...)
  },
  csv = function(x, y, ...) {
    utils::write.csv(data.frame(x, y), "toy.csv", row.names = FALSE, na = "")
    read_chunks("toy.csv", targets = names(y), rows = 9, ...)
  },
  chunks = function(x, y, ...) rows_in_chunks(x, y, 9, ...),
  mldr = function(x, y, ...) as_mltask(structure(list(
    name = "toy", dataset = data.frame(x, y), labels = data.frame(index = 5:7, row.names = names(y)),
    attributes = stats::setNames(
      rep(c("numeric", paste0("{", paste(code, collapse = ","), "}")), 4:3), c(colnames(x), names(y))
    )
  ), class = "mldr"), ...)
)

number_doors <- function() list(
  frame = function(x, y, ...) mltask(x, as.data.frame(y), ...), matrix = function(x, y, ...) mltask(x, y, ...),
  sparse = function(x, y, ...) mltask(x, methods::as(y, "CsparseMatrix"), ...),
  arff = function(x, y, ...) read_mulan(write_words_arff(x, as.data.frame(y), "numeric"), labels = -3, ...),
  arff_chunks = function(x, y, ...) {
    read_chunks(write_words_arff(x, as.data.frame(y), "numeric"), labels = -3, rows = 9, ...)
  },
  csv = function(x, y, ...) {
    utils::write.csv(data.frame(x, y), "toy.csv", row.names = FALSE)
    read_chunks("toy.csv", targets = colnames(y), rows = 9, ...)
  },
  chunks = function(x, y, ...) rows_in_chunks(x, y, 9, ...),
  sparse_chunks = function(x, y, ...) rows_in_chunks(x, methods::as(y, "CsparseMatrix"), 9, ...)
)

# The task or source has the kind, names, values and scores of the task.
expect_same_targets <- function(found, task, what) {
  if (inherits(found, "mlsource")) {
    expect_identical(count_tables(found, sel_mim())$kind, task_kind(task), info = what)
  } else {
    expect_identical(task_kind(found), task_kind(task), info = what)
    same <- function(of) expect_identical(of(found), of(task), info = what)
    if (task_kind(task) == "class") same(\(task) lapply(task$targets$values, function(column) column))
    else same(\(task) unname(as.matrix(as.data.frame(as.matrix(targets(task))))) + 0)
  }
  expect_identical(target_names(found), target_names(task), info = what)
  expect_identical(sift_features(found, sel_mim())$score, sift_features(task, sel_mim())$score, info = what)
}

test_that("labels in every code are the same labels through every door", {
  skip_unless_all()
  local_no_words()
  withr::local_seed(1)
  withr::local_dir(withr::local_tempdir())
  x <- coded_x()
  codes <- list(c("0", "1"), c("FALSE", "TRUE"), c("f", "T"), c("No", "Yes"), c("n", "y"), c("-1", "1"))
  for (unknown in c(FALSE, TRUE)) {
    y <- coded_labels(unknown = unknown)
    task <- mltask(x, y)
    for (at in seq_along(codes)) suppressMessages({
      code <- codes[[at]]
      doors <- word_doors(code)
      for (door in some_or_all(names(doors), at + unknown)) {
        what <- paste(paste(code, collapse = "/"), door, unknown)
        expect_same_targets(doors[[door]](x, in_words(y, code)), task, what)
      }
    })
    doors <- number_doors()
    for (low in c(0, -1)) for (door in some_or_all(names(doors), low + unknown, 2L)) suppressMessages({
      expect_same_targets(doors[[door]](x, (1 - low) * y + low), task, paste(low, door, unknown))
    })
    expect_same_targets(mltask(x, as.data.frame(y == 1)), task, "logical")
    expect_same_targets(mltask(x, y == 1), task, "logical matrix")
  }
})

test_that("other text of two values is a class through every door, and a label if it is said what is on", {
  skip_unless_all()
  local_no_words()
  withr::local_seed(2)
  withr::local_dir(withr::local_tempdir())
  x <- coded_x()
  y <- coded_labels()
  labels <- mltask(x, y)
  for (code in list(c("female", "male"), c("1", "2"))) {
    words <- in_words(y, code)
    suppressMessages(classes <- mltask(x, words))
    expect_identical(task_kind(classes), "class")
    doors <- word_doors(code)
    if (code[1L] == "1") doors <- c(doors, list(
      numbers = function(x, y, ...) mltask(x, as.data.frame(lapply(y, as.numeric)), ...),
      number_chunks = function(x, y, ...) rows_in_chunks(x, as.data.frame(lapply(y, as.numeric)), 9, ...),
      number_arff = function(x, y, ...) read_mulan(write_words_arff(x, y, "numeric"), labels = -3, ...)
    ))
    for (door in some_or_all(names(doors), code[1L] == "1", 2L)) suppressMessages({
      if (door != "arff_chunks") expect_same_targets(doors[[door]](x, words), classes, paste(code[1L], door))
      expect_same_targets(doors[[door]](x, words, kind = "class"), classes, paste(code[1L], door, "class"))
      expect_same_targets(doors[[door]](x, words, on = code[2L]), labels, paste(code[1L], door, "on"))
      expect_same_targets(doors[[door]](x, words, kind = "label", on = c(a = code[1L], b = code[1L], c = code[1L])),
        mltask(x, 1L - y), paste(code[1L], door, "off"))
    })
  }
  suppressMessages({
    expect_same_targets(word_doors(c("no", "yes"))$csv(x, in_words(y, c("no", "yes")), kind = "class"),
      mltask(x, in_words(y, c("no", "yes")), kind = "class"), "kind of a CSV file")
  })
})

test_that("how targets were understood is said once, with the remedy", {
  withr::local_seed(3)
  x <- coded_x()
  y <- coded_labels()
  words <- in_words(y, c("no", "yes"))
  expect_snapshot({
    task <- mltask(x, words)
    task <- mltask(x, 2 * y - 1)
    task <- mltask(x, in_words(y, c("female", "male")))
    task <- mltask(x, y + 1)
    task <- mltask(x, cbind(words["a"], b = rep(c("jazz", "pop", "rock"), 14)))
  })
  for (plain in list(y, y == 1, in_words(y, c("0", "1")), in_words(y, c("false", "true")))) {
    expect_no_message(mltask(x, plain))
  }
  for (kind in c("label", "class")) expect_no_message(mltask(x, words, kind = kind))
  expect_no_message(mltask(x, words, on = "no"))
  expect_no_message(mltask(x, rep(c("jazz", "pop", "rock"), 14)))
})

test_that("measures read labels in the same codes", {
  withr::local_seed(10)
  y <- coded_labels()
  guess <- coded_labels()
  expected <- msr_hamming_loss(y, guess)
  for (code in list(c("no", "YES"), c("0", "1"), c("F", "T"), c("-1", "1"))) {
    expect_identical(msr_hamming_loss(in_words(y, code), guess), expected)
    expect_identical(msr_hamming_loss(as.data.frame(lapply(in_words(y, code), factor, code)), guess), expected)
  }
  expect_error(msr_hamming_loss(in_words(y, c("f", "m")), guess), "must hold labels, 0 or 1", class = "mlsift_error")
})

test_that("targets of several kinds, and values that do not fit, are refused", {
  withr::local_seed(4)
  x <- coded_x()
  y <- coded_labels()
  words <- in_words(y, c("no", "yes"))
  numbers <- as.numeric(1:42)
  expect_snapshot(error = TRUE, {
    mltask(x, cbind(words, d = numbers))
    mltask(x, data.frame(d = numbers, e = rep(c("jazz", "pop", "rock"), 14)))
    mltask(x, in_words(y, c("f", "m")), kind = "label")
    mltask(x, words, on = "maybe")
    mltask(x, rep(c("jazz", "pop", "rock"), 14), on = "pop")
    mltask(x, words, on = c(a = "yes", z = "yes"))
    mltask(x, words, on = c("no", "yes"))
    mltask(x, words, on = "yes", kind = "class")
  })
  refused <- function(expr, why) expect_error(suppressMessages(expr), why, class = "mlsift_error")
  late <- y
  late[20, 2] <- 2
  refused(sift_features(rows_in_chunks(x, late, 9), sel_mim()), "\"b\" has 2 in row 2.*begins with row 19")
  refused(sift_features(rows_in_chunks(x, late + 0.5, 9), sel_mim()), "\"a\" is of kind \"numeric\"")
  late <- words
  late[20, 2] <- "maybe"
  refused(sift_features(rows_in_chunks(x, late, 9, kind = "label"), sel_mim()), "\"b\" has maybe in row 2")
  suppressMessages(expect_same_targets(rows_in_chunks(x, late, 9), mltask(x, late), "classes that come late"))
  refused(rows_in_chunks(x, y, 9, on = c(z = 1)), "no target \"z\"")
  refused(sift_features(chunked(mltask(x, y), on = 1), sel_mim()), "do not apply to chunks that are tasks")
  refused(sift_features(chunked(mltask(x, y), kind = "class"), sel_mim()), "do not apply to chunks that are tasks")
})

test_that("a target with one value follows the others, and declared levels count", {
  withr::local_seed(5)
  x <- coded_x(6)
  kind <- function(...) suppressMessages(task_kind(mltask(x, data.frame(...))))
  half <- rep(c("no", "yes"), 3)
  some <- c("jazz", "pop", "rock", "pop", "jazz", "pop")
  for (single in list("no", "YES", "0", 1, -1, NA)) {
    expect_identical(kind(k = rep(single, 6), l = half), "label")
    expect_identical(kind(l = half, k = rep(single, 6)), "label")
  }
  for (single in list("no", "0", 1)) expect_identical(kind(k = rep(single, 6), l = some), "class")
  for (single in list(0, 1, -1, 5, NA)) expect_identical(kind(k = rep(single, 6), l = x[, 1] + 0.5), "numeric")
  found <- suppressMessages(mltask(x, data.frame(k = rep("no", 6), l = half)))
  expect_identical(unname(found$targets$values), cbind(0L, rep(0:1, 3)))
  expect_identical(kind(k = factor(rep("no", 6), c("no", "yes"))), "label")
  expect_identical(kind(k = factor(rep("no", 6), c("no", "yes", "maybe"))), "class")
  expect_identical(kind(k = factor(rep(0, 6), 0:2)), "class")
  # labels beside classes are classes, however they are stored
  for (labels in list(rep(0:1, 3), half, rep(c(FALSE, TRUE), 3), factor(half))) {
    expect_identical(kind(l = labels, m = some), "class")
    expect_identical(kind(m = some, l = labels), "class")
  }
})

test_that("parts of a task keep the kind of its targets, also in a file", {
  withr::local_seed(6)
  withr::local_dir(withr::local_tempdir())
  x <- coded_x(8)
  halves <- rep(0:1, 4)
  tasks <- list(
    mltask(x, data.frame(a = c("no", "yes")[halves + 1L], b = factor(halves)), kind = "class"),
    mltask(x, data.frame(a = factor(rep("no", 8)), b = rep(c("u", "v", "w", "v"), 2)), kind = "class"),
    mltask(x, cbind(a = halves, b = 1 - halves), kind = "numeric"),
    mltask(x, cbind(a = halves, b = x[, 2] + 0.5, c = 3 * halves), kind = "numeric"),
    mltask(x, cbind(a = halves + 1, b = NA), kind = "numeric"), mltask(x, cbind(a = 0 * halves, b = NA)),
    mltask(x, data.frame(a = c("no", "yes")[halves + 1L], b = rep("no", 8)), kind = "label")
  )
  for (task in tasks) suppressMessages({
    expect_identical(mltask(features(task), targets(task)), task)
    for (one in target_names(task)) {
      part <- subset_targets(task, one)
      expect_identical(task_kind(part), task_kind(task))
      expect_identical(mltask(features(part), targets(part)), part)
    }
    rows <- task[1:2, ]
    expect_identical(task_kind(mltask(features(rows), targets(rows))), task_kind(task))
    write_mulan(task, "toy.arff")
    expect_identical(read_mulan("toy.arff"), task)
  })
  # the attribute is there only where the values would say something else, and `kind` comes first
  expect_null(attr(targets(tasks[[6L]]), "target_kind"))
  expect_null(attr(targets(subset_targets(tasks[[4L]], "b")), "target_kind"))
  expect_identical(attr(targets(tasks[[3L]]), "target_kind"), "numeric")
  expect_identical(task_kind(mltask(x, targets(tasks[[3L]]), kind = "label")), "label")
})

test_that("a database whose classes are labels has labels", {
  skip_unless_all()
  withr::local_seed(7)
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  x <- coded_x()
  y <- coded_labels()
  y[1:3, 1] <- 0
  task <- mltask(x, y)
  ones <- which(x == 1, arr.ind = TRUE)
  DBI::dbWriteTable(con, "x", data.frame(row = ones[, 1], feature = colnames(x)[ones[, 2]]))
  write_y <- function(code) DBI::dbWriteTable(con, "y", overwrite = TRUE, data.frame(
    row = rep(1:42, 3), label = rep(colnames(y), each = 42), class = code[y + 1L]
  ))
  DBI::dbWriteTable(con, "folds", data.frame(row = 1:42, group = rep(1:3, 14)))
  for (push_down in c(FALSE, TRUE)) {
    for (code in some_or_all(list(c("no", "Yes"), c("0", "1"), c("-1", "{x}'s")), push_down, 2L)) {
      write_y(code)
      on <- if (startsWith(code[2L], "{")) code[2L]
      suppressMessages(source <- db_source(con, "x", "y", n_rows = 42, push_down = push_down, on = on))
      expect_identical(source$kind, "label")
      expect_same_targets(source, task, code[2L])
      expect_source_equals(source, task, list(sel_scls(), sel_jmim()))
      suppressMessages(folds <- count_tables(
        db_source(con, "x", "y", group = "folds", n_rows = 42, push_down = push_down, on = on), sel_mim()
      ))
      expect_identical(sift_features(Reduce(`+`, folds), sel_mim())$score, sift_features(task, sel_mim())$score)
    }
    write_y(c("no", "yes"))
    source <- db_source(con, "x", "y", n_rows = 42, push_down = push_down, kind = "class")
    expect_same_targets(source, mltask(x, in_words(y, c("no", "yes")), kind = "class"), "class")
    refused <- function(expr, why) expect_error(suppressMessages(expr), why, class = "mlsift_error")
    refused(db_source(con, "x", "y", n_rows = 43, push_down = push_down), "must have a class of each target")
    DBI::dbExecute(con, "INSERT INTO y VALUES (3, 'a', 'yes')")
    refused(db_source(con, "x", "y", n_rows = 42, push_down = push_down), "Row \"3\" has label \"a\" more than once")
    DBI::dbWriteTable(con, "plain", overwrite = TRUE, data.frame(row = which(y[, 2] == 1), label = "b"))
    refused(db_source(con, "x", "plain", n_rows = 42, kind = "class"), "a table of labels with a column class")
  }
})

test_that("files of LIBSVM hold labels unless it is said otherwise", {
  withr::local_seed(8)
  withr::local_dir(withr::local_tempdir())
  x <- coded_x()
  y <- coded_labels()
  colnames(y) <- c("l1", "l2", "l3")
  lines <- vapply(1:42, function(i) paste(c(
    paste(which(y[i, ] == 1), collapse = ","), paste0(which(x[i, ] == 1), rep(":1", sum(x[i, ])))
  ), collapse = " "), "")
  writeLines(c("42 5 4", sub("^ ", "", lines)), "toy.svm")
  all <- function(y) mltask(cbind(f0 = 0, x), y)
  y <- cbind(l0 = 0, y)
  for (read in list(read_libsvm, function(file, ...) read_chunks(file, rows = 9, ...))) suppressMessages({
    expect_same_targets(read("toy.svm"), all(y), "labels")
    expect_same_targets(read("toy.svm", on = 0), all(1 - y), "off")
    expect_identical(count_tables(read("toy.svm", kind = "class"), sel_mim())$kind, "class")
  })
})

test_that("a target that loses its order is named", {
  x <- coded_x()
  grade <- factor(rep_len(c("low", "mid", "high"), nrow(x)), c("low", "mid", "high"), ordered = TRUE)
  two <- data.frame(grade, size = grade > "low")
  expect_message(task <- mltask(x, two), "\"grade\" is ordered.*as.integer")
  expect_identical(task_kind(task), "class")
  expect_no_message(mltask(x, data.frame(grade), kind = "class"), message = "is ordered")
  expect_no_message(mltask(x, data.frame(grade = factor(grade, ordered = FALSE))), message = "is ordered")
  expect_error(mltask(x, data.frame(grade), kind = "numeric"), "in order, `as.integer\\(\\)`", class = "mlsift_error")
})

test_that("recipes and mlr3 give the same targets", {
  withr::local_seed(9)
  x <- coded_x()
  y <- coded_labels()[, 1]
  task <- mltask(x, cbind(l = y))
  data <- data.frame(x, l = factor(c("no", "yes")[y + 1L]))
  if (requireNamespace("recipes", quietly = TRUE)) suppressMessages({
    step <- step_sift(recipes::recipe(l ~ ., data), recipes::all_predictors(), selector = sel_ebls(), k = 4)
    found <- tidy(recipes::prep(step), number = 1)
    expect_identical(found$score, sift_features(task, sel_ebls(), k = 4)$score)
    levels(data$l) <- c("f", "m")
    step <- step_sift(recipes::recipe(l ~ ., data), recipes::all_predictors(), selector = sel_ebls(), k = 4, on = "m")
    expect_identical(tidy(recipes::prep(step), number = 1)$score, found$score)
  })
  skip_if_not_installed("mlr3")
  levels(data$l) <- c("no", "yes")
  suppressMessages(expect_same_targets(as_mltask(mlr3::as_task_classif(data, target = "l")), task, "mlr3"))
  levels(data$l) <- c("f", "m")
  expect_same_targets(as_mltask(mlr3::as_task_classif(data, target = "l"), on = "m"), task, "mlr3 with on")
})

test_that("numbers that look like categories are told to be numbers", {
  x <- data.frame(a = stats::rnorm(30))
  told <- function(y, ...) testthat::capture_messages(mltask(x, data.frame(y = y), ...))
  expect_match(paste(told(rep(1:5, 6)), collapse = ""), "\"y\" is taken as a number.*kind = \"class\"")
  for (y in list(rep(1:3, 10) / 2, rep(c(1, 2, 4), 10), 1:30, rep(0:1, 15))) expect_length(told(y), 0)
  expect_length(told(rep(1:5, 6), kind = "numeric"), 0)
})

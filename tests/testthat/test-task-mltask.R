test_that("the same task comes from a matrix, a data frame, columns, names and a formula", {
  df <- data.frame(
    height = c(1.7, 1.8, 1.6), smokes = c(TRUE, FALSE, TRUE), id = 3:1, tag_a = c(0, 1, 1), tag_b = c(1, 0, 1)
  )
  expected <- mltask(df[1:2], df[4:5])
  expect_identical(mltask(df, targets = starts_with("tag_"), exclude = id), expected)
  expect_error(mltask(iris, targets = everything()), "5 of its 5 columns are targets", class = "mlsift_error")
  expect_error(mltask(iris, targets = Species, exclude = 1:4), "1 of its 5 columns is a target, and the others",
    class = "mlsift_error")
  expect_identical(mltask(df, targets = c("tag_a", "tag_b"), exclude = "id"), expected)
  expect_identical(mltask(df, targets = 4:5, exclude = 3), expected)
  expect_identical(mltask(df, targets = -(1:3), exclude = -c(1, 2, 4, 5)), expected)
  expect_identical(mltask(df, targets = c(FALSE, FALSE, FALSE, TRUE, TRUE), exclude = id), expected)
  expect_identical(mltask(df, targets = c(tag_a, tag_b), exclude = id), expected)
  wanted <- c("tag_b", "tag_a")
  expect_identical(mltask(df, targets = wanted, exclude = id), expected)
  expect_silent(
    chosen <- mltask(df, targets = tidyselect::all_of(wanted), exclude = tidyselect::any_of(c("id", "none")))
  )
  expect_identical(chosen, expected)
  expect_identical(mltask(tag_a + tag_b ~ height + smokes, df), expected)
  expect_identical(mltask(cbind(tag_a, tag_b) ~ ., df[-3]), expected)
  expect_identical(mltask(cbind(tag_a, tag_b) ~ ., data = df[-3]), expected)
  expect_identical(dim(expected), c(3L, 2L))
  expect_identical(feature_names(expected), c("height", "smokes"))
  expect_identical(target_names(expected), c("tag_a", "tag_b"))
})

test_that("a name that is not syntactic may stand in a formula as it is", {
  df <- data.frame(x = c(1.5, 2), `amazed-suprised` = c(0, 1), quiet = c(1, 0), check.names = FALSE)
  expect_identical(target_names(mltask(cbind(amazed - suprised, quiet) ~ ., df)), c("amazed-suprised", "quiet"))
  expect_identical(target_names(mltask(`amazed-suprised` ~ x, df)), "amazed-suprised")
})

test_that("a variable is taken as it is, unless a column has its name", {
  df <- data.frame(a = c(1.5, 2), b = c(0, 1), l = c(1, 0))
  l <- "b"
  other <- "b"
  expect_error(mltask(df, targets = l), "ambiguous", class = "mlsift_error")
  expect_identical(target_names(mltask(df, targets = other)), "b")
})

test_that("features and targets give back what was given, and make the same task again", {
  withr::local_seed(1)
  x <- matrix(rnorm(20), 10)
  y <- matrix(rbinom(30, 1, 0.5), 10)
  frame <- data.frame(f = letters[1:10], g = 1:10, h = factor(rep(c("u", "v"), 5)))
  for (task in list(mltask(x, y), mltask(sparse(x), sparse(y)), mltask(frame, as.data.frame(y)),
    mltask(x, as.data.frame(y)),
    mltask(x, data.frame(a = letters[1:10])), mltask(x, x + 0.5), mltask(x, as.data.frame(x + 0.5)))) {
    expect_identical(mltask(features(task), targets(task)), task)
  }
  expect_true(is.matrix(features(mltask(x, y))) && is.data.frame(features(mltask(frame, y))))
  expect_s4_class(features(mltask(sparse(x), y)), "dgCMatrix")
  expect_identical(colnames(features(mltask(x, y))), c("f1", "f2"))
  expect_identical(colnames(targets(mltask(x, y))), c("l1", "l2", "l3"))
  expect_s3_class(features(mltask(frame, y))$f, "factor")
})

test_that("any Matrix is taken, and dense ones become matrices", {
  m <- Matrix::Matrix(c(0, 1, 0, 0, 2, 0), 3, sparse = TRUE)
  y <- c(TRUE, FALSE, TRUE)
  for (form in c("TsparseMatrix", "RsparseMatrix", "CsparseMatrix")) expect_s4_class(
    features(mltask(as(m, form), y)), "dgCMatrix"
  )
  expect_s4_class(features(mltask(as(m, "lMatrix"), y)), "dgCMatrix")
  expect_s4_class(features(mltask(as(m, "nMatrix"), y)), "ngCMatrix")
  expect_s4_class(features(mltask(Matrix::Diagonal(3), y)), "dgCMatrix")
  expect_true(is.matrix(features(mltask(Matrix::Matrix(1:6 + 0.5, 3), y))))
})

test_that("the kind of targets follows from what they hold", {
  x <- data.frame(f = c(0.5, 1, 2))
  kind <- function(...) task_kind(mltask(x, ...))
  expect_identical(kind(c(0, 1, 1)), "label")
  expect_identical(kind(c(TRUE, FALSE, TRUE)), "label")
  expect_identical(kind(factor(c("1", "0", "1"))), "label")
  expect_identical(kind(data.frame(a = factor(c("TRUE", "FALSE", "TRUE")), b = c(0L, 0L, 1L))), "label")
  expect_identical(kind(c("x", "y", "x")), "class")
  expect_identical(kind(data.frame(a = c("x", "y", "x"), b = factor(c(0, 1, 1)))), "class")
  expect_identical(kind(c(1, 2, 3)), "numeric")
  expect_identical(kind(c(0, 1, 1), kind = "class"), "class")
  expect_identical(kind(c(0, 1, 1), kind = "numeric"), "numeric")
  expect_identical(targets(mltask(x, data.frame(a = factor(c("FALSE", "TRUE", "TRUE")))))$a, c(0L, 1L, 1L))
  expect_identical(task_kind(mltask(x, c(0, 1, 1))), "label")
})

test_that("discrete features are factors, logicals, integers and zeros and ones", {
  x <- data.frame(a = c(0.5, 1, 2), b = c(0, 1, NA), c = 1:3, d = c(TRUE, FALSE, NA), e = c("u", "v", "w"))
  expect_identical(mltask(x, c(0, 1, 1))$discrete, c(a = FALSE, b = TRUE, c = TRUE, d = TRUE, e = TRUE))
  expect_identical(
    mltask(x, c(0, 1, 1), discrete = c(c = FALSE, a = TRUE))$discrete[c("a", "c")], c(a = TRUE, c = FALSE)
  )
  expect_message(mltask(data.frame(id = 1:60), rep(0:1, 30)), "id", class = "mlsift_message")
  expect_no_message(mltask(data.frame(id = 1:60), rep(0:1, 30), discrete = c(id = FALSE)))
  expect_no_message(mltask(data.frame(id = 1:60 + 0.5), rep(0:1, 30)))
})

test_that("rows and features are taken by number, name, logical and negative number, and never dropped", {
  x <- matrix(1:12 + 0.5, 4, dimnames = list(paste0("r", 1:4), c("a", "b", "c")))
  task <- mltask(x, c(0, 1, 1, 0))
  expect_identical(dim(task[2, ]), c(1L, 3L))
  expect_identical(features(task[c("r3", "r1"), c("c", "a")]), x[c("r3", "r1"), c("c", "a")])
  expect_identical(task[-1, ], task[2:4, ])
  expect_identical(task[c(TRUE, FALSE, TRUE, FALSE), -2], task[c(1, 3), c("a", "c")])
  expect_identical(targets(task[c(2, 2), ])[, 1], c(1L, 1L), ignore_attr = TRUE)
  expect_identical(head(task, 2), task[1:2, ])
  expect_identical(dimnames(task), dimnames(x))
  expect_identical(as.matrix(task), x)
  expect_identical(names(as.data.frame(task)), c("a", "b", "c", "l1"))
  both <- mltask(x, cbind(u = c(0, 1, 1, 0), v = 1))
  expect_identical(target_names(subset_targets(both, "v")), "v")
  expect_identical(task_kind(subset_targets(both, 2)), "label")
})

test_that("the summary counts label sets and imbalance", {
  y <- cbind(a = c(1, 1, 1, 0), b = c(0, 0, 1, 0), never = 0)
  facts <- summary(mltask(matrix(1:8 + 0.5, 4), y, name = "toy"))
  expect_identical(facts$task, "toy")
  expect_identical(c(facts$n_rows, facts$n_features, facts$n_targets, facts$label_sets), c(4L, 2L, 3L, 3L))
  expect_equal(c(facts$cardinality, facts$density, facts$mean_ir, facts$max_ir), c(1, 1 / 3, 2, 3))
  expect_identical(c(facts$single_label_sets, facts$top_label_set), c(2L, 2L))
  expect_equal(facts$scumble, (1 - sqrt(1 * 3) / mean(c(1, 3))) / 4)
  expect_equal(facts$tcs, log(2 * 3 * 3))
  expect_identical(summary(mltask(matrix(1:8 + 0.5, 4), sparse(y)))[-1], facts[-1])
  none <- summary(mltask(matrix(1:8 + 0.5, 4), 0 * y, kind = "label"))
  expect_identical(c(none$scumble, none$mean_ir), c(0, NA))
  classes <- summary(mltask(matrix(1:8 + 0.5, 4), data.frame(a = c("u", "v", "u", "u"), b = c("x", "x", "x", "y"))))
  expect_identical(c(classes$label_sets, classes$single_label_sets, classes$top_label_set), c(3L, 2L, 2L))
  expect_identical(c(classes$scumble, classes$tcs), c(NA_real_, NA_real_))
  expect_identical(summary(mltask(matrix(1:8 + 0.5, 4), data.frame(c("u", "v", "u", "u"))))$label_sets, 2L)
  expect_identical(is.na(summary(mltask(matrix(1:8 + 0.5, 4), 1:4 + 0.5))$cardinality), TRUE)
})

test_that("tasks survive saveRDS()", {
  withr::local_seed(1)
  task <- simulate_mltask(30, 6, 3, sparse = TRUE)
  file <- withr::local_tempfile()
  saveRDS(task, file)
  expect_identical(readRDS(file), task)
})

test_that("printing says what a task is", {
  df <- data.frame(height = c(1.7, 1.8, 1.6), smokes = c(TRUE, FALSE, TRUE), tag_a = c(0, 1, 1), tag_b = c(1, 0, 1))
  expect_snapshot({
    mltask(df, targets = starts_with("tag_"), name = "people")
    mltask(df["smokes"], c("u", "v", "w"))
  })
})

test_that("bad input is refused with what was found and what to do", {
  df <- data.frame(a = c(0.5, 1, 2), b = c(0, 1, 1), c = c(1, 0, 1))
  expect_snapshot(error = TRUE, {
    mltask(1:3, 1:3)
    mltask(df)
    mltask(df, targets = "d")
    mltask(df, targets = starts_with("z"))
    mltask(df, targets = 4)
    mltask(df, targets = b, exclude = "b")
    mltask(df, df$b, targets = "b")
    mltask(df, data.frame(a = c(0, 1, 1)))
    mltask(df, c(0, 1))
    mltask(df[0, ], integer())
    mltask(df[0], df$b)
    mltask(df, df[0])
    mltask(df, factor(c("u", NA, "v")))
    mltask(df, c(0.5, Inf, 1))
    mltask(df, data.frame(x = c(0, 2, 1), y = c(0, 1, 1)), kind = "label")
    mltask(df, data.frame(x = c(0, 1, 1), y = c(0, 2, 1)))
    mltask(df, c("u", "v", "w"), kind = "numeric")
    mltask(df, df$b, kind = "labels")
    mltask(transform(df, a = c(1, Inf, 2)), df$b)
    mltask(transform(df, a = Sys.Date()), df$b)
    mltask(stats::setNames(df, c("a", "", "c")), 1:3)
    mltask(stats::setNames(df, c("a", "b", "a")), 1:3)
    mltask(df, 1:3, discrete = TRUE)
    mltask(df, 1:3, discrete = c(z = TRUE))
    mltask(df, 1:3, name = 1)
    mltask(b ~ log(a), df)
    mltask(~a, df)
    mltask(b ~ aa, df)
    mltask(b ~ a, as.matrix(df))
    mltask(df, sparse(cbind(x = c(0, 0.5, Inf), y = c(1, 0.5, 1))))
  })
  task <- mltask(df["a"], df[c("b", "c")])
  expect_snapshot(error = TRUE, {
    task[1]
    task[4, ]
    task[0, ]
    task[, "z"]
    task[, c(1, 1)]
    task[c(TRUE, FALSE), ]
    task[c(-1, 1), ]
    subset_targets(task, "z")
    features(df)
    head(task, -1)
  })
})

test_that("simulated tasks keep the truth, and the useful features lead", {
  withr::local_seed(2)
  task <- simulate_mltask(400, 20, 4)
  truth <- attr(task, "truth")
  expect_identical(truth$feature, feature_names(task))
  expect_identical(as.vector(table(truth$role)[c("relevant", "redundant", "useless")]), c(5L, 5L, 10L))
  expect_true(all(truth$role[match(truth$source[truth$role == "redundant"], truth$feature)] == "relevant"))
  best <- sift_features(task, sel_mim(), k = 3)
  expect_false(any(truth$role[best$index] == "useless"))
  expect_s4_class(features(simulate_mltask(30, 8, 2, sparse = TRUE)), "dgCMatrix")
  expect_identical(task_kind(simulate_mltask(20, 5, 2, kind = "class")), "class")
  expect_identical(task_kind(simulate_mltask(20, 5, 2, kind = "numeric")), "numeric")
  expect_error(simulate_mltask(10, 5, n_relevant = 6), class = "mlsift_error")
})

test_that("a formula takes no targets, and leaves columns out", {
  df <- data.frame(l1 = c(0, 1), l2 = c(0, 1), a = 1:2)
  expect_snapshot(error = TRUE, mltask(l1 ~ ., df, targets = "l2"))
  expect_identical(mltask(l1 ~ ., df, exclude = l2), mltask(l1 ~ a, df))
})

test_that("matrices whose parts do not fit together are refused", {
  broken <- function(i = c(0L, 2L, 1L), p = c(0L, 2L, 3L), x = c(1, 1, 1)) {
    m <- Matrix::sparseMatrix(i = c(1, 3, 2), j = c(1, 1, 2), x = 1, dims = c(3, 2))
    m@i <- i
    m@p <- p
    m@x <- x
    m
  }
  y <- c(0, 1, 1)
  expect_identical(nrow(mltask(broken(), y)), 3L)
  expect_snapshot(error = TRUE, {
    mltask(broken(i = c(0L, 7L, 1L)), y)
    mltask(broken(i = c(2L, 0L, 1L)), y)
    mltask(broken(i = c(0L, 0L, 1L)), y)
    mltask(broken(p = c(0L, 3L, 2L)), y)
    mltask(broken(x = 1), y)
    mltask(cbind(a = 1:3), broken(i = c(-1L, 2L, 1L)))
  })
})

test_that("matrices of 64-bit integers are refused", {
  big <- structure(matrix(c(4.9e-324, 0, 0, 4.9e-324), 2), class = "integer64")
  expect_snapshot(error = TRUE, {
    mltask(big, c(0, 1))
    mltask(cbind(a = 1:2), big)
  })
})

# --- labels in other codes --------------------------------------------------------------------------------------------

test_that("labels written as yes/no, true/false or -1/1 become 0/1", {
  x <- data.frame(a = 1:6 / 7)
  y <- data.frame(l = c("yes", "No", "no", "YES", "no", "no"), m = c(-1, 1, 1, -1, -1, -1), n = c(0, 1, 0, 1, 0, 1))
  task <- mltask(x, y, kind = "label")
  expect_identical(
    unname(task$targets$values), cbind(c(1L, 0L, 0L, 1L, 0L, 0L), c(0L, 1L, 1L, 0L, 0L, 0L), c(0L, 1L, 0L, 1L, 0L, 1L))
  )
  signs <- mltask(x, matrix(c(-1, 1, 1, -1, 1, 1), 6), kind = "label")
  expect_identical(unname(signs$targets$values[, 1]), c(0L, 1L, 1L, 0L, 1L, 1L))
  expect_message(found <- mltask(x, y), "labels: on is \"(yes|YES)\" and \"1\"")
  expect_identical(found, task)
  expect_message(mltask(x, c("a,b", "b", "a", "c", "a,c", "b,c")), "lists of labels")
  expect_no_message(mltask(x, c("a", "b", "a", "c", "a", "b")))
  expect_error(mltask(x, c("yes", "maybe", "no", "no", "yes", "yes"), kind = "label"), "0 or 1", class = "mlsift_error")
  column <- c("no", "yes", "no", "unknown", "yes", "yes")
  error <- expect_error(mltask(x, data.frame(sick = column), kind = "label"), class = "mlsift_error")
  expect_match(conditionMessage(error), "has unknown in row 4", fixed = TRUE)
  expect_match(conditionMessage(error), "\"no\" and \"yes\" in this column are read as 0 and 1", fixed = TRUE)
  expect_error(mltask(x, c(0, 1, 1, 0, -1, 1), kind = "label"), "has -1 in row 5", class = "mlsift_error")
  # a label that no row has, and 0 and 1 as text
  y <- data.frame(k = rep("no", 6), l = c("0", "1", "1", "0", "0", "1"), m = factor(rep("yes", 6)), n = rep("0", 6))
  expect_identical(unname(mltask(x, y, kind = "label")$targets$values), cbind(0L, c(0L, 1L, 1L, 0L, 0L, 1L), 1L, 0L))
})

test_that("columns of x are no values of targets, and a choice that cannot be made is refused", {
  df <- data.frame(a = c(0.5, 1, 2), b = c(0, 1, 1), c = c(1, 0, 1))
  refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")
  refused(mltask(df, c("b", "c")), "names columns of `x`: \"b\" and \"c\".*targets = ")
  refused(mltask(df, targets = absent), "`targets` does not choose columns of `x`")
  long <- data.frame(height = 1:3 / 2, weight = c(0, 1, 1))
  refused(mltask(long, targets = c(weigth, height)), "does not choose columns of `x`.\ni Did you mean \"weight\"")
  refused(mltask(. ~ a, df), "on the right side of the formula only")
  refused(mltask(df["a"], I(list(1, 2, 3))), "must")
  refused(mltask(df["a"], data.frame(day = as.Date("2024-01-01") + 0:2)),
    "must be numbers, logicals, factors or characters.*\"day\" is of class .?Date")
  refused(mltask(df["a"], df[2:3], kind = c("label", "numeric")), "must be of one kind.*\"label\" and \"numeric\"")
  same <- mltask(df["a"], df[2:3], kind = c(b = "label", c = "label"))
  expect_identical(same, mltask(df["a"], df[2:3], kind = "label"))
})

test_that("a matrix that holds neither numbers, logicals nor text is refused by its type", {
  for (cells in list(1:4 + 0i, as.raw(1:4), as.list(1:4))) {
    expect_error(mltask(matrix(cells, 2), 0:1), paste0("It is a matrix of type \"", typeof(cells), "\""),
      class = "mlsift_error")
  }
})

test_that("a matrix of text has factors as features", {
  x <- cbind(size = c("big", "small", "big"), color = c("red", "red", "blue"))
  expect_identical(features(mltask(x, c(0, 1, 1))), as.data.frame(x, stringsAsFactors = TRUE))
})

test_that("a task keeps a row, a feature and a target, and the names of its rows", {
  df <- data.frame(a = c(0.5, 1, 2), b = c(0, 1, 1), row.names = c("u", "v", "w"))
  y <- data.frame(l = c(1, 0, 1), m = c(0, 1, 0))
  task <- mltask(df, y)
  refused <- function(expr, why) expect_error(expr, why, class = "mlsift_error")
  refused(task[integer(), ], "at least one row.*`i` chooses none")
  refused(task[, -(1:2)], "at least one feature.*`j` chooses none")
  refused(subset_targets(task, character()), "at least one target, none of them twice.*It chooses 0")
  refused(subset_targets(task, c("l", "l")), "It chooses 2")
  expect_identical(rownames(task), c("u", "v", "w"))
  expect_identical(features(task["w", ]), df["w", ])
  expect_null(rownames(mltask(`rownames<-`(df, NULL), y)))
  expect_identical(feature_names(task[, factor("b", c("z", "b"))]), "b")
})

test_that("a task of one row can be simulated", {
  withr::local_seed(3)
  for (kind in c("label", "numeric")) {
    task <- simulate_mltask(1, 4, 2, kind = kind)
    expect_identical(dim(task), c(1L, 4L))
    expect_false(anyNA(targets(task)))
  }
  # Relevant features that are 0 everywhere say nothing.
  empty <- simulate_mltask(30, 6, 2, kind = "numeric", sparse = TRUE, density = 0)
  expect_identical(Matrix::nnzero(features(empty)), 0L)
  expect_true(all(is.finite(targets(empty))))
})

test_that("whole numbers are discrete if they have few values for their rows; the user may say otherwise", {
  withr::local_seed(5)
  discrete <- function(values, n, ...) {
    x <- data.frame(f = rep_len(values, n))
    y <- rep_len(0:1, n)
    frame <- suppressMessages(mltask(x, y, ...))$discrete
    same <- function(x) expect_identical(suppressMessages(mltask(x, y, ...))$discrete, frame)
    same(as.matrix(x))
    same(as.matrix(x) + 0)
    if (!anyNA(values)) same(sparse(as.matrix(x)))
    unname(frame)
  }
  expect_true(discrete(1:5, 6))
  expect_false(discrete(1:6, 119))
  expect_true(discrete(1:6, 120))
  expect_true(discrete(c(NA, 1:6), 120))
  expect_true(discrete(1:10, 200))
  expect_false(discrete(1:10, 199))
  expect_false(discrete(1:11, 1e4))
  expect_true(discrete(1:11, 100, discrete = c(f = TRUE)))
  # counts that are mostly 0, and values that are not whole
  expect_true(discrete(c(0, 0, 1, 2), 100))
  expect_false(discrete(c(0, 0, 0, 1, 2), 100))
  expect_true(discrete(c(0, 0, 0, 1), 100))
  expect_false(discrete(c(0, 0.5, 1), 100))
  expect_true(unname(suppressMessages(mltask(data.frame(f = gl(30, 2)), rep(0:1, 30)))$discrete))
  task <- suppressMessages(mltask(data.frame(f = rep_len(1:10, 200)), rep_len(0:1, 200)))
  expect_true(task[1:20, ]$discrete)
})

test_that("counts give the results of the same numbers as doubles", {
  withr::local_seed(6)
  x <- matrix(stats::rpois(150 * 40, 60), 150)
  y <- (x[, 3] + x[, 9] > 121) + 0L
  counts <- suppressMessages(mltask(x, y))
  numbers <- mltask(x + 0, y)
  for (selector in list(sel_mim(), sel_scls(), sel_mrmr())) {
    expect_identical(
      as.data.frame(sift_features(counts, selector, k = 8)), as.data.frame(sift_features(numbers, selector, k = 8))
    )
  }
  expect_setequal(sift_features(counts, sel_mim(), k = 2)$index, c(3, 9))
  # A source decides from all rows: here no chunk has many values.
  source <- chunk_source(function(i) if (i <= 30) list(x = x[5 * i - 4:0, ], y = cbind(l1 = y[5 * i - 4:0])),
    feature_names(counts), "l1")
  expect_identical(sift_features(source, sel_mim())$score, sift_features(numbers, sel_mim())$score)
})

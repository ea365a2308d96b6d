# The page "What is promised" has a table of changes that do not matter in mathematics, and what they do to the last
# bits of scores. Here every registered selector is tried.

# A data frame: `code`, the constructors, and for each change "bits", "rounding", "tol" or "no".
promised_table <- function() {
  page <- c(testthat::test_path("..", "..", "vignettes", "what-is-promised.Rmd"),
    system.file("doc", "what-is-promised.Rmd", package = "mlsift"))
  page <- page[file.exists(page)]
  if (length(page) == 0L) testthat::skip("The page is not installed.")
  lines <- grep("^\\| *`sel_", readLines(page[1L], encoding = "UTF-8"), value = TRUE)
  do.call(rbind, lapply(strsplit(lines, "|", fixed = TRUE), function(cells) {
    code <- gsub("`", "", regmatches(cells[2L], gregexpr("`[^`]+`", cells[2L]))[[1L]])
    changes <- c("rows", "labels", "features", "opposite", "copy", "unit")
    data.frame(code, as.list(stats::setNames(trimws(cells[3:8]), changes)))
  }))
}

# Continuous features, whose distances do not tie, and binary ones. Labels differ in size, and their sets occur several
# times.
promised_data <- function(seed, kind) {
  withr::local_seed(seed)
  n <- 40L + 17L * seed
  x <- matrix(rnorm(n * 7), n, dimnames = list(NULL, paste0("f", 1:7)))
  y <- unname(x[, 1:4]) + matrix(rnorm(n * 4, sd = 0.7), n)
  if (kind == "label") y <- sweep(y[, c(1, 1:3)] + (seq_len(n) >= 20), 2, c(-0.5, 0.6, 0.2, 0), ">") + 0L
  colnames(y) <- paste0("t", 1:4)
  list(real = list(x = x, y = y, kind = kind), binary = list(x = (x > 0.3) + 0, y = y, kind = kind))
}

promised_scores <- function(selector, data, threads = 1, k = NULL, rest = FALSE) {
  withr::local_seed(1)
  task <- mltask(data$x, data$y, kind = data$kind)
  selection <- suppressWarnings(suppressMessages(sift_features(task, selector, k = k, threads = threads)))
  if (rest) selection <- candidate_scores(selection, task)
  stats::setNames(selection$score, selection$feature)[sort(colnames(data$x))]
}

changed_data <- function(data, change) {
  withr::local_seed(2)
  rows <- sample(nrow(data$x))
  replace <- function(...) utils::modifyList(data, list(...))
  switch(change,
    rows = replace(x = data$x[rows, ], y = data$y[rows, ]),
    labels = replace(y = data$y[, c(3, 1, 4, 2)]),
    features = replace(x = data$x[, c(4, 2, 7, 1, 3, 6, 5)]),
    opposite = replace(x = cbind(data$x[, 1:4], f5 = 1 - data$x[, 5], data$x[, 6:7])),
    unit = replace(x = data$x * rep(c(1, 1000, 1), c(4, 1, 2) * nrow(data$x))),
    sparse = replace(x = sparse(data$x)),
    frame = replace(x = as.data.frame(data$x))
  )
}

# The scores of the feature with the lowest one and of its copy, in greedy selectors those of candidates in one step.
copied_scores <- function(selector, data) {
  greedy <- is_greedy(selector_method(selector))
  of <- function(data) promised_scores(selector, data, k = if (greedy) 1, rest = greedy)
  worst <- names(which.min(of(data)))
  data$x <- cbind(data$x, copy = data$x[, worst])
  of(data)[c(worst, "copy")]
}

test_that("scores keep the bits that the page promises, for every selector", {
  table <- promised_table()
  used <- subset(list_selectors(), source != "you")
  expect_setequal(table$code, used$constructor)
  expect_identical(anyDuplicated(table$code), 0L)
  tolerance <- c(bits = 0, rounding = 1e-9, tol = 2e-3)
  # Real features for every selector, binary ones for a third of them.
  third <- some_or_all(seq_len(nrow(table)), 1)
  for (i in some_or_all(seq_len(nrow(table)), 1, 2L)) {
    code <- table$code[i]
    selector <- eval(str2lang(sub("label_interaction = )", "label_interaction = 1)", code, fixed = TRUE)))
    kind <- if (grepl("label", used$kinds[used$constructor == code])) "label" else "numeric"
    holds <- unlist(table[i, -1L])
    expect_in(holds, c(names(tolerance), "no"))
    for (values in c("real", if (i %in% third) "binary")) {
      if (values == "binary" && all(holds != "bits" & names(holds) != "opposite" | holds == "no")) next
      data <- promised_data(if (values == "real") 1L else 2L, kind)[[values]]
      scores <- promised_scores(selector, data)
      info <- function(what) paste(code, what, "of", values)
      # Two threads read another layout, and orders of which the page promises the same change at once. All tests try
      # one change at a time.
      if (all_tests()) expect_identical(promised_scores(selector, data, threads = 2), scores, info = info("threads"))
      for (layout in c("sparse", "frame")) {
        found <- promised_scores(selector, changed_data(data, layout), threads = if (all_tests()) 1 else 2)
        expect_identical(found, scores, info = info(layout))
      }
      orders <- c("rows", "labels", "features")
      together <- if (all_tests()) orders else unname(split(orders, holds[orders]))
      for (changes in c(together, setdiff(names(holds), orders))) {
        change <- changes[[1L]]
        suits <- switch(change, opposite = "binary", unit = "real", values)
        if (holds[[change]] == "no" || values != suits) next
        # Distances of binary rows tie.
        if (change != "opposite" && values == "binary" && holds[[change]] != "bits") next
        if (change == "copy") {
          pair <- copied_scores(selector, data)
          found <- pair[[1L]]
          expected <- pair[[2L]]
        } else {
          found <- promised_scores(selector, Reduce(changed_data, changes, data))
          expected <- scores
        }
        if (holds[[change]] == "bits") expect_identical(found, expected, info = info(toString(changes)))
        else expect_equal(found, expected, tolerance = tolerance[[holds[[change]]]], info = info(toString(changes)))
      }
    }
  }
})

test_that("a constant feature changes the score of no other", {
  skip_unless_all()
  local_no_words()
  # Searches draw for each feature, QPMLFS has means over all of them.
  free <- c("random", "qpmlfs", "custom", "importance")
  selectors <- Filter(\(one) selector_method(one)$gives != "set" && !one$method %in% free, every_selector())
  selectors <- c(selectors, lapply(Filter(\(one) "scale" %in% names(one$params), selectors), function(one) {
    one$params$scale <- "none"
    one
  }))
  for (i in some_or_all(seq_along(selectors), 1, 2L)) {
    kinds <- selector_method(selectors[[i]])$kinds
    kind <- if ("label" %in% kinds) "label" else "numeric"
    k <- if (is_greedy(selector_method(selectors[[i]]))) 4
    for (values in c("binary", if (i %in% some_or_all(seq_along(selectors), 1)) "real")) {
      data <- promised_data(2L, kind)[[values]]
      scores <- promised_scores(selectors[[i]], data, k = k)[colnames(data$x)]
      data$x <- cbind(data$x[, 1:3], c = 1, data$x[, 4:7])
      found <- promised_scores(selectors[[i]], data, k = k)[names(scores)]
      info <- paste(names(selectors)[i], selectors[[i]]$params$scale, values)
      expect_equal(found, scores, tolerance = 1e-9, info = info)
    }
  }
})

test_that("labels that no or every row has change the scores that the page names, and no others", {
  local_no_words()
  # Group-JMI draws groups of labels.
  free <- c("random", "custom", "importance", "best", "group_jmi")
  counting <- list(none = c("rrelieff_ml", "mdfs", "mifs"))
  counting$every <- c(counting$none, "ebls", "chi2", "mfs", "ml_cfs", "relieff_ml", "mlrf", "rfs", "spec", "gmba")
  selectors <- Filter(function(one) {
    method <- selector_method(one)
    "label" %in% method$kinds && method$gives != "set" && !one$method %in% free
  }, every_selector())
  for (name in some_or_all(names(selectors), 1, 2L)) {
    selector <- selectors[[name]]
    k <- if (is_greedy(selector_method(selector))) 4
    data <- promised_data(1L, "label")$real
    scores <- promised_scores(selector, data, k = k)
    for (label in c("none", "every")) {
      with_label <- utils::modifyList(data, list(y = cbind(data$y, t0 = if (label == "none") 0 else 1)))
      found <- promised_scores(selector, with_label, k = k)
      if (!selector$method %in% counting[[label]]) {
        expect_equal(found, scores, tolerance = 1e-9, info = paste(name, label))
      } else if (selector$method != "ebls") {
        expect_false(isTRUE(all.equal(found, scores, tolerance = 1e-3)), info = paste(name, label))
      }
    }
  }
})

test_that("excluded features count in the methods that the help names, and in no others", {
  local_no_words()
  counting <- c("relieff_br", "relieff_lp", "relieff_ml", "relieff_ppt", "rrelieff", "rrelieff_ml", "mlrf", "surf",
    "multisurf", "gmba", "grro", "mfs_mcdm", "qpmlfs")
  free <- c("random", "custom", "importance", "best")
  for (kind in c("label", "numeric")) {
    data <- promised_data(1L, kind)$real
    task <- mltask(data$x, data$y, kind = kind)
    for (selector in every_selector()) {
      method <- selector_method(selector)
      if (!kind %in% method$kinds || "label" %in% method$kinds && kind != "label") next
      if (method$gives == "set" || selector$method %in% free) next
      of <- function(...) withr::with_seed(1, sift_features(..., selector, k = 6, threads = 1)[c("feature", "score")])
      same <- isTRUE(all.equal(of(task, exclude = "f7"), of(task[, -7]), check.attributes = FALSE))
      expect_identical(same, !selector$method %in% counting, info = paste(selector$method, kind))
    }
  }
})

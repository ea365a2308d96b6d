# Rows, targets of each kind, and weights of 0 for the last rows.
informative_parts <- function() {
  withr::local_seed(1)
  n <- 24L
  on <- rep(0:1, n / 2)
  list(
    n = n, x = matrix(sample(0:1, 3 * n, TRUE), n, dimnames = list(NULL, c("a", "b", "c"))),
    label = cbind(p = on, q = rev(sample(on))), class = data.frame(t = factor(letters[1 + on])),
    numeric = cbind(u = as.double(seq_len(n)), v = sqrt(seq_len(n))), weights = rep(1:0, c(n - 4L, 4L))
  )
}

# Tasks in which no target varies, or no feature: list(x, y, kind, weights).
uninformative_parts <- function() {
  of <- informative_parts()
  used <- of$weights > 0
  flat <- function(values) {
    values[used, ] <- values[rep(1L, sum(used)), ]
    values
  }
  same <- of$x
  same[] <- rep(c(1, 0, 1), each = of$n)
  unknown <- of$label
  unknown[] <- NA
  one_known <- unknown
  one_known[1:2, 1] <- 1L
  list(
    unknown = list(of$x, unknown, "label"),
    "one known value" = list(of$x, one_known, "label"),
    "never and always" = list(of$x, cbind(p = rep(0, of$n), q = 1), "label"),
    never = list(of$x, cbind(p = rep(0, of$n)), "label"),
    always = list(of$x, cbind(p = rep(1, of$n)), "label"),
    "one class" = list(of$x, data.frame(t = factor(rep("b", of$n), levels = c("a", "b"))), "class"),
    "one number" = list(of$x, cbind(u = rep(2.5, of$n), v = -1), "numeric"),
    "labels of weight 0" = list(of$x, flat(of$label), "label", of$weights),
    "features of weight 0" = list(flat(of$x), of$label, "label", of$weights),
    "features, labels" = list(same, of$label, "label"), "features, classes" = list(same, of$class, "class"),
    "features, numbers" = list(same, of$numeric, "numeric")
  )
}

# Whether a selector takes such rows; sources and tables of counts too.
takes_parts <- function(selector, parts) {
  method <- selector_method(selector)
  parts[[3L]] %in% method$kinds && (length(parts) < 4L || method$weights) && (!anyNA(parts[[2L]]) || method$unknown)
}

nothing_to_rank <- "Features can be ranked only if a target and a feature vary."

test_that("no selector ranks anything where no target or no feature varies, whatever the door", {
  skip_unless_all()
  parts <- uninformative_parts()
  free <- c("random", "none", "custom")
  turn <- 0L
  for (what in names(parts)) {
    of <- parts[[what]]
    task <- function(x) suppressMessages(mltask(x, of[[2L]], kind = of[[3L]],
      weights = if (length(of) > 3L) of[[4L]], discrete = all_discrete(of[[1L]])))
    dense <- task(of[[1L]])
    doors <- list(matrix = dense, sparse = task(sparse(of[[1L]])), frame = task(as.data.frame(of[[1L]])))
    for (selector in some_or_all(every_selector(), match(what, names(parts)))) {
      if (!takes_parts(selector, of)) next
      method <- selector_method(selector)
      # The layouts take turns, because each error takes some milliseconds.
      turn <- turn %% 3L + 1L
      rows <- doors[turn]
      if (works_on_source(selector)) rows$source <- chunked(dense)
      if (!is.null(method$counts)) rows$tables <- suppressMessages(count_tables(dense, selector))
      for (door in names(rows)) {
        run <- function() suppressMessages(sift_features(rows[[door]], selector, k = 2, constants = "scored"))
        info <- paste(what, selector$name, door, sep = ", ")
        if (selector$method %in% free) {
          expect_no_error(run())
          next
        }
        found <- tryCatch(run(), error = identity, warning = identity)
        expect_s3_class(found, "mlsift_error")
        expect_identical(sub("\n.*", "", found$message), nothing_to_rank, info = info)
      }
    }
  }
})

test_that("constants after discretization, and all but the excluded features, are nothing to rank", {
  withr::local_seed(2)
  y <- cbind(p = rep(0:1, 10), q = rep(0:1, each = 10))
  positive <- mltask(matrix(runif(60) + 1, 20), y)
  found <- expect_error(sift_features(positive, sel_mim(), discretizer = disc_presence()), class = "mlsift_error")
  expect_identical(sub("\n.*", "", found$message), nothing_to_rank)
  expect_match(found$message, "None of the 3 features varies after discretization")
  chunk <- chunked(positive)
  expect_error(sift_features(chunk, sel_scls(), discretizer = disc_presence()), "after discretization")
  expect_s3_class(sift_features(positive, sel_br_cc()), "mlselection")
  task <- suppressMessages(mltask(cbind(a = rep(0:1, 10), b = 1, c = 2), y))
  for (selector in list(sel_mim(), sel_scls(), sel_mtl(), sel_rga())) {
    expect_error(sift_features(task, selector, exclude = "a"), nothing_to_rank, fixed = TRUE, class = "mlsift_error")
  }
  expect_identical(sift_features(task, sel_scls(), include = "a")$feature[1], "a")
})

test_that("all that selects for a task refuses where nothing can be ranked", {
  withr::local_seed(3)
  parts <- informative_parts()
  same <- suppressMessages(list(
    mltask(parts$x, cbind(p = rep(0, parts$n), q = 1)), mltask(replace(parts$x, TRUE, 1), parts$label)
  ))
  refused <- function(code) expect_error(suppressMessages(code), nothing_to_rank, fixed = TRUE, class = "mlsift_error")
  for (task in same) {
    refused(label_scores(task, sel_mim()))
    refused(label_scores(task, sel_br_cc()))
    refused(score_test(task, sel_mim(), n = 2))
    refused(tune_selection(task, sel_mim(), lrn_nb(), "hamming_loss", 1:2))
    refused(tune_selection(task, list(sel_mim(), sel_scls()), lrn_nb(), "hamming_loss", 1:2))
    refused(sift(task, estimate = FALSE))
    bench <- suppressMessages(suppressWarnings(
      benchmark_selectors(task, list(mim = sel_mim(), all = sel_none()), lrn_nb(), rs_cv(2), 1:2, "hamming_loss")
    ))
    expect_true(all(is.na(bench$value[bench$selector == "mim"])))
    expect_false(anyNA(bench$value[bench$selector == "all"]))
    failed <- failures(bench)
    expect_true(all(failed$stage == "select"))
    expect_match(failed$message, nothing_to_rank, fixed = TRUE)
  }
})

test_that("targets without information are said once, by the task and by the selection, and have no scores", {
  withr::local_seed(4)
  x <- matrix(rnorm(60), 20)
  y <- cbind(p = rep(0:1, 10), never = 0, hidden = NA, q = rep(0:1, each = 10))
  said <- "2 of 4 targets (\"never\", \"hidden\") do not vary"
  expect_message(task <- mltask(x, y), said, fixed = TRUE)
  for (rows in list(task, chunked(task), suppressMessages(count_tables(task, sel_mim())))) {
    told <- testthat::capture_messages(found <- sift_features(rows, sel_mim()))
    expect_length(told, 1)
    expect_match(told, said, fixed = TRUE)
    plain <- sift_features(mltask(x, y[, c("p", "q")]), sel_mim())
    expect_identical(as.data.frame(found), as.data.frame(plain))
  }
  for (selector in list(sel_mim(), sel_br_cc())) {
    expect_message(scores <- label_scores(task, selector), "2 of 4 targets (\"never\", \"hidden\") have no scores",
      fixed = TRUE)
    expect_identical(colnames(scores)[colSums(is.na(scores)) > 0], c("never", "hidden"))
    expect_identical(unclass(scores)[, c("p", "q")],
      unclass(label_scores(mltask(x, y[, c("p", "q")]), selector))[, c("p", "q")])
  }
  expect_message(mltask(cbind(x, 7), y[, 1]), "1 of 4 features \\(\"f4\"\\) does not vary")
  weighted <- cbind(p = c(0, 1, rep(0, 18)), q = rep(0:1, each = 10))
  expect_message(mltask(x, weighted, weights = c(1, 0, rep(1, 18))), "1 of 2 targets (\"p\")", fixed = TRUE)
  expect_no_message(mltask(x, weighted))
})

test_that("subsamples without information select nothing, and rounds of TuRF keep what is constant", {
  withr::local_seed(5)
  x <- matrix(sample(0:1, 80, TRUE), 20, dimnames = list(NULL, letters[1:4]))
  y <- cbind(rare = rep(c(1, 0), c(1, 19)))
  task <- coded_task(x, y)
  drawn <- withr::with_seed(6, draw_subsamples(1:20, sel_bagged(sel_mim(), 10)$params))
  share <- numeric(4)
  useful <- Filter(function(rows) 1L %in% rows, drawn)
  for (rows in useful) {
    first <- sift_features(task[rows, ], sel_mim(), k = 2)$index
    share[first] <- share[first] + 1 / 10
  }
  found <- withr::with_seed(6, sift_features(task, sel_bagged(sel_mim(), 10), k = 2))
  expect_equal(found$score, share[found$index])
  expect_output(print(found), "in 5 of them no target or no feature varies")
  # Noise may score less than a constant, which is then what the last rounds have left.
  constant <- suppressMessages(mltask(cbind(matrix(rnorm(80), 20), 1, 2), rep(0:1, 10)))
  ranked <- sift_features(constant, sel_turf(sel_multisurf(), drop = 0.2), k = 1)
  whole <- sift_features(constant, sel_turf(sel_multisurf(), drop = 0.2))
  expect_setequal(whole$index, 1:6)
  expect_identical(whole$score[whole$index > 4], c(0, 0))
  expect_length(ranked$index, 1)
})

test_that("equal scores of all features are said", {
  xor <- mltask(cbind(a = rep(0:1, 2), b = rep(0:1, each = 2)), c(0, 1, 1, 0))
  expect_message(sift_features(xor, sel_mim()), "gives all features the same score, so they are in column order")
  expect_no_message(sift_features(mltask(features(xor), c(0, 1, 1, 1)), sel_relieff_br(1)))
})

test_that("tables of labels, classes and label sets know the targets that vary", {
  withr::local_seed(7)
  x <- random_codes(12, 3)
  for (trial in 1:20) {
    y <- matrix(sample(0:1, 48, TRUE, c(4, 1)), 12, dimnames = list(NULL, letters[1:4]))
    y[, sample(4, 1)] <- trial %% 2
    expected <- unname(which(apply(y, 2, function(l) length(unique(l)) > 1)))
    classes <- as.data.frame(lapply(as.data.frame(y), function(l) factor(c("u", "v")[l + 1], c("none", "v", "u"))))
    for (selector in list(sel_mim(), sel_trans_mi("lp"))) {
      for (task in suppressMessages(list(coded_task(x, y), mltask(x, classes, discrete = all_discrete(x))))) {
        expect_identical(varying(task$targets), expected)
        tables <- cpp_tabled_rows(unclass(count_tables(task, selector))$tables)
        expect_identical(cpp_rows_targets(tables)$varying, expected)
      }
    }
    hidden <- replace(y, sample(48, 10), NA)
    expected <- unname(which(apply(hidden, 2, function(l) length(unique(l[!is.na(l)])) > 1)))
    task <- suppressMessages(coded_task(x, hidden))
    expect_identical(varying(task$targets), expected)
    tables <- cpp_tabled_rows(unclass(count_tables(task, sel_mim()))$tables)
    expect_identical(cpp_rows_targets(tables)$varying, expected)
  }
})

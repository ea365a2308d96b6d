# Every selector of single features against its naive oracle, on awkward random data, and under changes that must not
# matter.

counting <- list(
  MIM = list(sel_mim(), function(x, y) oracle_mim(x, y)),
  `MIM nats` = list(sel_mim(base = exp(1)), function(x, y) oracle_mim(x, y, exp(1))),
  EBLS = list(sel_ebls(n_labels = 2), function(x, y) oracle_ebls(x, y, 2)),
  `EBLS smallest` = list(sel_ebls(n_labels = 1, which = "smallest"), function(x, y) oracle_ebls(x, y, 1, FALSE)),
  `BR+OR` = list(sel_br_or(), function(x, y) oracle_br_or(x, y)),
  `BR+OR raw` = list(sel_br_or(smoothing = 1, type = "raw"), function(x, y) oracle_br_or(x, y, 1, "raw")),
  `BR+OR prior` = list(sel_br_or(weights = "prior"), function(x, y) oracle_br_or(x, y, weights = "prior"))
)
for (how in c("ela", "ala", "nla", "lla", "sla", "lp")) {
  local({
    how <- how
    counting[[paste("chi2", how)]] <<- list(sel_chi2(how), function(x, y) oracle_chi2(x, oracle_transform(y, how)))
    counting[[paste("MI", how)]] <<- list(
      sel_trans_mi(how), function(x, y) oracle_trans_mi(x, oracle_transform(y, how))
    )
  })
}
for (rare in c("discard", "subsets", "A", "B")) {
  local({
    rare <- rare
    rule <- if (rare %in% c("A", "B")) rare_sets(rare, limit = 1) else rare
    rows <- function(y, ...) oracle_transform(y, "ppt", min_count = 3, rare = rare, b = 1, ...)
    counting[[paste("chi2 ppt", rare)]] <<- list(sel_chi2("ppt", 3, rule), function(x, y) oracle_chi2(x, rows(y)))
    counting[[paste("MI ppt", rare)]] <<- list(
      sel_trans_mi("ppt", 3, rule), function(x, y) oracle_trans_mi(x, rows(y))
    )
  })
}
counting[["IGMF"]] <- list(sel_igmf(), function(x, y) {
  sets <- apply(y, 1, paste, collapse = " ")
  apply(x, 2, function(f) {
    both <- oracle_entropy(f) + oracle_entropy(sets)
    if (both == 0) 0 else 2 * oracle_information(f, sets) / both
  })
})
counting[["chi2 ppt increasing"]] <- list(
  sel_chi2("ppt", 3, rare_sets(order = "increasing")),
  function(x, y) oracle_chi2(x, oracle_transform(y, "ppt", min_count = 3, rare = "subsets", increasing = TRUE))
)
numeric <- list(
  `BR+CC` = list(sel_br_cc(), function(x, y) oracle_br_cc(x, y)),
  `BR+CC signed` = list(sel_br_cc(abs = FALSE), function(x, y) oracle_br_cc(x, y, FALSE)),
  MFS = list(sel_mfs(), function(x, y) oracle_mfs(x, y)),
  `MFS unweighted` = list(sel_mfs("unweighted"), function(x, y) oracle_mfs(x, y, FALSE))
)

# The transformations that leave out rows without labels leave one class of a single label, and "sla" of a label that
# all rows have.
leaves_one_class <- function(name, y) {
  how <- sub("^(chi2|MI) ", "", name)
  how %in% c("ela", "ala", "nla", "lla", "sla") && length(unique(oracle_transform(y, how)$class)) == 1L
}

turn <- 0L
for (name in c(names(counting), names(numeric))) {
  turn <- turn + 1L
  test_that(paste(name, "is what its equation says, in every layout"), {
    withr::local_seed(42)
    case <- c(counting, numeric)[[name]]
    shapes <- list(c(60, 6, 5, 3), c(40, 5, 1, 2), c(90, 7, 6, 5), c(30, 4, 3, 9), c(12, 1, 2, 2))
    # Chi-square and information take turns in the list.
    for (shape in some_or_all(shapes, turn %/% 2L, 2L)) {
      x <- random_codes(shape[1], shape[2], shape[4])
      y <- random_labels(shape[1], shape[3])
      if (grepl("ppt", name) && shape[1] < 40) y[seq_len(8), ] <- y[rep(2:3, 4), ]
      if (leaves_one_class(name, y)) {
        expect_error(sift_features(coded_task(x, y), case[[1]]), "leaves one class only", class = "mlsift_error")
        next
      }
      found <- suppressWarnings(expect_same_everywhere(x, y, case[[1]]))
      expected <- case[[2]](x, y)
      expect_equal(found$score[order(found$index)], unname(expected), tolerance = 1e-12)
      expect_identical(order(-found$score[order(found$index)]), found$index)
    }
  })
}

test_that("counting selectors give the same bits for permuted rows, relabelled levels, factors and permuted labels", {
  local_no_words()
  withr::local_seed(7)
  x <- random_codes(80, 6, 3)
  y <- random_labels(80, 6)
  rows <- sample(80)
  for (name in names(counting)) {
    selector <- counting[[name]][[1]]
    labels <- if (leaves_one_class(name, y)) y[, -3] else y
    expected <- scores_of(coded_task(x, labels), selector)
    expect_identical(scores_of(coded_task(x[rows, ], labels[rows, ]), selector), expected, label = name)
    expect_identical(scores_of(coded_task(as_factors(x), labels), selector), expected, label = name)
  }
  for (selector in list(sel_mim(), sel_ebls(), sel_trans_mi("lp"), sel_trans_mi("ala"))) {
    expected <- scores_of(coded_task(x, y), selector)
    expect_identical(
      scores_of(coded_task(matrix(c(5, -1, 9)[x + 1], 80, dimnames = dimnames(x)), y), selector), expected
    )
    expect_identical(scores_of(coded_task(x, y[, 6:1]), selector), expected)
    expect_identical(
      scores_of(coded_task(x, 1L - y[, -(2:3)]), sel_mim()), scores_of(coded_task(x, y[, -(2:3)]), sel_mim())
    )
  }
})

test_that("numeric selectors are the same after permuting rows, to rounding, and for shifted and scaled features", {
  withr::local_seed(8)
  x <- matrix(rnorm(300), 50, dimnames = list(NULL, paste0("f", 1:6)))
  y <- random_labels(50, 5)
  rows <- sample(50)
  for (selector in list(sel_br_cc(), sel_br_cc(FALSE), sel_mfs(), sel_mfs("unweighted"))) {
    expected <- scores_of(mltask(x, y), selector)
    expect_equal(scores_of(mltask(x[rows, ], y[rows, ]), selector), expected, tolerance = 1e-12)
    expect_equal(scores_of(mltask(1e6 + 3 * x, y), selector), expected, tolerance = 1e-9)
  }
  expect_equal(scores_of(mltask(x, y), sel_br_cc()), unname(oracle_br_cc(x, y)), tolerance = 1e-12)
  expect_equal(scores_of(mltask(x, y), sel_mfs()), unname(oracle_mfs(x, y)), tolerance = 1e-12)
  dotted <- x * (abs(x) > 1)
  expect_identical(
    sift_features(mltask(dotted, y), sel_mfs())$score, sift_features(mltask(sparse(dotted), y), sel_mfs())$score
  )
  expect_identical(
    sift_features(mltask(dotted, y), sel_br_cc())$score, sift_features(mltask(sparse(dotted), y), sel_br_cc())$score
  )
})

test_that("explicit zeros in a sparse matrix change nothing", {
  withr::local_seed(9)
  x <- random_codes(40, 5, 2)
  y <- random_labels(40, 4)
  stored <- sparse(x + 10)
  stored@x <- stored@x - 10
  for (selector in list(sel_mim(), sel_ebls(), sel_chi2(), sel_br_or(), sel_br_cc(), sel_mfs())) {
    expect_identical(
      as.data.frame(sift_features(mltask(stored, y), selector)), as.data.frame(sift_features(mltask(x, y), selector))
    )
  }
})

test_that("unordered factors in numeric selectors follow their indicators", {
  withr::local_seed(10)
  y <- random_labels(60, 5)
  f <- factor(sample(c("red", "green", "blue"), 60, TRUE))
  g <- factor(sample(c("no", "yes"), 60, TRUE))
  h <- factor(sample(3, 60, TRUE), ordered = TRUE)
  task <- mltask(data.frame(f, g, h), y, kind = "label")
  one_hot <- vapply(levels(f), function(v) as.numeric(f == v), double(60))
  r <- apply(y, 2, function(l) { r <- suppressWarnings(cor(one_hot, l)); r[is.na(r)] <- 0; max(abs(r)) })
  numbers <- cbind(g = as.integer(g) - 1, h = as.integer(h))
  expect_equal(scores_of(task, sel_br_cc()), unname(c(sum(r), oracle_br_cc(numbers, y))), tolerance = 1e-12)
  y1 <- occurring(y)
  parts <- apply(one_hot, 2, function(v) {
    entries <- lapply(seq_len(ncol(y1)), function(l) v[y1[, l] == 1])
    m <- mean(unlist(entries))
    c(
      sum(vapply(entries, function(e) length(e) * (mean(e) - m)^2, 0)),
      sum(vapply(entries, function(e) sum((e - mean(e))^2), 0))
    )
  })
  n <- sum(rowSums(y1) > 0)
  expected <- (n - ncol(y1)) / (ncol(y1) - 1) * sum(parts[1, ]) / sum(parts[2, ])
  expect_equal(scores_of(task, sel_mfs()), unname(c(expected, oracle_mfs(numbers, y))), tolerance = 1e-12)
})

test_that("values known by hand", {
  y <- cbind(a = c(1, 1, 0, 0), b = c(0, 1, 0, 1))
  x <- cbind(copy = y[, 1], opposite = 1 - y[, 1], constant = 1, both = c(1, 2, 3, 4))
  expect_identical(scores_of(coded_task(x, y), sel_mim()), c(1, 1, 0, 2))
  # A label copied exactly: chi-square of a 2 x 2 table with n = 4 entries on the diagonal.
  expect_equal(scores_of(coded_task(x[, 1:3], cbind(a = y[, 1], not_a = 1 - y[, 1])), sel_chi2()), c(4, 4, 0))
  expect_equal(scores_of(coded_task(x[, 1:3], y[, 1, drop = FALSE]), sel_br_cc()), c(1, 1, 0))
  # No scatter within the labels, some between them.
  z <- cbind(a = c(1, 1, 0, 0), b = c(0, 0, 1, 1))
  features <- cbind(f = c(0.1, 0.1, 0.3, 0.3), g = c(0.1, 0.1, 0.9, 0.9), h = c(1, 2, 1, 2), i = 5)
  sel <- sift_features(mltask(features, z), sel_mfs())
  expect_identical(sel$feature, c("g", "f", "h", "i"))
  expect_identical(sel$score, c(Inf, Inf, 0, 0))
})

test_that("labels never on change no score of the informations, and one always on none either", {
  withr::local_seed(3)
  x <- random_codes(50, 5)
  y <- random_labels(50, 3)
  more <- cbind(y, never = 0L, always = 1L)
  for (selector in list(sel_mim(), sel_br_or(), sel_br_cc(), sel_chi2("nla"))) {
    if (selector$name == "NLA+CHI") more <- more[, -5]
    expect_identical(scores_of(coded_task(x, more), selector), scores_of(coded_task(x, y), selector))
  }
})

test_that("a share of the labels that occur is rounded halves up, and EBLS with all labels is MIM-BR", {
  withr::local_seed(4)
  x <- random_codes(50, 6)
  y <- cbind(random_labels(50, 3), random_labels(50, 2), never = 0L)
  colnames(y) <- paste0("l", 1:6)
  task <- coded_task(x, y)
  expect_identical(scores_of(task, sel_ebls(prop_labels = 0.5)), scores_of(task, sel_ebls(n_labels = 3)))
  expect_identical(scores_of(task, sel_ebls(prop_labels = 0)), scores_of(task, sel_ebls(n_labels = 1)))
  expect_identical(scores_of(task, sel_ebls(prop_labels = 1)), scores_of(task, sel_mim()))
  many <- coded_task(x, matrix(rbinom(50 * 50, 1, 0.5), 50))
  expect_identical(scores_of(many, sel_ebls(prop_labels = 0.29)), scores_of(many, sel_ebls(n_labels = 15)))
  expect_warning(sel <- sift_features(task, sel_ebls(n_labels = 6)), class = "mlsift_warning")
  expect_identical(sel$score, sift_features(task, sel_mim())$score)
})

test_that("transformations that leave nothing or one class say so", {
  x <- random_codes(10, 3)
  y <- cbind(a = c(rep(1, 5), rep(0, 5)), b = 1)
  expect_error(
    sift_features(coded_task(x, y), sel_chi2("ppt", min_count = 7)), "No label set occurs on at least 7 rows",
    class = "mlsift_error"
  )
  expect_error(
    sift_features(coded_task(x, cbind(a = rep(0:1, 5), b = rep(0:1, 5))), sel_trans_mi("nla")), "exactly one label",
    class = "mlsift_error"
  )
  rare <- cbind(a = rep(1:0, c(7, 3)))
  for (selector in list(sel_chi2("ppt", min_count = 4), sel_trans_mi("ppt", min_count = 4))) {
    expect_error(sift_features(coded_task(x, rare), selector), "leaves one class only.*smaller `min_count`",
      class = "mlsift_error")
  }
  # Of a single label, most transformations keep only the rows with it.
  expect_error(sift_features(coded_task(x, rare), sel_chi2()), "one class only.*transform = \"lp\"",
    class = "mlsift_error")
  usual <- suppressWarnings(chisq.test(table(x[, 1], rare), correct = FALSE)$statistic)
  found <- sift_features(coded_task(x, rare), sel_chi2("lp"))
  expect_equal(found$score[found$index == 1], usual[[1]])
})

test_that("Random draws from R's generator and All keeps everything", {
  task <- coded_task(random_codes(10, 5), random_labels(10, 2))
  withr::local_seed(1)
  first <- sift_features(task, sel_random())
  set.seed(1)
  expect_identical(first$score[order(first$index)], runif(5))
  all <- sift_features(task, sel_none(), k = 2)
  expect_identical(all$feature, paste0("f", 1:5))
  expect_true(all(is.na(all$rank)) && all(is.na(all$score)))
})

test_that("a user's function ranks like any selector", {
  task <- mltask(matrix(c(1, 2, 3, 4, 9, 9, 0, 5, 5), 3, dimnames = list(NULL, c("a", "b", "c"))), c(0, 1, 1))
  spread <- sel_custom("Range", function(task, k) apply(features(task), 2, function(v) diff(range(v))))
  expect_identical(sift_features(task, spread)$feature, c("b", "c", "a"))
  order_of <- sel_custom("Order", function(task, k) c("c", "a"), returns = "order")
  expect_identical(sift_features(task, order_of, k = 1)$feature, "c")
  expect_identical(sift_features(task, order_of)$rank, 1:2)
  levels_seen <- NULL
  coded <- sel_custom("Codes", function(task, k) { levels_seen <<- features(task); 1:3 }, codes = TRUE)
  sift_features(task, coded, discretizer = disc_equal_width(2))
  expect_identical(levels_seen, features(discretize_features(task, disc_equal_width(2))))
  expect_snapshot(error = TRUE, {
    sift_features(task, sel_custom("Short", function(task, k) 1:2))
    sift_features(task, sel_custom("Missing", function(task, k) c(1, NA, 2)))
    sift_features(task, sel_custom("Twice", function(task, k) c("a", "a"), returns = "order"))
    sift_features(task, sel_custom("Unknown", function(task, k) "aa", returns = "order"))
    sel_custom("x", 3)
  })
})

test_that("functions of users that cannot be called as they will be are refused at once", {
  refused <- function(code, text) expect_error(code, text, class = "mlsift_error", fixed = TRUE)
  refused(sel_custom("Mine", function(task) 1), "of 2 arguments: `function(task, k)`.\nx It has only `task`.")
  refused(sel_importance(function() 1, identity), "of 2 arguments: `function(x, y)`.\nx It has none.")
  refused(sel_importance(function(x, y) 1, function() 1), "of 1 argument: `function(model)`")
  for (learner in list(lrn_custom, lrn_binary)) {
    refused(learner("Mine", function(x) 1, function(model, x) 1), "`fit` must be a function of 2 arguments")
    refused(learner("Mine", function(x, y) 1, function(model) 1), "`predict` must be a function of 2 arguments")
  }
  refused(msr_custom("mine", function(truth) 1, needs = "score"), "`function(truth, score)`")
  # Primitives, and functions that pass on what they get.
  for (fun in list(max, `[`, function(...) 1, function(task, k, more = 1) 1)) {
    expect_s3_class(sel_custom("Mine", fun), "mlselector")
  }
})

# Whatever works in words of 64 bits, blocks, runs or lanes may lose what lies at their borders. A best feature, row or
# label is planted at each border: what is lost shows. test-borders-features.R has wider tasks for fewer selectors.

borders <- c(1L, 15:17, 31:33, 63:65, 95:97, 127:129, 255:257, 511:513)

# Every selector of labels that ranks all features, as it comes.
rankers <- function() {
  rows <- subset(list_selectors(), source != "you" & grepl("label", kinds))
  plain <- grepl("^sel_[a-z0-9_]+[(][)]$", rows$constructor)
  found <- lapply(rows$constructor[plain], function(code) eval(str2lang(code), asNamespace("mlsift")))
  names(found) <- rows$constructor[plain]
  gives <- vapply(found, function(selector) selector_method(selector)$gives, "")
  searching <- grepl("rga|nsga|mpsofs|sequential|ga_explore|mamfs|tuned|best|random|none", names(found))
  found[["sel_ebls()"]] <- sel_ebls(n_labels = 2)
  found[gives != "set" & !searching]
}

noise <- function(n, d, share = 0.5) matrix(as.numeric(stats::runif(n * d) < share), n)

test_that("a feature at the border of a block is seen, at the first step and at later ones", {
  local_no_words()
  withr::local_seed(101)
  n <- 48
  y <- cbind(a = rep(0:1, each = n / 2), b = rep(0:1, n / 2))
  x <- noise(n, 513)
  selectors <- rankers()
  expect_gt(length(selectors), 25L)
  # Random pairs of labels, an estimate for numbers, and one latent label for both need not put the two copies first.
  selectors <- selectors[setdiff(names(selectors), c("sel_group_jmi()", "sel_knn_mi()", "sel_mifs()"))]
  # A matrix of all pairs, or slow graphs: up to the first large border.
  slow <- grepl("qpmlfs|grro|gmba|spec|mlrf|ml_cfs|joint_jmi", names(selectors))
  # The last feature of a task, and one with others behind it.
  for (at in borders) for (d in if (at %% 64L == 0L) c(at, at + 1L) else max(at, 7L)) {
    part <- x[, seq_len(d)]
    part[, 7] <- y[, "a"]
    part[, at] <- y[, "b"]
    task <- suppressMessages(mltask(part, y))
    for (name in some_or_all(names(selectors)[!slow | d <= 129L], at + d, 5L)) {
      got <- suppressMessages(sift_features(task, selectors[[name]], k = 2, threads = 1))
      expect_identical(sort(got$index), sort(c(7L, at)), info = paste(name, at, d))
    }
  }
})

test_that("a row at the border of a word or block is seen", {
  withr::local_seed(102)
  selectors <- rankers()
  counting <- names(selectors)[vapply(selectors, \(s) "codes" %in% selector_method(s)$needs, NA)]
  # Neighbors of other rows, labels that interact, and signs that cancel out need not tell the two apart.
  selectors <- selectors[setdiff(
    names(selectors), c(
      "sel_spec()", "sel_gmba()", "sel_mlrf()", "sel_knn_mi()", "sel_lrfs()", "sel_mfs_mcdm()", "sel_surf()",
      "sel_multisurf()"
    )
  )]
  # 256 words of 64 rows are counted together.
  for (n in c(65L, 513L, 16385L)) {
    truth <- rep_len(c(0, 1, 1, 0, 1), n)
    places <- switch(as.character(n), "65" = borders[borders <= n & borders > 15L], "513" = c(128, 256, 512, 513),
      c(16384, 16385))
    for (at in places) {
      # All but one row of the first feature are those of the label, all rows of the second.
      near <- truth
      near[at] <- 1 - near[at]
      x <- cbind(near = near, label = truth)
      for (layout in list(x, sparse(x))) {
        if (n > 65L && !is.matrix(layout)) next
        task <- suppressMessages(mltask(layout, cbind(a = truth, b = 1 - truth)))
        for (name in some_or_all(names(selectors), at, if (n == 65L) 5L else 3L)) {
          if (n > 513L && !name %in% counting) next
          got <- suppressWarnings(suppressMessages(sift_features(task, selectors[[name]], k = 1, threads = 1)))
          expect_identical(got$feature, "label", info = paste(name, n, at))
        }
      }
    }
  }
})

test_that("a label at the border of a word or block is seen", {
  local_no_words()
  withr::local_seed(103)
  selectors <- rankers()
  n <- 40
  label <- rep(0:1, n / 2)
  x <- cbind(noise = rep(c(0, 0, 1, 1), n / 4), label = label)
  for (q in c(65L, 129L)) for (at in borders[borders <= q & borders > q - 67L]) {
    y <- matrix(0L, n, q)
    y[, at] <- label
    task <- suppressMessages(mltask(x, y))
    # Without other labels, some have no classes to compare; for MultiSURF only equal rows are near here.
    without <- c("sel_spec()", "sel_gmba()", "sel_chi2()", "sel_mfs()", "sel_knn_mi()", "sel_multisurf()")
    for (name in some_or_all(setdiff(names(selectors), without), at)) {
      got <- suppressWarnings(suppressMessages(sift_features(task, selectors[[name]], k = 1, threads = 1)))
      expect_identical(got$feature, "label", info = paste(name, q, at))
    }
  }
})

test_that("predictions of a row do not depend on the rows and features beside it", {
  local_no_words()
  withr::local_seed(104)
  n <- 60
  y <- cbind(a = rep(0:1, n / 2), b = rep(c(0, 0, 1, 1, 1, 0), n / 6))
  informative <- cbind(y[, "a"] + stats::rnorm(n, sd = 0.6), y[, "b"] + stats::rnorm(n, sd = 0.6))
  learners <- list(
    lrn_mlknn(5), lrn_brknn(5), lrn_cc_knn(5, chain_order = c("a", "b")), lrn_nb(), lrn_brlr(), lrn_lp(5)
  )
  scores <- function(prediction) prediction$score %||% prediction$response
  for (learner in learners) {
    model <- fit(learner, mltask(informative, y))
    more <- informative[rep_len(sample(n), 513), ]
    whole <- scores(predict(model, more))
    for (rows in list(1:15, 1:16, 1:17, 33:64, 95:97, 255:257, 511:513, 513)) {
      expect_equal(scores(predict(model, more[rows, , drop = FALSE])), whole[rows, , drop = FALSE], tolerance = 1e-12)
    }
    plain <- scores(predict(model, informative))
    for (d in c(15:17, 31:33, 63:65, 95:97, 255:257)) {
      wide <- matrix(0, n, d)
      wide[, d - 1:0] <- informative
      expect_equal(scores(predict(fit(learner, mltask(wide, y)), wide)), plain, tolerance = 1e-6, info = d)
    }
  }
})

test_that("measures that are means over rows are those of the rows", {
  local_no_words()
  withr::local_seed(105)
  n <- 65
  for (q in c(15:17, 63:65)) {
    truth <- matrix(stats::rbinom(n * q, 1, 0.3), n)
    truth[cbind(1:n, sample(q, n, TRUE))] <- 1
    truth[cbind(1:n, rowSums(truth == 1) * 0 + max.col(1 - truth, "first"))] <- 0
    score <- matrix(sample(seq_len(2 * q), n * q, TRUE) / (2 * q), n)
    task <- mltask(matrix(0, n, 1), truth, kind = "label")
    colnames(score) <- target_names(task)
    prediction <- structure(list(score = score, response = +(score > 0.5)), class = "mlprediction")
    names <- c("hamming_loss", "ranking_loss", "one_error", "coverage", "average_precision", "jaccard", "example_f1")
    part <- function(i) {
      one <- lapply(unclass(prediction), function(m) m[i, , drop = FALSE])
      evaluate(structure(one, class = "mlprediction"), task[i, ], names)$value
    }
    rows <- vapply(seq_len(n), part, numeric(length(names)))
    for (size in c(15:17, 31:33, 63:65)) expect_equal(part(seq_len(size)), rowMeans(rows[, seq_len(size)]))
  }
})

test_that("weights are rows repeated, in memory and from a source, at the borders of blocks", {
  skip_unless_all()
  local_no_words()
  selectors <- list(sel_mim(), sel_br_or(), sel_chi2(), sel_igmf(), sel_scls(), sel_d2f(), sel_cmim(), sel_single_jmi())
  draw <- list(dense = \(n) rbinom(n, 1, 0.5), sparse = \(n) rbinom(n, 1, 0.08), codes = \(n) sample(0:9, n, TRUE))
  for (n in c(2, 64, 65, 512, 513)) for (kind in names(draw)) {
    withr::local_seed(n)
    x <- matrix(draw[[kind]](6 * n), n, dimnames = list(NULL, paste0("f", 1:6)))
    y <- matrix(rbinom(4 * n, 1, 0.4), n, dimnames = list(NULL, paste0("l", 1:4)))
    y[1, ] <- 1L
    y[2, 1] <- 0L
    x[1:2, 1] <- 0:1
    weights <- sample(if (n < 100) c(1, 2, 63, 64, 65) else 1:5, n, TRUE)
    discrete <- stats::setNames(rep(TRUE, 6), colnames(x))
    if (kind == "sparse") x <- methods::as(x * 1, "CsparseMatrix")
    make <- function(rows, weights = NULL) {
      suppressMessages(mltask(x[rows, , drop = FALSE], y[rows, , drop = FALSE], kind = "label", discrete = discrete,
        weights = weights))
    }
    task <- make(seq_len(n), weights)
    half <- list(seq_len(n %/% 2), (n %/% 2 + 1):n)
    source <- chunk_source(function(i) if (i <= 2) task[half[[i]], ], colnames(x), colnames(y), discrete = discrete)
    for (selector in some_or_all(selectors, n)) {
      found <- lapply(list(task, make(rep(seq_len(n), weights)), source), function(rows) {
        as.list(suppressMessages(suppressWarnings(sift_features(rows, selector)))[c("index", "score")])
      })
      expect_identical(found[[1]], found[[2]], info = paste(n, kind, selector$name))
      expect_identical(found[[1]], found[[3]], info = paste(n, kind, selector$name))
    }
  }
})

test_that("a copy adds exactly nothing, and is found, at the borders of blocks, with unknown labels and many levels", {
  skip_unless_all()
  local_no_words()
  for (n in c(63:65, 511:513)) for (levels in c(2, 9, 25)) {
    withr::local_seed(n + levels)
    x <- matrix(sample.int(levels, n * 4, TRUE) - 1, n, dimnames = list(NULL, paste0("f", 1:4)))
    x[, 2] <- x[, 1]
    x[, 3] <- levels - x[, 1]
    y <- matrix(rbinom(3 * n, 1, 0.4), n, dimnames = list(NULL, paste0("l", 1:3)))
    y[sample(n, n %/% 2), 2] <- NA
    y[sample(n, n %/% 3), 3] <- NA
    for (values in list(x, sparse(x))) {
      task <- suppressMessages(mltask(values, y, kind = "label", discrete = all_discrete(x)))
      relevance <- sift_scored(task, sel_mim())
      of <- function(result, feature) result$score[match(feature, result$feature)]
      candidates <- candidate_scores(sift_features(task, sel_single_jmi(), k = 1, include = "f1"), task)
      expect_identical(of(candidates, "f2"), of(relevance, "f1"), info = paste(n, levels))
      found <- check_task(task)
      expect_true(all(c("f2", "f3") %in% found$feature[found$problem == "duplicate"]), info = paste(n, levels))
      expect_identical(check_task(chunked(task, c(n %/% 2, n))), feature_problems(task))
    }
  }
})

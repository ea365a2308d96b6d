# Orders of rows for permutation tests, compared with all orders that the rules allow.

permutations <- function(n) {
  if (n == 0L) return(matrix(0L, 1L, 0L))
  do.call(rbind, lapply(seq_len(n), function(last) {
    others <- permutations(n - 1L)
    cbind(matrix(setdiff(seq_len(n), last)[others], nrow(others)), last, deparse.level = 0)
  }))
}

# All orders of the groups, of which `fits(a, b)` says whether a can take the place of b.
orders_of_groups <- function(groups, fits) {
  all <- permutations(length(groups))
  keep <- apply(all, 1L, function(p) all(mapply(fits, p, seq_along(p))))
  all[keep, , drop = FALSE]
}

text <- function(orders) unique(apply(orders, 1L, paste, collapse = " "))

drawn <- function(exchange, n) t(replicate(n, draw_order(exchange)))

# Without the check of the number of ways.
free <- function(rows, constant = FALSE) {
  local_mocked_bindings(check_exchange = function(...) NULL, .package = "mlsift")
  exchangeable_rows(rows, max(lengths(rows)), constant)
}

some_rows <- function(group = NULL, time = NULL, weights = NULL) {
  structure(Filter(Negate(is.null), list(weights = weights, group = factor_of(group), time = time)), class = "mlrows")
}

factor_of <- function(group) if (!is.null(group)) factor(group)

test_that("groups of equal size exchange their rows, in the order of rows or of time", {
  withr::local_seed(1)
  group <- c("c", "a", "b", "b", "c", "a", "d", "d", "d", "e", "e", "f")
  members <- split(seq_along(group), group)[unique(group)]
  sizes <- lengths(members)
  allowed <- function(members) {
    allowed <- orders_of_groups(members, function(a, b) sizes[[a]] == sizes[[b]])
    t(apply(allowed, 1L, function(p) {
      order <- integer(12)
      for (i in seq_along(p)) order[members[[i]]] <- members[[p[i]]]
      order
    }))
  }
  expect_setequal(text(drawn(free(some_rows(group)), 400)), text(allowed(members)))
  expect_length(text(allowed(members)), 24)
  time <- c(3, 5, 1, 2, 1, 4, 9, 7, 8, 2, 1, 6)
  in_time <- lapply(members, function(rows) rows[order(time[rows])])
  expect_setequal(text(drawn(free(some_rows(group, time)), 400)), text(allowed(in_time)))
})

test_that("groups with one value for all rows change places whatever their size", {
  withr::local_seed(2)
  group <- c(2, 1, 1, 3, 4, 4, 4, 2)
  exchange <- free(some_rows(group), constant = TRUE)
  found <- t(apply(drawn(exchange, 400), 1L, function(order) group[order]))
  allowed <- t(apply(permutations(4L), 1L, function(p) p[group]))
  expect_setequal(text(found), text(allowed))
})

test_that("with weights, only groups with the same weights change places", {
  withr::local_seed(3)
  group <- rep(1:6, c(2, 2, 2, 2, 3, 3))
  weights <- c(1, 2, 2, 1, 1, 2, 1, 2, 1, 1, 2, 2, 1, 1)
  pattern <- vapply(split(weights, group), paste, "", collapse = " ")
  members <- split(seq_along(group), group)
  allowed <- orders_of_groups(members, function(a, b) pattern[[a]] == pattern[[b]])
  allowed <- t(apply(allowed, 1L, function(p) unlist(members[p])))
  expect_setequal(text(drawn(free(some_rows(group, weights = weights)), 200)), text(allowed))
  # With one value in each group, those with the same set of weights.
  weights <- rep(c(1, 1, 2, 1, 2, 2), c(2, 2, 2, 2, 3, 3))
  exchange <- free(some_rows(group, weights = weights), constant = TRUE)
  found <- t(apply(drawn(exchange, 300), 1L, function(order) group[order]))
  own <- weights[match(1:6, group)]
  allowed <- orders_of_groups(1:6, function(a, b) own[a] == own[b])
  expect_setequal(text(found), text(t(apply(allowed, 1L, function(p) p[group]))))
})

test_that("rows in time move in a circle, those of other weights as far", {
  withr::local_seed(4)
  time <- as.Date("2024-01-01") + c(4, 2, 9, 5, 5, 1)
  row <- order(time)
  shifts <- t(sapply(0:5, function(by) {
    order <- integer(6)
    order[row] <- row[(0:5 + by) %% 6 + 1]
    order
  }))
  expect_setequal(text(drawn(free(some_rows(time = time)), 100)), text(shifts))
  weights <- c(1, 2, 1, 1, 2, 1)
  shifts <- t(sapply((0:11) / 12, function(share) {
    order <- integer(6)
    for (w in 1:2) {
      rows <- row[weights[row] == w]
      m <- length(rows)
      order[rows] <- rows[(seq_len(m) - 1 + floor(share * m)) %% m + 1]
    }
    order
  }))
  expect_setequal(text(drawn(free(some_rows(time = time, weights = weights)), 200)), text(shifts))
})

test_that("groups of one row are no groups, with the same random numbers", {
  for (seed in first_or_all(1:6, 3)) {
    set.seed(seed)
    n <- sample(20:40, 1)
    weights <- if (seed %% 2) sample(1:3, n, TRUE)
    rows <- list(some_rows(weights = weights), some_rows(sample(n), weights = weights))
    found <- lapply(rows, function(rows) {
      exchange <- exchangeable_rows(rows, n, FALSE)
      withr::with_seed(seed, draw_order(exchange))
    })
    expect_identical(found[[1]], found[[2]])
    plain <- seq_len(n)
    withr::with_seed(seed, for (same in split(plain, weights %||% rep(1, n))) {
      plain[same] <- same[sample.int(length(same))]
    })
    expect_identical(found[[1]], plain)
  }
})

grouped_task <- function(group, y, ...) {
  n <- length(group)
  withr::with_seed(9, mltask(matrix(rnorm(3 * n), n, dimnames = list(NULL, c("a", "b", "c"))), y, group = group, ...))
}

test_that("targets move as groups if they and what is unknown are constant within them", {
  group <- rep(1:9, c(2:9, 3))
  y <- cbind(l = rep_len(0:1, 9)[group], m = rep_len(c(0, 0, 1), 9)[group])
  moved <- function(y, as = identity, ...) {
    task <- grouped_task(group, as(y), ...)
    permuted <- withr::with_seed(5, target_permuter(task)())
    expect_identical(row_groups(permuted), row_groups(task))
    as.matrix(targets(permuted))
  }
  whole <- withr::with_seed(5, sample.int(9))
  first <- match(1:9, group)
  expect_equal(moved(y), y[first[whole][group], ], ignore_attr = TRUE)
  sparse <- function(y) methods::as(y, "CsparseMatrix")
  expect_equal(moved(y, sparse), moved(y), ignore_attr = TRUE)
  hidden <- replace(y, group %in% c(3, 7), NA)
  expect_equal(moved(hidden), hidden[first[whole][group], ], ignore_attr = TRUE)
  classes <- data.frame(u = factor(letters[1 + y[, 1] + y[, 2]]))
  expect_equal(moved(classes), as.matrix(classes)[first[whole][group], , drop = FALSE], ignore_attr = TRUE)
  numbers <- cbind(t = (1:9 / 7)[group])
  expect_equal(moved(numbers), numbers[first[whole][group], , drop = FALSE], ignore_attr = TRUE)
  # One cell that differs, and the groups of other sizes have no partner.
  for (other in list(replace(y, 1, 1 - y[1]), replace(hidden, 1, NA))) {
    expect_error(moved(other), "2 of 9 groups can, in 2 ways.*of the same size", class = "mlsift_error")
  }
})

test_that("too few ways are refused by name", {
  refused <- function(task, text) {
    expect_error(score_test(task, sel_mim(), 2), text, class = "mlsift_error")
    expect_error(sift(task, check = "permutation"), text, class = "mlsift_error")
  }
  y <- rep_len(c(0, 1, 1), 24)
  refused(grouped_task(rep(1:6, 4), y), "6 of 6 groups can, in 720 ways")
  # Four pairs of equal size.
  refused(grouped_task(rep(1:8, c(1, 1, 2, 2, 4, 4, 5, 5)), y), "8 of 8 groups can, in 16 ways")
  refused(grouped_task(rep(1:8, 3), y, weights = 1:24), "0 of 8 groups.*with the same weights")
  expect_s3_class(score_test(grouped_task(rep(1:8, 3), y), sel_mim(), 2), "data.frame")
  dated <- function(n, ...) mltask(matrix(rnorm(2 * n), n), rep_len(c(0, 1, 1), n), time = n:1, ...)
  refused(dated(19), "circle.*19 rows; at least 20")
  refused(dated(30, weights = rep(1:2, 15)), "15 rows have the same weight")
  expect_s3_class(score_test(dated(20), sel_mim(), 2), "data.frame")
})

test_that("p-values are uniform where groups or a trend make rows alike, and small where a feature matters", {
  withr::local_seed(6)
  group <- rep(1:20, sample(3:8, 20, TRUE))
  n <- length(group)
  noise <- matrix(rnorm(20 * 200), 20)[group, ]
  y <- rbinom(20, 1, 0.5)[group]
  p <- function(...) score_test(mltask(noise, y, ...), sel_mim(), n = 39)$p_value
  grouped <- p(group = group)
  expect_gt(mean(p() <= 0.05), 0.5)
  expect_lt(mean(grouped <= 0.05), 0.12)
  expect_lt(abs(mean(grouped) - 0.5), 0.1)
  walk <- function(n) as.vector(stats::filter(rnorm(n), 0.95, "recursive"))
  y <- as.integer(walk(150) > 0)
  noise <- replicate(200, walk(150))
  expect_gt(mean(p() <= 0.05), 0.3)
  expect_lt(mean(p(time = 1:150) <= 0.05), 0.2)
  good <- data.frame(noise[, 1:5], good = y + rnorm(150, sd = 0.3))
  expect_identical(score_test(mltask(good, y, time = 1:150), sel_mim(), n = 39)$feature[1], "good")
})

test_that("stop_permutation() moves values by groups and in time", {
  withr::local_seed(7)
  x <- matrix(rnorm(480), 120, dimnames = list(NULL, letters[1:4]))
  y <- as.integer(x[, 1] > 0)
  selector <- sel_knn_mi(stop = stop_permutation(20))
  seen <- list()
  local_mocked_bindings(draw_order = function(exchange) {
    seen[[length(seen) + 1]] <<- exchange[c("shift", "size")]
    seq_along(exchange$row)
  }, .package = "mlsift")
  for (task in list(mltask(x, y, group = rep(1:12, 10)), mltask(x, y, time = 1:120), mltask(x, y))) {
    sift_features(task, selector, threads = 1)
  }
  expect_identical(unique(seen), list(list(shift = FALSE, size = rep(10L, 12)), list(shift = TRUE, size = rep(1L, 120)),
    list(shift = FALSE, size = rep(1L, 120))))
  expect_error(sift_features(mltask(x, y, group = rep(1:5, 24)), selector), "too few groups", class = "mlsift_error")
})

# CC-kNN beside BR-kNN on yeast, hold-out 1208 / 1209 rows, 103 features, 14 labels, 3 neighbors, fit and predict; the
# chain as a literal loop, on our BR-kNN and in plain R; the curve over 1 .. 50 features; many labels.
#   Rscript bench/cc-knn.R [folder with yeast]
# Claims: CC-kNN at most 2 x BR-kNN; scores equal to the literal loops.
source("bench/common.R")
machine()

made_up <- function(n, d, q, share = 0.3) {
  x <- matrix(rnorm(n * d), n, d, dimnames = list(NULL, paste0("f", seq_len(d)))) / sqrt(d)
  y <- matrix(
    as.integer(x[, sample.int(d, q, TRUE)] * sqrt(d) + rnorm(n * q) > sqrt(2) * qnorm(1 - share)), n,
    dimnames = list(NULL, paste0("l", seq_len(q)))
  )
  mltask(x, y, name = "made up", kind = "label")
}

run <- function(learner, train, test, threads = 1) predict(
  fit(learner, train, threads = threads), test, threads = threads
)

# One BR-kNN model after the other on more and more columns.
link_by_link <- function(train, test, order, k) {
  x <- as.matrix(train)
  query <- as.matrix(test)
  y <- as.matrix(targets(train))
  score <- matrix(0, nrow(query), ncol(y))
  for (l in order) {
    link <- fit(lrn_brknn(k, "none"), mltask(x, y[, l, drop = FALSE], kind = "label"), threads = 1)
    score[, l] <- predict(link, query, threads = 1)$score
    x <- cbind(x, y[, l])
    query <- cbind(query, score[, l] >= 0.5)
    colnames(x) <- colnames(query) <- paste0("c", seq_len(ncol(x)))
  }
  score
}

# The same in plain R, all distances at once.
plain_r <- function(train, test, order, k) {
  x <- as.matrix(train)
  query <- as.matrix(test)
  y <- as.matrix(targets(train))
  distance <- 0
  for (f in seq_len(ncol(x))) distance <- distance + outer(query[, f], x[, f], `-`)^2
  score <- matrix(0, nrow(query), ncol(y))
  for (l in order) {
    score[, l] <- apply(distance, 1, function(d) mean(y[order(d)[seq_len(k)], l]))
    distance <- distance + outer(score[, l] >= 0.5, y[, l], `!=`)
  }
  score
}

set.seed(1)
task <- real_or("yeast", made_up(size(2417, 200), size(103, 60), size(14, 5)))
split <- sample.int(nrow(task), nrow(task) %/% 2)
train <- task[split, ]
test <- task[-split, ]
chain <- lrn_cc_knn(3, sample.int(length(target_names(task))), "none")
order <- chain$params$chain_order
ours <- unname(run(chain, train, test)$score)
stopifnot(identical(ours, link_by_link(train, test, order, 3)), identical(ours, plain_r(train, test, order, 3)),
  identical(ours, unname(run(chain, train, test, 2)$score)))

cat(sprintf(
  "\n%s: %d + %d rows, %d features, %d labels, 1 thread; scores equal to the bit\n", task$name, nrow(train), nrow(test),
  ncol(task), length(order)
))
times <- c(
  seconds(\() run(lrn_brknn(3), train, test), 10, 10), seconds(\() run(chain, train, test), 10, 10),
  seconds(\() run(lrn_lp(3), train, test), 10, 10), seconds(\() link_by_link(train, test, order, 3), 1, 3),
  seconds(\() plain_r(train, test, order, 3), 1, 1)
)
report(c("BR-kNN", "CC-kNN", "LP-kNN", "one BR-kNN for each link", "plain R"), times)
cat(sprintf(
  "  CC / BR %.2f, link by link / CC %.1f, plain R / CC %.0f\n", times[2] / times[1], times[4] / times[2],
  times[5] / times[2]
))

cat("\nthe curve over 1 .. 50 features\n")
curve <- function(learner) one_pass(learner, train, test, 1:50, 1:50, threads = 1)
times <- c(seconds(\() curve(lrn_brknn(3)), 1, 5), seconds(\() curve(chain), 1, 5), seconds(\() curve(lrn_lp(3)), 1, 5))
report(c("BR-kNN", "CC-kNN", "LP-kNN"), times)

cat("\n4,000 + 2,000 rows, 500 features, 1,000 labels of which a row has about 20\n")
large <- made_up(size(6000, 300), size(500, 40), size(1000, 30), 0.02)
rows <- seq_len(nrow(large) * 2 / 3)
chain <- lrn_cc_knn(3, sample.int(length(target_names(large))), "none")
stopifnot(identical(run(chain, large[rows, ], large[-rows, ]), run(chain, large[rows, ], large[-rows, ], 2)))
times <- c(
  seconds(\() run(lrn_brknn(3), large[rows, ], large[-rows, ]), 1, 3),
  seconds(\() run(chain, large[rows, ], large[-rows, ]), 1, 3)
)
report(c("BR-kNN", "CC-kNN"), times)
cat(sprintf("  CC / BR %.2f\n", times[2] / times[1]))

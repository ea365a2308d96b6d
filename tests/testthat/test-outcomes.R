# What sift() promises as a whole, over many data sets: minutes, so only with MLSIFT_OUTCOMES=true in the environment.
# The workflow "outcomes" runs them, and so should everyone before a release.
skip_if_not(identical(Sys.getenv("MLSIFT_OUTCOMES"), "true"), "MLSIFT_OUTCOMES is not \"true\"")

said <- function(answer) paste(summary(answer), collapse = " ")

claims_nothing <- function(answer) grepl("There is nothing here|too few rows.* to be sure", said(answer))

# Rows with 3 targets of a kind, each of them the sum of 2 of the first 6 features of `d`, and noise.
planted <- function(kind, n, d = 30, noise = 0.7) {
  x <- matrix(rnorm(n * d), n, dimnames = list(NULL, paste0("f", seq_len(d))))
  y <- sapply(1:3, function(t) x[, 2 * t - 1] + x[, 2 * t] + noise * rnorm(n))
  colnames(y) <- paste0("t", 1:3)
  switch(kind, label = mltask(x, 1L * (y > 0.5)), numeric = mltask(x, y),
    class = mltask(x, as.data.frame(lapply(as.data.frame(y), function(v) cut(v, c(-Inf, -1, 1, Inf), letters[1:3])))))
}

# The same features, and the targets of other rows.
scrambled <- function(task) mltask(features(task), targets(task)[sample(nrow(task)), , drop = FALSE])

for (kind in c("label", "class", "numeric")) {
  test_that(paste("planted features are found, and the smallest set is small:", kind), {
    found <- vapply(1:20, function(seed) {
      withr::local_seed(seed)
      answer <- sift(planted(kind, 300), estimate = FALSE, stand_ins = "none")
      small <- answer$fewest$features[[1]]
      c(recall = mean(paste0("f", 1:6) %in% selected(answer)), small = mean(paste0("f", 1:6) %in% small),
        size = length(small))
    }, double(3))
    expect_gt(mean(found["recall", ]), 0.98)
    expect_gt(mean(found["small", ]), 0.8)
    expect_lt(median(found["size", ]), 11)
  })

  test_that(paste("nothing is claimed where there is nothing:", kind), {
    found <- vapply(1:12, function(seed) {
      withr::local_seed(100 + seed)
      claims_nothing(sift(scrambled(planted(kind, 100))))
    }, NA)
    # An interval of 95% is wrong on one side once in 40.
    expect_gte(sum(found), 11)
  })

  test_that(paste("what is found is claimed, and the estimate holds on other rows:", kind), {
    found <- vapply(1:14, function(seed) {
      withr::local_seed(200 + seed)
      task <- planted(kind, 500)
      answer <- sift(task[1:250, ], stand_ins = "none")
      reached <- evaluate(predict(answer, task[251:500, ]), task[251:500, ], answer$tuning$measure,
        train_mean = if (kind == "numeric") task[1:250, ])$value
      c(!claims_nothing(answer), abs(reached - answer$quality$mean[1]) <= 2 * answer$quality$se[1])
    }, c(NA, NA))
    expect_true(all(found[1, ]))
    expect_gte(sum(found[2, ]), 12)
  })
}

test_that("noise in groups of rows is sold as a finding no oftener than an interval of 95% is wrong", {
  found <- vapply(1:20, function(seed) {
    withr::local_seed(300 + seed)
    patient <- rep(1:30, each = 10)
    x <- matrix(rnorm(30 * 20), 30)[patient, ] + rnorm(6000, sd = 0.05)
    task <- mltask(x, matrix(rbinom(60, 1, 0.5), 30)[patient, ], group = patient)
    claims_nothing(sift(task, stand_ins = "none"))
  }, NA)
  # One side of 20 intervals is wrong more than twice in 14 of 1,000 cases.
  expect_gte(sum(found), 18)
})

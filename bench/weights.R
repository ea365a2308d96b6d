# What weights of rows cost: greedy selections with whole weights beside the same without, on sparse words and on dense
# 0/1 columns. Selections on a part of the rows are compared with those on its rows repeated.
#   Rscript bench/weights.R [folder with bibtex]
# Goals: at most 3 x on sparse data and 10 x on dense columns with whole weights up to 1,000. Weights that are real
# numbers become whole numbers with a sum of 2^30. A table of n log n does not reach that far, so they take up to 10 x.
source("bench/common.R")
machine()

selectors <- list(sel_scls(), sel_mdmr(), sel_d2f(), sel_cmim(), sel_single_jmi())
columns <- c("index", "score")

compare <- function(task, most_small, most_large) {
  weigh <- function(task, w) {
    suppressMessages(mltask(features(task), targets(task), kind = "label", discrete = task$discrete, weights = w))
  }
  cat("\n", shape_of(task), ", 30 features, 1 thread\n", sep = "")
  set.seed(2)
  few <- weigh(task, sample(5, nrow(task), TRUE))
  many <- weigh(task, sample(1000, nrow(task), TRUE))
  real <- weigh(task, runif(nrow(task)))
  for (selector in selectors) {
    run <- function(task) sift_features(task, selector, k = min(30, ncol(task)), threads = 1)
    times <- vapply(list(task, few, many, real), \(task) seconds(\() run(task)), 0)
    report(paste0(selector$name, c(", no weights", ", up to 5", ", up to 1,000", ", real numbers")), times)
    claim(times[2] <= most_small * times[1])
    claim(times[3] <= most_large * times[1])
  }
  rows <- sort(sample(nrow(task), min(200, nrow(task))))
  w <- sample(5, length(rows), TRUE)
  part <- suppressMessages(task[rows, ])
  repeated <- suppressMessages(part[rep(seq_along(rows), w), ])
  for (selector in selectors) {
    found <- lapply(list(weigh(part, w), repeated), \(task) sift_features(task, selector, k = 8)[columns])
    stopifnot(identical(found[[1]], found[[2]]))
  }
  cat("  on 200 rows the same as rows repeated, to the bit\n")
}

compare(bench_task("bibtex"), 2, 4)

set.seed(3)
n <- size(2000, 200)
d <- size(500, 40)
x <- matrix(rbinom(n * d, 1, 0.4), n, dimnames = list(NULL, paste0("f", seq_len(d))))
y <- matrix(rbinom(n * 20, 1, 0.3), n, dimnames = list(NULL, paste0("l", 1:20)))
y[, 1] <- x[, 1]
compare(suppressMessages(mltask(x, y, name = "dense 0/1 columns")), 4, 9)

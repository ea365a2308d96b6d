# Ranking loss of 10,000 rows x 1,000 labels whose scores tie often: msr_ranking_loss() beside a plain loop over pairs
# (relevant, irrelevant). The loop runs in C++ on all rows; a loop over pairs in R runs on a few rows, and its time is
# scaled to all of them.
#   Rscript bench/ranking-loss.R
source("bench/common.R")
machine()

Rcpp::cppFunction("
double pair_loop(const Rcpp::IntegerMatrix& y, const Rcpp::NumericMatrix& s) {
  double total = 0;
  for (int i = 0; i < y.nrow(); ++i) {
    std::vector<double> relevant, other;
    for (int l = 0; l < y.ncol(); ++l) (y(i, l) == 1 ? relevant : other).push_back(s(i, l));
    double wrong = 0;
    for (double a : relevant) for (double b : other) wrong += a <= b;
    const double pairs = double(relevant.size()) * double(other.size());
    if (pairs > 0) total += wrong / pairs;
  }
  return total / y.nrow();
}")

pair_loop_r <- function(y, s) {
  mean(vapply(seq_len(nrow(y)), function(i) {
    wrong <- pairs <- 0
    for (a in which(y[i, ] == 1)) for (b in which(y[i, ] == 0)) {
      pairs <- pairs + 1
      if (s[i, a] <= s[i, b]) wrong <- wrong + 1
    }
    if (pairs > 0) wrong / pairs else 0
  }, 0))
}

set.seed(1)
n <- size(10000, 100)
q <- size(1000, 50)
score <- matrix(round(runif(n * q), 2), n, q)
cat(sprintf("%d rows x %d labels, scores on a grid of 101 values\n", n, q))
for (density in c(0.02, 0.1, 0.5)) {
  truth <- matrix(as.integer(runif(n * q) < density), n, q)
  few <- seq_len(max(2, round(1 / density^0.5)))
  ours <- msr_ranking_loss(truth, score, threads = 1)
  stopifnot(
    identical(ours, msr_ranking_loss(truth, score, threads = 2)), abs(ours - pair_loop(truth, score)) < 1e-12,
    abs(pair_loop_r(truth[few, ], score[few, ]) - msr_ranking_loss(truth[few, ], score[few, ])) < 1e-12
  )
  time <- c(
    `msr_ranking_loss, 1 thread` = seconds(\() msr_ranking_loss(truth, score, threads = 1)),
    `msr_ranking_loss, 2 threads` = seconds(\() msr_ranking_loss(truth, score, threads = 2)),
    `pair loop in C++` = seconds(\() pair_loop(truth, score)),
    `pair loop in R, scaled` = seconds(\() pair_loop_r(truth[few, ], score[few, ]), rounds = 1) * n / length(few)
  )
  cat(sprintf("\n%g labels a row, loss %.6f, equal to the loops\n", density * q, ours))
  report(names(time), time)
}

# Linear regression with its penalty chosen: the curve over 1 .. 50 features on yeast, beside ML-kNN and beside fifty
# separate models; one target beside MASS::lm.ridge() with 80 penalties; all features of enron beside eigen(). One
# thread.
#   Rscript bench/linear.R [folder with yeast and enron]
# Claims: the curve takes less time than that of ML-kNN; the model at 50 is that of its penalty in R; none of those of
# MASS has a smaller GCV; with all features of enron the model takes less time than the eigenvectors of their products.
source("bench/common.R")
machine()

set.seed(1)
task <- real_or("yeast", normal_task(size(2417, 200), 103, size(14, 5)))
split <- sample.int(nrow(task), nrow(task) %/% 2)
train <- task[split, ]
test <- task[-split, ]
order <- sift_features(train, sel_mim(), k = 50)$index
curve <- function(learner) one_pass(learner, train, test, order, 1:50, threads = 1)
separate <- function(n) {
  columns <- order[seq_len(n)]
  predict(fit(lrn_linear(scale = "zscore"), train[, columns], threads = 1), test[, columns], threads = 1)
}
linear <- lrn_linear(scale = "zscore")
found <- curve(linear)
for (k in c(1, 20, 50)) stopifnot(all.equal(found[[k]]$score, separate(k)$score, tolerance = 1e-3))

x <- as.matrix(train)[, order]
center <- colMeans(x)
deviation <- sqrt(colMeans(sweep(x, 2, center)^2))
scaled <- function(x) sweep(sweep(x, 2, center), 2, deviation, `/`)
y <- as.matrix(targets(train))
rho <- fit(linear, train[, order])$state$rho
z <- scaled(x)
in_r <- scaled(as.matrix(test)[, order]) %*% solve(crossprod(z) + rho * diag(50), crossprod(z, y))
stopifnot(all.equal(unname(sweep(in_r, 2, colMeans(y), `+`)), unname(found[[50]]$score), tolerance = 1e-8))

cat(sprintf("\n%s: %d + %d rows, features by MIM-BR; equal to the equations in R\n", shape_of(task), nrow(train),
  nrow(test)))
times <- c(seconds(\() curve(linear)), seconds(\() curve(lrn_linear(1, "zscore"))),
  seconds(\() curve(lrn_mlknn(scale = "zscore")), rounds = 3), seconds(\() lapply(1:50, separate), rounds = 3))
report(c("lrn_linear(), 1 .. 50 features", "lrn_linear(1), 1 .. 50 features", "lrn_mlknn(), 1 .. 50 features",
  "lrn_linear(), fifty separate models"), times)
claim(times[1] < times[3])

if (has_peer("MASS")) {
  value <- x[, 1] / deviation[1] + rnorm(nrow(x))
  one <- mltask(x, value)
  penalty <- fit(linear, one)$state$rho
  squares <- svd(z)$d^2
  penalties <- c(penalty, mean(squares) * exp(seq(log(1e-4), log(1e4), length.out = 80)))
  theirs <- function() MASS::lm.ridge(value ~ x, lambda = penalties)
  used <- vapply(penalties, \(rho) sum(squares / (squares + rho)), 0)
  n <- nrow(x)
  gcv <- theirs()$GCV * ((n - used) / (n - 1 - used))^2  # MASS does not count the intercept
  stopifnot(which.min(gcv) == 1)
  report(c("fit(lrn_linear()), 50 features, 1 target", "MASS::lm.ridge()"),
    c(seconds(\() fit(linear, one, threads = 1), 5), seconds(theirs, 5)))
}

many <- drop_features(bench_task("enron"), "constant")
products <- crossprod(base::scale(as.matrix(many)))
cat(sprintf("\n%s, all features\n", shape_of(many)))
times <- c(seconds(\() fit(linear, many, threads = 1), rounds = 3), seconds(\() eigen(products, TRUE), rounds = 3))
report(c("fit(lrn_linear())", "eigen() of the products of features"), times)
claim(times[1] < times[2])

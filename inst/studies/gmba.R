# Yan and Li (2016). See README.md here.

small <- c("emotions", "enron", "genbase", "medical", "scene", "yeast")
selectors <- list(
  sel_gmba(scale = "zscore"), "GMBA, step 0.01" = sel_gmba(step = 0.01, epochs = 10, scale = "zscore"),
  "GMBA, program" = sel_gmba(variant = "code2016", scale = "zscore"),
  sel_spec(), sel_mfs(), sel_mlrf(scale = "zscore"),
  "MLRF, program" = sel_mlrf(variant = "code2016", scale = "zscore"), sel_none()
)
setup <- function(split) function(tasks, repeats) list(
  selectors = selectors, learners = list(lrn_brknn(scale = "none"), lrn_cc_knn(scale = "none")),
  resampling = if (split == "cv") rs_cv(10, repeats, stratify = FALSE) else lapply(tasks, function(task) {
    rs_holdout(n_train = 1800, n_test = nrow(task) %/% 10, repeats = repeats, stratify = FALSE)
  }),
  prop = seq(0.1, 0.9, 0.1), measures = c("hamming_loss", "micro_f1", "macro_f1")
)
# The authors' program scales all rows together. Numeric features are divided by their standard deviation, and those
# that are not sparse are centered first.
scale_all <- function(task) {
  x <- with_values(task$x)
  if (is_sparse(x)) {
    mean <- unname(Matrix::colMeans(x))
    column <- rep.int(seq_len(ncol(x)), diff(x@p))
    stored <- tapply((x@x - mean[column])^2, factor(column, seq_len(ncol(x))), sum, default = 0)
    sd <- sqrt((as.vector(stored) + (nrow(x) - diff(x@p)) * mean^2) / (nrow(x) - 1))
    varies <- which(sd > 0)
    x <- scale_columns(x, replace(rep(1, ncol(x)), varies, sd[varies]))
  } else {
    scaled <- function(v) if (is.numeric(v) && isTRUE(stats::sd(v) > 0)) (v - mean(v)) / stats::sd(v)
    new <- lapply(seq_len(ncol(x)), function(f) scaled(dense_column(x, f)))
    varies <- which(lengths(new) > 0L)
    for (f in varies) if (is.data.frame(x)) x[[f]] <- new[[f]] else x[, f] <- new[[f]]
  }
  task$x <- x
  task$discrete[varies] <- FALSE
  task
}
prepare <- function(task, name) scale_all(indicator_features(drop_features(task, c("id", "constant"))))
list(
  folds = list(tasks = small, repeats = 1, prepare = prepare, arguments = setup("cv")),
  samples = list(tasks = c("bibtex", "mediamill"), repeats = 10, prepare = prepare, arguments = setup("holdout"))
)

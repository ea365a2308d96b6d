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
# The authors' program scales all rows together.
prepare <- function(task, name) scale_features(indicator_features(drop_features(task, c("id", "constant"))))
list(
  folds = list(tasks = small, repeats = 1, prepare = prepare, arguments = setup("cv")),
  samples = list(tasks = c("bibtex", "mediamill"), repeats = 10, prepare = prepare, arguments = setup("holdout"))
)

# Doquire and Verleysen (2011). See README.md here.

tasks <- c("yeast", "scene", "emotions")
n_train <- c(yeast = 1500, scene = 1211, emotions = 391)
setup <- function(selectors, split) function(tasks, repeats) list(
  selectors = selectors, learners = lrn_mlknn(neighbors = 7, scale = "none"),
  resampling = stats::setNames(nm = names(tasks), lapply(names(tasks), function(name) {
    n <- n_train[[name]]
    if (split == "usual") rs_fixed(seq_len(n), seq(n + 1, nrow(tasks[[name]]))) else
      rs_holdout(n_train = n, repeats = repeats, stratify = FALSE)
  })),
  k = c(1:20, seq(25, 300, 5)), measures = c("hamming_loss", "jaccard")
)
ppt_mi <- function(...) sel_knn_mi(min_count = 6, neighbors = 4, ..., scale = "zscore")
selectors <- list(
  "PPT+MI" = ppt_mi(), "PPT+MI, repeated values" = ppt_mi(zero_distance = "ross"),
  "LP+CHI" = sel_chi2(transform = "lp"), sel_none()
)
list(
  usual = list(tasks = tasks, repeats = 1, arguments = setup(c(selectors, list(
    "PPT+MI, backward" = ppt_mi(search = "backward")
  )), "usual")),
  random = list(tasks = tasks, repeats = 10, arguments = setup(selectors, "random"))
)

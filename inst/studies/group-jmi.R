# Sechidis et al. (2019). See README.md here.

labels <- c("cal500", "emotions", "enron", "genbase", "image", "langlog", "medical", "scene", "yeast")
# Ten labels, or all if there are fewer.
fimf <- by_task(emotions = sel_fimf(6), image = sel_fimf(5), scene = sel_fimf(6), otherwise = sel_fimf(10))
numbers <- c("atp1d", "atp7d", "oes97", "oes10", "osales", "scm20d")
setup <- function(selectors) function(tasks, repeats) list(
  selectors = selectors, learners = lrn_mlknn(neighbors = 7, scale = "none"), resampling = rs_holdout(0.5, repeats),
  k = 1:50, measures = c("hamming_loss", "ranking_loss", "norm_coverage", "macro_f1"),
  discretizer = disc_equal_width(5)
)
clusters <- lapply(c(4, 8, 16, 32), function(n) sel_group_jmi(size = 0.5, clusters = n))
sizes <- lapply(c(0.25, 0.5, 0.75), function(size) sel_group_jmi(size = size, clusters = 8))
names(clusters) <- paste("clusters", c(4, 8, 16, 32))
names(sizes) <- paste("size", c(0.25, 0.5, 0.75))
list(
  jmi = list(
    tasks = labels, repeats = 30, arguments = setup(list(sel_single_jmi(), sel_joint_jmi(), sel_group_jmi()))
  ),
  rivals = list(tasks = labels, repeats = 30, arguments = setup(list(
    sel_mim(), sel_chi2(), sel_ami(), sel_pmu(), fimf, sel_scls(), sel_group_jmi()
  ))),
  groups = list(tasks = c("image", "medical", "genbase"), repeats = 30, arguments = setup(c(clusters, sizes))),
  regression = list(tasks = numbers, repeats = 30, arguments = function(tasks, repeats) list(
    selectors = list(sel_group_jmi(), "RReliefF, 10 neighbors" = sel_rrelieff(neighbors = 10),
      "RReliefF, 50 neighbors" = sel_rrelieff(neighbors = 50)),
    learners = lrn_knn_regression(neighbors = 10, scale = "zscore"), resampling = rs_holdout(0.5, repeats),
    k = 1:50, measures = "arrmse", discretizer = disc_equal_width(5), impute = impute_mean(), target_bins = 5
  ))
)

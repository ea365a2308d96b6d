# Lee and Kim (2016). See README.md here.

tasks <- c("bibtex", "corel5k", "delicious", "enron", "genbase", "langlog", "slashdot", "yeast")
setup <- function(selectors, k) function(tasks, repeats) list(
  selectors = selectors, learners = lrn_brlr(scale = "zscore"),
  resampling = rs_holdout(0.8, repeats, stratify = FALSE), k = k, measures = c("hamming_loss", "ranking_loss"),
  discretizer = by_task(yeast = disc_equal_width(2), otherwise = disc_auto())
)
# Table 2 of the paper, or a fifth of the labels if `data` has other sets.
proposed <- by_task(
  bibtex = sel_ebls(32), corel5k = sel_ebls(112), delicious = sel_ebls(98), enron = sel_ebls(5),
  genbase = sel_ebls(24), langlog = sel_ebls(38), slashdot = sel_ebls(18), yeast = sel_ebls(3)
)
selectors <- list(
  EBLS = proposed, sel_br_cc(), sel_br_or(), sel_chi2(), sel_fimf(n_labels = 10), sel_mfs()
)
shares <- seq(0.1, 1, 0.1)
labels <- function(which) {
  made <- lapply(shares, function(share) sel_ebls(prop_labels = share, which = which))
  stats::setNames(made, paste(which, format(shares, nsmall = 1)))
}
list(
  comparison = list(tasks = tasks, repeats = 10, arguments = setup(selectors, c(1, seq(5, 50, 5)))),
  baseline = list(tasks = tasks, repeats = 10, arguments = setup(list(sel_none()), 50)),
  share = list(
    tasks = tasks, repeats = 10, arguments = setup(c(labels("largest"), labels("smallest")), c(10, 30, 50))
  )
)

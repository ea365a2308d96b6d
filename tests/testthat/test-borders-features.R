# The core works on runs of 64, 512, 4,096 and 8,192 features or rows. A feature must not be lost at their borders.

greedy <- list(
  sel_scls(), sel_ami(), sel_d2f(), sel_pmu(), sel_lrfs(), sel_mdmr(), sel_mrmr(), sel_cmim(), sel_jmim(), sel_njmim(),
  sel_disr(), sel_single_jmi(), sel_joint_jmi(), sel_jmi3(), sel_cmi(), sel_jim(), sel_lsmfs(), sel_mlsmfs()
)
ranking <- list(
  sel_mim(), sel_ebls(prop_labels = 1), sel_br_or(), sel_chi2("ela"), sel_trans_mi("lp"), sel_br_cc(), sel_mfs(),
  sel_igmf()
)

# Rare 0/1 features beside two balanced labels; the features at `at` become copies of the labels.
planted_task <- function(n, d, at, layout = identity) {
  x <- matrix(0, n, d, dimnames = list(NULL, paste0("f", seq_len(d))))
  x[cbind((seq_len(d) * 7L) %% n + 1L, seq_len(d))] <- 1
  x[cbind((seq_len(d) * 13L) %% n + 1L, seq_len(d))] <- 1
  y <- cbind(a = rep(0:1, length.out = n), b = rep(c(0, 0, 1, 1), length.out = n))
  x[, at] <- y[, seq_along(at)]
  suppressMessages(mltask(layout(x), y, kind = "label")) # which says that there are copies of targets
}

expect_found <- function(selector, task, at, label) {
  found <- suppressWarnings(sift_features(task, selector, k = length(at)))
  expect_true(setequal(found$index, at), label = paste(selector$name, label))
}

test_that("a copy of a label is found at each border of runs of features", {
  skip_on_cran()
  pairs <- list(c(63, 64), c(65, 1), c(511, 512), c(513, 1024), c(1025, 4095), c(4096, 4097))
  for (at in pairs) {
    task <- planted_task(64, 4097, at)
    for (selector in some_or_all(c(greedy, ranking), sum(at))) {
      expect_found(selector, task, at, paste("at", toString(at)))
    }
  }
})

test_that("a copy of a label is found in the last column, whatever the width", {
  skip_on_cran()
  for (d in c(63, 64, 65, 511, 512, 513, 4095, 4096, 4097)) {
    task <- planted_task(64, d, c(d, d - 1), sparse)
    for (selector in some_or_all(c(greedy, ranking), d)) expect_found(selector, task, c(d, d - 1), paste("of", d))
  }
  for (at in list(c(8191, 8192), c(8193, 1))) {
    expect_found(sel_scls(), planted_task(64, 8193, at, sparse), at, "of 8193")
  }
})

test_that("a copy of a label is found, whatever the number of rows", {
  skip_on_cran()
  for (n in c(63, 64, 65, 511, 512, 513, 4095, 4096, 4097)) {
    task <- planted_task(n, 9, c(9, 4))
    for (selector in some_or_all(c(greedy, ranking), n)) expect_found(selector, task, c(9, 4), paste("of", n, "rows"))
  }
})

# Scores that other people's programs gave for emotions and flags of the package mldr.datasets; made once.

task_of <- function(name) {
  skip_if_not_installed("mldr.datasets")
  as_mltask(getExportedValue("mldr.datasets", name))
}

# CORElearn 1.57.3.1, attrEval() with all rows as reference (ReliefIterations = 0), linear differences
# (numAttrProportionEqual = 0, numAttrProportionDifferent = 1), features 1, 2, 3 and 72.
test_that("ReliefF with two classes, and its mean over labels: CORElearn, ReliefFequalK with 10 neighbors", {
  task <- task_of("emotions")
  at <- c(1, 2, 3, 72)
  expect_equal(scores_of(subset_targets(task, 1), sel_relieff_br())[at],
    c(
      0.037279047752682468, 0.028858266433052289, 0.006722816557652481, 0.0181032859552437
  ), tolerance = 1e-12)
  expect_equal(scores_of(subset_targets(task, 2), sel_relieff_br())[at],
    c(
      0.017065547673109607, 0.013476672607189119, 0.006501817700267721, 0.009067594910464235
  ), tolerance = 1e-12)
  expect_equal(scores_of(task, sel_relieff_br())[at],
    c(0.02978767704132804, 0.03409680908921457, 0.0111792677808157, 0.02050578222516576), tolerance = 1e-12)
})

test_that("ReliefF with label sets as classes: CORElearn, ReliefFequalK with 5 and 10 neighbors", {
  task <- task_of("emotions")
  at <- c(1, 2, 3, 72)
  expect_equal(scores_of(task, sel_relieff_lp(5))[at],
    c(0.03709061690581637, 0.04623560189721655, 0.01628450454378619, 0.02653964948498456), tolerance = 1e-12)
  # On the rows of label sets seen 6 times or more.
  expect_equal(scores_of(task, sel_relieff_ppt(6, 10))[at],
    c(0.03542490774440073, 0.04611953940695346, 0.01704757948139195, 0.02415966507149928), tolerance = 1e-12)
})

test_that("ReliefF on factors and numbers: CORElearn, ReliefFequalK with 5 neighbors, first label of flags", {
  expect_equal(scores_of(subset_targets(task_of("flags"), 1), sel_relieff_br(5))[1:6],
    c(
      0.05567010309278353, 0.04639175257731966, 0.00098440216585961741, 0.00080183276059566272,
      0.083505154639175308, 0.11237113402061873
    ),
    tolerance = 1e-12)
})

test_that("RReliefF: CORElearn, RReliefFequalK with 10 neighbors, the first feature of emotions as the target", {
  x <- as.matrix(task_of("emotions"))
  task <- mltask(x[, -1], x[, 1, drop = FALSE], kind = "numeric")
  expect_equal(scores_of(task, sel_rrelieff(10, sigma = Inf))[c(1, 2, 3, 71)],
    c(
      0.046786140050532388, 0.009034113924982885, 0.001992457461501201, 0.003835116187640389
  ), tolerance = 1e-12)
})

# pysleepy/ECML2016-GMBA MultiLabelRelief.py, with positions among the rows of a class translated to row numbers.
test_that("MLRF of the program of Yan and Li (2016), features scaled to [0, 1]", {
  task <- task_of("emotions")
  x <- apply(as.matrix(task), 2, function(v) (v - min(v)) / (max(v) - min(v)))
  scaled <- mltask(x, targets(task))
  at <- c(1, 2, 3, 18, 72)
  expect_equal(scores_of(scaled, sel_mlrf(3, "code2016", "none"))[at],
    c(
      39.95929046407048, 31.83166074379389, 22.00879316055016, 36.98915894405857, 39.83930802667405
  ), tolerance = 1e-12)
  expect_equal(scores_of(scaled, sel_mlrf(5, "code2016", "none"))[at],
    c(
      50.48494874788596, 40.89278607959608, 27.2483082731912, 47.97804145123831, 51.17086300928219
  ), tolerance = 1e-12)
})

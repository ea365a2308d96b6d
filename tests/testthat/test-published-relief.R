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

# scikit-rebate (EpistasisLab, commit 1679885), skrebate/multisurf.py and surf.py, means over the seven labels of the
# first 100 rows of flags, features in column order. It calls features of at most 10 values discrete.
flags_of_rebate <- function() {
  task <- suppressMessages(task_of("flags"))[1:100, ]
  x <- as.data.frame(features(task))
  list(x = x, y = targets(task), discrete = vapply(x, \(v) length(unique(v)) <= 10L, NA))
}

multisurf_of_rebate <- c(
  0.002770744543465118, -0.026626083322378622, -0.0023997743135835093, 0.006136722072680926, 0.006554211286875617,
  0.0015657140258353733, -0.0029021550520118796, -0.022954458509249605, 0.026023116785010767, -0.011527692399639309,
  0.0005058445508520458, 0.0027860090649442955, 0.003436544578715129, -0.006072777023535252, -0.0023946814635869202,
  -0.000639847297057226, 0.026751124181482726, 0.04001605771570506, 0.004298184937076158
)

# Distances count a discrete feature 19/16 times, as there are 19 features, 16 of which are discrete. The same rows are
# near with 19 copies of each of these and 16 of each other one.
test_that("MultiSURF: scikit-rebate, discrete features of flags", {
  flags <- flags_of_rebate()
  x <- flags$x
  x[flags$discrete] <- lapply(x[flags$discrete], factor)
  expect_identical(sum(flags$discrete), 16L)
  columns <- c(seq_along(x), rep(seq_along(x), ifelse(flags$discrete, 18, 15)))
  task <- suppressWarnings(suppressMessages(mltask(x[, columns], flags$y, kind = "label")))
  expect_equal(scores_of(task, sel_multisurf())[which(flags$discrete)], multisurf_of_rebate[flags$discrete],
    tolerance = 1e-12)
})

# For SURF, the mean also takes the distance 0 of each row to itself, so that only the oracle can follow. A difference
# of a numeric feature that is larger than its standard deviation counts 1.
test_that("the oracle of SURF and MultiSURF: scikit-rebate, all features of flags", {
  flags <- flags_of_rebate()
  codes <- vapply(flags$x, as.double, double(100))
  diff <- oracle_diff(codes, flags$discrete)
  counted <- diff
  counted[, , flags$discrete] <- diff[, , flags$discrete] * 19 / 16
  distance <- oracle_total(counted)
  for (f in which(!flags$discrete)) {
    sd <- sqrt(mean((codes[, f] - mean(codes[, f]))^2))
    diff[, , f][abs(outer(codes[, f], codes[, f], "-")) > sd] <- 1
  }
  expect_equal(oracle_surf_targets(diff, flags$y, near = oracle_near(distance, TRUE)), multisurf_of_rebate,
    tolerance = 1e-12)
  near <- distance < mean(distance)
  diag(near) <- FALSE
  expect_equal(oracle_surf_targets(diff, flags$y, near = near)[c(1:5, 14:19)],
    c(
      0.004097698642078926, -0.042586034899864136, -0.008297396667825958, 0.00444499158661472, -0.005756629248071582,
      -0.018161662268137712, -0.0036418257469841855, 0.0008192791568367372, 0.01914048486798392, 0.0707784048265404,
      0.0020438309044198077
  ), tolerance = 1e-12)
})

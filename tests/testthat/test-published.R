# Scores that other people's programs gave for two public data sets, on the same discretized features. The numbers were
# made once with the programs named beside them; emotions and flags come from the package mldr.datasets.

test_that("summed mutual information: PMU programs of Lee and Kim (CAU-AIR-Lab/PMU pmu.m)", {
  expect_scores(
    emotions(), sel_mim(), c(5, 4, 2, 1),
    c(0.8187949103208227, 0.6754128987083226, 0.6422420777999163, 0.5303545341402609)
  )
  expect_scores(flags(), sel_mim(), c(9, 5, 6, 1, 2, 3), discretizer = disc_equal_frequency(3),
    c(
      1.058511437409123, 0.5487012861427019, 0.5218287524802454, 0.4626228728451198, 0.15549928142178482,
      0.10994297185636981
  ))
})

test_that("mutual information with each label: scikit-learn 1.2.1, mutual_info_score (nats)", {
  first <- scores_of(subset_targets(emotions(), 1), sel_mim(base = exp(1)))
  expect_equal(
    first[c(1, 2, 3, 72)], c(0.054655300102259684, 0.05403300915558882, 0.004715978729969702, 0.05289646322497258),
    tolerance = 1e-12
  )
  last <- scores_of(subset_targets(emotions(), 6), sel_mim(base = exp(1)))
  expect_equal(
    last[c(1, 2, 3, 72)], c(0.038228521931199314, 0.10375820618710443, 0.04715229912691589, 0.012021376207769226),
    tolerance = 1e-12
  )
})

test_that("correlation with each label: scikit-learn 1.2.1, f_classif on the raw features", {
  f_of <- function(label) {
    r <- scores_of(subset_targets(emotions(), label), sel_br_cc())
    (r^2 / (1 - r^2) * (593 - 2))[c(1, 2, 3, 72)]
  }
  # Some decimals of these data end in another last digit there.
  expect_equal(
    f_of(1), c(80.24929295314281, 76.99352163640451, 5.9105527550187205, 72.55125234395186), tolerance = 1e-8
  )
  expect_equal(
    f_of(6), c(45.68622470168419, 97.14835806504563, 49.74290703564856, 10.318336781143735), tolerance = 1e-8
  )
})

test_that("ELA + chi-square: CAU-AIR-Lab/PMU ela_chi.m", {
  expect_scores(
    emotions(), sel_chi2("ela"), c(5, 4, 2, 47, 16),
    c(214.45991494806674, 181.50621974413855, 172.25985708763432, 143.38958571431917, 10.166216929846252)
  )
  expect_scores(flags(), sel_chi2("ela"), c(6, 9, 5, 1, 12), discretizer = disc_equal_frequency(3),
    c(26.082921876709804, 25.866884211036723, 22.36084750465322, 20.876049517776927, 1.443396603367557))
})

test_that("PPT + chi-square: CAU-AIR-Lab/PMU ppt_chi.m, which keeps label sets seen more than 5 (6) times", {
  expect_scores(
    emotions(), sel_chi2("ppt", min_count = 6), c(4, 5, 40, 1),
    c(349.9139794380652, 330.3087152005115, 259.4945655855022, 251.38349806755102)
  )
  expect_scores(emotions(), sel_chi2("ppt", min_count = 7), 33, 48.7105940834327)
  expect_scores(flags(), sel_chi2("ppt", min_count = 6), c(9, 5, 1, 8), discretizer = disc_equal_frequency(3),
    c(299.66262210012206, 143.4384000721501, 84.76196429362551, 81.65568698682729))
  expect_scores(flags(), sel_chi2("ppt", min_count = 7), 10, 3.5209545855379187, discretizer = disc_equal_frequency(3))
})

test_that("IGMF: Sadegh28/PyIT-MLFS igmf.py, with variables in rows as its library wants them", {
  expect_scores(flags(), sel_igmf(), 1:19, c(
    0.297678824653352, 0.197065940379197, 0.157061399376629, 0.153012329683784, 0.324994736284501,
    0.321297013437267, 0.140243241973717, 0.250200034055566, 0.562547841896761, 0.0907947417495434,
    0.0970078600204683, 0.0861246156375067, 0.0930303939416861, 0.209622004628331, 0.056049630974628,
    0.0961676136515546, 0.137363831866022, 0.160637226910325, 0.0809783519389421
  ), discretizer = disc_equal_frequency(3))
})

test_that("PPT + mutual information: CAU-AIR-Lab/PMU ppt_mi.m", {
  expect_scores(
    emotions(), sel_trans_mi("ppt", min_count = 6), c(5, 4, 2, 18),
    c(0.4535094284345784, 0.44101190778125693, 0.35883514048096987, 0.33943914353407434)
  )
  expect_scores(emotions(), sel_trans_mi("ppt", min_count = 7), 69, 0.034983400123302574)
  expect_scores(flags(), sel_trans_mi("ppt", min_count = 6), c(9, 5, 6, 1), discretizer = disc_equal_frequency(3),
    c(1.5990656060776298, 0.8752873528019348, 0.6393400403976415, 0.5940322306631031))
})

test_that(paste0("the multi-label F-statistic: pysleepy/ECML2016-GMBA MultiLabelFStatistic.py, and its block that ",
  "weighs labels by size"), {
  expect_scores(
    emotions(), sel_mfs("unweighted"), c(5, 2, 4), c(11271.742404275958, 8934.251968227634, 7974.447626249672),
    discretizer = NULL
  )
  expect_scores(emotions(), sel_mfs(), c(5, 2, 4), c(60.244692085581065, 47.914653399284425, 43.38587259839413))
})

test_that("GRRO: program of its authors (QUST-AIBBDRC/ML-locMLFE GRRO.m, Octave 7.3)", {
  task <- flags()
  cut <- disc_equal_frequency(3)
  expect_warning(
    expect_scores(task, sel_grro(), c(9, 5, 14, 3, 4, 1), discretizer = cut, c(
      0.00887192713987471, 0.00631769471544441, 0.0017804475741829203, -1.893625525267953e-06, -0.0014985646100836851,
      -0.004410818253388876
    )), "The smallest sum of eigenvalues is -23.2", class = "mlsift_warning"
  )
  expect_silent(expect_scores(task, sel_grro(1), c(9, 14, 6, 3, 4, 2), discretizer = cut, c(
    0.3914790306614686, 0.09639632429372488, 0.08543595514928845, -0.003588347686564801, -0.005673295325472388,
    -0.03547106171255912
  )))
})

test_that("MFS-MCDM: program of its authors (amin1373/MFS-MCDM, Octave 7.3), with the weights of labels kept", {
  # Levels are numbers there, from 0 or 1 as in the file.
  x <- as.data.frame(lapply(features(flags()), as.numeric))
  x$religion <- x$religion - 1
  task <- suppressMessages(mltask(x, targets(flags()), kind = "label"))
  expect_equal(
    scores_of(task, sel_mfs_mcdm(scale = "none"))[c(9, 16, 17, 3, 18, 10)],
    c(0.846724935639402, 0.5161073893680401, 0.47905018576491804, 0.4288963443049576, 0.41235383285607013,
      0.4114856925721297), tolerance = 1e-11
  )
})

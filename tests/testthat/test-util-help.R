test_that("references come from inst/CITATION", {
  expect_identical(
    papers("LeeKim2016, Algorithm 1", GMBA = "YanLi2016"),
    paste0("Lee and Kim (2016). Efficient Multi-Label Feature Selection Using Entropy-Based Label Selection. ",
      "Entropy 18(11), 405, Algorithm 1. \\doi{10.3390/e18110405}\n\n",
      "GMBA: Yan and Li (2016). Graph-Margin Based Multi-label Feature Selection. Machine Learning and Knowledge ",
      "Discovery in Databases (ECML PKDD), Lecture Notes in Computer Science 9851, 540-555. ",
      "\\doi{10.1007/978-3-319-46128-1_34}"))
  expect_error(papers("Nobody1900"), "has no paper Nobody1900")
})

test_that("help says what selectors and learners take as the registry has it", {
  expect_match(takes("ebls"), "It takes labels, and discrete features.*[.] .Weights.*unknown.*in chunks.*taken too[.]")
  expect_match(takes("gmba"), "rows and unknown labels are refused[.] Scores .weight. are of either sign[.]$")
  expect_match(takes("jmi3", "jim"), "Scores of `sel_jmi3()` (bits) are 0 or more. Scores of `sel_jim()` (impurity)",
    fixed = TRUE)
  expect_match(takes("surf"), "Scores (share of the range) are between -1 and 1.", fixed = TRUE)
  expect_match(takes("ami", "pmu"), "`sel_ami\\(\\)` takes labels, classes.*\n\n`sel_pmu\\(\\)` takes labels, and")
  expect_match(learns("brknn"), "It predicts labels and classes[.] .Unknown labels.*are taken too[.]")
  expect_match(methods_with("learners", "weights"), "[lrn_brlr()], ", fixed = TRUE)
  expect_identical(usages("sel_ami", "lrn_lp"), c(
    paste0("@usage sel_ami(base = 2)\nlrn_lp(neighbors = 3, min_count = 1, ",
      "rare = c(\"discard\", \"subsets\", \"A\", \"B\"), scale =\n  c(\"auto\", \"zscore\", \"none\"))"),
    "@aliases sel_ami lrn_lp", "@export sel_ami lrn_lp"
  ))
})

# A small data set under each of the names.
made_up <- function(names, n = 60, d = 6, q = 5, kind = "label") {
  lapply(stats::setNames(nm = names), function(name) {
    withr::with_seed(nchar(name), simulate_mltask(n, d, q, kind = kind))
  })
}

test_that("every study of every paper runs as it is written", {
  skip_unless_all()
  skip_on_cran()
  studies <- list_studies()
  # Of each paper, and of each kind of study.
  some <- !duplicated(studies$paper) | studies$study %in% c("share", "samples", "regression", "filter")
  for (i in if (all_tests()) seq_len(nrow(studies)) else which(some)) {
    paper <- studies$paper[i]
    study <- studies$study[i]
    tasks <- strsplit(studies$tasks[i], ", ")[[1]]
    # One that fits in a test; the usual split of emotions has the fewest rows.
    name <- intersect(c("emotions", "yeast", "bibtex", "atp1d", "image", tasks), tasks)[1]
    rows <- if (paper %in% c("ppt-mi", "all-selectors")) 400 else if (study == "samples") 2000 else 60
    kind <- if (study == "regression") "numeric" else "label"
    data <- made_up(name, rows, kind = kind)
    suppressMessages(suppressWarnings(
      got <- reproduce(paper, data, withr::local_tempdir(), repeats = 1, studies = study, k = c(1, 3), threads = 1)
    ))
    expect_named(got, study)
    expect_identical(unique(got[[study]]$task), name)
    expect_identical(length(unique(got[[study]]$selector)), studies$n_selectors[i])
    expect_identical(nrow(failures(got[[study]])), 0L, info = paste(paper, study))
  }
})

test_that("the paper's own grid and parameters are used", {
  data <- made_up("yeast", d = 12, q = 14)
  got <- suppressMessages(suppressWarnings(
    reproduce("ebls", data, withr::local_tempdir(), repeats = 1, studies = "comparison")
  ))$comparison
  expect_identical(sort(unique(got$k)), c(1L, 5L, 10L))
  # Three labels of the largest entropy: Table 2 of Lee and Kim (2016).
  code <- attr(got, "protocol")$call
  expect_match(code, "yeast = sel_ebls(n_labels = 3)", fixed = TRUE)
  expect_match(code, "yeast = disc_equal_width(", fixed = TRUE)
  other <- suppressMessages(suppressWarnings(reproduce(
    "ebls", data, withr::local_tempdir(), repeats = 1, studies = "comparison", learners = lrn_mlknn(3), k = 2
  )))$comparison
  expect_identical(unique(other$learner), "ML-kNN")
})

test_that("runs resume, repeats are added, and the user's generator stays", {
  folder <- withr::local_tempdir()
  data <- made_up("image")
  run <- function(...) suppressMessages(reproduce("group-jmi", data, folder, studies = "jmi", k = 1:3, ...))$jmi
  withr::local_seed(5)
  before <- .Random.seed
  first <- run(repeats = 2)
  expect_identical(.Random.seed, before)
  more <- run(repeats = 3)
  expect_identical(as.data.frame(more[more$split != "repeat3", ]), as.data.frame(first), ignore_attr = TRUE)
  expect_identical(without_seconds(read_benchmark(file.path(folder, "jmi"))), without_seconds(more))
  expect_error(run(repeats = 2, seed = 2), NA)
})

test_that("data come from files or from tasks, and what is missing is named", {
  folder <- withr::local_tempdir()
  data <- made_up(c("yeast", "genbase"), d = 5, q = 14)
  write_mulan(data$yeast, file.path(folder, "yeast.arff"))
  expect_true(file.exists(file.path(folder, "yeast.xml")))
  run <- function(data, ...) suppressWarnings(
    reproduce("ebls", data, withr::local_tempdir(), repeats = 1, studies = "comparison", k = 2, ...)
  )
  expect_message(from_file <- run(folder), "Left out, since there is no such data set: .*\"genbase\"")
  expect_identical(unique(from_file$comparison$task), "yeast")
  refuse <- function(code, text) expect_error(suppressMessages(code), text, class = "mlsift_error")
  refuse(run(tempfile()), "There is no folder")
  refuse(run(withr::local_tempdir()), "A data set is two files")
  refuse(run(list(other = data$yeast)), "names of data sets")
  refuse(run(unname(data)), "with the names of data sets")
  refuse(run(list(yeast = 1)), "data.yeast")
  refuse(run(data, tasks = "yeats"), "Did you mean \"yeast\"")
  refuse(reproduce("eblss", data, tempfile()), "Did you mean \"ebls\"")
  refuse(reproduce("ebls", data, tempfile(), studies = "x"), "There is no \"x\"")
  refuse(reproduce("ebls", data, tempfile(), repeats = 0), "`repeats` must be")
  refuse(reproduce("ebls", data, tempfile(), seed = -1), "`seed` must be")
  refuse(reproduce("ebls", data, tempfile(), learner = lrn_nb()), "Did you mean `learners`")
  refuse(reproduce("ebls", data, tempfile(), resampling = rs_cv(2)), "There is no argument `resampling`")
  refuse(reproduce("ebls", data, tempfile(), NULL, NULL, NULL, 1, rs_cv(2)), "must be given by name")
  expect_output(print(from_file), "$comparison: 1 task, 6 selectors, 1 split", fixed = TRUE)
})

test_that("lists of studies", {
  got <- list_studies("ppt-mi")
  expect_identical(got$study, c("usual", "random"))
  expect_identical(got$features[1], "1, 2, ..., 300")
  expect_error(list_studies("x"), "must be among", class = "mlsift_error")
})

test_that("a study is left out if none of its data sets is there", {
  skip_unless_all()
  studies <- list_studies("gmba")
  expect_identical(studies$study, c("folds", "samples"))
  expect_false(grepl("emotions", studies$tasks[2]))
  got <- suppressMessages(suppressWarnings(
    reproduce("gmba", made_up("emotions"), withr::local_tempdir(), repeats = 1, k = 1)
  ))
  expect_named(got, "folds")
})

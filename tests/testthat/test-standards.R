# What standards of statistical software ask for beyond the tests of each method, see inst/standards.md.

# --- tables of other packages -----------------------------------------------------------------------------------------

frame_of_rows <- function(n = 80) {
  withr::with_seed(1, {
    x <- data.frame(a = stats::rnorm(n), b = stats::rnorm(n), color = sample(c("red", "blue"), n, TRUE),
      count = sample(0:3, n, TRUE), check.names = FALSE)
    x$calm <- as.integer(x$a + stats::rnorm(n) > 0)
    x$sad <- as.integer(x$b + stats::rnorm(n) > 0)
    x$site <- rep(paste0("s", 1:8), each = n / 8)
    x
  })
}

# The same call on a table and on the plain data frame. `[`, `[[` and `$` of the classes differ.
expect_same_through <- function(as_table) {
  rows <- frame_of_rows()
  table <- as_table(rows)
  labels <- c("calm", "sad")
  features <- c("a", "b", "color", "count")
  same <- function(f) expect_identical(f(table, as_table), f(rows, identity))
  plain <- function(task) list(as.data.frame(features(task)), as.data.frame(targets(task)), task$discrete,
    row_groups(task))

  same(function(x, as) plain(mltask(x, targets = labels, group = "site")))
  same(function(x, as) plain(mltask(x, targets = c(calm, sad), exclude = site)))
  same(function(x, as) plain(mltask(calm + sad ~ ., x, exclude = "site")))
  same(function(x, as) plain(mltask(as(rows[features]), as(rows[labels]))))
  same(function(x, as) plain(mltask(as(rows[features]), as(rows["calm"]))))
  same(function(x, as) plain(mltask(as(rows["a"]), as(rows["calm"]))))
  same(function(x, as) scored(sift_features(mltask(x, targets = labels, exclude = "site"), sel_mim())))
  same(function(x, as) scored(sift_features(chunk_source(function(i) if (i < 5) as(rows[(20 * i - 19):(20 * i), 1:6]),
    features, labels), sel_mim(), discretizer = disc_auto())))

  # A model predicts rows of any table, also a single column or row.
  model <- fit(lrn_nb(), mltask(rows, targets = labels, exclude = "site"))
  same(function(x, as) predict(model, x)$score)
  same(function(x, as) predict(model, as(rows[1, features]))$score)
  one <- fit(lrn_linear(), mltask(rows["a"], rows["calm"]))
  same(function(x, as) predict(one, as(rows["a"]))$score)
  same(function(x, as) evaluate(predict(model, rows), as(rows[labels]), c("hamming_loss", "macro_auc"))$value)
  same(function(x, as) msr_hamming_loss(as(rows[labels]), as(rows[c("sad", "calm")][2:1])))

  # Answers, and tables of numbers.
  answer <- function(x) {
    withr::with_seed(1, suppressMessages(sift(x, targets = "calm", exclude = "sad", group = "site", learner = lrn_nb(),
      selectors = sel_mim(), max_features = 3, outer = rs_cv(2), stand_ins = "none")))
  }
  same(function(x, as) answer(x)[c("features", "quality", "targets")])
  values <- withr::with_seed(2, data.frame(A = stats::runif(6), B = stats::runif(6), C = stats::runif(6)))
  same(function(x, as) rank_test(as(values), direction = "minimize")$comparisons)
  same(function(x, as) as.data.frame(compare_pairs(as(values), direction = "minimize")))
}

scored <- function(selection) as.data.frame(selection)[c("feature", "score")]

test_that("tibbles are data frames at every door", {
  skip_if_not_installed("tibble")
  expect_same_through(tibble::as_tibble)
})

test_that("tables of data.table are data frames at every door", {
  skip_if_not_installed("data.table")
  expect_same_through(data.table::as.data.table)
})

test_that("columns of unknown classes are refused by name, and attributes are of no matter", {
  rows <- frame_of_rows()
  odd <- list(units = structure(rows$a, units = "kg", class = "units"), list = as.list(rows$a),
    complex = complex(nrow(rows), 1, 1), labelled = structure(rows$a, label = "weight", class = "haven_labelled"))
  for (class in names(odd)) {
    table <- rows[c("a", "calm")]
    table$odd <- odd[[class]]
    expect_error(mltask(table, targets = "calm"), "\"odd\" is of class", class = "mlsift_error")
  }
  noted <- rows[c("a", "b", "calm")]
  attr(noted$a, "unit") <- "kg"
  attr(noted, "source") <- "a file"
  expect_identical(scored(sift_features(mltask(noted, targets = "calm"), sel_mim())),
    scored(sift_features(mltask(rows[c("a", "b", "calm")], targets = "calm"), sel_mim())))
})

# --- known truth ------------------------------------------------------------------------------------------------------

# Three labels with two features each that go with them, of 30.
planted_rows <- function(n, effect = 1.5, kind = "label") {
  y <- matrix(stats::rbinom(3 * n, 1, 0.4), n)
  x <- matrix(stats::rnorm(30 * n), n)
  x[, 1:6] <- x[, 1:6] + effect * y[, rep(1:3, each = 2)]
  if (kind == "numeric") return(mltask(x, x[, c(1, 3, 5)] + x[, c(2, 4, 6)] + 0.5 * stats::rnorm(3 * n)))
  mltask(x, y, kind = "label")
}

share_found <- function(task, selector) {
  mean(suppressWarnings(suppressMessages(sift_features(task, selector, k = 6)))$index <= 6)
}

test_that("selectors find what was planted, whatever the seed", {
  skip_unless_all()
  listed <- subset(list_selectors(), source != "you" & !is.na(unit) & name != "Random")
  selectors <- every_selector()[match(listed$constructor, list_selectors()$constructor)]
  # GMBA needs short steps, see its help, and EBLS counts with one of three labels.
  selectors[listed$name == "GMBA"] <- list(sel_gmba(step = 0.01, epochs = 10))
  selectors[listed$name == "EBLS"] <- list(sel_ebls(prop_labels = 1))
  # What counts three variables or more together, random groups of labels or latent labels needs more rows than these.
  fewer <- c("D2F", "PMU", "CMI", "Group-JMI-Rand", "MIFS")
  for (i in some_or_all(seq_along(selectors), 2)) {
    kind <- if (grepl("label", listed$kinds[i])) "label" else "numeric"
    found <- vapply(some_or_all(1:5, 1, 2L), function(seed) {
      withr::with_seed(seed, share_found(planted_rows(300, kind = kind), selectors[[i]]))
    }, 0)
    expect_gte(min(found), if (listed$name[i] %in% fewer) 4 / 6 else 5 / 6, label = listed$constructor[i])
  }
})

test_that("more rows find more, and effects of nothing find what chance does", {
  found <- function(n, effect) {
    mean(vapply(1:8, function(seed) withr::with_seed(seed, share_found(planted_rows(n, effect), sel_mim())), 0))
  }
  shares <- vapply(c(40, 160, 640), found, 0, effect = 0.7)
  expect_true(all(diff(shares) > 0.1))
  expect_gt(shares[3L], 0.95)
  expect_lt(abs(found(160, 0) - 6 / 30), 0.15)
})

test_that("learners recover the coefficients that rows were simulated from", {
  truth <- cbind(c(2, -1, 0, 0.5), c(0, 1, -2, 0))
  for (seed in 1:5) {
    withr::local_seed(seed)
    x <- matrix(stats::rnorm(4000), 1000)
    numbers <- mltask(x, x %*% truth + 3 + 0.5 * stats::rnorm(2000))
    found <- coef(fit(lrn_linear(scale = "none", rho = 1e-8), numbers))
    expect_lt(max(abs(found - truth)), 0.1)
    labels <- mltask(x, (stats::runif(1000) < stats::plogis(x %*% truth[, 1])) + 0, kind = "label")
    found <- coef(fit(lrn_brlr(scale = "none", rho = 1e-8), labels))
    expect_lt(max(abs(found[, 1] - truth[, 1])), 0.5)
  }
})

# --- noise and seeds --------------------------------------------------------------------------------------------------

test_that("noise of the size of rounding changes no selection", {
  withr::local_seed(1)
  label <- planted_rows(150)
  numeric <- planted_rows(150, kind = "numeric")
  noisy <- function(task) {
    x <- as.matrix(task)
    mltask(x * (1 + .Machine$double.eps * sample(-1:1, length(x), TRUE)), targets(task), kind = task$targets$kind)
  }
  listed <- subset(list_selectors(), source != "you" & !is.na(unit))
  selectors <- every_selector()[match(listed$constructor, list_selectors()$constructor)]
  selectors[listed$name == "GMBA"] <- list(sel_gmba(step = 0.01))
  for (i in some_or_all(seq_along(selectors), 1)) {
    task <- if (grepl("label", listed$kinds[i])) label else numeric
    other <- noisy(task)
    select <- function(task) {
      withr::with_seed(1, suppressWarnings(suppressMessages(sift_features(task, selectors[[i]], k = 6))))
    }
    before <- select(task)
    after <- select(other)
    expect_identical(after$feature, before$feature, label = listed$constructor[i])
    expect_equal(after$score, before$score, tolerance = 1e-6, label = listed$constructor[i])
  }
})

test_that("the seed of what is drawn at random hardly changes what is found", {
  skip_unless_all()
  task <- withr::with_seed(1, planted_rows(300))
  drawn <- list(sel_bagged(sel_mim(), n = 50), sel_gmba(step = 0.01, epochs = 10),
    sel_relieff_br(n_rows = 150), sel_best(sel_mim(), lrn_nb(), k = 6))
  for (selector in drawn) {
    sets <- lapply(1:3, function(seed) {
      withr::with_seed(seed, suppressMessages(selected(sift_features(task, selector, k = 6))))
    })
    common <- length(Reduce(intersect, sets))
    expect_gte(common, 5, label = selector$name)
  }
})

# --- models and measures beside others --------------------------------------------------------------------------------

test_that("linear models are those of lm(), without its inference and with what lm() does not do", {
  withr::local_seed(1)
  x <- matrix(stats::rnorm(300), 100, dimnames = list(NULL, c("a", "b", "c")))
  y <- cbind(u = x[, 1] - x[, 2] + stats::rnorm(100), v = 2 * x[, 3] + stats::rnorm(100))
  new <- as.data.frame(matrix(stats::rnorm(30), 10, dimnames = list(NULL, c("a", "b", "c"))))
  ours <- fit(lrn_linear(rho = 1e-10, scale = "none"), mltask(x, y))
  theirs <- stats::lm(y ~ a + b + c, data.frame(x))
  expect_equal(unclass(coef(ours)), stats::coef(theirs)[-1L, ], tolerance = 1e-7, ignore_attr = TRUE)
  expect_equal(predict(ours, new)$response, stats::predict(theirs, new), tolerance = 1e-7, ignore_attr = TRUE)
  # No residuals, variances or tests: a model is for prediction.
  expect_null(stats::residuals(ours))
  expect_error(stats::vcov(ours))
  # Columns by name, whatever their order and company, and targets that are unknown in some rows.
  expect_identical(predict(ours, data.frame(z = 1, new[c("c", "a", "b")]))$response, predict(ours, new)$response)
  hidden <- replace(y, cbind(1:50, 1L), NA)
  partly <- fit(lrn_linear(rho = 1e-10, scale = "none"), mltask(x, hidden))
  expect_equal(coef(partly)[, "v"], coef(ours)[, "v"], tolerance = 1e-10)
  alone <- stats::lm(y[51:100, 1] ~ x[51:100, ])
  expect_equal(coef(partly)[, "u"], stats::coef(alone)[-1L], tolerance = 1e-7, ignore_attr = TRUE)
})

test_that("measures differ in what they see", {
  withr::local_seed(1)
  truth <- matrix(stats::rbinom(400, 1, 0.2), 100)
  score <- stats::plogis(3 * truth - 2 + matrix(stats::rnorm(400), 100))
  shy <- score / 10
  of <- function(measure, ...) get(paste0("msr_", measure))(truth, ...)
  # Ranks are the same, thresholds and probabilities are not.
  for (measure in c("ranking_loss", "macro_auc", "average_precision", "macro_auprc")) {
    expect_equal(of(measure, shy), of(measure, score), label = measure)
  }
  expect_gt(of("macro_f1", (score >= 0.5) + 0), 0.5)
  expect_identical(of("macro_f1", (shy >= 0.5) + 0), 0)
  expect_gt(of("log_loss", shy), of("log_loss", score) + 0.1)
  # Nothing predicted is right in most cells: Hamming loss does not mind, F1 and subset accuracy do.
  nothing <- 0 * truth
  expect_lt(of("hamming_loss", nothing), 0.25)
  expect_lt(of("micro_f1", nothing), 0.01)
  # A rare label counts in macro measures as much as others, in micro measures hardly.
  rare <- cbind(truth, c(1, rep(0, 99)))
  missed <- cbind(truth, 0)
  expect_gt(msr_micro_f1(rare, missed), 0.95)
  expect_equal(msr_macro_f1(rare, missed), 0.8)
})

# --- digits -----------------------------------------------------------------------------------------------------------

test_that("what prints numbers prints as many digits as are asked for", {
  withr::local_seed(1)
  task <- planted_rows(60)
  values <- stats::runif(9)
  bench <- suppressMessages(benchmark_selectors(list(task = task), list(sel_mim(), sel_random()), lrn_nb(), rs_cv(2),
    k = 2, measures = "macro_auc"))
  printed <- list(
    sift_features(task, sel_mim(), k = 3), label_scores(task, sel_mim()), predict(fit(lrn_nb(), task), task), bench,
    wilcoxon_test(values, values + stats::rnorm(9)), bayes_correlated_t(values, values + 0.1 * stats::rnorm(9), 0, 0.2),
    compare_pairs(matrix(values, 3, dimnames = list(NULL, c("A", "B", "C"))), direction = "minimize"),
    suppressMessages(rank_test(matrix(values, 3, dimnames = list(NULL, c("A", "B", "C"))), direction = "minimize"))
  )
  longest <- function(x, digits) {
    text <- paste(utils::capture.output(suppressMessages(print(x, digits = digits))), collapse = " ")
    max(nchar(regmatches(text, gregexpr("(?<=[.])[0-9]+", text, perl = TRUE))[[1L]]))
  }
  for (x in printed) {
    expect_gt(longest(x, 9), longest(x, 2) + 3, label = class(x)[1L])
    expect_error(print(x, digits = -1), "`digits` must be a whole number", class = "mlsift_error")
  }
})

# --- the page ---------------------------------------------------------------------------------------------------------

test_that("the page of standards counts right, and what it names is there", {
  lines <- readLines(system.file("standards.md", package = "mlsift"), encoding = "UTF-8")
  rows <- regmatches(lines, regexec("^[|] (G|ML|EA)([0-9.]+[a-z]?) [|] ([^|]*) [|]", lines))
  rows <- do.call(rbind, rows[lengths(rows) > 0])
  states <- c("yes", "part", "not", "n/a")
  expect_in(rows[, 4], states)
  expect_identical(anyDuplicated(paste0(rows[, 2], rows[, 3])), 0L)
  counts <- table(factor(rows[, 2], c("G", "ML", "EA")), factor(rows[, 4], states))
  counts <- rbind(counts, colSums(counts))
  stated <- grep("^[|] (General|Machine Learning|Exploratory|all) [|]", lines, value = TRUE)
  stated <- do.call(rbind, lapply(strsplit(stated, "[| ]+"), function(words) as.integer(utils::tail(words, 5))))
  expect_equal(stated, cbind(counts, rowSums(counts)), ignore_attr = TRUE)

  files <- unique(unlist(regmatches(lines, gregexpr("test-[a-z0-9-]+[.]R", lines))))
  expect_gt(length(files), 20)
  expect_identical(files[!file.exists(testthat::test_path(files))], character())
  called <- unique(unlist(regmatches(lines, gregexpr("`[a-z_]+[(]", lines))))
  called <- gsub("[`(]", "", called)
  known <- c(getNamespaceExports("mlsift"), ls(asNamespace("mlsift")), "set.seed", "unique", "expect_equal", "options",
    "print", "plot", "summary", "predict", "coef", "vignette", "saveRDS")
  expect_identical(setdiff(called, known), character())
  guides <- unique(unlist(regmatches(lines, gregexpr("(?<=vignette[(]\")[a-z0-9-]+", lines, perl = TRUE))))
  folder <- testthat::test_path("..", "..", "vignettes")
  skip_if_not(dir.exists(folder), "The sources are not there")
  expect_identical(guides[!file.exists(file.path(folder, paste0(guides, ".Rmd")))], character())
})

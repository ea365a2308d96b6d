report_bench <- function(n_tasks = 2, selectors = list(sel_mim(), sel_mfs(), sel_random()), k = 1:3,
                         learners = lrn_brknn(),
                         measures = "hamming_loss") {
  withr::local_seed(1)
  tasks <- lapply(seq_len(n_tasks), function(i) simulate_mltask(60, n_features = 8, n_targets = 3))
  names(tasks) <- c("plain", "a <b> & \"c\"", letters)[seq_len(n_tasks)]
  benchmark_selectors(tasks, selectors, learners, rs_holdout(repeats = 2), k = k, measures = measures)
}

read_report <- function(..., pictures = FALSE) {
  if (!pictures) local_no_pictures()
  file <- withr::local_tempfile(fileext = ".html")
  expect_equal(write_report(..., file = file), normalizePath(file))
  paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
}

# The benchmark and the pages that several tests look at, made once.
usual <- new.env()
usual_bench <- function() {
  usual$bench <- usual$bench %||% report_bench()
  usual$bench
}
usual_page <- function(control = NULL) {
  name <- paste("page", control)
  usual[[name]] <- usual[[name]] %||% read_report(usual_bench(), control = control)
  usual[[name]]
}

test_that("a report is one page that needs no other file, with every section and the code", {
  skip_if_not_installed("knitr")
  page <- read_report(report_bench(
    selectors = list(first = sel_mim(), sel_mfs(), sel_random()), measures = c("hamming_loss", "macro_f1")
  ), title = "Mine & yours")
  expect_match(page, "<title>Mine &amp; yours</title>", fixed = TRUE)
  for (id in c("summary", "data", "protocol", "results", "stability", "timings", "failures", "code", "session")) {
    expect_match(page, paste0("<h2 id=\"", id, "\">"), fixed = TRUE)
  }
  drawn <- read_report(usual_bench(), pictures = TRUE)
  pictures <- regmatches(drawn, gregexpr("<img src=\"data:image/png;base64,[^\"]+", drawn))[[1]]
  expect_length(pictures, 3)
  expect_gt(min(nchar(pictures)), 5000)
  for (text in c(page, drawn)) {
    expect_no_match(text, "(src|href)=\"(?!data:|#)", perl = TRUE)
    expect_no_match(text, "@import|url\\(")
  }
  expect_no_match(page, "{{", fixed = TRUE)
  # Curves, a diagram and a matrix for each of two measures.
  expect_length(gregexpr("<img src=\"data:image/png;base64,", page, fixed = TRUE)[[1]], 6)
  code <- gsub("&quot;", "\"", gsub(".*<pre>(bench &lt;- .*?)</pre>.*", "\\1", page))
  expect_match(code, "selectors = list(first = sel_mim(), sel_mfs(), sel_random())", fixed = TRUE)
  expect_match(code, "k = 1:3,", fixed = TRUE)
  expect_match(code, "measures = c(\"hamming_loss\", \"macro_f1\")", fixed = TRUE)
  expect_match(code, "resampling = rs_holdout(repeats = 2)", fixed = TRUE)
})

test_that("names of tasks cannot break the page", {
  skip_if_not_installed("knitr")
  page <- usual_page()
  expect_match(page, "a &lt;b&gt; &amp; &quot;c&quot;", fixed = TRUE)
  expect_no_match(page, "a <b>", fixed = TRUE)
})

test_that("the facts of all tasks are on the page", {
  bench <- usual_bench()
  attr(bench, "tasks")$n_unknown[2] <- 123L
  cells <- function(html) regmatches(html, gregexpr("(?<=>)[^<>]+(?=</t[hd]>)", html, perl = TRUE))[[1]]
  known <- cells(report_data(usual_bench()))
  found <- cells(report_data(bench))
  expect_true(all(c("task", "rows", "features", "60", "8", "3") %in% known))
  expect_false("unknown" %in% known)
  expect_identical(setdiff(found, known), c("unknown", "123"))
})

test_that("the means of the page are those of score_table()", {
  skip_if_not_installed("knitr")
  bench <- usual_bench()
  page <- usual_page("MFS")
  scores <- score_table(bench, "hamming_loss", control = "MFS")
  for (cell in sprintf("%.3f \u00b1 %.3f", scores$mean, scores$sd)) expect_match(page, cell, fixed = TRUE)
  expect_match(page, "Bonferroni-Dunn against MFS")
  expect_match(page, "win/tie/loss")
})

test_that("what a benchmark cannot give is left out or said, not an error", {
  skip_if_not_installed("knitr")
  few <- read_report(report_bench(1, list(sel_mim())))
  expect_match(few, "at least three selectors and two tasks")

  broken <- sel_custom("broken", function(task, k) stop("no <idea>"))
  expect_warning(failed <- report_bench(selectors = list(broken, sel_mim(), sel_mfs(), sel_random())), "are missing")
  page <- read_report(failed)
  expect_match(page, "no &lt;idea&gt;", fixed = TRUE)
  expect_match(page, "The rank test cannot be given")
  rows <- function(html) lengths(gregexpr("<tr>", html, fixed = TRUE)) - 1L
  expect_identical(rows(report_failures(failed)), nrow(failures(failed)))
  expect_match(report_failures(failed), "<td[^>]*>no &lt;idea&gt;</td>")
  expect_match(report_failures(usual_bench()), "Nothing failed")

  bare <- usual_bench()
  for (name in c("tasks", "splits", "protocol", "timings", "failures", "selections")) attr(bare, name) <- NULL
  expect_match(read_report(bare), "does not hold")
})

test_that("the code of a report makes the same objects again", {
  specs <- list(sel_d2f("code2015"), sel_group_jmi(size = 0.5, n_groups = 3),
    sel_greedy(function(q) q - 1, average = TRUE), sel_pmu(base = 4),

    sel_ebls(n_labels = 4, which = "smallest"), sel_chi2("ppt", min_count = 3), sel_none(),
    disc_equal_width(3, side = "right"),
    rs_cv(5, repeats = 2), rs_fixed(1:10, c(12, 15, 18)), lrn_mlknn(neighbors = 7), lrn_brknn()
  )
  for (spec in specs) expect_equal(eval(parse(text = spec_code(spec))), spec)
  rows <- subset(list_selectors(), source != "you")
  for (i in seq_len(nrow(rows))) {
    spec <- eval(str2lang(sub("label_interaction = ", "label_interaction = 1", rows$constructor[i])))
    expect_equal(spec$name, rows$name[i])
    expect_equal(eval(str2lang(spec_code(spec))), spec, info = rows$constructor[i])
  }

  own <- sel_custom("Own", function(task, k) seq_len(ncol(task)), returns = "order")
  again <- eval(parse(text = spec_code(own)))
  expect_equal(again$name, "Own")
  expect_equal(again$params$fun(simulate_mltask(5, 4, 2), 1), 1:4)

  measure <- msr_custom("half", function(truth, response) 0.5, direction = "maximize", range = c(0, 1))
  expect_equal(
    eval(parse(text = spec_code(measure)))[c("method", "direction", "range")],
    measure[c("method", "direction", "range")]
  )
})

test_that("a name without a suffix gets that of pages", {
  withr::local_dir(withr::local_tempdir())
  local_no_pictures()
  expect_identical(basename(write_report(report_bench(1), "page")), "page.html")
  expect_identical(list.files(), "page.html")
})

test_that("wrong arguments are refused", {
  bench <- report_bench(1)
  expect_snapshot(error = TRUE, {
    write_report(1, "x.html")
    write_report(bench, 3)
    write_report(bench, "no/such/folder/x.html")
    write_report(bench, "x.html", control = "MFX")
    write_report(bench, "x.html", title = 1)
    write_report(bench, "x.html", comparisons = "rank")
    write_report(bench, "x.html", comparisons = 1)
    write_report(bench, "x.html", rope = -1)
  })
})

test_that("tables of many selectors go down the page", {
  skip_if_not_installed("knitr")
  draws <- lapply(1:9, function(i) sel_random())
  names(draws) <- paste0("draw", 1:9)
  bench <- report_bench(selectors = draws, k = 2)
  page <- sub("^.*<h2 id=\"results\">", "", read_report(bench))
  ranks <- score_table(bench, "hamming_loss")$mean_ranks
  rows <- regmatches(page, gregexpr("<td class=\"\">draw[1-9]", page))[[1]]
  expect_identical(sub(".*>", "", rows[1:9]), names(sort(ranks)))
  expect_match(page, ">selector</th>", fixed = TRUE)
  expect_no_match(usual_page(), ">selector</th>", fixed = TRUE)
})

# The page as text, without tags.
page_text <- function(page) {
  text <- gsub("&#39;", "'", gsub("<[^>]*>", " ", page))
  gsub("&amp;", "&", gsub("&quot;", "\"", gsub("&lt;", "<", text)))
}

test_that("a report states the finding that summary() writes", {
  skip_if_not_installed("knitr")
  bench <- usual_bench()
  page <- page_text(usual_page())
  expect_match(page, as.character(summary(rank_test(bench))), fixed = TRUE)
  expect_match(page, "pairs differ significantly after Holm's correction", fixed = TRUE)
  against <- page_text(usual_page("MFS"))
  test <- rank_test(bench, posthoc = "bonferroni-dunn", control = "MFS")
  expect_match(against, as.character(summary(test)), fixed = TRUE)
  two <- report_bench(selectors = list(sel_mim(), sel_mfs()))
  expect_match(page_text(read_report(two)), as.character(summary(compare_pairs(two))), fixed = TRUE)
  one <- page_text(read_report(report_bench(1)))
  expect_match(one, "There is one task, so no test over tasks is possible.", fixed = TRUE)
})

test_that("comparisons can be chosen", {
  skip_if_not_installed("knitr")
  bench <- usual_bench()
  images <- function(page) length(gregexpr("<img src", page, fixed = TRUE)[[1]])
  ranks <- read_report(bench, comparisons = "ranks")
  pairs <- read_report(bench, comparisons = "pairs")
  none <- read_report(bench, comparisons = character())
  expect_identical(c(images(ranks), images(pairs), images(none)), c(2L, 2L, 1L))
  expect_match(ranks, "Critical-difference diagram")
  expect_no_match(ranks, "Matrix of all pairs")
  expect_match(pairs, "Matrix of all pairs")
  expect_match(page_text(pairs), as.character(summary(compare_pairs(bench))), fixed = TRUE)
  expect_no_match(page_text(none), "were ranked|were compared")
  withr::local_seed(9)
  bayes <- page_text(read_report(bench, comparisons = "bayes", control = "MFS", rope = 0.01))
  expect_match(bayes, "Probability that MFS or the other selector is practically better")
  withr::local_seed(9)
  means <- score_table(bench)$mean
  p <- bayes_signed_rank(means[, "MFS"], means[, "MIM-BR"], rope = 0.01)$probability
  expect_match(bayes, paste0("MIM-BR +", gsub(".", "[.]", format_probability(p[["right"]]), fixed = TRUE), " +",
    gsub(".", "[.]", format_probability(p[["rope"]]), fixed = TRUE)))
})

test_that("the table of means and the diagram show the same mean ranks", {
  skip_if_not_installed("knitr")
  withr::local_seed(10)
  bench <- report_bench(n_tasks = 3, selectors = list(sel_mim(), sel_mfs(), sel_random(), sel_ebls()), k = 1:5)
  page <- read_report(bench)
  row <- regmatches(page, regexpr("<tr class=\"total\"><td class=\"\">mean rank</td>.*?</tr>", page, perl = TRUE))
  shown <- regmatches(row, gregexpr("[0-9]+[.][0-9]+", row))[[1]]
  expect_identical(shown, sprintf("%.2f", rank_test(bench)$mean_ranks))
  expect_match(page_text(page), "Mean ranks are those of the rank test and its diagram", fixed = TRUE)
  means <- page_text(read_report(bench, comparisons = "pairs"))
  expect_match(means, "Mean ranks are those of these means.", fixed = TRUE)
})

test_that("without a region of equivalence the Bayesian table has two probabilities", {
  skip_if_not_installed("knitr")
  bench <- usual_bench()
  withr::local_seed(9)
  page <- read_report(bench, comparisons = "bayes", control = "MFS")
  expect_match(page, ">MFS better</th><th class=\"number\">selector better</th>", fixed = TRUE)
  expect_no_match(page, ">equivalent</th>", fixed = TRUE)
  expect_match(page, "the other selector is better, by", fixed = TRUE)
  expect_match(read_report(bench, comparisons = "bayes", control = "MFS", rope = 0.01), ">equivalent</th>",
    fixed = TRUE)
})

test_that("a report without measures or timings has no table of them", {
  bench <- report_bench(1)
  expect_match(report_measures(bench), "hamming_loss", fixed = TRUE)
  expect_match(report_timings(bench), "Mean seconds per split", fixed = TRUE)
  attr(bench, "measures") <- NULL
  attr(bench, "timings") <- timings(bench)[0L, ]
  expect_identical(report_measures(bench), "")
  expect_identical(report_timings(bench), "<p>No timings were kept.</p>")
})

test_that("logicals, numbers and missing values have their texts", {
  expect_identical(cell_text(c(TRUE, NA, FALSE), 3), c("yes", "\u2013", "no"))
  expect_identical(cell_text(c(1 / 3, NA), 3), c("0.333", "\u2013"))
  expect_identical(cell_text(c("a", NA), 3), c("a", "\u2013"))
})

test_that("without knitr the error says what to install", {
  bench <- report_bench(1)
  local_mocked_bindings(has_package = function(...) FALSE)
  expect_error(write_report(bench, tempfile(fileext = ".html")), "needs the package knitr.*install.packages",
    class = "mlsift_error")
})

test_that("a report does not depend on a scipen that writes all numbers in powers of ten", {
  skip_if_not_installed("knitr")
  bench <- usual_bench()
  means <- function(page) regmatches(page, gregexpr("[0-9.e+-]+ \u00b1 [0-9.e+-]+", page))[[1L]]
  expected <- means(usual_page())
  # Newer versions of R take nothing less.
  withr::local_options(scipen = -9L)
  expect_gt(length(expected), 0L)
  expect_identical(means(read_report(bench)), expected)
  expect_identical(getOption("scipen"), -9L)
})

test_that("the summary says what is best, what cannot be told from it, and with how many features", {
  values <- withr::with_seed(4, random_values(tasks = 8, selectors = c("A", "B", "C")))
  values[, , "B", ] <- values[, , "A", ] + 1e-4 * rep(c(-1, -1, -1, 1), 2)
  values[, , "C", ] <- values[, , "A", ] + 1
  bench <- hand_benchmark(values)
  options <- list(control = NULL, alpha = 0.05, comparisons = "ranks", rope = 0)
  row <- summary_row("ML-kNN", "hamming_loss", bench, options)
  test <- rank_test(bench, "hamming_loss")
  expect_identical(row$best, names(which.min(test$mean_ranks)))
  expect_identical(row[["mean rank"]], sprintf("%.2f", min(test$mean_ranks)))
  expect_identical(row[["no difference found from it"]], setdiff(c("A", "B"), row$best))
  points <- best_k(bench)
  at <- range(points$k[points$selector == row$best])
  expect_identical(row$features, paste(unique(at), collapse = " to "))
  options$control <- "C"
  row <- summary_row("ML-kNN", "hamming_loss", bench, options)
  expect_identical(row[["no difference found from C"]], "none")
  # Two selectors: no test.
  options["control"] <- list(NULL)
  row <- summary_row("ML-kNN", "hamming_loss", bench[bench$selector != "C", ], options)
  expect_identical(row[["no difference found from it"]], "not tested")
  expect_match(report_headline(bench), "8 tasks, 5 splits a task", fixed = TRUE)
  # The best of all is not one that happens to come first.
  values[, , "B", ] <- values[, , "A", ]
  row <- summary_row("ML-kNN", "hamming_loss", hand_benchmark(values), options)
  expect_identical(row$best, "A, B")
  expect_identical(row[["no difference found from it"]], "none")
})

test_that("a file that cannot be written is refused", {
  skip_if_not_installed("knitr")
  skip_on_os("windows")
  local_no_pictures()
  expect_error(write_report(usual_bench(), file.path(withr::local_tempdir(), "x", "y.html")), "folder that exists",
    class = "mlsift_error")
  folder <- withr::local_tempdir()
  expect_error(write_report(usual_bench(), folder), "cannot be written", class = "mlsift_error")
})

test_that("a report has fingerprints of the data and the session of the run, or says that there are none", {
  skip_if_not_installed("knitr")
  bench <- usual_bench()
  protocol <- attr(bench, "protocol")
  withr::local_seed(1)
  same <- simulate_mltask(60, n_features = 8, n_targets = 3)
  expect_identical(protocol$tasks[["plain"]], fingerprint(same))
  expect_false(protocol$tasks[[2]] == protocol$tasks[["plain"]])
  expect_identical(protocol$session[["R"]], R.version.string)
  expect_match(protocol$session[["packages"]], paste0("mlsift ", utils::packageVersion("mlsift")), fixed = TRUE)

  attr(bench, "protocol")$session[["R"]] <- "R version 9.9.9 (of the run)"
  page <- read_report(bench)
  expect_match(page, "R version 9.9.9 (of the run)", fixed = TRUE)
  for (print in protocol$tasks) expect_match(page, print, fixed = TRUE)
})

test_that("mean seconds are those of the splits that a learner has", {
  spent <- expand.grid(task = "a", split = 1:2, selector = c("s", "t"), learner = c("one", "two"), seconds = 3,
    stringsAsFactors = FALSE)
  part <- spent[spent$learner == "one" | spent$selector == "s", ]
  expect_identical(seconds_table(part, "learner", ""), seconds_table(spent, "learner", ""))
})

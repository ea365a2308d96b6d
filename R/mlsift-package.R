#' mlsift: feature selection for many labels or targets
#'
#' Selects the features of data whose rows have many labels, classes or several numeric targets. [sift()] goes from data
#' to an answer: it chooses learner, method and number of features, and tests the whole choice on other rows.
#' ```
#' answer <- sift(help_pages, max_features = 20)
#' plot(answer)
#' ```
#' `help_pages` is a task that comes with the package, see [help_pages]. For data of your own, name the targets:
#' `sift(df, starts_with("tag_"))`. For features and targets in two tables: `sift(mltask(x, y))`. Where rows belong
#' together, such as visits of a patient: `sift(df, "diagnosis", group = "patient")`.
#'
#' The parts, one by one:
#'
#' 1. [mltask()], [read_mulan()] or [as_mltask()] make a task of features and targets, [check_task()] looks for traps;
#' 2. [sift_features()] ranks its features by a selector, such as [sel_mim()]; [list_selectors()] names them all;
#' 3. [tune_selection()] chooses among selectors, learners and numbers of features;
#' 4. [benchmark_selectors()] compares selectors by what learners make of their features;
#' 5. [rank_test()], [score_table()] and `plot()` say which are better, and [write_report()] puts all of it on one page.
#'
#' # Guides
#' In an order to read them:
#'
#' * `vignette("mlsift")`: from data to an answer, and on to a critical-difference diagram.
#' * `vignette("what-a-score-means")`: what a score means: unit, sign and range for every selector, and a glossary.
#' * `vignette("choosing-a-selector")`: what each method measures, what it costs and when to use it.
#' * `vignette("how-many-rows")`: how many rows it takes to find the right features, and a rule to plan with.
#' * `vignette("rows-that-belong-together")`: groups of rows and rows in time, in splits, tests and `sift()`.
#' * `vignette("awkward-data")`: rare labels and thresholds, copies of features, missing values.
#' * `vignette("counts-and-batches")`: counts, library size, batches and other covariates.
#' * `vignette("weights-and-unknown-labels")`: rows that count differently, and labels that are not known.
#' * `vignette("multi-target-regression")`: numeric targets.
#' * `vignette("comparing-methods")`: tests of methods, also on numbers printed in a paper.
#' * `vignette("information-theoretic-selection")`: the criteria based on mutual information, in one notation.
#' * `vignette("selecting-by-neighbors")`: the Relief family, graphs of label sets and nearest-neighbor information.
#' * `vignette("searching-with-a-learner")`: when a search with a learner pays, what it costs and how far its values can
#'   be trusted.
#' * `vignette("your-own-selector")`: your own method beside the others.
#' * `vignette("tidymodels-and-mlr3")`: selection inside a recipe, a workflow or an mlr3 pipeline.
#' * `vignette("more-rows-than-memory")`: rows from functions, files, databases and several machines, and counts that
#'   add up.
#' * `vignette("benchmarks-on-a-cluster")`: benchmarks on several processes and machines.
#' * `vignette("what-is-promised")`: what you can rely on, and which tests check it.
#'
#' # Options
#' `options(mlsift.threads = 2)` sets the number of threads wherever the argument `threads` is left out. Without it, as
#' many are used as the work is worth, never more than the limits that R and its checks set. No result depends on it.
#' `options(mlsift.stale = 300)` sets after how many seconds without a sign of life other processes take over the work
#' of a process, in a benchmark that several processes share: see [join_benchmark()].
#'
#' # Errors
#' What cannot be used is refused by an error of class `mlsift_error` that names the argument, what was
#' found, what was expected and what to do: `tryCatch(..., mlsift_error = )` catches them all. Nothing is dropped,
#' recycled or coerced in silence. Warnings are of class `mlsift_warning`.
#'
#' # Random numbers
#' They come from R's generator alone: [set.seed()] makes any call repeatable.
#'
#' @keywords internal
#' @useDynLib mlsift, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom rlang %||%
#' @importFrom methods as is new
#' @importFrom Matrix Matrix t
"_PACKAGE"

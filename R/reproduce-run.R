#' Repeat the experiments of a paper
#'
#' Runs the experiments of a paper on selection for many targets, as the paper states them: its data sets, splits,
#' selectors, learners, measures and numbers of features. What a paper leaves open is set as its help below says. The
#' results are benchmarks, so everything that works on a benchmark works on them. The articles on the website of the
#' package compare such results with the printed numbers.
#'
#' # Papers and studies
#' A paper has one or more studies. Each study is one benchmark. [list_studies()] shows data sets, sizes and repeats.
#'
#' * `"ebls"`, Lee and Kim (2016). `"comparison"`: six selectors, 1, 5, 10, ..., 50 features, logistic regression.
#'   `"baseline"`: all features. `"share"`: numbers of labels of [sel_ebls()], those of the largest and those of the
#'   smallest entropy. Open in the paper, and chosen here: FIMF with ten labels and all features; no stratification.
#' * `"gmba"`, Yan and Li (2016). GMBA, SPEC, MFS, MLRF and all features, 10 % to 90 % of the features, binary relevance
#'   and classifier chains with three neighbors. `"folds"`: ten folds. `"samples"`: 1,800 training rows of large sets.
#'   Features are scaled with all rows, as in the authors' program. Chosen here: row numbers among the features are
#'   dropped; GMBA with a small step is added, whose ranking does not depend on the order of rows.
#' * `"group-jmi"`, Sechidis et al. (2019). `"jmi"`: three variants of JMI. `"rivals"`: seven selectors. `"groups"`:
#'   numbers and sizes of groups. `"regression"`: numeric targets. Chosen here: FIMF as above, stratified halves, five
#'   intervals for numeric targets where categories are needed.
#' * `"ppt-mi"`, Doquire and Verleysen (2011). Mutual information by neighbors after pruned problem transformation,
#'   the chi-square statistic of label sets, and all features. `"usual"`: the first rows of each file are the training
#'   rows. `"random"`: random splits of the same sizes.
#' * `"budgeted-ga"`, Lee, Seo and Kim (2018). One study for each measure of the search: `"hamming"`, `"jaccard"`,
#'   `"ranking"` and `"coverage"`. Searches with at most ten features and 100 evaluations of naive Bayes. `"sizes"`:
#'   searches for a front, without a bound. `"filter"`: SCLS and MIM-BR, which are not in the paper.
#'   `"no_id"`: genbase without its column of row numbers.
#' * `"all-selectors"`: not a paper. `"small"`: nearly all selectors of labels on thirteen data sets. `"large"`: those
#'   that take seconds at most, on 3,000 rows of each of twelve large sets. `"floor"`: predicting the most frequent
#'   labels.
#'
#' # Time
#' Most papers take minutes to hours. Interrupted runs resume: make the same call again. More `repeats` can be added to
#' a finished folder in the same way. Other processes take part by [join_benchmark()] in the folder of a study.
#'
#' @param paper (string) One of the papers above.
#' @param data A folder with files in Mulan's format (`yeast.arff` or `yeast.arff.gz`, and `yeast.xml`), see
#'   [read_mulan()]. Or a list of tasks with the names of the data sets, for other files. Data sets of the paper that
#'   are not there are left out, with a message.
#' @param folder (string) A folder that keeps what is finished, with one folder for each study.
#' @param repeats (whole number) How often rows are split. `NULL` for the number in the paper.
#' @param studies,tasks (character) Names of studies and of data sets. `NULL` for all.
#' @param seed (whole number) The seed of the random numbers. R's own generator is not changed.
#' @param ... Arguments of [benchmark_selectors()], by name, in place of those of the paper: `learners`, `k`, `workers`,
#'   `threads`, ...
#' @return `reproduce()`: a list of class `mlreproduction` with one benchmark for each study. `list_studies()`: a data
#'   frame with the columns `paper`, `study`, `tasks`, `n_selectors`, `learners`, `repeats` and `features`.
#' @references The papers are in `citation("mlsift")`.
#' @family benchmarks
#' @examples
#' list_studies("ebls")
#' # A made-up data set under the name of a real one, with one repeat:
#' data <- list(yeast = simulate_mltask(60, n_features = 8, n_targets = 14))
#' ebls <- reproduce("ebls", data, tempfile(), repeats = 1, studies = "comparison", k = c(1, 5))
#' ebls
#' score_table(ebls$comparison, "hamming_loss", k = 5)
#' @export
reproduce <- function(paper, data, folder, repeats = NULL, studies = NULL, tasks = NULL, seed = 1, ...) {
  others <- list(...)
  known <- setdiff(names(formals(benchmark_selectors)), c("tasks", "resampling", "folder"))
  check_settings_names(rlang::names2(others), "benchmark_selectors", known, character())
  check_choice(paper, reproduced_papers, "paper")
  check_string(folder)
  repeats <- check_count(repeats, null = TRUE, max = most_repeats)
  seed <- check_count(seed, min = 0)
  protocol <- studies_of(paper)
  chosen <- check_known(studies, names(protocol), "studies")
  wanted <- unique(unlist(lapply(protocol[chosen], `[[`, "tasks")))
  wanted <- check_known(tasks, wanted, "tasks")
  found <- find_tasks(data, wanted)
  benches <- lapply(stats::setNames(nm = chosen), function(study) {
    spec <- protocol[[study]]
    here <- intersect(spec$tasks, names(found))
    if (length(here) == 0L) return(NULL)
    ready <- found[here]
    if (!is.null(spec$prepare)) ready <- Map(spec$prepare, ready, here)
    arguments <- spec$arguments(ready, repeats %||% spec$repeats)
    if (any(c("k", "prop") %in% names(others))) arguments[c("k", "prop")] <- list(NULL)
    arguments[names(others)] <- others
    arguments <- c(list(tasks = ready), arguments, list(folder = file.path(folder, study)))
    # Messages show this call, so it uses names in place of data.
    benchmark <- rlang::call2("benchmark_selectors", !!!rlang::syms(stats::setNames(nm = names(arguments))))
    with_stream(list(seed, paper, study), eval(benchmark, arguments, topenv()))
  })
  benches <- Filter(Negate(is.null), benches)
  structure(benches, paper = paper, class = "mlreproduction")
}

reproduced_papers <- c("ebls", "gmba", "group-jmi", "ppt-mi", "budgeted-ga", "all-selectors")

# The experiments of a paper, see README.md in inst/studies.
studies_of <- function(paper) {
  file <- system.file("studies", paste0(paper, ".R"), package = "mlsift", mustWork = TRUE)
  eval(parse(file, encoding = "UTF-8"), new.env(parent = topenv()))
}

# The tasks of the available data sets, in order. Files are read when needed.
find_tasks <- function(data, wanted) {
  folder <- rlang::is_string(data) && is_utf8(data)
  if (folder && !dir.exists(data)) abort(c("{.arg data} must be a folder or a list of tasks.",
    x = "There is no folder {.file {data}}."))
  if (!folder) data <- check_task_list(data)
  files <- if (folder) vapply(wanted, function(name) mulan_file(data, name), "")
  missing <- if (folder) wanted[is.na(files)] else setdiff(wanted, names(data))
  here <- setdiff(wanted, missing)
  if (length(here) == 0L) abort(c("{.arg data} must have data sets of the paper.",
    x = "There is none of {.val {wanted}}.",
    i = if (folder) "A data set is two files, such as {.file {wanted[1L]}.arff} and {.file {wanted[1L]}.xml}."
    else "The names of the list must be names of data sets."))
  if (length(missing) > 0L) inform(c("!" = "Left out, since there is no such data set: {.val {missing}}."))
  if (!folder) return(data[here])
  lapply(stats::setNames(nm = here), function(name) read_mulan(files[[name]], file.path(data, paste0(name, ".xml"))))
}

# The ARFF file of a data set in a folder; NA if it or its XML file is missing.
mulan_file <- function(folder, name) {
  paths <- file.path(folder, paste0(name, c(".arff", ".arff.gz")))
  paths <- paths[file.exists(paths)]
  if (length(paths) == 0L || !file.exists(file.path(folder, paste0(name, ".xml")))) NA_character_ else paths[1L]
}

check_task_list <- function(data) {
  named <- is.list(data) && !is.object(data) && length(data) > 0L && !is.null(names(data)) && all(nzchar(names(data)))
  if (!named) abort_value(data, "a folder or a list of tasks with the names of data sets")
  for (name in names(data)) {
    how <- "Make tasks with {.fn mltask} or {.fn read_mulan}."
    check_class(data[[name]], "mltask", how, paste0("data$", name))
  }
  data
}

#' @rdname reproduce
#' @export
list_studies <- function(paper = NULL) {
  do.call(rbind, lapply(check_known(paper, reproduced_papers, "paper"), function(paper) {
    protocol <- studies_of(paper)
    do.call(rbind, lapply(names(protocol), function(study) study_facts(paper, study, protocol[[study]])))
  }))
}

# In some studies, the arguments depend on the sizes of the tasks.
study_facts <- function(paper, study, spec) {
  sizes <- lapply(stats::setNames(nm = spec$tasks), function(name) matrix(0, 100000L, 0L))
  arguments <- spec$arguments(sizes, spec$repeats)
  listed <- function(part) {
    parts <- arguments[[part]]
    if (!is.null(parts$name)) parts <- list(parts)
    given <- rlang::names2(parts)
    paste(ifelse(nzchar(given), given, vapply(parts, `[[`, "", "name")), collapse = ", ")
  }
  data.frame(
    paper = paper, study = study, tasks = paste(spec$tasks, collapse = ", "),
    n_selectors = length(arguments$selectors),
    learners = listed("learners"), repeats = as.integer(spec$repeats),
    features = short_grid(arguments$k %||% arguments$prop, is_share = is.null(arguments$k))
  )
}

short_grid <- function(grid, is_share) {
  if (length(grid) <= 4L || all(diff(grid) == 1)) return(counts_label(grid, is_share))
  paste(counts_label(grid[1:2], is_share), "...", counts_label(max(grid), is_share), sep = ", ")
}

#' @export
print.mlreproduction <- function(x, ...) {
  cat("<mlreproduction> ", attr(x, "paper"), "\n", sep = "")
  for (study in names(x)) {
    size <- function(column) counted(length(unique(x[[study]][[column]])), column)
    cat("  $", study, ": ", size("task"), ", ", size("selector"), ", ", size("split"), "\n", sep = "")
  }
  invisible(x)
}

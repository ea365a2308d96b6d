#' Select features
#'
#' Runs a selector on a task and returns the ranked features.
#'
#' @param task A task with at least two rows, see [mltask()]. Rows that do not fit in memory can be given as a source,
#'   see [chunk_source()], and tables of counts as made by [count_tables()].
#' @param selector A selector such as [sel_mim()] or [sel_ebls()], see [list_selectors()].
#' @param k The number of features to select. `NULL` ranks all of them. If there are fewer features, all are selected,
#'   with a warning.
#' @param discretizer Discretizes continuous features for selectors that count. It is fitted to the rows of the task.
#'   One that is [fitted][fit.mldiscretizer] already is used as it is, also by benchmarks and for sources. The default,
#'   [disc_auto()], separates zero from the other values of a feature if more than half of its rows are zero, as in word
#'   weights. Otherwise it uses five intervals of equal width. With `NULL`, no discretizer is used. Selectors that count
#'   then give an error for continuous features. Other selectors use the features as they are.
#' @param impute Fills in missing features, such as [impute_mean()]. It is fitted to the rows of the task. The selection
#'   keeps it for [extend_selection()] and [candidate_scores()]. Sources and tables take none. With `NULL`, selectors
#'   that need complete features give an error.
#' @param include,exclude Names, positions or a logical vector. Features in `include` come first, whatever their score,
#'   and have the score `NA`. Features in `exclude` are never selected. In GMBA, GRRO, MFS-MCDM, QPMLFS and the Relief
#'   family (not TuRF), which use all features together, they still count, as in distances between rows: leave them out
#'   of the task if they should not.
#' @param min_gain Selection stops before the first feature with a score below this, or without one. So it leaves out
#'   constant features of greedy selectors, unless `constants` is `"scored"`, and features that a model does not use.
#'   With `NULL`, there is no limit. Selectors that return a set, such as [sel_none()], have no scores, so they do not
#'   take a limit.
#' @param max_seconds Greedy selectors and [sel_mtl()] stop after this time and return what they have selected, and
#'   [sel_turf()] and [sel_rfs()] begin no further round, with a warning.
#' @param target_bins For numeric targets and selectors that need categories: the number of intervals of equal width for
#'   each target, or a discretizer.
#' @param constants What greedy selectors do with features that are constant on these rows, or after discretization:
#'   `"last"` puts them after all others, in column order and with the score `NA`, unless `include` names them;
#'   `"scored"` scores them like others, as the published criteria do.
#' @param groups Features that are taken together, such as the columns made from one factor: a list of sets, each by
#'   names or positions, or a vector with a value for each feature, where equal values make a group. Features in no set,
#'   or with the value `NA`, stand alone. See the section on groups and costs.
#' @param costs A positive number for each feature, in column order or with the names of the features: what it costs to
#'   measure it. A group costs the sum of its features.
#' @param max_cost The budget: the selected features together cost at most this.
#' @param threads Number of threads. `NULL` uses `getOption("mlsift.threads")`, or else a number that suits the amount
#'   of work. The result never depends on it.
#'
#' @details In interactive sessions, a line shows what runs after two seconds, unless
#'   `options(mlsift.progress = FALSE)` is set.
#'
#' @return An object of class `mlselection`: a data frame with a row for each selected feature, best first. Its columns
#'   are `rank`, `feature` (name), `index` (column of the task) and `score`. Larger scores are better, and equal scores
#'   are in column order. Results of greedy selectors have three more columns. `gain` is how much the feature added to
#'   the criterion of the selector (its score). `runner_up` and `runner_up_score` are the best of the other candidates
#'   at that step. An interrupted greedy run does not return. [last_selection()] then has the features selected so far.
#'   [extend_selection()] resumes from any greedy result.
#'
#'   `head(sel, n)` is the selection of the first `n` features. Other subsets are plain data frames. A selector that
#'   keeps a set without an order, such as [sel_none()], returns its features in column order, and `rank` and `score`
#'   are missing.
#'
#'   Errors have the class `mlsift_error`. They occur for a task with fewer than two rows, missing values in features
#'   that the selector uses, a kind of target that it cannot use, continuous features without a discretizer, an
#'   impossible `k`, and where nothing can be ranked.
#' @section Groups and costs:
#' A group is taken by its best feature. When a selector comes to a feature, the others of its group follow at once,
#' best first by the scores that they then have, whatever `min_gain`. Scores themselves do not depend on groups and
#' costs. What costs more than is left of the budget is skipped. `k` is the largest number of features, and the
#' selection ends before a group that does not fit into it. `include` and `exclude` mean whole groups. Constant features
#' of a group come last in it, if `constants = "last"` and the selector is greedy. [extend_selection()] keeps groups,
#' costs and budget, [candidate_scores()] does not know of them. Selectors that return a set, such as [sel_none()] and
#' [sel_rga()], give an error for them.
#' @section Nothing to rank:
#' It is an error if no target varies in the rows in which it is known, or no feature that is not excluded varies, as
#' the selector sees it: after discretization if it counts. Rows of weight 0 do not count. Only [sel_random()],
#' [sel_none()] and [sel_custom()] take such data. `vignette("what-is-promised")` says what constant features, labels
#' that no or every row has, rows without labels, equal scores and the order of rows do.
#' @family selection
#' @examples
#' sel <- sift_features(help_pages, sel_cmim(), k = 4)
#' sel
#' selected(sel, 2)
#' subset_features(help_pages, sel, 2)
#'
#' # Words that are taken together, and a cost for each and a budget
#' both <- list(plotting = c("plot", "plots", "plotting"), testing = c("test", "tests"))
#' length_of_word <- nchar(feature_names(help_pages))
#' sift_features(help_pages, sel_scls(), groups = both, costs = length_of_word, max_cost = 30)
#' @export
sift_features <- function(task, selector, k = NULL, discretizer = disc_auto(), impute = NULL, include = NULL,
                          exclude = NULL, min_gain = NULL, max_seconds = Inf, target_bins = NULL,
                          constants = c("last", "scored"), groups = NULL, costs = NULL, max_cost = Inf,
                          threads = NULL) {
  in_pieces <- inherits(task, c("mlsource", "mlcounts"))
  if (!in_pieces) check_mltask(task)
  check_selector(selector)
  k <- check_count(k, null = TRUE)
  if (!is.null(discretizer)) check_discretizer(discretizer)
  check_imputer(impute)
  if (in_pieces && !is.null(impute)) refuse_imputer(task)
  threads <- resolve_threads(threads)
  constants <- check_choice(constants)
  wishes <- list(include = include, exclude = exclude, min_gain = min_gain, max_seconds = max_seconds, groups = groups,
    costs = costs, max_cost = max_cost)
  rows <- rows_of(task, discretizer, impute)
  call_on_exit(rows$end)
  select_from(rows, selector, k, wishes, target_bins, threads, constants, tell = TRUE)
}

# A task, source or tables as selectors get them: see prepared_rows(), source_rows() and table_rows().
rows_of <- function(x, discretizer, impute) {
  if (inherits(x, "mlcounts")) return(table_rows(x))
  if (inherits(x, "mlsource")) source_rows(x, discretizer) else imputed_rows(x, discretizer, impute)
}

# Refuses rows that do not suit a selector, as far as that is known before any of them is read.
check_rows <- function(rows, selector, method, target_bins) UseMethod("check_rows")

#' @exportS3Method NULL
check_rows.task_rows <- function(rows, selector, method, target_bins) check_two_rows(nrow(rows$task$x))

# The selection from prepared rows, or from those of a source or tables. `wishes`: further arguments of sift_features()
# by name, as the user gave them. `tell`: whether to say what has no information.
select_from <- function(rows, selector, k, wishes, target_bins, threads, constants = "last", tell = FALSE) {
  method <- selector_method(selector)
  check_rows(rows, selector, method, target_bins)
  names <- rows$names
  k <- limit_k(k, length(names))
  wishes <- check_wishes(names, k, selector, method, wishes)

  started <- proc.time()[["elapsed"]]
  local_progress(paste("Selecting by", selector$name))
  input <- selection_input(rows, selector, method, target_bins, threads)
  call_on_exit(input$end)
  check_varying_features(input, method, wishes$excluded)
  if (tell && is_informed(method)) {
    tell_constant("target", input$targets, setdiff(seq_along(input$targets), input$varying))
  }
  if (constants == "last" && is_greedy(method)) {
    wishes <- constants_last(input$constant(), wishes, k, selector)
  }
  params <- with_scale(selector, auto_scale(rows$task))$params
  ranking <- with_memory_errors(method$run(c(input, wishes), params))
  if (tell) tell_equal_scores(ranking, selector, method, length(names))
  ranking <- if (is_greedy(method)) describe_units(ranking, wishes)
  else if (is_search(method)) ranking else apply_wishes(ranking, wishes)
  seconds <- proc.time()[["elapsed"]] - started
  finish_or_interrupt(finish_selection(ranking, input, selector, method, seconds), ranking, wishes$k)
}

check_two_rows <- function(n, what = "The task") {
  if (n < 2) abort(c("Selecting features needs at least two rows.", x = "{what} has {n}."))
}

# The number of features asked for, at most the number available.
limit_k <- function(k, d) {
  if (is.null(k) || k <= d) return(k)
  warn(c("{.arg k} is larger than the number of features; all {d} are selected.", x = "{.arg k} is {k}."))
  d
}

# The data for a method's run(): the names of the features and of the task or source, what task_information() says, and
# threads. Of a task: the prepared rows, and the task (with discretized targets if the method needs them). If the method
# counts: `rows_with`, see core_rows(), and `end`, which frees its memory.
selection_input <- function(rows, selector, method, target_bins, threads) UseMethod("selection_input")

#' @exportS3Method NULL
selection_input.task_rows <- function(rows, selector, method, target_bins, threads) {
  if (!method$whole) rows <- binned_rows(rows, target_bins)
  check_rows_suit(rows$task, selector, method, target_bins)
  input <- c(list(prepared = rows, names = rows$names, name = rows$task$name, threads = threads,
    target_bins = target_bins, end = function() NULL), task_information(rows))
  check_varying_targets(input, method)
  if (method$whole) return(c(input, list(task = rows$task, discretizer = rows$discretizer)))
  input$task <- used_task(rows)
  input$weights <- once(rows$features, "weights", row_counts(input$task))
  if ("codes" %in% method$needs) {
    features <- coded_features(rows, selector, threads)
    input[names(features)] <- features
    input <- counting_input(input)
    input$constant <- function() once(place_of_cuts(rows), "constant", cpp_constant_features(core_rows(input)))
  }
  if ("numbers" %in% method$needs) check_complete(rows,
    "Fill it in, {.code impute = impute_mean()}, or leave the feature or the row out.")
  input
}

finish_selection <- function(ranking, input, selector, method, seconds) {
  names <- input$names
  wrong <- ranking$index[is.nan(ranking$score)]
  if (length(wrong) > 0L) {
    abort(c("{selector$name} cannot score all features.", x = "The score of {.val {names[wrong[1L]]}} is not a number.",
      i = "Its values may be too large or too small to be squared: scale them first."))
  }
  index <- as.integer(ranking$index)
  rank <- if (ranking$ordered) seq_along(index) else rep(NA_integer_, length(index))
  frame <- list2DF(c(
    list(rank = rank, feature = names[index], index = index, score = as.double(ranking$score)), ranking$path
  ))
  saved_object(frame, c("mlselection", "data.frame"), selector = selector,
    discretizer = if ("codes" %in% method$needs) input$discretizer,
    imputer = input$prepared$features$imputer, n_features = length(names), task_name = input$name,
    seconds = seconds, state = ranking$state,
    search = if (!is.null(ranking$search)) new_search_record(ranking$search, names), note = ranking$note,
    chosen = ranking$chosen)
}

# The checked wishes: positions for `include`, a flag for each feature for `exclude`, the stopping rules, and `units` if
# there are groups or costs. `wishes`: as select_from() gets them.
check_wishes <- function(names, k, selector, method, wishes) {
  check <- function(include = NULL, exclude = NULL, min_gain = NULL, max_seconds = Inf, groups = NULL, costs = NULL,
                    max_cost = Inf) {
    checked <- selection_wishes(names, k, include, exclude, min_gain, max_seconds)
    checked <- add_units(checked, groups, costs, max_cost, names, k, selector, method)
    if (method$gives == "set" && !is.null(min_gain)) {
      abort(c("{.arg min_gain} needs a selector that gives scores.", x = "{selector$name} gives a set of features.",
        i = "Leave {.arg min_gain} out."))
    }
    checked
  }
  do.call(check, wishes, quote = TRUE)
}

selection_wishes <- function(names, k, include, exclude, min_gain, max_seconds) {
  include <- if (is.null(include)) integer() else column_positions(include, names, "include", "feature")
  excluded <- logical(length(names))
  if (!is.null(exclude)) excluded[column_positions(exclude, names, "exclude", "feature")] <- TRUE
  refuse_repeats(include, names, "{.arg include} must not repeat a feature.")
  both <- include[excluded[include]]
  if (length(both) > 0L) abort(c("{.arg include} and {.arg exclude} must not overlap.",
    x = "{.val {names[both[1]]}} is in both."))
  if (!is.null(k) && length(include) > k) abort(c("{.arg include} must not name more than {.arg k} features.",
    x = "It names {length(include)}; {.arg k} is {k}."))
  left <- length(names) - sum(excluded)
  if (left == 0L) abort("{.arg exclude} must leave at least one feature.")
  list(k = min(k %||% left, left), include = include, excluded = excluded,
    min_gain = check_number(min_gain, null = TRUE) %||% -Inf,
    max_seconds = check_number(max_seconds, min = 0))
}

# Features that the selector sees as constant contribute nothing: a greedy selection puts them after all others of their
# group, or last, without a score.
constants_last <- function(constant, wishes, k, selector) {
  wishes$constants <- setdiff(which(constant), wishes$include)
  n <- sum(!wishes$excluded[wishes$constants])
  left <- sum(!wishes$excluded) - n
  if (n > 0L && !is.null(k) && wishes$k > left) warn(c("{.arg k} is larger than the number of features that vary.",
    x = paste("{.arg k} is {k}; {left} feature{?s} {?varies/vary},", "{n} {?is/are} constant and come last."),
    i = "{.code constants = \"scored\"} scores them by the criterion of {selector$name}."))
  wishes
}

# Applies the wishes to a ranking. The included features come first, without a score. The result has at most k features
# in all, without excluded ones and scores below `min_gain`. In a set, the excluded features are removed and the
# included ones added; k is then an upper bound that the method itself observes.
apply_wishes <- function(ranking, wishes) {
  if (!ranking$ordered) {
    ranking$index <- sort(union(ranking$index[!wishes$excluded[ranking$index]], wishes$include))
    ranking$score <- rep(NA_real_, length(ranking$index))
    return(ranking)
  }
  # The time was that of the ranking.
  options <- utils::modifyList(greedy_options(wishes, wishes$include), list(max_seconds = Inf))
  taken <- cpp_take_ranked(ranking$index, ranking$score, options)
  index <- c(wishes$include, taken$index)
  ranking$score <- ranking$score[match(index, ranking$index)]
  ranking$score[seq_along(wishes$include)] <- NA
  ranking$index <- index
  ranking$no_room <- taken$end == 4L
  describe_units(ranking, wishes)
}

# Discretizes numeric targets if `target_bins` asks for it.
bin_targets <- function(task, target_bins) {
  if (is.null(target_bins)) return(task)
  disc <- target_discretizer(target_bins)
  if (task_kind(task) != "numeric") {
    abort(c("{.arg target_bins} is for numeric targets.", x = "The targets are of kind {.val {task_kind(task)}}.",
      i = "Leave it out."))
  }
  if (!is.null(task$targets$unknown)) abort(c("{.arg target_bins} needs targets that are known in all rows.",
    x = "{counted(n_unknown(task), 'cell')} of the targets {cli::qty(n_unknown(task))}{?is/are} unknown.",
    i = "Leave these rows out, or discretize the targets yourself."))
  values <- as.data.frame(task$targets$values)
  fitted <- fit_columns(disc, values, logical(ncol(values)), task)
  classes <- as.data.frame(lapply(dense_codes(fitted, values), factor), check.names = FALSE)
  task$targets <- new_mltargets(classes, "class", frame = task$targets$frame)
  task
}

target_discretizer <- function(target_bins) {
  if (!inherits(target_bins, "mldiscretizer")) {
    return(disc_equal_width(check_count(target_bins, min = 2, max = most_bins)))
  }
  if (discretizer_method(target_bins)$supervised) {
    constructor <- sub("\\(.*", "", discretizer_method(target_bins)$constructor)
    abort(c("{.arg target_bins} must be a number or a discretizer that looks at one target alone.",
      x = "{.fn {constructor}} learns from targets."))
  }
  target_bins
}

# Resolved threads as the user gave them, for a selector or learner that runs others.
asked_threads <- function(threads) if (threads > 0L) threads

# A ranking from scores: larger scores first, ties by `second`, then in column order. `input`: given if a selector ranks
# many features of which few are wanted; the others are omitted.
rank_scores <- function(score, second = NULL, input = NULL) {
  at <- leading_features(score, input)
  index <- if (is.null(second)) order(-score[at], method = "radix")
  else order(-score[at], -second[at], method = "radix")
  index <- at[index]
  list(index = index, score = score[index], ordered = TRUE)
}

# Features that may be among the first k, ties included, in column order.
leading_features <- function(score, input) {
  wanted <- (input$k %||% Inf) + sum(input$excluded)
  passed_over <- !is.null(input$units) || length(input$include) > 0L
  if (passed_over || wanted > 0.1 * length(score) || anyNA(score)) return(seq_along(score))
  least <- -sort.int(-score, partial = wanted)[wanted]
  which(score >= least)
}

#' @export
print.mlselector <- function(x, ...) {
  short <- function(p) {
    if (is.list(p) && is.character(p$name)) return(p$name)
    if (length(p) > 5L || (is.list(p) && !is.object(p))) describe(p) else paste(format(p), collapse = " ")
  }
  shown <- vapply(Filter(function(p) !is.function(p) && !is.null(p), x$params), short, "")
  print_line(x, x$name, if (length(shown)) paste0(" (", paste(names(shown), shown, sep = " = ", collapse = ", "), ")"))
}

#' List selectors, learners, measures and discretizers
#'
#' Tables of what mlsift offers.
#'
#' @return A data frame with a row for each. `list_selectors()`: `constructor`, `name` (as results show it), `kinds` (of
#'   targets), `needs` (`"codes"` for discrete features, `"numbers"`, or `"nothing"`), `greedy`, `embedded` (whether
#'   features are chosen by fitting a model), `weights` (whether it uses [weights of rows][row_weights()]), `unknown`
#'   (whether it takes [unknown labels][unknown_labels]), `unit`, `range_low` and `range_high` (what scores are measured
#'   in, and between which numbers they lie; `NA` where there are none, or those of another selector or function; see
#'   `vignette("what-a-score-means")`), `source`.
#' @family lists
#' @examples
#' list_selectors()
#' list_discretizers()
#' @export
list_selectors <- function() {
  resolved <- function(method) lapply(method$variants, resolve_selector, method = method)
  methods <- lapply(registry$selectors, resolved)
  # Searches come last, regardless of the order in which files are read.
  methods <- methods[order(vapply(methods, \(variants) is_search(variants[[1L]]), NA))]
  bind_columns(unlist(lapply(unname(methods), \(variants) Map(selector_row, variants, seq_along(variants))), FALSE))
}

selector_row <- function(method, i) {
  score <- method$score %||% score_scale(NA_character_, NA_real_, NA_real_)
  list(
    constructor = method$constructor[i], name = method$name[i], kinds = paste(method$kinds, collapse = ", "),
    needs = if (length(method$needs) == 0L) "nothing" else paste(method$needs, collapse = ", "),
    greedy = is_greedy(method), embedded = method$embedded, weights = method$weights,
    unknown = method$unknown, unit = score$unit, range_low = score$low,
    range_high = score$high, source = method$source
  )
}

# Whether a selector gets numeric targets as categories.
bins_targets <- function(selector, target_bins) {
  kinds <- selector_method(selector)$kinds
  !is.null(target_bins) && "class" %in% kinds && !"numeric" %in% kinds
}

# The arguments of sift_features() that the core needs.
greedy_options <- function(input, begin, base = 2) {
  list(k = input$k, begin = begin, excluded = input$excluded, unscored = input$constants %||% integer(),
    min_gain = input$min_gain * log2(base), max_seconds = input$max_seconds, score_rest = isTRUE(input$score_rest),
    units = input$units)
}

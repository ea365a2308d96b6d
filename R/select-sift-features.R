#' Select features
#'
#' Runs a selector on a task and gives the ranked features.
#'
#' @param task A task of two rows or more: see [mltask()].
#' @param selector What to select by: [sel_mim()], [sel_ebls()], ...; see [list_selectors()].
#' @param k How many features to keep; `NULL` ranks all of them. More than there are: all, with a warning.
#' @param discretizer How continuous features are discretized for selectors that count; it is fitted on the rows of the
#'   task. The default, [disc_auto()], separates zero from the rest where more than half of the rows are zero, as in
#'   word weights, and uses five intervals of equal width elsewhere. `NULL` is for no discretizer; such selectors then
#'   refuse continuous features. Other selectors see the features as they are.
#' @param include,exclude Features that come first whatever their score (`NA` then), and features that are never
#'   selected: names, positions or a logical vector.
#' @param min_gain Stop before the first feature that scores below this; `NULL` never does. Selectors that give a set,
#'   such as [sel_none()], have no scores and refuse it.
#' @param max_seconds Greedy selectors stop after this time and give what they have selected.
#' @param target_bins For numeric targets and selectors that need categories: into how many intervals of equal width to
#'   cut each target, or a discretizer.
#' @param threads Number of threads; `NULL` takes `getOption("mlsift.threads")`, else what the size of the work is
#'   worth. The result never depends on it.
#'
#' @return An object of class `mlselection`: a data frame with a row for each selected feature, best first, and columns
#'   `rank`, `feature` (name), `index` (column of the task) and `score` (larger is better; equal scores in column
#'   order). Results of greedy selectors have three more columns: `gain`, what adding the feature brought to the
#'   selector's criterion (its score), and `runner_up` and `runner_up_score`, the best of the other candidates at that
#'   step. An interrupted greedy run does not return; [last_selection()] has the features selected so far.
#'   [extend_selection()] resumes from any greedy result.
#'
#'   `head(sel, n)` is the selection cut at `n`; other subsets are plain data frames. A selector that keeps a set rather
#'   than an order, such as [sel_none()], gives its features in column order with `rank` and `score` missing.
#'
#'   Errors are of class `mlsift_error`: fewer than two rows, missing values in features that the selector uses, a kind
#'   of target that it cannot use, continuous features without a discretizer, an impossible `k`.
#' @section Unusual data:
#' None of these is an error, unless it says so, and each has one answer:
#' * constant features score 0 where each feature is scored on its own, `-Inf` in [sel_spec()] and [sel_gmba()], and
#'   come last with no score (`NA`) in [sel_knn_mi()]. Greedy selectors give them what their criterion does: nothing new
#'   about the labels, and no redundancy either, so that one can stand before features that bring less than they repeat;
#'   [sel_qpmlfs()] may give them weight for that. Features that score alike, such as copies, stand in column order;
#' * labels that no row has change no score, except that [sel_rrelieff_ml()] counts them among all labels. Labels that
#'   every row has add nothing where labels are weighed one by one or make label sets; these count them as any other:
#'   the share of labels of [sel_ebls()], `"ela"` to `"sla"` of [sel_chi2()] and [sel_trans_mi()], [sel_mfs()],
#'   [sel_ml_cfs()], [sel_group_jmi()], [sel_relieff_ml()], [sel_rrelieff_ml()], [sel_mlrf()], and the similarities of
#'   [sel_spec()] and [sel_gmba()];
#' * rows without labels are rows without labels, and a label set of their own where sets are classes; `"ela"` to
#'   `"sla"` of [sel_chi2()] and [sel_trans_mi()], and [sel_mfs()], leave them out, and so does [sel_mlrf()];
#'   [sel_gmba()] takes no step for them, and to [sel_spec()] they are rows without a similar one;
#' * a single label will do. A transformation that leaves one class scores all features 0, with a warning. Where no row
#'   has a label, `"ela"` to `"sla"`, [sel_spec()] and [sel_gmba()] refuse, and [sel_gmba()] also where all rows have
#'   the same label set;
#' * a label set seen once is a class of its own for `transform = "lp"` and [sel_relieff_lp()], and below `min_count`
#'   for `"ppt"`, [sel_relieff_ppt()] and [sel_knn_mi()];
#' * levels of factors that occur in no row change nothing; levels that training rows did not have are level 0 for
#'   [discretizers][disc_equal_width()], and as far from all rows as can be for [learners][fit.mllearner];
#' * rows may come in any order: scores that count stay the same to the last bit, those made of numbers to rounding.
#'   Among rows at equal distance the earlier is nearer, so that order shows where distances tie; and [sel_gmba()] goes
#'   through the rows in an order, drawn at random unless given.
#' @family selection
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(200, n_features = 10, n_targets = 3)
#' sel <- sift_features(task, sel_mim(), k = 4)
#' sel
#' selected(sel, 2)
#' subset_features(task, sel, 2)
#' @export
sift_features <- function(task, selector, k = NULL, discretizer = disc_auto(), include = NULL, exclude = NULL,
                          min_gain = NULL, max_seconds = Inf, target_bins = NULL, threads = NULL) {
  call <- rlang::current_env()
  check_task(task)
  check_class(
    selector, "mlselector", "Make one with a constructor such as {.code sel_mim()}; see {.fn list_selectors}."
  )
  k <- check_count(k, null = TRUE)
  if (!is.null(discretizer)) check_discretizer(discretizer, call)
  threads <- resolve_threads(threads, call = call)
  if (nrow(task$x) < 2L) abort(c(
    "Selecting features needs at least two rows.", x = "The task has {nrow(task$x)}."
  ), call = call)
  d <- ncol(task$x)
  if (!is.null(k) && k > d) {
    warn(c(
      "{.arg k} is larger than the number of features; all {d} are selected.", x = "{.arg k} is {k}."
    ), call = call)
    k <- d
  }
  wishes <- selection_wishes(task, k, include, exclude, min_gain, max_seconds, call)
  method <- selector_method(selector, call)

  if (method$gives == "set" && !is.null(min_gain)) {
    abort(c("{.arg min_gain} needs a selector that gives scores.", x = "{selector$name} gives a set of features.",
            i = "Leave {.arg min_gain} out."), call = call)
  }

  started <- proc.time()[["elapsed"]]
  input <- selection_input(task, selector, method, discretizer, target_bins, threads, call)
  ranking <- method$run(c(input, wishes), selector$params)
  if (!method$extends) ranking <- apply_wishes(ranking, wishes)
  seconds <- proc.time()[["elapsed"]] - started
  finish_or_interrupt(finish_selection(ranking, input, selector, method, seconds), ranking, wishes$k)
}

# What a method's run() is given about the data: the task (targets cut or coded as the method needs them), the cuts of
# continuous features, threads.
selection_input <- function(task, selector, method, discretizer, target_bins, threads, call) {
  task <- bin_targets(task, target_bins, call)
  check_target_kind(task, selector, method, target_bins, call)
  input <- list(task = task, threads = threads, call = call, target_bins = target_bins)
  if ("codes" %in% method$needs) input <- c(input, code_features(task, selector, discretizer, threads, call))
  if ("numbers" %in% method$needs) check_no_missing(
    task, "Fill it in with {.fn impute_mean}, or leave the feature or the row out.", call
  )
  input
}

finish_selection <- function(ranking, input, selector, method, seconds) {
  names <- colnames(input$task$x)
  new_mlselection(
    feature = names[ranking$index], index = ranking$index, score = ranking$score, ordered = ranking$ordered,
    path = ranking$path,
    selector = selector, discretizer = if ("codes" %in% method$needs) input$discretizer, n_features = length(names),
    task_name = input$task$name, seconds = seconds, state = ranking$state
  )
}

# Checked: positions of `include`, a flag for each feature for `exclude`, and when to stop.
selection_wishes <- function(task, k, include, exclude, min_gain, max_seconds, call) {
  names <- colnames(task$x)
  include <- if (is.null(include)) integer() else column_positions(include, names, "include", call, "feature")
  excluded <- logical(length(names))
  if (!is.null(exclude)) excluded[column_positions(exclude, names, "exclude", call, "feature")] <- TRUE
  if (anyDuplicated(include)) abort(c(
    "{.arg include} must not repeat a feature.", x = "{.val {names[include[anyDuplicated(include)]]}} stands twice."
  ), call = call)
  both <- include[excluded[include]]
  if (length(both) > 0L) abort(c(
    "{.arg include} and {.arg exclude} must not overlap.", x = "{.val {names[both[1]]}} is in both."
  ), call = call)
  if (!is.null(k) && length(include) > k) {
    abort(c(
      "{.arg include} must not name more than {.arg k} features.", x = "It names {length(include)}; {.arg k} is {k}."
    ), call = call)
  }
  left <- length(names) - sum(excluded)
  if (left == 0L) abort("{.arg exclude} must leave at least one feature.", call = call)
  list(k = min(k %||% left, left), include = include, excluded = excluded,
    min_gain = check_number(min_gain, null = TRUE, call = call) %||% -Inf,
       max_seconds = check_number(max_seconds, min = 0, call = call))
}

# For rankings made at one go: the included features first, without a score; no excluded ones; none that scores below
# `min_gain`; at most k. For sets: no excluded ones, and all included ones; k is the method's business, an upper bound.
apply_wishes <- function(ranking, wishes) {
  keep <- !wishes$excluded[ranking$index]
  if (ranking$ordered) {
    begins <- ranking$index %in% wishes$include
    good <- is.na(ranking$score) | ranking$score >= wishes$min_gain
    at <- c(match(wishes$include, ranking$index), which(keep & good & !begins))
    at <- utils::head(at[!is.na(at)], wishes$k)
  } else {
    ranking$index <- sort(union(ranking$index[keep], wishes$include))
    ranking$score <- rep(NA_real_, length(ranking$index))
    return(ranking)
  }
  score <- ranking$score[at]
  score[ranking$index[at] %in% wishes$include] <- NA
  ranking$index <- ranking$index[at]
  ranking$score <- score
  ranking
}

# Numeric targets as classes of equal width, where asked for.
bin_targets <- function(task, target_bins, call) {
  if (is.null(target_bins)) return(task)
  disc <- target_discretizer(target_bins, call)
  if (task_kind(task) != "numeric") {
    abort(c(
      "{.arg target_bins} cuts numeric targets.", x = "The targets are of kind {.val {task_kind(task)}}.",
      i = "Leave it out."
    ), call = call)
  }
  values <- as.data.frame(task$y)
  fitted <- fit_columns(disc, values, logical(ncol(values)), NULL, call)
  task$y <- as.data.frame(lapply(dense_codes(fitted, values), factor), check.names = FALSE)
  task$kind[] <- "class"
  task
}

target_discretizer <- function(target_bins, call) {
  if (!inherits(target_bins, "mldiscretizer")) return(disc_equal_width(check_count(target_bins, min = 2, call = call)))
  if (discretizer_method(target_bins)$supervised) {
    constructor <- sub("\\(.*", "", discretizer_method(target_bins)$constructor)
    abort(c(
      "{.arg target_bins} must be a number or a discretizer that looks at one target alone.",
      x = "{.fn {constructor}} learns from targets."
    ), call = call)
  }
  target_bins
}

check_target_kind <- function(task, selector, method, target_bins, call) {
  kind <- task_kind(task)
  if (kind %in% method$kinds) return(invisible())
  advice <- if (!is.null(target_bins) && "numeric" %in% method$kinds) "Leave {.arg target_bins} out."
    else if (!is.null(target_bins))
      "Leave {.arg target_bins} out and make labels of the targets, for example with {.code targets > median}."
    else if (identical(method$kinds, "numeric")) "See {.fn list_selectors} for those that take others."
    else if (kind == "class") "Make one 0/1 column for each category and use {.code kind = \"label\"}."
    else if ("class" %in% method$kinds) "Use {.arg target_bins} to cut them, for example {.code target_bins = 5}."
    else "Make labels of them, for example with {.code targets > median}, and a task of those."
  abort(c(
    "{selector$name} needs targets of kind {.or {.val {method$kinds}}}.", x = "The targets are of kind {.val {kind}}.",
    i = advice
  ), call = call)
}

# What selectors that count see: list(cuts, right), the cuts of continuous features.
code_features <- function(task, selector, discretizer, threads, call) {
  continuous <- which(!task$discrete)
  if (length(continuous) > 0L && is.null(discretizer)) {
    abort(c("{selector$name} counts and needs discrete features.",
      x = "Feature {.val {colnames(task$x)[continuous[1]]}} is continuous.",
            i = "Give a {.arg discretizer}, such as {.code disc_auto()}."), call = call)
  }
  if (is.null(discretizer) || discretizer$params$na == "error") {
    check_no_missing(
      task, "Use a discretizer with {.code na = \"level\"}, or fill them in with {.fn impute_mean}.", call
    )
  }
  cuts <- if (length(continuous) > 0L) fit_cuts(discretizer, task$x, !task$discrete, task, threads, call)
  check_levels(task, cuts, call)
  used <- length(continuous) > 0L || identical(discretizer$params$na, "level")
  list(cuts = cuts, right = !is.null(discretizer) && closed_right(discretizer), discretizer = if (used) discretizer)
}

# A feature of so many levels tells rows apart, and nothing else.
check_levels <- function(task, cuts, call, most = 65536L) {
  if (nrow(task$x) <= most) return(invisible())
  many <- cpp_first_of_many_levels(task$x, cuts, most)
  if (many == 0L) return(invisible())
  name <- colnames(task$x)[many]
  abort(c("A discrete feature must have at most 65,536 levels.", x = "Feature {.val {name}} has more.",
          i = paste0("Leave it out if it numbers the rows; if it is a quantity, name it in {.arg discrete} of {.fn ",
                     "mltask} as {.code FALSE} and give a {.arg discretizer}.")), call = call)
}

# A ranking from scores: larger first, equal ones by `second` if given, then in column order.
rank_scores <- function(score, second = numeric(length(score))) {
  index <- order(-score, -second, method = "radix")
  list(index = index, score = score[index], ordered = TRUE)
}

new_selector <- function(name, method, params = list()) {
  structure(list(name = name, method = method, params = params), class = "mlselector")
}

#' @export
print.mlselector <- function(x, ...) {
  short <- function(p) if (length(p) > 5L) describe(p) else paste(format(p), collapse = " ")
  shown <- vapply(x$params[!vapply(x$params, is.function, NA)], short, "")
  cat(
    "<mlselector> ", x$name,
    if (length(shown)) paste0(" (", paste(names(shown), shown, sep = " = ", collapse = ", "), ")"), "\n", sep = ""
  )
  invisible(x)
}

# A row for each constructor: a method may serve several, with a name and a source each.
registry_table <- function(table, columns) {
  rows <- lapply(registry[[table]], function(entry) {
    n <- length(entry[[columns[1L]]])
    as.data.frame(lapply(stats::setNames(nm = columns), function(column) {
      value <- entry[[column]]
      if (column != "kinds" && length(value) %in% c(1L, n)) rep_len(value, n) else paste(value, collapse = ", ")
    }))
  })
  result <- do.call(rbind, rows)
  rownames(result) <- NULL
  result
}

#' What mlsift offers
#'
#' Tables of the selectors, learners, measures and discretizers.
#'
#' @return A data frame with a row for each. `list_selectors()`: `constructor`, `name` (how results show it), `kinds`
#'   (of targets), `needs` (`"codes"`: discrete features; `"numbers"`; or `"nothing"`), `greedy`, `source`.
#' @family lists
#' @examples
#' list_selectors()
#' list_discretizers()
#' @export
list_selectors <- function() {
  rows <- lapply(registry$selectors, function(method) {
    do.call(
      rbind,
      lapply(seq_along(method$constructor), function(i) selector_row(resolve_selector(method, method$variants[[i]]), i))
    )
  })
  result <- do.call(rbind, rows)
  rownames(result) <- NULL
  result
}

selector_row <- function(method, i) {
  data.frame(
    constructor = method$constructor[i], name = method$name[i], kinds = paste(method$kinds, collapse = ", "),
    needs = if (length(method$needs) == 0L) "nothing" else paste(method$needs, collapse = ", "),
    greedy = method$gives == "path" && method$extends, source = method$source
  )
}

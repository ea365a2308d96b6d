#' Tables of counts
#'
#' `count_tables()` counts what a selector needs, and returns the tables as a value. Tables of different rows can be
#' added with `+`, so that rows may be counted in several places, or at several times. [sift_features()] makes a
#' selection from them, with the same scores, to the last bit, as from all rows together.
#'
#' The tables hold, for each feature, how many rows have each of its levels together with each label, or each class of
#' each target; for selectors that transform labels, with each label set, and for [sel_fimf()] with each pair of labels.
#' They also count the rows in which labels are [unknown][unknown_labels]. Rows with [weights][row_weights()] count as
#' many times as their weight, which must be a whole number. Only cells with a row are stored. No row can be recovered
#' from the tables of many rows.
#'
#' Tables can be added if they have the same features and targets, in class targets the same classes, if all were made
#' with weights or all without, and if the same intervals were used for continuous features. The intervals are the same
#' if features are discrete as they are, or if all tables were made with one fitted discretizer:
#' `fit(disc_auto(), task)`.
#'
#' @param x A task with labels or classes, or a source, see [chunk_source()].
#' @param selector A selector that needs counts of features with targets only:
#'   `r counting_selectors("targets", "label sets", "label pairs", word = "or")`. Greedy selectors need other counts at
#'   every step, and are refused. Tables of label sets or of pairs of labels are also tables of labels, and those of
#'   label sets are also tables of pairs.
#' @param folds The fold of each row, in the order of the source. The result is then a list with the tables of each
#'   fold, from the same pass. The tables without a fold are the sum of the others. `NULL` takes the
#'   [groups][row_groups()] of the task or source, if it has any.
#' @param discretizer For continuous features: a discretizer, or one that was fitted before. See [chunk_source()].
#' @param threads Number of threads, as in [sift_features()].
#' @param e1,e2 Tables of counts.
#' @return An object of class `mlcounts`. With folds or groups, a named list of them: folds in the order of their
#'   levels, groups sorted by name in the C locale. They survive `saveRDS()`.
#' @family sources
#' @examples
#' intervals <- fit(disc_auto(), help_pages)
#' monday <- count_tables(help_pages[1:1000, ], sel_mim(), discretizer = intervals)
#' tuesday <- count_tables(help_pages[1001:2117, ], sel_mim(), discretizer = intervals)
#' monday + tuesday
#' sift_features(monday + tuesday, sel_mim(), k = 3)
#'
#' folds <- count_tables(help_pages, sel_mim(), folds = rep_len(1:3, 2117))
#' sift_features(Reduce(`+`, folds[-1]), sel_mim(), k = 3)
#' @export
count_tables <- function(x, selector, folds = NULL, discretizer = disc_auto(), threads = NULL) {
  source <- as_source(x)
  check_selector(selector)
  method <- selector_method(selector)
  if (is.null(method$counts)) refuse_counts(selector, method, "tables of counts")
  if (!is.null(discretizer)) check_discretizer(discretizer)
  if (!is.null(folds)) folds <- check_folds(folds, source$n_rows)
  seen <- new_seen(source)
  call_on_exit(function() end_passes(seen))
  threads <- resolve_threads(threads)
  if (method$counts == "label pairs") check_pair_tables(length(source$targets), length(source$features))
  counter <- source$counter(source, seen, threads)
  counts <- count_source(source, seen, counter, selector, method, method$counts, discretizer)
  if (is.null(folds) && !isTRUE(seen$given[["group"]])) return(counts)
  if (!is.null(folds)) check_folds(folds, seen$rows)
  pairs <- if (counts$pairs) seq_along(source$targets)
  tables <- counter$groups(counts$tables$levels, folds, method$counts == "label sets", pairs)
  groups <- if (is.null(folds)) sort(names(tables), method = "radix") else intersect(levels(folds), names(tables))
  lapply(tables[groups], function(one) {
    counts$tables <- mark_tables(one, counts)
    counts
  })
}

as_source <- function(x) {
  if (inherits(x, "mlsource")) return(x)
  if (!inherits(x, "mltask")) abort_value(x, "a task or a source",
    i = "Make one with {.fn mltask} or {.fn chunk_source}.")
  check_mltask(x, "x")
  check_source_kind(task_kind(x))
  source_of_task(x)
}

# `n`: the number of rows, NA if it is unknown.
check_folds <- function(folds, n) {
  if (!is_atomic(folds) || isTRUE(length(folds) != n) || anyNA(folds)) {
    rows <- if (is.na(n)) "row" else counted(n, "row")
    found <- if (is_atomic(folds) && anyNA(folds)) "It has missing values" else paste("It is", describe(folds))
    abort(c("{.arg folds} must have a value for each {if (!is.na(n)) 'of the '}{rows}.", x = "{found}."))
  }
  droplevels(as_levels(folds))
}

# How the rows of a source are counted. A list of functions:
# summary(most, inspect)               the first pass, see cpp_source_summary(); `inspect(source, seen)` gives what else
#                                      it looks for, or NULL
# tables(levels, sets, pairs)          the counts at fixed levels of targets, with `sets` of label sets, or of the pairs
#                                      of these labels
# groups(levels, folds, sets, pairs)   the same for each fold, or with NULL for each group of rows, by name
# joint(levels)                        how the core counts features together, see ask_for_pairs() in src/tables.cpp
# ones(selector, sets, pairs)          if there is one, it replaces the first pass and tables of it: the counts of
#                                      features that are 0 and 1
# Here rows come in chunks, and every question is a pass.
chunk_counter <- function(source, seen, threads) {
  open <- function() open_pass(source, seen)
  list(
    summary = function(most, inspect) {
      pass <- function() {
        cpp_source_summary(open, n_target_columns(source, seen), most, most_levels, inspect(source, seen), double(),
          threads)
      }
      # If the first unknown label appears in the middle of the pass, the pass starts again.
      tryCatch(pass(), mlsift_unknown_found = function(e) NULL) %||% pass()
    },
    tables = function(levels, sets, pairs) {
      cpp_source_counts(open, levels, n_target_columns(source, seen, pairs), sets, pairs, threads)
    },
    groups = function(levels, folds, sets, pairs) {
      n_columns <- n_target_columns(source, seen, pairs)
      count_groups(open_pass(source, seen, folds), levels, n_columns, sets, pairs, threads)
    },
    joint = function(levels) list(open = function() {
      next_chunk <- until_interrupt(open())
      if (isFALSE(next_chunk)) function() FALSE else function() until_interrupt(next_chunk())
    })
  )
}

# The counts of each group of the rows of a pass, by name.
count_groups <- function(next_chunk, levels, n_columns, sets, pairs, threads) {
  tables <- list()
  while (!is.null(chunk <- next_chunk())) {
    rows <- split(seq_len(nrow(chunk$x)), chunk$group, drop = TRUE)
    counts <- lapply(rows, function(at) {
      cpp_source_counts(one_chunk_pass(chunk_rows(chunk, at)), levels, n_columns, sets, pairs, threads)
    })
    tables <- add_groups(tables, counts)
  }
  tables
}

# Begins a pass over one chunk.
one_chunk_pass <- function(chunk) function() {
  function() {
    on.exit(chunk <<- NULL)
    chunk
  }
}

# Sums of tables with the same levels, by name.
add_groups <- function(a, b) {
  for (group in names(b)) {
    a[[group]] <- if (is.null(a[[group]])) b[[group]] else cpp_add_counts(a[[group]], b[[group]], FALSE)
  }
  a
}

# The counts of all rows in one pass, or in two if some feature is not 0/1. `what`: see `counts` of register_selector().
count_source <- function(source, seen, counter, selector, method, what, discretizer) {
  check_discretizer_suits(source, discretizer)
  # Chunks that do not suit the selector are refused when they come.
  seen$check <- function() check_rows_suit(seen, selector, method)
  if (!is.null(seen$kind)) seen$check()
  agree_on_targets(source, seen)
  seen$check()
  sets <- what == "label sets"
  pairs <- if (what == "label pairs") seq_along(source$targets)
  if (!is.null(counter$ones)) {
    return(new_mlcounts(counter$ones(selector, sets, pairs), source, seen, what, NULL))
  }
  summary <- with_memory_errors(summarize_source(source, counter, discretizer, for_traps))
  report_source_traps(source, summary, seen)
  levels <- source_levels(source, summary, seen, discretizer)
  fixed <- levels$levels %||% if (what != "targets") summary$counts$levels
  tables <- if (is.null(fixed)) summary$counts
  else if (!is.null(pairs)) count_pairs(counter, seen, fixed, pairs)
  else with_memory_errors(counter$tables(fixed, sets, NULL))
  new_mlcounts(tables, source, seen, what, levels$discretizer)
}

# The counts of the pairs of these labels, which are numbered anew, in one pass. `levels`: of the first passes.
count_pairs <- function(counter, seen, levels, labels) {
  n_columns <- length(labels) * (1L + seen$unknown)
  check_pair_tables(n_columns, sum(lengths(levels$at) - !levels$cut), length(labels))
  with_memory_errors(counter$tables(levels, FALSE, labels))
}

# Tables of the pairs of `n` target columns with so many levels of features have at most 12 bytes for each cell.
check_pair_tables <- function(n, n_levels, n_labels = n) {
  most <- getOption("mlsift.chunk_bytes", 512 * 2^20)
  bytes <- 12 * n_levels * n * (n - 1) / 2
  if (bytes <= most) return(invisible())
  abort(c("Tables of pairs of labels could need {format_count(ceiling(bytes / 2^20))} MB of memory.",
    x = "There are {format_count(n_labels)} labels; more than {format_count(floor(most / 2^20))} MB are not allowed.",
    i = "Use a criterion without pairs of labels, such as {.fn sel_scls}, or fewer labels.",
    i = "Most tables need less: set {.code options(mlsift.chunk_bytes = )} to allow more."))
}

# The result of the first pass, and which features have no values other than 0 and 1.
summarize_source <- function(source, counter, discretizer, inspect) {
  most <- rep(max(discretizer$params$bins, most_whole_levels(Inf)), length(source$features))
  most[source$discrete %in% TRUE] <- most_levels
  summary <- counter$summary(most, inspect)
  summary$zero_one <- vapply(summary$spread$distinct, function(values) all(values == 0 | values == 1), NA)
  summary
}

# The number of target columns that the core counts: labels, or those that are paired, followed by columns for the rows
# in which each is unknown, if any; or all classes of all targets.
n_target_columns <- function(source, seen, pairs = NULL) {
  if (seen$kind == "class") sum(lengths(seen$classes)) else length(pairs %||% source$targets) * (1L + seen$unknown)
}

# Adds to tables the information that they do not contain, see src/tables.cpp. `pairs`: whether they count label pairs.
mark_tables <- function(tables, rows, pairs = rows$pairs) {
  tables$pairs <- if (pairs) TRUE
  tables$classes <- if (rows$kind == "class") lengths(rows$classes, use.names = FALSE)
  tables$unknown <- if (rows$unknown) TRUE
  tables
}

most_levels <- 65536L

# list(levels, discretizer): the levels for a second pass, NULL if all features are 0/1; the discretizer if it is used.
source_levels <- function(source, summary, seen, discretizer) {
  check_source_missing(source, summary, discretizer)
  fitted <- inherits(discretizer, "mldiscretizer_fitted")
  at <- if (fitted) fitted_positions(discretizer, source$features)
  discrete <- if (fitted) unname(discretizer$discrete)[at] else discrete_in_source(source, summary, seen)
  used <- if (!all(discrete) || identical(discretizer$params$na, "level")) discretizer
  if (!fitted && all(summary$zero_one & discrete)) return(list(levels = NULL, discretizer = used))
  if (!fitted && !all(discrete)) check_can_cut(discretizer, source$features[!discrete][1L])
  cuts <- if (all(discrete)) NULL else if (fitted) discretizer$cuts[at]
  else spread_cuts(summary$spread, !discrete, discretizer)
  check_source_levels(source, summary, discrete)
  right <- !is.null(discretizer) && closed_right(discretizer)
  list(levels = fixed_levels(discrete, summary$spread$distinct, cuts, right), discretizer = used)
}

# Which features are discrete, by the rule of mltask() for all rows or as stated by the source.
discrete_in_source <- function(source, summary, seen) {
  spread <- summary$spread
  few <- spread$whole & lengths(spread$distinct) <= most_whole_levels(seen$counted) & 2 * spread$zero <= spread$rows
  ifelse(is.na(source$discrete), summary$categories | summary$zero_one | few, source$discrete)
}

check_source_levels <- function(source, summary, discrete) {
  many <- which(discrete & !summary$zero_one & lengths(summary$spread$distinct) > most_levels)
  if (length(many) == 0L) return(invisible())
  abort(c("A discrete feature must have at most 65,536 levels.",
    x = "Feature {.val {source$features[many[1]]}} has more.",
    i = "Leave it out if it numbers the rows; give it as doubles if it is a quantity."))
}

# The levels of each feature as the core takes them: its `values` if it is discrete, otherwise its intervals. 0 and 1
# are always levels, so that tables of parts of the rows add up to the table of all rows.
fixed_levels <- function(discrete, values, cuts, right) {
  at <- Map(function(discrete, values, cuts) if (discrete) sort(unique(c(0, 1, values))) else cuts,
    discrete, values, cuts %||% list(NULL))
  implied <- mapply(function(discrete, at) {
    if (discrete) match(0, at) - 1L else findInterval(0, at, left.open = right)
  }, discrete, at)
  list(at = unname(at), cut = !discrete, right = !discrete & right, implied = as.integer(implied))
}

check_source_missing <- function(source, summary, discretizer) {
  missing <- which(summary$spread$missing > 0)
  if (length(missing) == 0L || identical(discretizer$params$na, "level")) return(invisible())
  abort(c("Features must not have missing values here.",
    x = "Feature {.val {source$features[missing[1]]}} has {format_count(summary$spread$missing[missing[1]])}.",
    i = "Use a discretizer with {.code na = \"level\"}."))
}

# What can be determined before any row is read. Whether a feature is discrete may depend on its values.
check_discretizer_suits <- function(source, discretizer) {
  continuous <- source$features[source$discrete %in% FALSE]
  if (is_fitted(discretizer)) fitted_positions(discretizer, source$features)
  else if (length(continuous) > 0L) check_can_cut(discretizer, continuous[1L])
}

# `continuous`: the name of a feature.
check_can_cut <- function(discretizer, continuous) {
  if (is.null(discretizer)) abort(c("Features must be discrete.", x = "Feature {.val {continuous}} is continuous.",
    i = "Give a {.arg discretizer}, such as {.code disc_auto()}."))
  if (discretizer$method %in% c("equal_width", "presence", "auto")) return(invisible())
  abort(c("A source needs a discretizer that can be fitted to chunks.",
    x = "{.val {discretizer$name}} needs sorted values.",
    i = paste("Use {.fn disc_auto}, {.fn disc_equal_width} or {.fn disc_presence}, or one that was fitted to a",
      "task: {.code fit(discretizer, task)}.")))
}

spread_cuts <- function(spread, continuous, discretizer) {
  params <- discretizer$params
  zero_share <- switch(discretizer$method, equal_width = 1, presence = -1, params$zero_share)
  cpp_spread_cuts(spread, continuous, params$bins %||% 2L, closed_right(discretizer), zero_share)
}

# `seen`: its kind, classes, and what it knows of weights and unknown labels are kept.
new_mlcounts <- function(tables, source, seen, what, discretizer) {
  pairs <- what == "label pairs"
  saved_object(list(tables = mark_tables(tables, seen, pairs), features = source$features, targets = source$targets,
    discretizer = discretizer, name = source$name, kind = seen$kind, classes = seen$classes,
    weighted = isTRUE(seen$given[["weights"]]), unknown = seen$unknown, pairs = pairs), "mlcounts")
}

#' @rdname count_tables
#' @export
`+.mlcounts` <- function(e1, e2) {
  for (e in list(e1, e2)) if (!inherits(e, "mlcounts")) {
    abort(c("Tables of counts can be added to tables of counts only.", x = "This is {describe(e)}."))
  }
  for (what in c("features", "targets")) if (!identical(e1[[what]], e2[[what]])) {
    abort(c("Tables of counts must have the same {what}, in the same order, to be added.",
      i = "Name the columns alike in both tasks or sources."))
  }
  if (!identical(e1$classes, e2$classes)) abort(c("Tables of counts must have the same classes to be added.",
    i = "Use factors with the same levels in both tasks or sources."))
  if (e1$weighted != e2$weighted) {
    abort(c("Tables of counts must all be made with weights, or all without, to be added.",
      i = "Give the rows without weights the weight 1."))
  }
  if (counted_of(e1) != counted_of(e2)) abort(c("Tables of counts must count the same to be added.",
    x = "They count {counted_of(e1)} and {counted_of(e2)}.", i = "Make them all for one selector."))
  if (e1$unknown != e2$unknown) {
    e1 <- with_unknown_columns(e1)
    e2 <- with_unknown_columns(e2)
  }
  tables <- cpp_add_counts(e1$tables, e2$tables, TRUE)
  if (is.null(tables)) abort(c("Tables of counts must have the same intervals to be added.",
    i = "Fit a discretizer once, {.code fit(disc_auto(), task)}, and use it for all tables."))
  e1$tables <- mark_tables(tables, e1)
  e1
}

# What tables count with each feature.
counted_of <- function(counts) {
  if (!is.null(counts$tables$sets)) "label sets" else if (counts$pairs) "label pairs" else "targets"
}

# Tables with columns for unknown labels, even if there are none. Those of pairs stand behind the others too.
with_unknown_columns <- function(counts) {
  if (counts$unknown) return(counts)
  n <- 2L * length(counts$targets)
  if (counts$pairs) n <- n * (n + 1L) / 2L
  counts$tables$in_target <- c(counts$tables$in_target, numeric(n - length(counts$tables$in_target)))
  counts$tables$unknown <- counts$unknown <- TRUE
  counts
}

#' @export
print.mlcounts <- function(x, ...) {
  print_line(x, counted(x$tables$n, "row"), if (x$weighted) " by weight", ", ", counted(length(x$features), "feature"),
    ", ", counted(length(x$targets), source_target_word(x)), ": ", counted(length(x$tables$count), "cell"))
}

# Tables of label sets work with every selector that accepts tables, and those of pairs with most.
check_counts_suit <- function(counts, selector, method) {
  of <- counted_of(counts)
  if (method$counts %in% c("targets", of) || of == "label sets") return(invisible())
  abort(c("{selector$name} needs tables of {method$counts}.", x = "These are tables of {of}.",
    i = "Make them for this selector: {.code count_tables(task, selector)}."))
}

# Explains why a selector cannot work from `what`.
refuse_counts <- function(selector, method, what) {
  needs <- if (!is.null(method$beyond)) method$beyond
  else if (method$whole || is_search(method)) "all rows, because it runs other selectors or learners"
  else if (is_greedy(method) && !is.null(method$criterion) && what != "a source") "other counts at every step"
  else if (is_greedy(method) && identical(method$needs, "codes")) "counts of label sets"
  else if ("numbers" %in% method$needs) "the features as numbers, all rows at once"
  else if (length(method$needs) == 0L) "no counts"
  else "more than counts of each feature with each label"
  advice <- if (what == "a source") "Use a task, or a selector that {.help chunk_source} lists."
  else if (is.null(method$criterion)) "Use a task, or a selector that {.help count_tables} lists."
  else "Use a task, or a source of rows, see {.help chunk_source}."
  abort(c("{selector$name} cannot be computed from {what}.", x = "It needs {needs}.", i = advice))
}

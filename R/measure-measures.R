# The registry of measures, users' own ones, and the only place that computes several of them together.

# `family`: measures of one family are computed in one pass of the core (see `family_values`).
register_measure <- function(name, fun, needs, direction, range, title, source, family, kinds = "label") {
  register("measures", name, fun = fun, needs = needs, direction = direction, range = range, kinds = kinds,
    title = title, source = source, family = family)
}

#' List of measures
#'
#' @return A data frame with one row for each measure: `measure` (the bare name that `measures =` takes), `title`,
#'   `needs` (`"response"` or `"score"`), `direction` (`"minimize"` or `"maximize"`), `range_low`, `range_high`, `kinds`
#'   (of target) and `source`.
#' @seealso [evaluate()] and the pages of the measures: [msr_hamming_loss()], [msr_micro_f1()], [msr_ranking_loss()],
#'   [msr_macro_auc()], [msr_arrmse()] for numeric targets, and [msr_accuracy()] for classes; [msr_custom()] for your
#'   own.
#' @export
#' @examples
#' list_measures()[, c("measure", "needs", "direction")]
list_measures <- function() measure_table(registry$measures)

measure_table <- function(records) {
  text <- function(field) vapply(records, function(r) paste(r[[field]], collapse = ", "), "", USE.NAMES = FALSE)
  bound <- function(i) vapply(records, function(r) as.double(r$range[i]), 0, USE.NAMES = FALSE)
  data.frame(
    measure = names(records), title = text("title"), needs = text("needs"), direction = text("direction"),
    range_low = bound(1L), range_high = bound(2L), kinds = text("kinds"), source = text("source")
  )
}

#' Your own measure
#'
#' Turns a function into a measure, which [evaluate()] and benchmarks use like the built-in ones.
#'
#' @param name (string) Name of the measure in results.
#' @param fun (function) `fun(truth, response)` or `fun(truth, score)`, depending on `needs`. Its arguments are two
#'   matrices of rows x targets. Truth and response are integers 0 and 1 for labels, numbers for numeric targets, and
#'   text for classes. Scores are numbers; those of classes are a list with a matrix rows x categories for each target.
#'   It returns one number, or `NA` if the measure is not defined. If it has an argument `weights`, that gets the
#'   `weights` of [evaluate()], if there are any.
#' @param needs (string) Whether `fun` gets the responses or the scores.
#' @param direction (string) Whether small or large values are better.
#' @param range (two numbers) The smallest and the largest possible value.
#'
#' @return An object of class `mlmeasure`. Use it in `measures =`, alone or in a list with others.
#' @seealso [list_measures()], [evaluate()]
#' @export
#' @examples
#' size_error <- msr_custom("size_error", function(truth, response) {
#'   mean(abs(rowSums(truth) - rowSums(response)))
#' }, range = c(0, Inf))
#' size_error
msr_custom <- function(name, fun, needs = c("response", "score"), direction = c("minimize", "maximize"),
                       range = c(-Inf, Inf)) {
  check_string(name)
  check_function(fun)
  needs <- check_choice(needs, c("response", "score"))
  direction <- check_choice(direction, c("minimize", "maximize"))
  if (!is.numeric(range) || length(range) != 2L || anyNA(range) || range[1L] >= range[2L]) {
    found <- if (is.numeric(range) && length(range) <= 4L) deparse(range) else describe(range)
    abort(c("{.arg range} must be two numbers, the smaller first.", x = "It is {found}."))
  }
  structure(
    list(method = name, fun = fun, needs = needs, direction = direction, range = as.double(range),
      kinds = c("label", "class", "numeric"), title = name, source = "user"),
    class = "mlmeasure"
  )
}

#' @export
print.mlmeasure <- function(x, ...) {
  refuse_dots(...)
  cat("<mlmeasure> ", x$title, ": ", x$direction, ", needs ", x$needs, ", range ", format(x$range[1L]), " to ",
    format(x$range[2L]), "\n", sep = "")
  invisible(x)
}

# Named list of measure records from bare names, `msr_custom()` objects or a list of both; NULL: all of that kind.
# `whose`: the targets that are measured, in words.
resolve_measures <- function(measures, kind = "label", call = rlang::caller_env(), whose = NULL) {
  if (is.null(measures)) return(Filter(function(r) kind %in% r$kinds, registry$measures))
  if (inherits(measures, "mlmeasure")) measures <- list(measures)
  if (!(is.character(measures) || is.list(measures)) || length(measures) == 0L) {
    found <- if (is.function(measures)) "a function" else describe(measures)
    abort(c("{.arg measures} must be names of measures, measures made by {.fn msr_custom}, or a list of both.",
      x = "It is {found}.", i = "{.run mlsift::list_measures()} shows the names."), call = call)
  }
  records <- lapply(measures, resolve_measure, kind = kind, call = call, whose = whose)
  given <- names(measures) %||% rep("", length(measures))
  names(records) <- ifelse(nzchar(given), given, vapply(records, function(r) r$method, ""))
  twice <- names(records)[duplicated(names(records))]
  if (length(twice)) {
    abort(c("Measures must have different names.", x = "{.val {twice[1]}} is there twice.",
      i = "Name the elements of the list: {.code list(a = , b = )}."), call = call)
  }
  records
}

resolve_measure <- function(measure, kind, call, whose) {
  record <- if (inherits(measure, "mlmeasure")) measure
  else if (is.character(measure) && length(measure) == 1L && !is.na(measure)) find_measure(measure, call)
  if (is.null(record)) {
    abort(c("Each of {.arg measures} must be the name of a measure or made by {.fn msr_custom}.",
      x = "One is {describe(measure)}."), call = call)
  }
  if (!kind %in% record$kinds) {
    whose <- upper_first(whose %||% "these targets")
    fitting <- names(Filter(function(r) kind %in% r$kinds, registry$measures))
    abort(c("Measure {.val {record$method}} is for targets of kind {.or {.val {record$kinds}}}.",
      x = "{whose} are of kind {.val {kind}}.",
      i = if (length(fitting)) "{.fn list_measures} shows those for them, such as {.val {fitting[1]}}."),
    call = call)
  }
  record
}

find_measure <- function(name, call) {
  record <- registered("measures", name)
  if (!is.null(record)) return(record)
  near <- nearest_name(sub("^msr_", "", name), names(registry$measures))
  abort(c("There is no measure {.val {name}}.",
    i = if (!is.null(near)) "Did you mean {.val {near}}?" else "{.run mlsift::list_measures()} shows all."),
  call = call)
}

# The values of a family if some true labels are NA, computed from the known cells of rows that count.
known_family_values <- function(family, input) {
  value <- family_values[[family]]
  known <- !is.na(input$truth)
  known[input$weights == 0, ] <- FALSE
  if (!any(known)) abort(c("{.arg truth} must be known in at least one cell.",
    x = paste0("All of it is NA", if (!all(is.na(input$truth))) " in the rows whose weight is above 0", ".")),
  call = input$call)
  # Cells as one column: all known cells, or those of label l.
  pooled <- function(l = NULL) {
    part <- function(x) if (!is.null(x)) matrix(if (is.null(l)) x[known] else x[known[, l], l])
    weights <- if (length(input$weights) > 0L) part(matrix(input$weights, nrow(known), ncol(known)))
    utils::modifyList(input, list(truth = part(input$truth), response = part(input$response), score = part(input$score),
      weights = as.double(weights)))
  }
  by_label <- function() {
    labels <- which(colSums(known) > 0L)
    vapply(labels, function(l) value(pooled(l)), value(pooled()))
  }
  switch(family,
    overlap = known_overlaps(input, known, value, pooled, by_label),
    ranking = value(input),
    micro_auc = , micro_auprc = , log_loss = value(pooled()),
    macro_auc = , macro_auprc = stats::setNames(mean_defined(by_label()), family)
  )
}

# The mean of the values of labels or targets, without those that are not defined.
mean_defined <- function(values) if (all(is.na(values))) NA_real_ else mean(values, na.rm = TRUE)

# Hamming loss and micro averages use all known cells, averages over labels use the rows in which each label is known,
# and averages over rows use the known labels of each row.
known_overlaps <- function(input, known, value, pooled, by_label) {
  all <- value(pooled())
  rows <- rowSums(known) > 0
  cleared <- function(x) {
    x[!known] <- 0L
    x[rows, , drop = FALSE]
  }
  weights <- if (length(input$weights) > 0L) input$weights[rows] else numeric()
  result <- value(utils::modifyList(input,
    list(truth = cleared(input$truth), response = cleared(input$response), weights = weights)))
  each <- by_label()
  macro <- startsWith(names(result), "macro_")
  result[macro] <- rowMeans(each, na.rm = TRUE)[macro]
  pooled_values <- startsWith(names(result), "micro_") | names(result) == "hamming_loss"
  result[pooled_values] <- all[pooled_values]
  weighted <- startsWith(names(result), "weighted_")
  if (any(startsWith(input$asked, "weighted_"))) {
    labels <- which(colSums(known) > 0L)
    w <- if (length(input$weights) > 0L) input$weights else rep(1, nrow(known))
    n_true <- colSums(input$truth[, labels, drop = FALSE] * w, na.rm = TRUE)
    result[weighted] <- if (sum(n_true) > 0) {
      apply(each[weighted, , drop = FALSE], 1, function(v) sum(v * n_true) / sum(n_true))
    } else all[sub("weighted", "micro", names(result)[weighted])]
  }
  result[is.nan(result)] <- NA
  result
}

# One pass of the core gives all measures of a family, by the default rules. `input`: the inputs that compute_measures()
# has checked, and the measures `asked` for.
family_values <- list(
  overlap = function(input) {
    beta <- if (any(endsWith(input$asked, "fbeta"))) 2 else 0
    cpp_overlap_measures(input$truth, input$response, 1, 0, 0, beta, input$weights)
  },
  ranking = function(input) {
    rules <- core_ranking_rules(conventions$default, divisor = ncol(input$truth))
    cpp_ranking_measures(input$truth, input$score, rules, input$threads, input$weights)
  },
  macro_auc = function(input) {
    undefined <- conventions$default$keep_undefined
    c(macro_auc = cpp_macro_auc(input$truth, input$score, undefined, input$threads, input$weights))
  },
  micro_auc = function(input) c(micro_auc = cpp_micro_auc(input$truth, input$score, input$weights)),
  macro_auprc = function(input) {
    empty <- conventions$default$auprc_empty
    c(macro_auprc = cpp_macro_auprc(input$truth, input$score, empty, input$threads, input$weights))
  },
  micro_auprc = function(input) c(micro_auprc = cpp_micro_auprc(input$truth, input$score, input$weights)),
  log_loss = function(input) c(log_loss = log_loss_value(input$truth, input$score, input$call, input$weights)),
  regression = function(input) {
    regression_values(input$truth, input$response, input$train_mean, input$asked, input$call, input$weights)
  },
  class_response = function(input) class_response_values(input$truth, input$response, input$weights),
  class_score = function(input) {
    class_score_values(input$truth, input$score, input$asked, input$call, input$weights)
  }
)

# Values of measures (records from `resolve_measures()`), a named vector. `prediction` has `$response` and `$score`.
# Inputs are checked once; measures of one family are computed together. `kind`: of the targets. `train_mean`: for
# measures of numeric targets that compare with the mean of the training rows, as as_train_mean() takes it. `weights`:
# one for each row, or NULL for those of a task.
compute_measures <- function(records, truth, prediction, kind = "label", train_mean = NULL, threads = NULL,
                             call = rlang::caller_env(), weights = NULL) {
  threads <- resolve_threads(threads, call = call)
  if (inherits(truth, "mltask")) {
    weights <- weights %||% truth$rows$weights
    truth$rows$weights <- NULL
  }
  truth <- as_truth(truth, call, kind, unknown = TRUE)
  unknown <- kind == "label" && anyNA(truth)
  weights <- check_weights(weights, nrow(truth), call)
  needs <- vapply(records, function(r) r$needs, "")
  part <- function(name, convert) if (name %in% needs) prediction_part(prediction, name, records, truth, convert, call)
  response <- part("response", function(x, arg, call) as_target_values(x, arg, kind, call))
  class_scores <- function(x, arg, call) as_class_scores(x, arg, truth, call)
  score <- part("score", if (kind == "class") class_scores else as_scores)
  asked <- unlist(lapply(records, function(r) if (!is.null(r$family)) r$method), use.names = FALSE)
  train_mean <- if ("arrmse" %in% asked) as_train_mean(train_mean, truth, call)
  input <- list(truth = truth, response = response, score = score, train_mean = train_mean, asked = asked,
    threads = threads, call = call, weights = weights)

  families <- unique(unlist(lapply(records, function(r) r$family), use.names = FALSE))
  known <- unlist(lapply(families, function(family) {
    if (unknown) known_family_values(family, input) else family_values[[family]](input)
  }))
  value <- function(record) {
    if (!is.null(record$family)) return(known[[record$method]])
    custom_value(record, truth, if (record$needs == "score") score else response, call, weights)
  }
  vapply(records, value, 0)
}

# For many predictions of the same labels by our own learners: a function of list(score, response), either of which may
# be missing. It returns the value of a built-in measure without redundant checks. NULL for other measures.
direct_measure <- function(record, truth, weights, threads, call = rlang::caller_env()) {
  families <- c("overlap", "ranking", "macro_auc", "micro_auc", "macro_auprc", "micro_auprc", "log_loss")
  if (inherits(record, "mlmeasure") || !record$family %in% families) return(NULL)
  input <- list(truth = as_truth(truth, call), threads = resolve_threads(threads, call = call), call = call,
    asked = record$method, weights = weights %||% numeric())
  values <- family_values[[record$family]]
  function(answer) {
    input$score <- answer$score
    input$response <- answer$response
    if (record$needs == "response" && is.null(answer$response)) input$response <- cpp_response(answer$score, 0.5)
    values(input)[[record$method]]
  }
}

prediction_part <- function(prediction, part, records, truth, convert, call) {
  x <- prediction[[part]]
  if (is.null(x)) {
    who <- Find(function(r) r$needs == part, records)$method
    abort(c("Measure {.val {who}} needs {part}s.", x = "The prediction has none."), call = call)
  }
  x <- convert(x, "prediction", call)
  if (is.matrix(x)) check_same_shape(truth, x, "prediction", call)
  x
}

custom_value <- function(record, truth, predicted, call, weights = numeric()) {
  if (anyNA(truth) && is.integer(truth)) {
    abort(c("Measure {.val {record$method}} cannot be used where labels are unknown.",
      x = "{sum(is.na(truth))} of the true labels {?is/are} NA."), call = call)
  }
  if (length(weights) > 0L && !"weights" %in% names(formals(args(record$fun)))) {
    abort(c("Measure {.val {record$method}} does not take {.arg weights}.",
      i = "Its function needs an argument of this name: {.code function(truth, {record$needs}, weights)}."),
    call = call)
  }
  run <- function() {
    if (length(weights) > 0L) record$fun(truth, predicted, weights = weights) else record$fun(truth, predicted)
  }
  value <- catch_error(run(), function(e) {
    abort("Measure {.val {record$method}} failed.", parent = e, call = call)
  })
  if (length(value) != 1L || !(is.numeric(value) || is.na(value))) {
    abort(c("A measure must return one number.", x = "{.val {record$method}} returned {describe(value)}."), call = call)
  }
  as.double(value)
}

# The name of one measure, or one made by msr_custom().
check_one_measure <- function(measure, arg = rlang::caller_arg(measure), call = rlang::caller_env()) {
  one <- is.character(measure) && length(measure) == 1L && !is.na(measure)
  if (!one && !inherits(measure, "mlmeasure")) {
    abort(c("{.arg {arg}} must be the name of one measure, or one made by {.fn msr_custom}.",
      x = "It is {describe(measure)}."), call = call)
  }
  if (one) find_measure(measure, call)
  invisible(measure)
}

# The only place that computes measures: for msr_*(), evaluate(), benchmarks, and searches.

# One pass of the core gives all measures of a family. `input`: the inputs that compute_measures() has checked. `rules`:
# see measure_rules(). `asked`: the measures that are wanted.
measure_families <- list(
  overlap = function(input, rules, asked) {
    # Leaving out F-beta saves time.
    beta <- if (any(endsWith(asked, "fbeta"))) rules$beta else 0
    cpp_overlap_measures(input$truth, input$response, rules$empty, rules$smooth, rules$undefined, beta, input$weights)
  },
  ranking = function(input, rules, asked) {
    cpp_ranking_measures(input$truth, input$score, rules, input$threads, input$weights)
  },
  macro_auc = function(input, rules, asked) {
    c(macro_auc = cpp_auc(input$truth, input$score, FALSE, rules$keep_undefined, input$threads, input$weights))
  },
  micro_auc = function(input, rules, asked) {
    c(micro_auc = cpp_auc(input$truth, input$score, TRUE, FALSE, input$threads, input$weights))
  },
  macro_auprc = function(input, rules, asked) {
    c(macro_auprc = cpp_auprc(input$truth, input$score, FALSE, rules$auprc_empty, input$threads, input$weights))
  },
  micro_auprc = function(input, rules, asked) {
    c(micro_auprc = cpp_auprc(input$truth, input$score, TRUE, NaN, input$threads, input$weights))
  },
  log_loss = function(input, rules, asked) {
    odd <- range(input$score)
    odd <- format(odd[odd < 0 | odd > 1])
    if (length(odd) > 0L) abort(c("Log loss needs probabilities: scores from 0 to 1.",
      x = "There is a score of {odd[1]}."))
    c(log_loss = cpp_log_loss(input$truth, input$score, input$weights))
  },
  regression = function(input, rules, asked) {
    regression_values(input$truth, input$response, input$train_mean, asked, input$weights)
  },
  class_response = function(input, rules, asked) class_response_values(input$truth, input$response, input$weights),
  class_score = function(input, rules, asked) {
    class_score_values(input$truth, input$score, asked, input$weights)
  }
)

# The values of measures, a vector with their names. `prediction` has `$response` and `$score`. Inputs are checked once,
# and measures of the same family and rules are computed together. `kind`: of the targets. `train_mean`: for measures of
# numeric targets that compare with the mean of the training rows, as as_train_mean() takes it. `weights`: one for each
# row, or NULL for those of a task. `arg`, `whose`: what errors call the prediction.
compute_measures <- function(measures, truth, prediction, kind = "label", train_mean = NULL, threads = NULL,
                             weights = NULL, arg = "x", whose = "The prediction") {
  threads <- resolve_threads(threads)
  if (inherits(truth, "mltask")) {
    weights <- weights %||% truth$rows$weights
    truth$rows$weights <- NULL
  }
  truth <- as_truth(truth, kind)
  weights <- check_weights(weights, nrow(truth))
  check_some_known(truth, weights, kind)
  part <- function(name, convert) {
    first <- Find(function(m) m$needs == name, measures)
    if (is.null(first)) return(NULL)
    if (is.null(prediction[[name]])) abort(c("Measure {.val {first$name}} needs {name}s.", x = "{whose} has none."))
    x <- convert(prediction[[name]], arg)
    if (is.matrix(x)) check_same_shape(truth, x, arg)
    x
  }
  # Users' learners of classes may also give one score for each target, which only users' own measures read.
  scores <- function(x, arg) {
    if (kind == "class" && is.list(x) && !is.data.frame(x)) as_category_scores(x, arg, truth) else as_scores(x, arg)
  }
  input <- list(truth = truth, threads = threads, weights = weights,
    response = part("response", function(x, arg) as_target_values(x, arg, kind)),
    score = part("score", scores))
  methods <- unlist(lapply(measures, function(m) m$method))
  if ("arrmse" %in% methods) input$train_mean <- as_train_mean(train_mean, truth)

  values <- stats::setNames(rep(NA_real_, length(measures)), names(measures))
  own <- vapply(measures, is_own_measure, NA)
  rules <- lapply(measures[!own], measure_rules)
  for (one in unique(rules)) {
    at <- which(!own)[vapply(rules, identical, NA, one)]
    asked <- vapply(measures[at], function(m) m$method, "")
    values[at] <- measure_families[[one$family]](input, one, asked)[asked]
  }
  for (i in which(own)) values[i] <- custom_value(measures[[i]], truth, input[[measures[[i]]$needs]], weights)
  values
}

check_some_known <- function(truth, weights, kind) {
  if (kind != "label" || !anyNA(truth)) return(invisible())
  known <- rowSums(!is.na(truth)) > 0
  if (any(known & (if (length(weights) > 0L) weights > 0 else TRUE))) return(invisible())
  abort(c("{.arg truth} must be known in at least one cell.",
    x = paste0("All of it is NA", if (any(known)) " in the rows whose weight is above 0", ".")))
}

# For many predictions of the same labels by our own learners: a function of list(score, response), either of which may
# be missing. It returns the value of a measure of labels without redundant checks. NULL for other measures.
direct_measure <- function(measure, truth, weights, threads) {
  if (is_own_measure(measure) || !"label" %in% measure$kinds) return(NULL)
  input <- list(truth = as_truth(truth), threads = resolve_threads(threads), weights = weights %||% numeric())
  rules <- measure_rules(measure)
  values <- measure_families[[rules$family]]
  function(answer) {
    input$score <- answer$score
    input$response <- answer$response
    if (measure$needs == "response" && is.null(answer$response)) input$response <- cpp_response(answer$score, 0.5)
    values(input, rules, measure$method)[[measure$method]]
  }
}

custom_value <- function(measure, truth, predicted, weights = numeric()) {
  if (anyNA(truth) && is.integer(truth)) abort(c(
    "Measure {.val {measure$name}} cannot be used where labels are unknown.",
    x = "{sum(is.na(truth))} of the true labels {?is/are} NA."))
  if (length(weights) > 0L && !"weights" %in% names(formals(args(measure$fun)))) abort(c(
    "Measure {.val {measure$name}} does not take {.arg weights}.",
    i = "Its function needs an argument of this name: {.code function(truth, {measure$needs}, weights)}."
  ))
  value <- catch_error(
    if (length(weights) > 0L) measure$fun(truth, predicted, weights = weights) else measure$fun(truth, predicted),
    function(e) abort("Measure {.val {measure$name}} failed.", parent = e)
  )
  if (length(value) != 1L || !(is.numeric(value) || is.na(value))) abort(c("A measure must return one number.",
    x = "{.val {measure$name}} returned {describe(value)}."))
  as.double(value)
}

#' How many features?
#'
#' Chooses the number of features by resampling. On each split, features are selected on the training rows and a learner
#' is assessed on the test rows with the first `k` of them, for each `k`. The mean over splits is the curve from which
#' `k` is chosen. The features are then selected on all rows.
#'
#' `sel_tuned()` makes a selector of this: within [sift_features()] it gives the chosen number of features, and within
#' [benchmark_selectors()] it chooses anew on the training rows of each split. So the benchmark's test rows play no part
#' in the choice.
#'
#' @param task (`mltask`) The data.
#' @param selector (`mlselector`) One selector.
#' @param learner (`mllearner`) One learner.
#' @param measure The name of one measure, such as `"hamming_loss"`, or one made by [msr_custom()].
#' @param k (counts) The numbers of features to try. Those above the number of features of the task are left out.
#' @param resampling How rows are split: [rs_cv()], [rs_holdout()], ...
#' @param rule `"best"` takes the `k` of the best mean, of equal ones the smallest. `"one-se"` takes the smallest `k`
#'   whose mean is within one standard error of the best.
#' @param discretizer,impute,target_bins,threads As in [benchmark_selectors()].
#' @return `tune_k()` gives an object of class `mltuning`, a list with
#'   - `k`: the chosen number of features;
#'   - `curve`: a data frame with the columns `k`, `mean`, `sd`, `se` (the standard error of the mean) and `n_splits`;
#'   - `selection`: the selection on all rows, see [sift_features()].
#'
#'   `plot()` draws the curve, and [selected()] gives the names of the features. `sel_tuned()` gives a selector.
#' @references Breiman, Friedman, Olshen and Stone (1984). Classification and regression trees, section 3.4.3 (the rule
#'   of one standard error). Wadsworth.
#' @family selection
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(120, n_features = 15, n_targets = 3)
#' tuned <- tune_k(task, sel_mim(), lrn_nb(), "hamming_loss", k = 1:8, resampling = rs_cv(3))
#' tuned
#' selected(tuned)
#' plot(tuned)
#' @export
tune_k <- function(task, selector, learner, measure, k, resampling = rs_cv(5), rule = c("best", "one-se"),
                   discretizer = disc_auto(), impute = NULL, target_bins = NULL, threads = NULL) {
  call <- rlang::current_env()
  check_mltask(task)
  params <- tuning_params(selector, learner, measure, k, resampling, rule, call)
  options <- list(discretizer = discretizer, impute = impute, target_bins = target_bins, threads = threads)
  tune_number(task, params, options, call)
}

#' @rdname tune_k
#' @export
sel_tuned <- function(selector, learner, measure, k, resampling = rs_cv(5), rule = c("best", "one-se")) {
  params <- tuning_params(selector, learner, measure, k, resampling, rule, rlang::current_env())
  new_selector(paste0(selector$name, " (tuned)"), "tuned", params)
}

tuning_params <- function(selector, learner, measure, k, resampling, rule, call) {
  check_selector(selector, call = call)
  check_learner(learner, call = call)
  check_one_measure(measure, call = call)
  if (!is.numeric(k) || length(k) == 0L || anyNA(k) || any(k < 1 | k != round(k))) {
    abort(c("{.arg k} must be whole numbers of features, 1 or more.", x = "It is {describe(k)}."), call = call)
  }
  check_resampling(resampling, call = call)
  list(
    selector = selector, learner = learner, measure = measure, k = sort(unique(as.integer(k))), resampling = resampling,
    rule = check_choice(rule, c("best", "one-se"), call = call)
  )
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

# `options`: discretizer, impute, target_bins and threads of benchmark_selectors().
tune_number <- function(task, params, options, call) {
  k <- params$k[params$k <= ncol(task$x)]
  if (length(k) == 0L) {
    abort(c("{.arg k} must have a number that is not above that of the features.",
      x = "The smallest is {min(params$k)}; the task has {ncol(task$x)} feature{?s}."), call = call)
  }
  measure <- params$measure
  bench <- benchmark_selectors(
    list(task = task), list(selector = params$selector), list(learner = params$learner), params$resampling, k,
    if (inherits(measure, "mlmeasure")) list(measure) else measure, discretizer = options$discretizer,
    impute = options$impute, target_bins = options$target_bins, progress = FALSE, threads = options$threads
  )
  curve <- tuning_curve(bench)
  usable <- curve[!is.na(curve$mean), ]
  if (nrow(usable) == 0L) {
    reason <- commonest(failures(bench)$message)
    abort(c("No number of features could be assessed on every split.", x = if (!is.null(reason)) "{reason}"),
      call = call)
  }
  direction <- attr(bench, "measures")$direction
  chosen <- choose_number(usable, direction, params$rule)
  bins <- options$target_bins
  if (task_kind(task) != "numeric" || !bins_targets(params$selector, bins)) bins <- NULL
  whole <- if (is.null(options$impute)) task else stats::predict(generics::fit(options$impute, task), task)
  selection <- sift_features(
    whole, params$selector, chosen, discretizer = options$discretizer, target_bins = bins, threads = options$threads
  )
  structure(
    list(k = chosen, curve = curve, selection = selection, measure = attr(bench, "measures")$measure,
      direction = direction, rule = params$rule, learner = params$learner$name),
    class = "mltuning"
  )
}

tuning_curve <- function(bench) {
  values <- split(bench$value, bench$k)
  n <- lengths(values)
  sd <- vapply(values, stats::sd, 0)
  data.frame(
    k = as.integer(names(values)), mean = vapply(values, mean, 0), sd = sd, se = sd / sqrt(n), n_splits = n,
    row.names = NULL
  )
}

choose_number <- function(curve, direction, rule) {
  loss <- if (direction == "maximize") -curve$mean else curve$mean
  best <- which.min(loss)
  if (rule == "best") return(curve$k[best])
  margin <- if (is.na(curve$se[best])) 0 else curve$se[best]
  min(curve$k[loss <= loss[best] + margin])
}

#' @export
print.mltuning <- function(x, ...) {
  refuse_dots(...)
  at <- x$curve[x$curve$k == x$k, ]
  rule <- c(best = "the best mean", "one-se" = "the smallest within one standard error of the best mean")[[x$rule]]
  cat("<mltuning> k = ", x$k, ", ", rule, " of ", nrow(x$curve), " tried\n", sep = "")
  cat(x$measure, " of ", x$learner, ": ", format(at$mean, digits = 4), " \u00b1 ", format(at$se, digits = 2),
    " (mean and standard error over ", counted(at$n_splits, "split"), ")\n", sep = "")
  cat("features: ", paste(utils::head(x$selection$feature, 6L), collapse = ", "), if (x$k > 6L) ", ...", "\n", sep = "")
  invisible(x)
}

#' @rdname tune_k
#' @param x,object An `mltuning`.
#' @param base_size Size of the text, in points.
#' @param width As in [plot.mlselection()].
#' @param ... Arguments for `autoplot()`. Others give an error.
#' @export
plot.mltuning <- function(x, width = NULL, ...) draw(autoplot.mltuning(x, width = device_width(width), ...))

#' @rdname tune_k
#' @method autoplot mltuning
#' @export
autoplot.mltuning <- function(object, base_size = 11, width = NULL, ...) {
  refuse_dots(...)
  room <- picture_room(width, base_size)
  curve <- object$curve[!is.na(object$curve$mean), ]
  curve$low <- curve$mean - curve$se
  curve$high <- curve$mean + curve$se
  chosen <- curve[curve$k == object$k, ]
  band <- curve[!is.na(curve$se), ]
  ggplot2::ggplot(curve, ggplot2::aes(.data$k, .data$mean)) +
    ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$low, ymax = .data$high), band, fill = calm, alpha = 0.15) +
    ggplot2::geom_line(color = calm, linewidth = 0.7) +
    ggplot2::geom_point(color = calm, size = 1.6) +
    ggplot2::geom_point(data = chosen, color = accent, size = 3.5, shape = 1, stroke = 1.1) +
    ggplot2::scale_x_continuous(breaks = whole_breaks) +
    ggplot2::labs(x = "features", y = measure_title(object$measure),
      title = fold_title(selection_title(object$selection), room),
      subtitle = fold_title(paste0("Mean and standard error over ", counted(max(curve$n_splits), "split"),
        "; the circle marks the chosen k = ", object$k), room)) +
    theme_mlsift(room$base_size)
}

register_selector("tuned",
  constructor = "sel_tuned(sel_mim(), lrn_nb(), \"hamming_loss\", k = 1:10)",
  name = "MIM-BR (tuned)", source = "mlsift", whole = TRUE,
  kinds = function(params) learner_method(params$learner)$kinds, needs = character(),
  variants = list(list(learner = lrn_nb(), selector = sel_none())),
  gives = function(params) if (selector_method(params$selector)$gives == "set") "set" else "path",
  run = function(input, params) {
    columns <- which(!input$excluded)
    options <- list(discretizer = input$discretizer, target_bins = input$target_bins, threads = asked_threads(input))
    tuned <- tune_number(input$task[, columns], params, options, input$call)
    found <- tuned$selection
    list(index = columns[found$index], score = found$score, ordered = !anyNA(found$rank), note = paste0(
      "k = ", tuned$k, " was chosen by ", tuned$measure, " of ", tuned$learner
    ))
  }
)

# Predictions beside the data.

#' @rdname tidy_results
#' @importFrom generics augment
#' @method augment mlmodel
#' @export
augment.mlmodel <- function(x, newdata, threshold = 0.5, threads = NULL, ...) {
  if (missing(newdata)) abort("{.arg newdata} must be given: a model does not keep its rows.")
  augmented(newdata, predict(x, newdata, threshold, threads), x)
}

# New data with the predictions of a model.
augmented <- function(data, prediction, model) {
  features <- if (inherits(data, "mltask")) data$x else data
  features <- if (is_sparse(features)) as.data.frame(as.matrix(with_values(features))) else as.data.frame(features)
  response <- as.data.frame(prediction$response)
  if (is.list(prediction$score)) {
    response[] <- Map(\(class, scores) factor(class, colnames(scores)), response, prediction$score)
  }
  names(response) <- paste0(".pred_", model$target_names)
  parts <- list(features, response)
  if (is.matrix(prediction$score) && !identical(model$kind, "numeric")) {
    parts <- c(parts, list(named_scores(prediction$score, model$target_names)))
  } else if (is.list(prediction$score)) {
    of <- Map(\(scores, target) named_scores(scores, paste(target, colnames(scores), sep = "_")), prediction$score,
      model$target_names)
    parts <- c(parts, unname(of))
  }
  result_frame(do.call(cbind, parts))
}

named_scores <- function(scores, names) {
  scores <- as.data.frame(scores)
  stats::setNames(scores, paste0(".score_", names))
}

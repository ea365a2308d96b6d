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
  score <- prediction$score
  if (is.list(score)) response[] <- Map(\(class, of) factor(class, colnames(of)), response, score)
  names(response) <- paste0(".pred_", model$target_names)
  scores <- if (is.list(score)) {
    unname(Map(\(of, target) named_scores(of, paste(target, colnames(of), sep = "_")), score, model$target_names))
  } else if (is.matrix(score) && !identical(model$kind, "numeric")) {
    list(named_scores(score, model$target_names))
  }
  result_frame(do.call(cbind, c(list(features, response), scores)))
}

named_scores <- function(scores, names) {
  scores <- as.data.frame(scores)
  stats::setNames(scores, paste0(".score_", names))
}

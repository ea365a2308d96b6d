# The result of predict(): the matrices `score` (NULL for numbers) and `response`, rows x targets. A missing response of
# labels is derived from the score and the threshold. The score of classes may be a list of matrices rows x categories,
# one for each target; the response is then derived from it too.
new_mlprediction <- function(score, response, threshold, rows, targets) {
  names <- list(rows, targets)
  if (is.list(score)) {
    if (is.null(response)) response <- best_categories(score)
    score <- lapply(stats::setNames(score, targets), `rownames<-`, rows)
  } else if (!is.null(score)) {
    storage.mode(score) <- "double"
    dimnames(score) <- names
  }
  if (is.null(response)) response <- cpp_response(score, threshold) else dimnames(response) <- names
  structure(list(score = score, response = response), class = "mlprediction")
}

#' @export
dim.mlprediction <- function(x) dim(x$response)

#' @export
print.mlprediction <- function(x, n = 6L, digits = 4, ...) {
  digits <- check_count(digits, max = 15)
  cat("<mlprediction> ", counted(nrow(x$response), "row"), ", ", counted(ncol(x$response), "target"), "\n", sep = "")
  shown <- as.data.frame(utils::head(x, n))
  for (part in c("score", "response")) if (is.double(shown[[part]])) {
    shown[[part]] <- format(shown[[part]], digits = digits)
  }
  print(shown[seq_len(min(nrow(shown), n)), ], row.names = FALSE)
  left <- length(x$response) - min(nrow(shown), n)
  if (left > 0L) cat("# ", format_count(left), " more; as.data.frame() gives all\n", sep = "")
  invisible(x)
}

#' @export
head.mlprediction <- function(x, n = 6L, ...) {
  keep <- seq_len(min(check_count(n), nrow(x$response)))
  rows_of <- function(m) if (is.list(m)) lapply(m, rows_of) else if (!is.null(m)) m[keep, , drop = FALSE]
  x[] <- lapply(x, rows_of)
  x
}

#' @export
as.data.frame.mlprediction <- function(x, row.names = NULL, optional = FALSE, ...) {
  refuse_dots(..., allowed = frame_arguments)
  n <- nrow(x$response)
  targets <- colnames(x$response)
  # Row by row, so that the table starts with the first rows.
  long <- function(m) as.vector(t(m))
  result <- data.frame(row = rep(seq_len(n), each = length(targets)), target = rep(targets, n))
  if (is.list(x$score)) result$score <- long(chosen_scores(x))
  else if (!is.null(x$score)) result$score <- long(x$score)
  result$response <- long(x$response)
  result
}

# The scores of the predicted categories, rows x targets; NA for a category without a score.
chosen_scores <- function(x) {
  columns <- Map(function(one, t) {
    one[cbind(seq_len(nrow(one)), match(x$response[, t], colnames(one)))]
  }, unname(x$score), seq_along(x$score))
  matrix(unlist(columns), nrow(x$response))
}

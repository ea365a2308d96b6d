# Measures of classes: values over targets, and checks of scores.

# Means over targets, by the name of the measure.
class_response_values <- function(truth, response, weights) {
  mean_over_targets(seq_len(ncol(truth)), function(t) {
    found <- unique(c(truth[, t], response[, t]))
    words <- number_words(found)
    code <- match(words, unique(words))
    cpp_class_fit(code[match(truth[, t], found)], code[match(response[, t], found)], max(code), weights)
  })
}

# "1e+05", as R writes the number, is the category "100000", as it writes the integer.
number_words <- function(text) {
  at <- grep("^-?[0-9]+([.][0-9]+)?e[+][0-9]+$", text)
  text[at] <- sprintf("%.15g", as.double(text[at]))
  text
}

# `score`: a list of matrices as as_category_scores() gives it.
class_score_values <- function(truth, score, asked, weights) {
  if (!is.list(score)) score <- as_category_scores(score, "prediction", truth)
  if ("class_log_loss" %in% asked) check_probabilities(score, colnames(truth))
  mean_over_targets(seq_len(ncol(truth)), function(t) {
    known <- unique(truth[, t])
    categories <- unique(number_words(c(colnames(score[[t]]), known)))
    code <- match(number_words(known), categories)
    more <- matrix(0, nrow(truth), length(categories) - ncol(score[[t]]))
    cpp_class_scores_fit(code[match(truth[, t], known)], cbind(score[[t]], more), weights)
  })
}

mean_over_targets <- function(targets, values_of) {
  apply(do.call(rbind, lapply(targets, values_of)), 2L, mean_defined)
}

# Scores of categories: for each target a numeric matrix rows x categories, whose column names are the categories.
as_category_scores <- function(x, arg, truth) {
  if (!is.list(x) || is.data.frame(x)) x <- list(x)
  q <- ncol(truth)
  if (length(x) != q) abort(c("{.arg {arg}} must be a list with a matrix of scores for each of the {q} target{?s}.",
    x = "It has {length(x)}."))
  if (!is.null(names(x)) && !is.null(colnames(truth)) && !identical(names(x), colnames(truth))) {
    odd <- which(names(x) != colnames(truth))[1L]
    abort(c("{.arg {arg}} must hold the scores of the targets in their order.",
      x = "Matrix {odd} is named {.val {names(x)[odd]}}; target {odd} is {.val {colnames(truth)[odd]}}."))
  }
  lapply(x, function(one) {
    one <- as_finite(one, arg, "a numeric matrix of rows x categories, or a list of such matrices")
    if (nrow(one) != nrow(truth)) abort(c("{.arg truth} and {.arg {arg}} must have the same rows.",
      x = "{.arg truth} has {nrow(truth)}, {.arg {arg}} has {nrow(one)}."))
    if (is.null(colnames(one)) || anyNA(colnames(one)) || anyDuplicated(number_words(colnames(one))) > 0L) abort(c(
      "The columns of {.arg {arg}} must be named by the categories, each once.",
      x = if (is.null(colnames(one))) "They have no names." else "A name is missing or stands twice."
    ))
    one
  })
}

check_probabilities <- function(score, targets) {
  for (t in seq_along(score)) {
    one <- score[[t]]
    odd <- which(one < 0 | one > 1)[1L]
    row <- which(abs(rowSums(one) - 1) > 1e-6)[1L]
    if (is.na(odd) && is.na(row)) next
    value <- format(one[odd])
    total <- format(sum(one[row, ]))
    abort(c("Log loss needs probabilities: scores from 0 to 1 that sum to 1 in each row.",
      x = if (!is.na(odd)) "There is a score of {value}." else "Those of row {row} sum to {total}.",
      i = if (length(score) > 1L) "This is target {.val {targets[t] %||% t}}."))
  }
}

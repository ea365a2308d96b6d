# Assesses the features of a unit of a benchmark, by its learner or by what lrn_chosen() and its like stand for.

# What assess_columns() gives for a learner of a benchmark. `unit`: what has been done of the unit, with `chosen` if its
# selector has chosen learners. For the parts of an answer, `targets` or `draws` come with the first count.
assess_stage <- function(learner, unit, split, columns, counts, measures, stream, threads) {
  part <- if (learner$method == "chosen") learner$params$part %||% "chosen"
  assess <- function(learner, columns, counts, each = FALSE) {
    assess_columns(learner, split, columns, counts, measures, stream, threads, each = each)
  }
  if (is.null(part) || is.null(unit$chosen)) return(assess(learner, columns, counts))
  each <- !is.null(learner$params$part)
  d <- ncol(split$train$x)
  switch(part,
    chosen = assess(unit$chosen$learner, columns, counts, each),
    floor = assess(frequency_learner(), columns, counts, each),
    all = assess(unit$chosen$all_learner, seq_len(d), d, each),
    random = random_sets(learner$params, d, counts, stream, \(set) assess(unit$chosen$learner, set, counts))
  )
}

# The mean value of several draws of as many features of `d`, with the `draws` of the first measure. All draws of all
# features are the same.
random_sets <- function(params, d, counts, stream, assess) {
  if (max(counts) == d) {
    found <- assess(seq_len(d))
    found[[1L]]$draws <- rep(found[[1L]]$values[[1L]], params$draws)
    return(found)
  }
  draws <- numeric()
  began <- now()
  while (length(draws) < params$draws && (length(draws) == 0L || now() <= began + params$seconds)) {
    columns <- with_stream(c(stream, list("features", length(draws))), sample.int(d, max(counts)))
    found <- assess(columns)
    draws <- c(draws, found[[1L]]$values[[1L]])
    if (is.na(draws[length(draws)])) break
  }
  found[[1L]]$values[] <- mean(draws)
  found[[1L]]$draws <- draws
  found
}

# A learner that predicts the most frequent value in training for every row, or the mean of numbers.
frequency_learner <- function() {
  learner <- lrn_custom("Most frequent",
    fit = function(x, y, weights) {
      shares <- function(target) {
        counts <- if (is.null(weights)) table(target) else tapply(weights, target, sum, default = 0)
        stats::setNames(as.double(counts) / sum(counts), names(counts))[counts > 0]
      }
      if (is.data.frame(y)) return(lapply(y, shares))
      if (is.null(weights)) colMeans(y) else colSums(weights * y) / sum(weights)
    },
    predict = function(model, x) {
      rows <- function(values) {
        matrix(values, nrow(x), length(values), byrow = TRUE, dimnames = list(NULL, names(values)))
      }
      if (is.list(model)) list(score = lapply(model, rows)) else rows(model)
    }
  )
  learner$params$by_label <- TRUE
  learner
}

# Shared by naive Bayes learners. `make_query(state, x)`: new rows in the form of the training rows.

# Standard deviations divide by the sum of weights minus 1.
check_weight_sum <- function(task) {
  total <- sum(task$rows$weights)
  if (is.null(task$rows$weights) || total > 1) return(invisible())
  abort(c("The weights of the training rows must sum to more than 1, as they count rows.",
    x = "They sum to {signif(total, 3)}.", i = "Multiply all of them by one number, see {.code ?row_weights}."))
}

bayes_predict <- function(make_query) {
  function(state, x, params, prefixes, threads) {
    as_answers(cpp_naive_bayes_scores(state, make_query(state, x), as.integer(prefixes), threads))
  }
}

# The score of a label is a sum over features, so one model of all features serves any subset of them.
bayes_subsets <- function(fit, make_query) {
  function(train, x, params, threads) {
    state <- fit(train, params, ncol(train$x), threads)
    scorer <- cpp_bayes_scorer(state, make_query(state, x))
    function(columns, scores) {
      found <- cpp_score_subset(scorer, columns, scores, params$threshold, threads)
      if (scores) list(score = found) else list(response = found)
    }
  }
}

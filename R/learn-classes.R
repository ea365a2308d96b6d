# Class targets for learners of labels: each category that occurs in training becomes a label.

# Registers a method for labels and for classes. `fit`, `predict` and `subsets` are those for labels (and for numeric
# targets, if `kinds` has them), see register_learner(). `class_fit` and `class_subsets` replace them if the labels
# are categories. `share(score)` turns the scores of one target, rows x categories, into probabilities.
register_for_classes <- function(method, ..., fit, predict, subsets = NULL, class_fit = fit, class_subsets = subsets,
                                 share = equal_shares, kinds = c("label", "class")) {
  force(class_fit)
  force(class_subsets)
  force(share)
  answers_for <- function(categories, found) {
    lapply(found, function(answer) list(score = category_scores(answer$score, categories, share)))
  }
  register_learner(method, ..., kinds = kinds,
    fit = function(task, params, prefixes, threads) {
      if (task_kind(task) != "class") return(fit(task, params, prefixes, threads))
      list(model = class_fit(category_task(task), params, prefixes, threads),
        categories = seen_categories(task$targets))
    },
    predict = function(state, x, params, prefixes, threads) {
      if (is.null(state$categories)) return(predict(state, x, params, prefixes, threads))
      answers_for(state$categories, predict(state$model, x, params, prefixes, threads))
    },
    subsets = if (!is.null(subsets)) function(train, x, params, threads) {
      if (task_kind(train) != "class") return(subsets(train, x, params, threads))
      answer <- class_subsets(category_task(train), x, params, threads)
      categories <- seen_categories(train$targets)
      function(columns, scores) answers_for(categories, list(answer(columns, TRUE)))[[1L]]
    }
  )
}

# The task with one label for each category of each target.
category_task <- function(task) {
  task$targets <- category_labels(task$targets)
  task
}

# The scores of category_labels() as a list of matrices rows x categories.
category_scores <- function(score, categories, share) {
  last <- cumsum(lengths(categories))
  Map(function(names, end) {
    one <- share(score[, seq.int(to = end, length.out = length(names)), drop = FALSE])
    dimnames(one) <- list(NULL, names)
    one
  }, categories, last)
}

# Scores divided by their sum; equal parts if all are 0.
equal_shares <- function(score) {
  total <- rowSums(score)
  none <- total == 0
  score[none, ] <- 1
  total[none] <- ncol(score)
  score / total
}

# The same for numbers of which some may be negative.
shares_above_zero <- function(score) equal_shares(pmax(score, 0))

# Probabilities from logarithms that are known up to a constant in each row; equal parts if all are impossible.
shares_of_logs <- function(score) {
  top <- do.call(pmax, lapply(seq_len(ncol(score)), function(c) score[, c]))
  share <- exp(score - top)
  share[top == -Inf, ] <- 1
  share / rowSums(share)
}

# The category with the largest score in each row, the first one in ties: a matrix rows x targets.
best_categories <- function(score) {
  found <- lapply(score, function(one) colnames(one)[max.col(one, ties.method = "first")])
  matrix(unlist(found, use.names = FALSE), ncol = length(score))
}

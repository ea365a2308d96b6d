# The claims of Lee, Seo and Kim (2018). The bodies of its tables are not in the text at hand, only what the text says of
# them: the shares of data sets on which the proposed search beats RGA, and the sizes of the sets.
claims_budgeted_ga <- function(results) {
  studies <- c(jaccard = "accuracy (Jaccard)", hamming = "Hamming loss", ranking = "ranking loss",
    coverage = "normalized coverage")
  said <- c(jaccard = 0.90, hamming = 0.95, ranking = 0.95, coverage = 1)
  rows <- lapply(names(studies), function(study) {
    table <- search_table(results[[study]], "RGA")
    better <- table$outcome == "win" | (table$outcome == "tie" & table$gain > 0)
    significant <- sum(table$outcome == "win")
    claim(
      sprintf("The exploring search beats RGA in %s.", studies[[study]]),
      sprintf("on %d %% of 20 data sets", round(100 * said[[study]])),
      sprintf("better mean on %d of %d data sets, significantly on %d", sum(better), nrow(table), significant),
      if (mean(better) >= said[[study]] - 0.1) "holds" else if (mean(better) > 0.5) "holds in part" else "does not hold",
      if (all(better)) "" else sprintf("RGA has the better mean on %s.", paste(table$task[!better], collapse = ", "))
    )
  })
  wide <- results$sizes
  sizes <- claim(
    "NSGA-II and MPSOFS exceed ten features on every data set, except NSGA-II on mediamill.", "mean sizes above 10",
    if (is.null(wide)) "" else {
      means <- mean_sizes(wide)
      sprintf("mean sizes from %.0f to %.0f", min(means$size), max(means$size))
    },
    if (is.null(wide)) "cannot be tested" else verdict_of(mean_sizes(wide)$size > 10),
    "Both start from random sets of about half of the features. Mediamill is not to be had."
  )
  jump <- explored_jump(results$jaccard)
  first <- claim(
    "The best accuracy jumps right after the first population of 20, when exploration begins.", "Figure 2",
    sprintf("the first %d evaluations after it give %.0f %% of the whole gain, %.0f %% with RGA", jump$window,
      100 * jump$share[["GA+SCLS"]], 100 * jump$share[["RGA"]]),
    if (jump$share[["GA+SCLS"]] > 0.5) "holds" else if (jump$share[["GA+SCLS"]] > jump$share[["RGA"]]) "holds in part"
    else "does not hold"
  )
  boxes <- explored_values(results)
  explored <- claim(
    "Explored sets are better than random new ones on genbase, in all four measures.", "Figure 3",
    paste0(sum(boxes$better), " of ", nrow(boxes), " measures have a better median"), verdict_of(boxes$better),
    if (all(boxes$better)) "" else sprintf(
      "A column of row numbers is in the explored sets. Without it, the median Jaccard index is %.3f, of random sets %.3f.",
      median_of(results$no_id, "exploration"), median_of(results$no_id, "random")
    )
  )
  do.call(rbind, c(rows, list(sizes, first, explored)))
}

# Each data set: outcome of the exploring search against another one, by Wilcoxon's test over splits, and the gain in
# the mean, positive if it is better.
search_table <- function(bench, other) {
  measure <- unique(bench$measure)
  table <- mlsift::score_table(bench, measure, control = "GA+SCLS", test = "wilcoxon")
  sign <- if (table$direction == "minimize") -1 else 1
  data.frame(
    task = rownames(table$mean), outcome = table$outcome[, other],
    gain = sign * (table$mean[, "GA+SCLS"] - table$mean[, other]), row.names = NULL
  )
}

mean_sizes <- function(bench) {
  sizes <- unique(as.data.frame(bench)[c("task", "split", "selector", "n_selected")])
  out <- stats::aggregate(n_selected ~ task + selector, sizes, mean)
  names(out)[3] <- "size"
  out
}

# The share of the gain from evaluation 20 to the last that the next `window` evaluations bring, mean over data sets.
explored_jump <- function(bench, window = 10) {
  history <- mlsift::search_history(bench)
  share <- vapply(c("GA+SCLS", "RGA"), function(selector) {
    mean(vapply(split(history, history$task), function(rows) {
      rows <- rows[rows$selector == selector, ]
      best <- tapply(rows$best, rows$evaluation, mean)
      last <- max(rows$evaluation)
      at <- function(evaluation) best[[as.character(evaluation)]]
      (at(20) - at(20 + window)) / (at(20) - at(last))
    }, 0), na.rm = TRUE)
  }, 0)
  list(window = window, share = share)
}

# The median Jaccard index on the inner test rows of genbase, of the sets that an operator made; and the mean on the
# test rows. A history holds 1 minus the index.
median_of <- function(bench, operator) {
  history <- mlsift::search_history(bench)
  history <- history[history$task == "genbase" & history$selector == "GA+SCLS" & history$operator == operator, ]
  1 - stats::median(history$value)
}

mean_on_genbase <- function(bench) mean(bench$value[bench$task == "genbase" & bench$selector == "GA+SCLS"])

# Values of explored sets and of sets drawn at random on genbase, inner test rows; lower is better.
explored_values <- function(results) {
  rows <- lapply(c("hamming", "jaccard", "ranking", "coverage"), function(study) {
    history <- mlsift::search_history(results[[study]])
    history <- history[history$task == "genbase" & history$selector == "GA+SCLS", ]
    medians <- tapply(history$value, history$operator, stats::median)
    data.frame(
      measure = unique(history$measure), explored = medians[["exploration"]], random = medians[["random"]],
      better = medians[["exploration"]] < medians[["random"]]
    )
  })
  do.call(rbind, rows)
}

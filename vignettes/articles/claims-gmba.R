# The claims of Yan and Li (2016), and what the results say about them.

# The panels of the paper's figures: measure, learner and data sets.
gmba_figures <- local({
  first <- c("bibtex", "emotions", "enron", "genbase")
  second <- c("mediamill", "medical", "scene", "yeast")
  panels <- function(figure, measure, learner, task) data.frame(figure, measure, learner, task)
  rbind(
    panels(3, "hamming_loss", "BR-kNN", first), panels(3, "hamming_loss", "CC-kNN", second),
    panels(4, "macro_f1", "BR-kNN", second), panels(4, "macro_f1", "CC-kNN", first),
    panels(5, "micro_f1", "BR-kNN", c(first, second)), panels(6, "micro_f1", "CC-kNN", c(first, second))
  )
})

# Three ways to read the paper: the selectors that each compares.
gmba_readings <- list(
  "the authors' programs" = c("GMBA, program", "SPEC", "MFS", "MLRF, program"),
  "the published equations" = c("GMBA", "SPEC", "MFS", "MLRF"),
  "a small step" = c("GMBA, step 0.01", "SPEC", "MFS", "MLRF")
)

# All results in one benchmark.
gmba_bench <- function(results) do.call(rbind, unname(results[intersect(c("folds", "samples"), names(results))]))

# Means over splits, shares x selectors, of one panel. Losses have their sign changed, so that larger is better.
gmba_curves <- function(bench, measure, learner, task) {
  rows <- bench[bench$measure == measure & bench$learner == learner & bench$task == task, ]
  means <- tapply(rows$value, list(rows$prop, factor(rows$selector, unique(rows$selector))), mean)
  if (measure == "hamming_loss") -means else means
}

# The mean height of each curve, or another summary, panels x selectors.
gmba_heights <- function(bench, panels, height = colMeans) {
  t(mapply(function(measure, learner, task) height(gmba_curves(bench, measure, learner, task)),
    panels$measure, panels$learner, panels$task))
}

# The panels that there are results for.
gmba_panels <- function(bench) gmba_figures[gmba_figures$task %in% bench$task, ]

# Whether the first of some selectors is at least as good as the others.
gmba_first <- function(heights, selectors) {
  heights[, selectors[1]] >= apply(heights[, selectors[-1], drop = FALSE], 1, max)
}

# Which of some selectors is the best in panels that their first does not win, in words.
gmba_ahead <- function(heights, selectors) {
  if (nrow(heights) == 0L) return("")
  best <- table(selectors[max.col(heights[, selectors, drop = FALSE], "first")])
  paste0("Ahead in the others: ", listed(paste0(names(best), " (", best, ")")), ".")
}

# How far each selector is behind the best of them, means over the panels of a data set: data sets x selectors.
gmba_gaps <- function(heights, panels, selectors) {
  behind <- apply(heights[, selectors, drop = FALSE], 1, max) - heights[, selectors, drop = FALSE]
  apply(behind, 2, function(gap) tapply(gap, panels$task, mean))
}

# The rows follow the paper's own sentences. The paper has curves without numbers.
claims_gmba <- function(results) {
  bench <- as.data.frame(gmba_bench(results))
  panels <- gmba_panels(bench)
  heights <- gmba_heights(bench, panels)
  missing <- setdiff(gmba_figures$task, panels$task)
  rows <- list()
  add <- function(...) rows[[length(rows) + 1L]] <<- claim(...)
  also <- function(...) rows[[length(rows) + 1L]] <<- also_looked_at(...)
  n_of <- function(agree) paste(sum(agree), "of", length(agree), "panels")
  most <- function(agree) if (mean(agree) > 0.5) "holds" else "does not hold"
  yes <- function(x) if (isTRUE(x)) "holds" else "does not hold"
  all_or <- function(agree) if (all(agree)) "holds" else if (any(agree)) "holds in part" else "does not hold"
  curves <- "curves"

  # The small step is ours.
  for (reading in names(gmba_readings)) {
    used <- gmba_readings[[reading]]
    first <- gmba_first(heights, used)
    row <- if (reading == "a small step") also else add
    row(paste0("GMBA is better than SPEC, MFS and MLRF in most cases (4.4, figures 3 to 6), with ", reading, "."),
      curves,
      paste("best in", n_of(first)), most(first), gmba_ahead(heights[!first, , drop = FALSE], used))
  }
  used <- gmba_readings[["the published equations"]]
  first <- gmba_first(heights, used)
  add("GMBA performs better than the other algorithms (5, without \"most\"), with the published equations.", curves,
    paste("best in", n_of(first)), all_or(first))
  for (reading in names(gmba_readings)) {
    better <- heights[, gmba_readings[[reading]][1]] > heights[, "SPEC"]
    row <- if (reading == "a small step") also else add
    row(paste0("GMBA is superior to SPEC in most cases (5), with ", reading, "."), curves, paste("in", n_of(better)),
      most(better))
  }
  spread <- tapply(apply(heights[, used], 1, function(x) max(x) - min(x)), panels$task, mean)
  few <- c("emotions", "scene")
  rest <- setdiff(names(spread), few)
  add("On emotions and scene, all algorithms are similar (4.4).", curves,
    paste0("best less worst of four: ", paste(names(spread), number(spread), collapse = ", ")),
    all_or(spread[few] < stats::median(spread[rest])),
    "Similar: less than the median of the other data sets. Means over the panels of a data set.")
  add("This may be because they have only six labels (4.4).", "6 labels", "not tested", "cannot be tested",
    "A conjecture, without an experiment in the paper.")
  gaps <- gmba_gaps(heights, panels, used)
  worst <- apply(gaps, 2, max)
  least <- apply(gaps, 2, min)
  add("GMBA and SPEC suit more data sets than MFS and MLRF (4.4, 5).", "text",
    paste0("farthest behind the best of four: ", paste(names(worst), number(worst), collapse = ", ")),
    all_or(outer(worst[used[1:2]], worst[used[3:4]], `<`)), "Means over the panels of a data set; its worst data set.")
  add("MFS and MLRF vary from data set to data set (4.4).", "text",
    paste0("behind the best of four: ", paste(used[3:4], number(least[used[3:4]]), "to", number(worst[used[3:4]]),
      collapse = ", ")), all_or(worst[used[3:4]] - least[used[3:4]] > worst[used[1]] - least[used[1]]),
    "Vary: more than GMBA does.")
  add("GMBA beats SPEC because of the margin (5).", "text", "no run without the margin", "cannot be tested",
    "The paper has no experiment on it.")
  add("GMBA uses high-order correlation of labels efficiently (abstract).", "text", "no experiment", "cannot be tested",
    "The paper has neither times nor a run without correlation.")

  # What no sentence of the paper claims.
  best <- gmba_heights(bench, panels, function(curves) apply(curves, 2, max))
  first <- gmba_first(best, used)
  also("GMBA is the best at the best share of each curve, with the published equations.", "", paste("in", n_of(first)),
    all_or(first), gmba_ahead(best[!first, , drop = FALSE], used))
  for (rival in c("MFS", "MLRF", "MLRF, program")) {
    better <- heights[, "GMBA"] > heights[, rival]
    also(paste0("GMBA is better than ", rival, ", with the published equations."), "", paste("in", n_of(better)),
      all_or(better), if (all(better)) "" else paste0("Not on ", listed(unique(panels$task[!better])),
        ", by some measures."))
  }
  better <- unlist(Map(function(measure, learner, task) {
    curve <- gmba_curves(bench, measure, learner, task)
    max(curve[, "GMBA"]) > curve[1, "All"]
  }, panels$measure, panels$learner, panels$task))
  names(better) <- panels$task
  often <- tapply(better, panels$task, all)
  also("A part of the features, chosen by GMBA, is better than all features (a line in the figures).",
    "line in the figures",
    paste0("some share is better in ", n_of(better), "; in all panels on ", listed(names(which(often)))),
      all_or(better),
    if (all(better)) "" else
      "Where most features matter, all of them are best; the best of nine shares is an optimistic choice.")
  # Figures 5 and 6: the same measure with both learners.
  agree <- vapply(split(seq_len(nrow(panels)), panels$task), function(at) {
    at <- at[panels$measure[at] == "micro_f1"]
    identical(used[order(-heights[at[1], used])], used[order(-heights[at[2], used])])
  }, NA)
  also("The order of the selectors does not depend on the classifier (figures 5 and 6).", curves,
    paste("the same order of four selectors on", sum(agree), "of", length(agree), "data sets"), all_or(agree),
    if (all(agree)) "" else "Places change where selectors are close.")
  if (length(missing) > 0L) {
    also(paste0("The same on ", listed(missing), "."), curves, "no data", "cannot be tested",
      "The data set was not available.")
  }
  do.call(rbind, rows)
}

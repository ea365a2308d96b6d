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

claims_gmba <- function(results) {
  bench <- as.data.frame(gmba_bench(results))
  panels <- gmba_panels(bench)
  heights <- gmba_heights(bench, panels)
  missing <- setdiff(gmba_figures$task, panels$task)
  rows <- list()
  add <- function(...) rows[[length(rows) + 1L]] <<- claim(...)
  n_of <- function(agree) paste(sum(agree), "of", length(agree), "panels")
  curves <- "curves without numbers"

  for (reading in names(gmba_readings)) {
    used <- gmba_readings[[reading]]
    first <- gmba_first(heights, used)
    add(paste0("GMBA is better than SPEC, MFS and MLRF, with ", reading, "."), curves, paste("best in", n_of(first)),
      verdict_of(first), gmba_ahead(heights[!first, , drop = FALSE], used))
  }
  used <- gmba_readings[["the published equations"]]
  best <- gmba_heights(bench, panels, function(curves) apply(curves, 2, max))
  first <- gmba_first(best, used)
  add("GMBA is better at the best share of each curve, with the published equations.", curves,
    paste("best in", n_of(first)), verdict_of(first), gmba_ahead(best[!first, , drop = FALSE], used))
  for (rival in c("SPEC", "MFS", "MLRF", "MLRF, program")) {
    better <- heights[, "GMBA"] > heights[, rival]
    add(paste0("GMBA is better than ", rival, "."), curves, paste("in", n_of(better)), verdict_of(better),
      if (all(better)) "" else paste0("Not on ", listed(unique(panels$task[!better])), ", by some measures."))
  }
  measures <- c(hamming_loss = "Hamming loss (Figure 3)", macro_f1 = "macro F1 (Figure 4)",
    micro_f1 = "micro F1 (figures 5 and 6)")
  for (measure in names(measures)) {
    used <- gmba_readings[["the published equations"]]
    here <- heights[panels$measure == measure, , drop = FALSE]
    first <- gmba_first(here, used)
    add(paste0("GMBA is the best by ", measures[[measure]], ", with the published equations."), curves,
      paste("best in", n_of(first)), verdict_of(first), gmba_ahead(here[!first, , drop = FALSE], used))
  }
  # The line of all features.
  better <- unlist(Map(function(measure, learner, task) {
    curve <- gmba_curves(bench, measure, learner, task)
    max(curve[, "GMBA"]) > curve[1, "All"]
  }, panels$measure, panels$learner, panels$task))
  names(better) <- panels$task
  often <- tapply(better, panels$task, all)
  add("A part of the features, chosen by GMBA, is better than all features (line in the figures).", curves,
    paste0("some share is better in ", n_of(better), "; in all panels on ", listed(names(which(often)))),
    verdict_of(better), if (all(better)) "" else
      "Where most features matter, all of them are best; the best of nine shares is an optimistic choice.")
  # Figures 5 and 6: the same measure with both learners.
  both <- split(seq_len(nrow(panels)), panels$task)
  agree <- vapply(both, function(at) {
    at <- at[panels$measure[at] == "micro_f1"]
    used <- gmba_readings[["the published equations"]]
    identical(used[order(-heights[at[1], used])], used[order(-heights[at[2], used])])
  }, NA)
  add("The order of the selectors does not depend on the classifier (figures 5 and 6).", curves,
    paste("the same order of four selectors on", sum(agree), "of", length(agree), "data sets"), verdict_of(agree),
    if (all(agree)) "" else "Places change where selectors are close.")
  if (length(missing) > 0L) {
    add(paste0("The same on ", listed(missing), "."), curves, "no data", "cannot be tested",
      "The data set was not available.")
  }
  do.call(rbind, rows)
}

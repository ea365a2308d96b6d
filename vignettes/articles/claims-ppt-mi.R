# Claims of Doquire and Verleysen (2011), with verdicts computed from the results. The paper has three figures without
# numbers, so `printed` is in words.

ppt_tasks <- c("yeast", "scene", "emotions")

# For each data set and measure: the value of all features, the best value of a selector, the number of features at
# which it is best, and the smallest at which it is as good as all features (NA if never).
ppt_points <- function(bench, selector = "PPT+MI") {
  d <- as.data.frame(bench)
  means <- stats::aggregate(value ~ task + selector + measure + k, d, mean)
  cells <- unique(d[c("task", "measure")])
  n_features <- attr(bench, "tasks")
  do.call(rbind, lapply(seq_len(nrow(cells)), function(i) {
    here <- means[means$task == cells$task[i] & means$measure == cells$measure[i], ]
    sign <- if (cells$measure[i] == "jaccard") -1 else 1
    all <- here$value[here$selector == "All"][1]
    curve <- here[here$selector == selector, ]
    curve <- curve[order(curve$k), ]
    best <- which.min(sign * curve$value)
    enough <- which(sign * curve$value <= sign * all)
    data.frame(
      task = cells$task[i], measure = cells$measure[i], all = all, best = curve$value[best], k = curve$k[best],
      enough = if (length(enough) > 0) curve$k[enough[1]] else NA,
      d = n_features$n_features[match(cells$task[i], n_features$task)],
      better = sign * curve$value[best] < sign * all
    )
  }))
}

# For each data set and measure: whether the curve of one selector has a better ranking score than that of another.
ppt_beats <- function(bench, selector = "PPT+MI", other = "LP+CHI") {
  two <- bench[bench$selector %in% c(selector, other), ]
  measures <- unique(as.character(two$measure))
  scores <- lapply(measures, function(measure) mlsift::ranking_scores(two, measure))
  data.frame(
    task = rep(rownames(scores[[1]]), length(measures)), measure = rep(measures, each = nrow(scores[[1]])),
    beats = unlist(lapply(scores, function(score) score[, selector] < score[, other]))
  )
}

claims_ppt_mi <- function(results) {
  splits <- list("usual splits" = results$usual, "random splits" = results$random)
  rules <- c("PPT+MI", "PPT+MI, repeated values")
  count <- function(x) paste(sum(x), "of", length(x))
  both <- function(cells) paste(names(cells), vapply(cells, count, ""), sep = ": ", collapse = "; ")
  where <- function(tables, column) {
    bad <- unique(unlist(lapply(tables, function(t) as.character(t$task[!t[[column]]]))))
    bad <- intersect(ppt_tasks, bad)
    if (length(bad) > 0) paste("Cases that fail:", paste(bad, collapse = ", ")) else "No case fails"
  }
  points <- lapply(rules, function(rule) lapply(splits, ppt_points, rule))
  beats <- lapply(rules, function(rule) lapply(splits, ppt_beats, rule))
  few <- lapply(points, lapply, function(t) {
    t$few <- !is.na(t$enough) & t$enough <= t$d / 2
    t
  })
  suffix <- c("", " With the rule for repeated values (not in the paper).")
  rows <- lapply(1:2, function(i) {
    pick <- function(tables, column) lapply(tables, `[[`, column)
    list(
      claim(
        paste0("Selection enhances the performance of the classifier: ",
          "the best set of PPT+MI predicts better than all features.", suffix[i]),
        "on all three sets", paste0(both(pick(points[[i]], "better")), " cases of a set and a measure"),
        verdict_of(unlist(pick(points[[i]], "better"))),
        paste0(where(points[[i]], "better"), ". The best of many sets, chosen on test rows, looks better than it is.")
      ),
      claim(
        paste0("The dimension is reduced sharply: at most half of the features (our reading) predict as well as all.",
          suffix[i]),
        "on all three sets", paste0(both(pick(few[[i]], "few")), " cases"),
        verdict_of(unlist(pick(few[[i]], "few"))), paste0(where(few[[i]], "few"), ".")
      ),
      claim(
        paste0("PPT+MI is better than the chi-square statistic of label sets, over all numbers of features.",
          suffix[i]),
        "figures only", paste0(both(pick(beats[[i]], "beats")), " cases, by ranking score"),
        verdict_of(unlist(pick(beats[[i]], "beats"))), paste0(where(beats[[i]], "beats"), ".")
      )
    )
  })
  do.call(rbind, c(rows[[1]], rows[[2]]))
}

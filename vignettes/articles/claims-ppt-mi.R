# The claims of Doquire and Verleysen (2011), and what the results say about them. The paper has three figures without
# numbers.

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

# How much the mean height of the curve of one selector is better than that of another, as a share of the value of all
# features: a row for each data set and measure.
ppt_leads <- function(bench, selector = "PPT+MI", other = "LP+CHI") {
  d <- as.data.frame(bench)
  height <- stats::aggregate(value ~ task + selector + measure, d, mean)
  at <- function(which) height[height$selector == which, c("task", "measure", "value")]
  all <- merge(merge(at(selector), at(other), by = c("task", "measure")), at("All"), by = c("task", "measure"))
  sign <- ifelse(all$measure == "jaccard", 1, -1)
  data.frame(task = all$task, measure = all$measure, lead = sign * (all$value.x - all$value.y) / all$value)
}

# The rows follow the paper's own sentences, for its usual splits and its method as printed.
claims_ppt_mi <- function(results) {
  rows <- list()
  add <- function(...) rows[[length(rows) + 1L]] <<- claim(...)
  also <- function(...) rows[[length(rows) + 1L]] <<- also_looked_at(...)
  yes <- function(x) if (isTRUE(x)) "holds" else "does not hold"
  most <- function(agree) yes(mean(agree) > 0.5)
  all_or <- function(agree) if (all(agree)) "holds" else if (any(agree)) "holds in part" else "does not hold"
  named <- c(hamming_loss = "Hamming loss", jaccard = "accuracy")
  curves <- "curves"
  percent <- function(x) sprintf("%.0f %%", 100 * x)
  text <- function(x, digits = 4) formatC(x, format = "f", digits = digits)

  mi <- ppt_points(results$usual)
  chi <- ppt_points(results$usual, "LP+CHI")
  values <- function(points) paste0(points$task, " ", text(points$best), " (", points$k, " features) against ",
    text(points$all), collapse = "; ")
  optimistic <- "The best of many sets, chosen on test rows, looks better than it is."

  for (measure in names(named)) {
    here <- mi[mi$measure == measure, ]
    here <- here[match(ppt_tasks, here$task), ]
    add(paste0("Selection by mutual information always leads to better ", named[[measure]],
      " than no selection (4.3, figures 1 to 3)."), "on three data sets", values(here), all_or(here$better), optimistic)
  }
  for (task in c("yeast", "scene")) {
    here <- chi[chi$task == task & chi$measure == "hamming_loss", ]
    add(paste0("Chi-square does not improve the Hamming loss on ", task, " (4.3)."), curves, values(here),
      yes(!here$better),
      if (here$better) paste("The gain is", text(here$all - here$best), "at the best of all sizes.") else "")
  }
  implied <- chi[chi$measure == "jaccard" | chi$task == "emotions", ]
  add("Chi-square improves the accuracy on all three, and the Hamming loss on emotions (implied by 4.3).", curves,
    paste("better in", sum(implied$better), "of", nrow(implied), "cases"), all_or(implied$better), optimistic)
  wins <- ppt_beats(results$usual)
  behind <- unique(wins$task[!wins$beats])
  add("Mutual information has a clear advantage over chi-square (4.3, 5).", curves,
    paste("better ranking score in", sum(wins$beats), "of", nrow(wins), "cases of a data set and a measure"),
    most(wins$beats),
    if (length(behind) > 0L) paste0("Chi-square is ahead on ", listed(behind), ".") else "")
  leads <- ppt_leads(results$usual)
  lead_of <- function(task) leads$lead[leads$task == task][match(names(named), leads$measure[leads$task == task])]
  lead_text <- function(task) paste0(task, " ", paste(percent(lead_of(task)), collapse = " and "))
  more <- c(lead_of("yeast") > pmax(0, lead_of("emotions")), lead_of("scene") > pmax(0, lead_of("emotions")))
  add("The difference is particularly obvious on yeast and scene (4.3).", curves,
    paste0(lead_text("yeast"), "; ", lead_text("scene"), "; ", lead_text("emotions")), all_or(more),
    "The mean lead over all sizes, of the value of all features: Hamming loss and accuracy.")
  gap <- abs(lead_of("emotions"))
  add("On emotions, the two are much more comparable (4.3).", curves,
    paste("gaps of", paste(percent(gap), collapse = " and ")),
    all_or(gap < pmin(abs(lead_of("yeast")), abs(lead_of("scene")))),
    paste0(if (any(lead_of("emotions") < 0)) "Chi-square is ahead there. ",
      "Comparable: a smaller gap than on yeast and scene."))
  gains <- rbind(cbind(mi, selector = "PPT+MI"), cbind(chi, selector = "LP+CHI"))
  gains$gain <- abs(gains$best - gains$all) / gains$all * ifelse(gains$better, 1, -1)
  large <- vapply(which(gains$task == "emotions"), function(i) {
    rivals <- gains$task != "emotions" & gains$measure == gains$measure[i] & gains$selector == gains$selector[i]
    gains$gain[i] > max(gains$gain[rivals])
  }, NA)
  here <- gains[gains$task == "emotions", ]
  add("On emotions, both improve the performance by a large amount (4.3).", curves,
    paste0(here$selector, ", ", named[here$measure], ": ", percent(here$gain), collapse = "; "), all_or(large),
    "Large: more than on yeast and scene, of the value of all features.")
  enough <- function(points) paste0(points$task, ", ", named[points$measure], ": ",
    ifelse(is.na(points$enough), "never", points$enough), " of ", points$d, collapse = "; ")
  few <- !is.na(mi$enough) & mi$enough <= mi$d / 2
  add("The dimension is sharply reduced (abstract).", "no number", paste("as good as all features from", enough(mi)),
    all_or(few),
    "Sharply: at most half of the features (our reading).")
  add("The performance of classifiers is enhanced (abstract).", "on three data sets",
    paste("better in", sum(mi$better), "of", nrow(mi), "cases, with one classifier"), all_or(mi$better), optimistic)
  add("An SVM on the label sets confirms the results (4.3).", "not shown", "no run", "cannot be tested",
    "The paper names neither kernel nor parameters.")

  # What no sentence of the paper claims: other splits, and a rule for repeated values.
  splits <- length(unique(results$random$split))
  ours <- list(
    list(results$usual, "PPT+MI, repeated values", "With the rule for repeated values, usual splits"),
    list(results$random, "PPT+MI", paste0("As printed, means of ", splits, " random splits")),
    list(results$random, "PPT+MI, repeated values", paste0("With the rule for repeated values, means of ", splits,
      " random splits"))
  )
  for (one in ours) {
    points <- ppt_points(one[[1]], one[[2]])
    wins <- ppt_beats(one[[1]], one[[2]])
    few <- !is.na(points$enough) & points$enough <= points$d / 2
    n_of <- function(agree) paste(sum(agree), "of", length(agree), "cases")
    where <- function(cells, agree) {
      if (all(agree)) return("")
      paste0("Fails: ", paste0(cells$task[!agree], ", ", named[cells$measure[!agree]], collapse = "; "), ".")
    }
    also(paste0(one[[3]], ": selection is better than all features."), "", n_of(points$better), all_or(points$better),
      where(points, points$better))
    also(paste0(one[[3]], ": at most half of the features are as good as all."), "", n_of(few), all_or(few),
      where(points, few))
    also(paste0(one[[3]], ": better than chi-square over all sizes."), "", n_of(wins$beats), all_or(wins$beats),
      where(wins, wins$beats))
  }
  do.call(rbind, rows)
}

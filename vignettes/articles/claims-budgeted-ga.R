# The claims of Lee, Seo and Kim (2018), and what the results say about them. The bodies of its tables are not in the
# text at hand, only what the text says of them.

ga_measures <- c(jaccard = "accuracy (Jaccard)", hamming = "Hamming loss", ranking = "ranking loss",
  coverage = "normalized coverage")

# The rows follow the paper's own sentences.
claims_budgeted_ga <- function(results, explored = readRDS("budgeted-ga-explored.rds")) {
  rows <- list()
  add <- function(...) rows[[length(rows) + 1L]] <<- claim(...)
  also <- function(...) rows[[length(rows) + 1L]] <<- also_looked_at(...)
  n_of <- function(agree, what = "data sets") paste(sum(agree), "of", length(agree), what)
  but <- function(agree) paste0(n_of(agree), if (!all(agree)) paste0("; not on ", listed(names(which(!agree)))))
  all_or <- function(agree) if (all(agree)) "holds" else if (any(agree)) "holds in part" else "does not hold"
  most <- function(agree) if (mean(agree) > 0.5) "holds" else "does not hold"

  # --- sizes ---
  bounded <- unlist(lapply(results[names(ga_measures)], function(bench) {
    bench$n_selected[bench$selector %in% c("GA+SCLS", "RGA")]
  }))
  add("The proposed search and RGA keep the budget of ten features on all data sets (4.1, Table 2).", "all 20",
    paste("at most", max(bounded), "features in", format(length(bounded), big.mark = ","), "searches"),
    all_or(bounded <= 10), "The budget is part of both searches.")
  sizes <- mean_sizes(results$sizes)
  above <- function(n) paste0(n_of(sizes$size > n, "cases of a search and a data set"), ", means from ",
    number(min(sizes$size), 0), " to ", number(max(sizes$size), 0))
  add("NSGA-II and MPSOFS exceed it on every data set, except NSGA-II on mediamill (4.1, Table 2).", "39 of 40 cases",
    above(10), all_or(sizes$size > 10),
      "Both start from random sets of about half of the features. Mediamill is not to be had.")
  add("In most experiments they give tens or hundreds of features, too many for a budget of 30 (4.1).", "text",
    above(30),
    most(sizes$size > 30))
  add("And too many for a budget of 50 (4.1).", "text", above(50), most(sizes$size > 50))
  add("They fail although the number of features is one of their objectives (4.1).", "text", above(10),
    all_or(sizes$size > 10), "It is an objective of both here, too.")

  # --- against RGA ---
  tables <- lapply(results[names(ga_measures)], search_table, "RGA")
  said <- c(jaccard = 0.90, hamming = 0.95, ranking = 0.95, coverage = 1)
  better <- lapply(tables, function(table) stats::setNames(table$gain > 0, table$task))
  for (study in names(ga_measures)) {
    found <- better[[study]]
    # As many of the data sets here as the share of the paper gives, rounded down.
    add(sprintf("The proposed search is better than RGA in %s (4.1, %s).", ga_measures[[study]],
      if (study %in% c("jaccard", "hamming")) "Table 3" else "Table 4"),
      sprintf("on %.0f %% of 20 data sets", 100 * said[[study]]), paste("better mean on", but(found)),
      if (sum(found) >= floor(said[[study]] * length(found))) "holds" else if (mean(found) > 0.5) "holds in part" else
        "does not hold")
  }
  add("It outperforms RGA on most data sets (4.1).", "text",
    paste0(vapply(better, n_of, ""), " in ", ga_measures, collapse = "; "), all_or(vapply(better, mean, 0) > 0.5))
  p <- vapply(tables, function(table) mlsift::wilcoxon_test(table$gain, numeric(nrow(table)))$p_value, 0)
  add("It is significantly better than RGA in all four measures (4.1, 5).", "text",
    paste0(ga_measures, ": p = ", format(signif(p, 2)), collapse = "; "), all_or(p < 0.05 & vapply(tables,
      function(table)
      mean(table$gain), 0) > 0), "Wilcoxon's signed-rank test over data sets.")
  on_genbase <- vapply(tables, function(table) table$outcome[table$task == "genbase"], "")
  add("On genbase it is significantly better in all four measures (4.1, Table 5).", "all four",
    paste0(ga_measures, ": ", on_genbase, collapse = "; "), all_or(on_genbase == "win"),
    paste0("Wilcoxon's signed-rank test over ", length(unique(results$jaccard$split)), " splits.",
      if (!all(on_genbase == "win")) " A column of row numbers misleads the filter: see Why."))
  others <- do.call(rbind, tables)
  others <- others[others$task != "genbase", ]
  add("The other data sets show a similar tendency (4.1).", "not shown",
    paste0("better mean in ", sum(others$gain > 0), " of ", nrow(others), " cases, significantly in ",
      sum(others$outcome == "win"), ", significantly worse in ", sum(others$outcome == "loss")), most(others$gain > 0))

  # --- the course of the search ---
  courses <- search_courses(results$jaccard)
  add("The best accuracy rises with the number of evaluations (4.2, Figure 2).", "curves",
    n_of(vapply(courses, function(x) !is.unsorted(x$explore), NA)), all_or(vapply(courses,
      function(x) !is.unsorted(x$explore), NA)),
    "True of the best so far of any search, on the rows that it looks at.")
  start <- vapply(courses, function(x) isTRUE(all.equal(x$explore[1:20], x$rga[1:20])), NA)
  slow <- vapply(courses, function(x) (x$explore[20] - x$explore[1]) / 19 < (x$explore[30] - x$explore[20]) / 10, NA)
  add("Both start from the same population, and improve only gradually in the first 20 evaluations (4.2, Figure 2).",
    "curves",
    paste0("the same start on ", n_of(start),
      "; slower for each evaluation than in the ten that follow with exploration on ",
      but(slow)), if (!all(start)) "does not hold" else if (mean(slow) > 0.5) "holds" else "holds in part")
  jump <- vapply(courses, function(x) {
    c(explore = x$explore[30] - x$explore[20],
      rga = x$rga[30] - x$rga[20]) / (x$explore[length(x$explore)] - x$explore[20])
  }, c(explore = 0, rga = 0))
  large <- jump["explore", ] > 0.5 & jump["explore", ] > 2 * jump["rga", ]
  add("Right after that, the proposed search improves dramatically, since exploration begins (4.2, Figure 2).",
    "curves",
    paste0("evaluations 21 to 30 give ", number(100 * mean(jump["explore", ]), 0),
      " % of its whole later gain, and with RGA ",
      number(100 * mean(jump["rga", ]), 0), " % of the same"), most(large),
    paste0("Dramatic: more than half of the later gain, and twice that of RGA. So on ", n_of(large), "."))
  ahead <- vapply(courses, function(x) all(x$explore[-(1:23)] >= x$rga[-(1:23)]), NA)
  add("So it finds good sets among the features that were not selected (4.2, Figure 2).", "curves",
    paste("its curve is above that of RGA from the first explored set on, on", but(ahead)), most(ahead))

  # --- Figure 3 ---
  boxes <- explored_boxes(explored)
  apart <- function(id) paste0(sum(boxes$apart[boxes$id == id]), " of 4 measures ", if (id) "with" else "without",
    " the column of row numbers")
  add("On genbase, sets explored from 50 random ones are much better than random sets, in all four measures (4.2, Figure 3).",
    "box plots", paste0("boxes apart in ", apart(TRUE), ", in ", apart(FALSE)), all_or(boxes$apart),
    paste("Boxes apart: the worse quartile of the explored sets is better than the better quartile of the others. The paper does",
      "not say whether its data had the column."))
  add("It outperforms conventional multi-label methods on 20 data sets, in four measures (abstract, 5).",
    "20 data sets",
    paste0("against RGA: better mean in ", sum(unlist(better)), " of ", length(unlist(better)), " cases"),
    if (mean(unlist(better)) > 0.5) "holds in part" else "does not hold",
    "In accuracy, the paper compares it with one search only. For two others it shows sizes alone.")

  # What no sentence of the paper claims.
  for (rival in c("NSGA-II", "MPSOFS")) {
    found <- unlist(lapply(results[names(ga_measures)], function(bench) search_table(bench, rival)$gain > 0))
    also(paste0("The proposed search is better than ", rival, ", if that has the same budget."), "",
      paste("better mean in", n_of(found, "cases of a data set and a measure")), all_or(found))
  }
  inner <- explored_values(results)
  also("All explored sets of whole searches on genbase are better than their first random sets.", "",
    paste0("better median in ", n_of(inner$better, "measures"), ", on the inner test rows"), all_or(inner$better),
    if (all(inner$better)) "" else "The column of row numbers is in them.")
  without <- search_table(results$no_id, "RGA")
  also("On genbase without the column of row numbers, the proposed search is significantly better in accuracy.", "",
    paste0(without$outcome, ", gain ", number(without$gain)),
      if (without$outcome == "win") "holds" else "does not hold")
  do.call(rbind, rows)
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

# The best accuracy so far after each evaluation, means over splits: for each data set, that of the exploring search and
# of RGA. A history holds 1 minus the index.
search_courses <- function(bench) {
  history <- mlsift::search_history(bench)
  lapply(split(history, factor(history$task, unique(history$task))), function(rows) {
    course <- function(selector) {
      rows <- rows[rows$selector == selector, ]
      1 - c(tapply(rows$best, rows$evaluation, mean))
    }
    list(explore = course("GA+SCLS"), rga = course("RGA"))
  })
}

# The quartiles of explored sets and of random ones (data-raw/budgeted-ga-explored.R), and whether the boxes are apart.
explored_boxes <- function(explored) {
  cells <- unique(explored[c("id", "measure")])
  quartile <- function(cell, operator, at) {
    rows <- explored$id == cell$id & explored$measure == cell$measure & explored$operator == operator
    stats::quantile(explored$value[rows], at, names = FALSE)
  }
  do.call(rbind, lapply(seq_len(nrow(cells)), function(i) {
    cell <- cells[i, ]
    up <- cell$measure == "jaccard"
    worse <- if (up) 0.25 else 0.75
    a <- quartile(cell, "exploration", worse)
    b <- quartile(cell, "random", 1 - worse)
    data.frame(cell, explored = quartile(cell, "exploration", 0.5), random = quartile(cell, "random", 0.5),
      apart = if (up) a > b else a < b, row.names = NULL)
  }))
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

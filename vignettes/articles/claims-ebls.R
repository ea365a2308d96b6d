# The claims of Lee and Kim (2016), and what the results say about them.

ebls_tasks <- c(
  Bibtex = "bibtex", Corel5K = "corel5k", Delicious = "delicious", Enron = "enron", Genbase = "genbase",
  LLog = "langlog", Slashdot = "slashdot", Yeast = "yeast"
)
ebls_measures <- c("Hamming loss" = "hamming_loss", "ranking loss" = "ranking_loss")
ebls_tables <- c(hamming_loss = "ebls-table5", ranking_loss = "ebls-table6")

# The printed losses with 50 features, tasks x selectors, with the names used here.
ebls_printed <- function(measure) {
  table <- printed(ebls_tables[[measure]])
  values <- as.matrix(table[-1])
  dimnames(values) <- list(ebls_tasks[table$dataset], sub("Proposed", "EBLS", colnames(values)))
  values
}

# The same here. With `baseline`, the first column has all features, and data sets without it are left out.
ebls_losses <- function(results, measure, baseline = FALSE) {
  values <- mean_matrix(results$comparison, measure, ebls_tasks, keep = results$comparison$k == 50)
  if (!baseline) return(values)
  if (is.null(results$baseline)) return(NULL)
  all <- first_column(mean_matrix(results$baseline, measure, ebls_tasks))
  both <- intersect(rownames(values), names(all))
  cbind(Baseline = all[both], values[both, , drop = FALSE])
}

# A matrix of one row loses the name of the row otherwise.
first_column <- function(x) stats::setNames(x[, 1], rownames(x))

ebls_test <- function(losses) {
  mlsift::rank_test(losses, direction = "minimize", posthoc = "bonferroni-dunn", control = "EBLS", ties = "ignore")
}

# The EBLS study of numbers of labels: loss with k features, tasks x shares, for labels of the largest or the smallest
# entropy.
ebls_shares <- function(results, measure, which = "largest", k = 50) {
  bench <- results$share
  names <- grep(which, unique(bench$selector), value = TRUE)
  values <- mean_matrix(bench, measure, ebls_tasks, names, keep = bench$k == k)
  colnames(values) <- sub(".* ", "", names)
  values
}

# Seconds of a stage, tasks x selectors: the fastest of the splits, as other work on the machine can only add time.
ebls_seconds <- function(bench, stage, of = min) {
  spent <- mlsift::timings(bench)
  spent <- spent[spent$stage == stage, ]
  places <- list(factor(spent$task, ebls_tasks), factor(spent$selector, unique(spent$selector)))
  seconds <- tapply(spent$seconds, places, of)
  seconds[stats::complete.cases(seconds), , drop = FALSE]
}

# Seconds of a selection. Where they were measured again, more often and as processor time, these are used.
ebls_select_seconds <- function(results, again = readRDS("ebls-why.rds")$seconds) {
  seconds <- ebls_seconds(results$comparison, "select")
  again <- again[again$task %in% rownames(seconds) & again$selector %in% colnames(seconds), ]
  seconds[cbind(again$task, again$selector)] <- again$seconds
  seconds
}

# How many times slower the fastest of the others is than EBLS.
ebls_speed <- function(seconds) {
  apply(seconds[, colnames(seconds) != "EBLS", drop = FALSE], 1, min) / seconds[, "EBLS"]
}

ebls_printed_seconds <- function() {
  table <- printed("ebls-table3")
  values <- as.matrix(table[-1])
  dimnames(values) <- list(ebls_tasks[table$dataset], sub("Proposed", "EBLS", colnames(values)))
  values
}

# Its mean over 10, 30 and 50 features.
ebls_by_share <- function(results, measure, which = "largest", k = c(10, 30, 50)) {
  Reduce(`+`, lapply(k, function(n) ebls_shares(results, measure, which, n))) / length(k)
}

# All labels of a data set over those that the paper chose (Tables 1 and 2).
ebls_reduction <- function() {
  all <- printed("ebls-table1")
  table <- printed("ebls-table2")
  labels <- all$labels[match(table$dataset, sub(".*[(](.*)[)]", "\\1", all$dataset))]
  stats::setNames(labels / table$n_promising_labels, ebls_tasks[table$dataset])
}

# The shares on the grid that are nearest to these numbers of labels.
ebls_grid <- function(tasks) format(pmax(round(1 / ebls_reduction(), 1), 0.1), nsmall = 1)[tasks]

# Losses that differ by at most this share of the smaller one count as similar.
ebls_close <- 0.05

# The rows follow the paper's own sentences; rows with a claim of a table or figure alone, or of nobody, are `also`.
claims_ebls <- function(results) {
  n_of <- function(agree, what = "data sets") paste(sum(agree), "of", length(agree), what)
  but <- function(agree) paste0(n_of(agree), if (!all(agree)) paste0("; not on ", listed(names(which(!agree)))))
  percent <- function(x) paste0(ifelse(x < 0, "-", "+"), number(abs(100 * x), 0), " %")
  all_or <- function(agree) if (all(agree)) "holds" else if (any(agree)) "holds in part" else "does not hold"
  most <- function(agree) if (mean(agree) > 0.5) "holds" else "does not hold"
  rows <- list()
  add <- function(...) rows[[length(rows) + 1L]] <<- claim(...)
  also <- function(...) rows[[length(rows) + 1L]] <<- also_looked_at(...)
  short <- c(hamming_loss = "Hamming loss", ranking_loss = "ranking loss")

  # --- time ---
  seconds <- ebls_select_seconds(results)
  speed <- ebls_speed(seconds)
  paper_speed <- ebls_speed(ebls_printed_seconds())
  add("EBLS selects faster than each of the five others (4.3, Table 3).",
    n_of(paper_speed >= 1), but(speed >= 1), all_or(speed >= 1),
    if (all(speed >= 1)) "" else "All of them take milliseconds here: see Why.")
  large <- intersect(c("bibtex", "corel5k", "delicious"), names(speed))
  times <- function(x) paste0(names(x), " ", number(x, 1), " x", collapse = ", ")
  add("On large multi-label data, EBLS is much faster than the others (abstract; Table 3).", times(paper_speed[large]),
    times(speed[large]), all_or(speed[large] >= 2),
      "Much: at least twice as fast. Fast counts make the others cheap here.")
  fewer <- ebls_reduction()
  named <- c("bibtex", "delicious", "enron")
  add("EBLS is at least 5.0, 9.5 and 11.0 times faster than every other on Bibtex, Delicious and Enron (4.3, Table 3).",
    times(paper_speed[named]), paste0(times(speed[intersect(named, names(speed))]),
      "; all labels over chosen labels: ", times(fewer[named])), "cannot be tested",
    paste("These are times of one implementation. They are about the ratios of pairs of feature and label that are",
      "evaluated, which follow from the method."))
  all <- if (!is.null(results$baseline)) first_column(ebls_seconds(results$baseline, "fit"))
  few <- first_column(ebls_seconds(results$comparison, "fit")[, "EBLS", drop = FALSE])
  both <- intersect(names(all), names(few))
  table <- printed("ebls-table4")
  said <- unlist(table[1, -1]) / unlist(table[2, -1])
  if (length(both) > 0L) {
    ratio <- all[both] / few[both]
    add("Logistic regression takes considerably less time with 50 features than with all (4.3, Table 4).",
      paste0(number(min(said), 1), " to ", number(max(said), 0), " times less"),
      paste0(number(min(ratio), 1), " to ", number(max(ratio), 0), " times less"), all_or(ratio > 2),
      "Considerably: at least half. Here the time with selection is that of eleven models, of 1 to 50 features.")
  }
  fits <- ebls_seconds(results$comparison, "fit")
  spread <- apply(fits, 1, max) / apply(fits, 1, min)
  add("The time of logistic regression does not depend on which features were selected (4.3).", "one line in Table 4",
    paste0("slowest over fastest selector: ", times(spread)), all_or(spread < 1.25),
    "Here rows that agree in all features count as one row, so features that are rarely 1 are fitted faster.")

  # --- numbers of labels ---
  if (is.null(results$share)) {
    add("Few labels are enough (4.2).", "curves", "no results", "cannot be tested")
  } else {
    steep <- c("bibtex", "corel5k", "delicious", "enron", "yeast", "langlog")
    enough <- function(measure) {
      values <- ebls_by_share(results, measure)
      values <- values[intersect(rownames(values), steep), , drop = FALSE]
      values[, "0.2"] <= (1 + ebls_close) * apply(values, 1, min)
    }
    kept <- function(measure) {
      values <- ebls_by_share(results, measure)
      apply(values[, c("0.1", "0.2", "0.3", "0.4", "0.5")], 1, min) <= 1.02 * values[, "1.0"]
    }
    moves <- function(by) apply(by, 1, max) / apply(by, 1, min) > 1.01
    by_n <- sapply(c(10, 30, 50), function(n) rowMeans(ebls_shares(results, "hamming_loss", k = n)))
    changes <- moves(by_n) & moves(ebls_by_share(results, "hamming_loss"))
    add("Performance changes with the number of features and of chosen labels (4.2, Figure 2).", "curves",
      but(changes), most(changes), "A change: the largest Hamming loss is more than 1 % above the smallest.")
    for (measure in ebls_measures) {
      agree <- enough(measure)
      add(if (measure == "hamming_loss") {
        "Hamming loss improves steeply until 10 to 20 % of the labels are chosen, on six named data sets (4.2, Figure 2)."
      } else "Ranking loss has a similar tendency (4.2, Figure 3).", "six data sets",
        paste("with a fifth at most 5 % above the best share:", but(agree)), all_or(agree),
        "The shares here begin at a tenth, so this says only that a fifth is enough.")
      agree <- kept(measure)
      add(paste0("With far fewer labels than all, ", short[[measure]], " is comparable or better (4.2, ",
        c(hamming_loss = "Figure 2", ranking_loss = "Figure 3")[[measure]], ")."), "all data sets, sizes differ",
        paste("some share up to a half loses at most 2 %:", but(agree)), all_or(agree))
    }
    for (measure in ebls_measures) {
      values <- ebls_by_share(results, measure)
      if (!"bibtex" %in% rownames(values)) next
      bibtex <- values["bibtex", ]
      flat <- if (measure == "hamming_loss") bibtex[["0.2"]] <= 1.01 * min(bibtex[3:10]) else
        max(bibtex[2:10]) <= (1 + ebls_close) * min(bibtex[2:10])
      add(paste0("On Bibtex, 32 labels give a better ", short[[measure]],
        " than all 159, and more than 32 change little (4.2)."),
        "32, 159", paste0("a fifth ", number(bibtex[["0.2"]], 4), ", all ", number(bibtex[["1.0"]], 4),
          ", from a fifth on ",
          number(min(bibtex[2:10]), 4), " to ", number(max(bibtex[2:10]), 4)),
        all_or(c(bibtex[["0.2"]] < bibtex[["1.0"]], flat)))
    }
    near <- unlist(lapply(ebls_measures, function(measure) {
      values <- ebls_by_share(results, measure)
      at <- values[cbind(rownames(values), ebls_grid(rownames(values)))]
      stats::setNames(at <= (1 + ebls_close) * apply(values, 1, min), paste(rownames(values), "by", short[[measure]]))
    }))
    names(near) <- sub("^[^.]*[.]", "", names(near))
    add("The experiments show a suitable number of labels for each data set (4.2, Table 2).", "shares of 9 to 89 %",
      paste0("at most 5 % above the best share: ", n_of(near, "cases"), if (!all(near)) paste0("; not on ",
        listed(names(which(!near))))), all_or(near), "They were chosen by losses of test rows: see Why.")
    fifty <- unlist(lapply(ebls_measures, function(measure) {
      at <- lapply(c(10, 30, 50), function(n) ebls_shares(results, measure, k = n))
      c(at[[3]] < pmin(at[[1]], at[[2]]))
    }))
    add("50 features are better than 10 or 30 in most cases (4.2).", "text",
      n_of(fifty, "cases (data sets, shares and measures)"), most(fifty))
    same <- unlist(lapply(ebls_measures, function(measure) {
      values <- ebls_by_share(results, measure)
      at <- values[cbind(rownames(values), ebls_grid(rownames(values)))]
      stats::setNames(at <= (1 + ebls_close) * values[, "1.0"], paste(rownames(values), "by", short[[measure]]))
    }))
    names(same) <- sub("^[^.]*[.]", "", names(same))
    add("The cost can be cut without significant changes of performance (introduction, conclusion).", "text",
      paste0("Table 2's share loses at most 5 % against all labels: ", n_of(same, "cases"), if (!all(same))
        paste0("; not on ", listed(names(which(!same))))), all_or(same))
    for (measure in ebls_measures) {
      part <- as.character(seq(0.1, 0.9, 0.1))
      up <- ebls_shares(results, measure)[, part, drop = FALSE]
      down <- ebls_shares(results, measure, "smallest")[, part, drop = FALSE]
      better <- rowMeans(up) < rowMeans(down)
      flat <- apply(down, 1, max) <= (1 + ebls_close) * apply(down, 1, min)
      place <- c(hamming_loss = "4.4, Figure 7", ranking_loss = "4.4, Figure 8")[[measure]]
      add(paste0("Labels of the largest entropy clearly outperform those of the smallest, by ", short[[measure]], " (",
        place, ")."),
        "all data sets, no test", paste("lower mean over the shares:", but(better)), all_or(better),
        if (all(better)) "" else "Where they do not, a ranking by the entropy of features alone is good: see Why.")
      add(paste0("With labels of the smallest entropy, ", short[[measure]], " hardly changes with their number (",
        place, ")."),
        "all data sets", paste("within 5 % for shares of 0.1 to 0.9:", but(flat)), all_or(flat))
    }
  }

  # --- performance ---
  over_n <- lapply(ebls_measures, function(measure) mean_matrix(results$comparison, measure, ebls_tasks))
  names(over_n) <- ebls_measures
  others <- function(x) x[, colnames(x) != "EBLS", drop = FALSE]
  similar <- function(x) x[, "EBLS"] <= (1 + ebls_close) * rowMeans(others(x))
  agree <- unlist(lapply(over_n, function(x) similar(x)))
  names(agree) <- paste(unlist(lapply(over_n, rownames)), "by", rep(short, vapply(over_n, nrow, 0L)))
  add("In much less time, the performance of EBLS is similar to that of the five others (4.3, Figures 4 and 5).",
    "curves",
    paste0("mean over the numbers of features at most 5 % above the mean of the others: ", n_of(agree, "cases"),
      if (!all(agree))
      paste0("; not on ", listed(names(which(!agree))))), all_or(agree))
  falls <- unlist(lapply(c("bibtex", "genbase", "slashdot", "yeast"), function(task) {
    rows <- as.data.frame(results$comparison)
    rows <- rows[rows$task == task & rows$measure == "hamming_loss", ]
    means <- tapply(rows$value, list(rows$k, rows$selector), mean)
    sizes <- as.numeric(rownames(means))
    found <- apply(means, 2, function(loss) {
      loss[[which.max(sizes)]] < loss[[which.min(sizes)]] && stats::cor(sizes, loss, method = "spearman") < 0
    })
    stats::setNames(found, paste(colnames(means), "on", task))
  }))
  add("Hamming loss falls with more features, for all six selectors, on Bibtex, Genbase, Slashdot and Yeast (4.3, Figure 4).",
    "curves", paste0(n_of(falls, "curves"), if (!all(falls)) paste0("; not ", listed(names(which(!falls))))),
      all_or(falls))
  hamming <- over_n$hamming_loss
  better <- hamming[, "EBLS"] < apply(others(hamming), 1, min)
  better <- better[intersect(c("bibtex", "delicious", "enron"), names(better))]
  add("By Hamming loss, EBLS is better than the five others on Bibtex, Delicious and Enron (4.3, Figure 4).", "curves",
    paste("lowest mean over the numbers of features:", but(better)), all_or(better),
    "In Table 5, four of the others have the same loss on Delicious, to three digits.")
  near <- similar(hamming)[intersect(c("corel5k", "genbase", "slashdot", "yeast"), rownames(hamming))]
  add("By Hamming loss, EBLS is similar to the others on Corel5K, Genbase, Slashdot and Yeast (4.3, Figure 4).",
    "curves",
    paste("at most 5 % above the mean of the others:", but(near)), all_or(near),
    if (isFALSE(near[["genbase"]])) "Genbase: a column that numbers the rows is selected first (see Why)." else "")
  near <- similar(over_n$ranking_loss)
  add("By ranking loss, EBLS is similar to the others or better (4.3, Figure 5).", "curves",
    paste("at most 5 % above the mean of the others:", but(near)), all_or(near))

  # --- tests ---
  facts <- printed("ebls-table7")
  for (i in seq_along(ebls_measures)) {
    name <- short[[i]]
    losses <- ebls_losses(results, ebls_measures[[i]], baseline = TRUE)
    if (is.null(losses) || nrow(losses) < 2L) {
      add(paste0("The seven methods differ by ", name, " (4.3, Table 7)."), "F", "no results", "cannot be tested")
      next
    }
    test <- ebls_test(losses)
    found <- test$iman_davenport
    add(paste0("The seven methods, one of them the baseline, do not perform equally by ", name, " (4.3, Table 7)."),
      paste0("F = ", number(facts$F_F[i])),
      paste0("F = ", number(found$statistic, 2), " on ", nrow(losses), " data sets, p = ", format(signif(found$p_value,
        2))),
      if (test$global) "holds" else "does not hold",
      if (test$global) "" else "The baseline is better here, and most of the printed F is due to it: see Why.")
    worse <- test$comparisons$method2[test$comparisons$significant & test$comparisons$difference > 0]
    apart <- test$comparisons$method2[test$comparisons$significant]
    gap <- test$mean_ranks[["Baseline"]] - test$mean_ranks[["EBLS"]]
    add(paste0("EBLS is significantly better than the baseline by ", name, " (4.3, Figure 6)."),
      "above one critical difference",
      paste0("mean ranks differ by ", number(gap, 2), ", the critical difference is ", number(test$cd, 2)),
      if ("Baseline" %in% worse) "holds" else "does not hold")
    apart <- setdiff(apart, "Baseline")
    add(paste0("EBLS is similar to each of the five others by ", name, " (4.3, Figure 6)."),
      "within one critical difference",
      if (length(apart) == 0L) "all within it" else paste0("not ", listed(apart)),
      if (length(apart) == 0L) "holds" else "does not hold",
      paste0("With ", nrow(losses), " data sets this says little: mean ranks must differ by ", number(test$cd, 2), "."))
  }
  improves <- unlist(lapply(ebls_measures, function(measure) {
    losses <- ebls_losses(results, measure, baseline = TRUE)
    if (!is.null(losses)) stats::setNames(losses[, "EBLS"] < losses[, "Baseline"], paste(rownames(losses), "by",
      short[[measure]]))
  }))
  if (length(improves) > 0L) {
    names(improves) <- sub("^[^.]*[.]", "", names(improves))
    paper <- unlist(lapply(ebls_measures, function(measure) {
      x <- ebls_printed(measure)
      x[, "EBLS"] < x[, "Baseline"]
    }))
    add("Selection by EBLS can be better than all features (4.3, Tables 5 and 6).", n_of(paper, "cases"),
      paste0(n_of(improves, "cases"), if (any(improves)) paste0(": ", listed(names(which(improves))))),
      if (any(improves)) "holds" else "does not hold", "The baseline depends on the penalty: see Why.")
  }

  # --- what no sentence of the paper claims ---
  for (measure in ebls_measures) {
    losses <- ebls_losses(results, measure)
    paper <- ebls_printed(measure)
    rivals <- paper[, colnames(paper) != "Baseline"]
    best <- function(x) {
      x <- round(x, 3)
      stats::setNames(x[, "EBLS"] == apply(x, 1, min), rownames(x))
    }
    printed_best <- best(rivals)
    here_best <- best(losses)[intersect(names(which(printed_best)), rownames(losses))]
    also(paste0("EBLS has the lowest ", short[[measure]], " with 50 features, to three digits (bold in the table)."),
      listed(names(which(printed_best))), but(here_best), all_or(here_best))
    ranks <- ebls_test(losses)$mean_ranks
    printed_ranks <- ebls_test(rivals)$mean_ranks
    also(paste0("EBLS has the best mean rank by ", short[[measure]], " with 50 features (follows from the table)."),
      number(printed_ranks[["EBLS"]], 2), paste0(number(ranks[["EBLS"]], 2), "; first: ",
        listed(names(ranks)[ranks == min(ranks)]),
        " with ", number(min(ranks), 2)), if (ranks[["EBLS"]] == min(ranks)) "holds" else "does not hold")
  }
  floor <- floor_values("hamming_loss", rownames(hamming))
  above <- ebls_losses(results, "hamming_loss")[names(floor), "EBLS"] < floor
  also("With 50 features of EBLS, Hamming loss is below that of predicting the most frequent.", "",
    but(above), all_or(above), "Where it is not, Hamming loss says little about the features.")
  do.call(rbind, rows)
}

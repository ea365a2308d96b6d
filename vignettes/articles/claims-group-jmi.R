# Claims of Sechidis, Spyromitros-Xioufis and Vlahavas (2019), with verdicts computed from the results.

jmi_measures <- c(
  hamming_loss = "Hamming loss", ranking_loss = "ranking loss", norm_coverage = "normalized coverage",
  macro_f1 = "macro F1"
)
jmi_tables <- c(
  hamming_loss = "2a-hamming-loss", ranking_loss = "2b-ranking-loss", norm_coverage = "2c-normalised-coverage",
  macro_f1 = "2d-macro-average-f-measure"
)

# Printed ranking scores: a list of matrices data sets x selectors, one for each measure, with names as here.
jmi_printed_scores <- function() lapply(jmi_tables, function(table) {
  cells <- printed(paste0("group-jmi-table", table))
  cells <- cells[cells$dataset != "Total wins", ]
  scores <- as.matrix(cells[-1])
  rownames(scores) <- sub("languagelog", "langlog", tolower(cells$dataset))
  scores
})

jmi_scores <- function(bench) {
  lapply(stats::setNames(nm = names(jmi_measures)), function(measure) mlsift::ranking_scores(bench, measure))
}

# The winner of each data set and measure, and how often each selector wins (shared places count for each).
jmi_winners <- function(scores) {
  unlist(lapply(scores, function(score) {
    stats::setNames(colnames(score)[apply(score, 1, which.min)], rownames(score))
  }))
}
jmi_wins <- function(scores) {
  Reduce(`+`, lapply(scores, function(score) colSums(score == apply(score, 1, min))))
}
jmi_same <- function(scores, other) {
  here <- jmi_winners(lapply(other, function(score) score))
  found <- jmi_winners(lapply(stats::setNames(nm = names(other)), function(m) {
    scores[[m]][rownames(other[[m]]), colnames(other[[m]])]
  }))
  found == here
}

# Printed average ranks of Figure 3: measures x selectors, with names as here.
jmi_printed_ranks <- function() {
  cells <- printed("group-jmi-figure3-average-ranks")
  ranks <- as.matrix(cells[-1])
  dimnames(ranks) <- list(names(jmi_measures), sub("ELA-CHI", "ELA+CHI", colnames(ranks)))
  ranks
}
jmi_ranks <- function(bench) {
  order <- colnames(jmi_printed_ranks())
  t(vapply(names(jmi_measures), function(m) mlsift::rank_test(bench, m)$mean_ranks[order], numeric(7)))
}

# Scores of a variant of the protocol, from data-raw/group-jmi-variants.R, in the form of jmi_printed_scores().
jmi_variant_scores <- function(name, variants = readRDS("group-jmi-variants.rds")$labels) {
  told <- jmi_printed_scores()
  lapply(stats::setNames(nm = names(told)), function(measure) {
    cells <- variants[variants$variant == name & variants$measure == measure, ]
    tapply(cells$score, list(cells$task, cells$selector), mean)[rownames(told[[measure]]), colnames(told[[measure]])]
  })
}

claims_group_jmi <- function(results) {
  print_scores <- jmi_printed_scores()
  scores <- jmi_scores(results$jmi)
  wins <- jmi_wins(scores)
  told <- jmi_wins(print_scores)
  group <- "Group-JMI-Rand"
  in_words <- function(x) paste(names(x), x, collapse = ", ")
  settings <- sum(vapply(scores, nrow, 0L))
  ahead <- vapply(scores, function(score) {
    counts <- colSums(score == apply(score, 1, min))
    counts[[group]] == max(counts)
  }, NA)
  extreme <- unlist(lapply(scores, function(score) {
    score[, "Joint-JMI"] == apply(score, 1, min) | score[, "Joint-JMI"] == apply(score, 1, max)
  }))
  same <- jmi_same(scores, print_scores)
  because <- function(verdict) {
    if (verdict == "holds") "" else "Found if only the terms of Group-JMI are normalized, as in the published program."
  }
  best_of_three <- if (wins[[group]] == max(wins)) "holds" else "does not hold"

  program <- jmi_variant_scores("normalized terms in Group-JMI only")
  program_wins <- jmi_wins(program)
  program_same <- jmi_same(program, print_scores)

  ranks <- jmi_ranks(results$rivals)
  printed_ranks <- jmi_printed_ranks()
  place <- function(r) apply(r, 1, function(x) rank(x, ties.method = "min")[[group]])
  said <- place(printed_ranks)
  found <- place(ranks)
  limit <- mlsift::critical_difference(7, 9)
  apart <- function(r) sum(apply(r, 1, function(x) sum(abs(outer(x, x, "-"))[upper.tri(diag(7))] > limit)))
  beaten <- apply(ranks, 1, function(x) any(x[[group]] - x > limit))
  agree <- vapply(names(jmi_measures), function(m) stats::cor(ranks[m, ], printed_ranks[m, ], method = "spearman"), 0)

  shown <- c("hamming_loss", "ranking_loss", "macro_f1")
  best_of <- function(pattern) {
    part <- results$groups[grepl(pattern, results$groups$selector), ]
    unlist(lapply(shown, function(m) {
      score <- mlsift::ranking_scores(part, m)
      colnames(score)[apply(score, 1, which.min)]
    }))
  }
  clusters <- best_of("^clusters")
  sizes <- best_of("^size")
  most <- function(x) {
    counts <- sort(table(x), decreasing = TRUE)
    paste0(names(counts)[1], ", in ", counts[[1]], " of ", length(x))
  }

  numeric <- mlsift::ranking_scores(results$regression, "arrmse")
  best <- numeric[, group] < apply(numeric[, colnames(numeric) != group, drop = FALSE], 1, min)
  two <- function(other) numeric[, group] < numeric[, other]

  rbind(
    claim("Group-JMI-Rand wins more settings of Table 2 than Single-JMI and Joint-JMI.", in_words(told), in_words(wins),
      best_of_three, because(best_of_three)),
    claim("It does so with each of the four measures.", "4 of 4", paste(sum(ahead), "of 4"), verdict_of(ahead, 0.49),
      because(verdict_of(ahead, 0.49))),
    claim("Joint-JMI wins more settings than Single-JMI.", paste(told[["Joint-JMI"]], "to", told[["Single-JMI"]]),
      paste(wins[["Joint-JMI"]], "to", wins[["Single-JMI"]]),
      if (wins[["Joint-JMI"]] > wins[["Single-JMI"]]) "holds" else "does not hold",
      sprintf("Joint-JMI is the best or the worst of the three in %d of %d settings.", sum(extreme), settings)),
    claim("Each setting of Table 2 has the printed winner.", paste(settings, "settings"),
      paste0(sum(same), "; one third, ", settings / 3, ", is chance"), verdict_of(same),
      "Partly the normalization. Differences are small, and languagelog is another version of the data."),
    claim("With normalized terms, as in the published program (not in the paper), Group-JMI-Rand wins most settings.",
      in_words(told), in_words(program_wins),
      if (program_wins[[group]] == max(program_wins)) "holds" else "does not hold",
      sprintf("The printed winner is found in %d of %d settings. Single-JMI and Joint-JMI are not normalized.",
        sum(program_same), settings)),
    claim("Among seven selectors, Group-JMI-Rand has the best average rank, except by Hamming loss (Figure 3).",
      paste("places", paste(said, collapse = ", ")), paste("places", paste(found, collapse = ", ")),
      verdict_of(found <= said, 0.49),
      "Places by Hamming loss, ranking loss, normalized coverage and macro F1."),
    claim("No selector is significantly better than Group-JMI-Rand (Nemenyi).", "4 of 4 measures",
      paste(sum(!beaten), "of 4 measures"), verdict_of(!beaten),
      sprintf("The critical difference is %.2f. Of 84 pairs of ranks, %d printed ones and %d here are farther apart.",
        limit, apart(printed_ranks), apart(ranks))),
    claim("The seven selectors have the printed order (Figure 3).", "four orders",
      paste("Spearman's correlation", paste(sprintf("%.2f", agree), collapse = ", ")),
      if (all(agree > 0.9)) "holds" else if (mean(agree) > 0.5) "holds in part" else "does not hold",
      "The ranks are means over nine data sets, and close to each other."),
    claim("No number of clusters is best everywhere (Figure 1), so it is drawn.", "figure only",
      paste("most often best:", most(clusters)), if (length(unique(clusters)) > 1) "holds" else "does not hold",
      "Image, medical and genbase; Hamming loss, ranking loss and macro F1; by ranking score."),
    claim("No size of the groups is best everywhere (Figure 2), so it is drawn.", "figure only",
      paste("most often best:", most(sizes)), if (length(unique(sizes)) > 1) "holds" else "does not hold", "As above."),
    claim("For numeric targets, Group-JMI-Rand is better than both versions of RReliefF (Figure 4).",
      "six data sets, figure only",
      paste0(sum(best), " of ", length(best), " (", sum(two("RReliefF, 10 neighbors")), " against 10 neighbors, ",
        sum(two("RReliefF, 50 neighbors")), " against 50)"), verdict_of(best, 0.49),
      if (all(best)) "" else paste0("Not on ", paste(names(best)[!best], collapse = ", "), "."))
  )
}

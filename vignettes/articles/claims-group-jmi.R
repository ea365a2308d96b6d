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

# Mean ranking scores over three measures, settings x data sets, of a study of parameters (Figures 1 and 2).
jmi_parameter_scores <- function(bench, pattern) {
  part <- bench[grepl(pattern, bench$selector), ]
  scores <- lapply(c("hamming_loss", "ranking_loss", "macro_f1"), function(m) mlsift::ranking_scores(part, m))
  t(Reduce(`+`, scores) / length(scores))
}

# The rows follow the paper's own sentences.
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
  same <- jmi_same(scores, print_scores)
  yes <- function(x) if (isTRUE(x)) "holds" else "does not hold"
  all_or <- function(agree) if (all(agree)) "holds" else if (any(agree)) "holds in part" else "does not hold"
  program <- jmi_variant_scores("normalized terms in Group-JMI only")
  program_wins <- jmi_wins(program)
  program_text <- paste0("With normalized terms in Group-JMI alone, as in the published program, it wins ",
    program_wins[[group]], ".")
  mean_scores <- function(x) colMeans(do.call(rbind, x))
  mean_text <- function(x) {
    means <- mean_scores(x)
    paste(names(means), number(means, 2), collapse = ", ")
  }

  # Figures 1 and 2.
  clusters <- jmi_parameter_scores(results$groups, "^clusters")
  rownames(clusters) <- sub("clusters ", "", rownames(clusters))
  sizes <- jmi_parameter_scores(results$groups, "^size")
  rownames(sizes) <- sub("size ", "", rownames(sizes))
  shown <- function(x, task) paste0(rownames(x), ": ", number(x[, task], 2), collapse = ", ")
  best <- function(x, task) rownames(x)[which.min(x[, task])]
  two_best <- function(x, task) rownames(x)[order(x[, task])[1:2]]
  three <- c("image", "genbase", "medical")
  best_sizes <- vapply(three, function(task) as.numeric(best(sizes, task)), 0)
  small_is_good <- c(best(clusters, "image") == "4", clusters["4", "medical"] == max(clusters[, "medical"]))

  # Figure 3.
  ranks <- jmi_ranks(results$rivals)
  printed_ranks <- jmi_printed_ranks()
  limit <- mlsift::critical_difference(7, 9)
  first <- function(m) names(which.min(ranks[m, ]))
  rank_text <- function(r, m) {
    top <- sort(r[m, ])[1:3]
    paste0(names(top), " ", number(top, 2), collapse = ", ")
  }
  top_two <- apply(ranks, 1, function(x) all(c(group, "SCLS") %in% names(sort(x))[1:2]))
  gaps <- abs(ranks[, group] - ranks[, "SCLS"])
  printed_gaps <- abs(printed_ranks[, group] - printed_ranks[, "SCLS"])
  apart <- function(r) sum(apply(r, 1, function(x) sum(abs(outer(x, x, "-"))[upper.tri(diag(7))] > limit)))
  place <- apply(ranks, 1, function(x) rank(x, ties.method = "min")[[group]])
  agree <- vapply(names(jmi_measures), function(m) stats::cor(ranks[m, ], printed_ranks[m, ], method = "spearman"), 0)

  # Figure 4.
  numeric <- mlsift::ranking_scores(results$regression, "arrmse")
  versions <- setdiff(colnames(numeric), group)
  ahead_of_both <- numeric[, group] < apply(numeric[, versions, drop = FALSE], 1, min)
  of_six <- c("atp1d", "atp7d", "oes10", "osales")
  many <- versions[grepl("50", versions)]
  score_text <- function(task) paste0(colnames(numeric), " ", number(numeric[task, ], 2), collapse = ", ")

  rows <- list(
    claim("On image, 4 clusters are optimal (3.3, Figure 1).", "4", shown(clusters, "image"),
      yes(best(clusters, "image") == "4"), "Mean ranking score over three measures; the lowest is the best."),
    claim("On medical, 16 clusters are optimal (3.3, Figure 1).", "16", shown(clusters, "medical"),
      yes(best(clusters, "medical") == "16")),
    claim("On genbase, there is no clear winner between 8 and 16 clusters (3.3, Figure 1).", "8, 16",
      shown(clusters, "genbase"), yes(setequal(two_best(clusters, "genbase"), c("8", "16")))),
    claim("On image, groups of 75 % of the labels are the best (3.3, Figure 2).", "0.75", shown(sizes, "image"),
      yes(best(sizes, "image") == "0.75")),
    claim("On medical, groups of 25 % of the labels are the best (3.3, Figure 2).", "0.25", shown(sizes, "medical"),
      yes(best(sizes, "medical") == "0.25")),
    claim("On genbase, there is no clear winner between 50 and 75 % (3.3, Figure 2).", "0.50, 0.75",
      shown(sizes, "genbase"), yes(setequal(two_best(sizes, "genbase"), c("0.5", "0.75")))),
    claim("The optimal parameters depend on the data set (3.3).", "three data sets",
      paste0("clusters: ", paste(three, vapply(three, best, "", x = clusters), collapse = ", "), "; size: ",
        paste(three, vapply(three, best, "", x = sizes), collapse = ", ")),
      yes(length(unique(vapply(three, best, "", x = clusters))) > 1 && length(unique(best_sizes)) > 1)),
    claim("With more labels, smaller groups are the best (3.3).", "image 0.75, genbase 0.50 or 0.75, medical 0.25",
      paste(three, best_sizes, collapse = ", "), yes(!is.unsorted(-best_sizes) && best_sizes[1] > best_sizes[3])),
    claim("Few clusters are a good approximation where labels are few (image), and not where they are many (medical) (3.3).",
      "4 clusters", paste0("image ", number(clusters["4", "image"], 2), ", medical ", number(clusters["4", "medical"],
        2)),
      all_or(small_is_good)),
    claim("Group-JMI-Rand is the best of three in more settings than Joint-JMI and Single-JMI (4.1, Table 2).",
      in_words(told), in_words(wins), yes(wins[[group]] == max(wins)),
      if (wins[[group]] == max(wins)) "" else program_text),
    claim("It has the most wins by each of four measures (Table 2).", "4 of 4", paste(sum(ahead), "of 4"),
      all_or(ahead)),
    claim("The trade-off outperforms both extremes, although the parameters are drawn at random (4.1).",
      paste0("wins ", in_words(told), "; mean scores ", mean_text(print_scores)),
      paste0("wins ", in_words(wins), "; mean scores ", mean_text(scores)),
      all_or(c(wins[[group]] > wins[["Single-JMI"]], wins[[group]] > wins[["Joint-JMI"]])),
      paste("By mean scores, the printed table does not put it before Single-JMI. The scores are means over 30 halves, and",
        "groups are drawn anew in each."))
  )
  for (m in c("ranking_loss", "norm_coverage", "macro_f1")) {
    rows[[length(rows) + 1L]] <- claim(
      paste0("Among seven selectors, Group-JMI-Rand performs better than all by ", jmi_measures[[m]],
        " (4.2, Figure 3)."),
      rank_text(printed_ranks, m), rank_text(ranks, m), yes(first(m) == group),
      "Mean ranks of the first three. The paper compares mean ranks; they do not differ significantly, in print or here."
    )
  }
  c_rows <- list(
    claim("By Hamming loss, SCLS performs better (4.2, Figure 3).", rank_text(printed_ranks, "hamming_loss"),
      rank_text(ranks, "hamming_loss"), yes(ranks["hamming_loss", "SCLS"] < ranks["hamming_loss", group])),
    claim("Group-JMI-Rand and SCLS are always in the top two (4.2, Figure 3).", "4 of 4 measures",
      paste(sum(top_two), "of 4 measures"), all_or(top_two),
      paste0("Places of Group-JMI-Rand by the four measures: ", paste(place, collapse = ", "), ".")),
    claim("Group-JMI-Rand and SCLS do not differ significantly by any measure (4.2, Nemenyi).",
      paste("gaps", paste(number(printed_gaps, 2), collapse = ", ")), paste("gaps", paste(number(gaps, 2),
        collapse = ", ")),
      yes(all(gaps < limit)), sprintf(
        "No evidence: the critical difference is %.2f, and of 84 pairs of ranks %d printed ones and %d here differ by more.",
        limit, apart(printed_ranks), apart(ranks))),
    claim("For numeric targets, it is the best on atp1d, atp7d, oes10 and osales (5, Figure 4).",
      "four of six data sets",
      paste0(sum(ahead_of_both[of_six]), " of these four: ", listed(of_six[ahead_of_both[of_six]]), "; ",
        sum(ahead_of_both),
        " of all six"), all_or(ahead_of_both[of_six])),
    claim("On oes97, it performs like RReliefF with 50 neighbors (5, Figure 4).", "curves", score_text("oes97"),
      yes(abs(numeric["oes97", group] - numeric["oes97", many]) < 0.5),
        "Like: ranking scores that differ by less than 0.5."),
    claim("On scm20d, both versions of RReliefF outperform it (5, Figure 4).", "curves", score_text("scm20d"),
      yes(all(numeric["scm20d", versions] < numeric["scm20d", group]))),
    claim("Group-JMI is competitive with the state of the art (abstract, 6).", "ten rivals",
      paste0("places among seven: ", paste(place, collapse = ", "), "; best on ", sum(ahead_of_both),
        " of 6 numeric sets"),
      yes(all(place <= 2) || mean(place <= 2) > 0.5), "Competitive: first or second by most measures."),
    also_looked_at("Each setting of Table 2 has the printed winner.", paste(settings, "settings"),
      paste0(sum(same), "; one third, ", settings / 3, ", is chance"), verdict_of(same),
      "Partly the normalization. Differences are small, and languagelog is another version of the data."),
    also_looked_at("With normalized terms, as in the published program, Group-JMI-Rand wins most settings.",
      in_words(told),
      in_words(program_wins), yes(program_wins[[group]] == max(program_wins)),
      sprintf("The printed winner is found in %d of %d settings. Single-JMI and Joint-JMI are not normalized.",
        sum(jmi_same(program, print_scores)), settings)),
    also_looked_at("The seven selectors have the printed order (Figure 3).", "four orders",
      paste("Spearman's correlation", paste(sprintf("%.2f", agree), collapse = ", ")),
      if (all(agree > 0.9)) "holds" else if (mean(agree) > 0.5) "holds in part" else "does not hold",
      "The ranks are means over nine data sets, and close to each other.")
  )
  do.call(rbind, c(rows, c_rows))
}

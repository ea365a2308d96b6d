# What the articles on papers share. Each article has its results (PAPER.rds, made by data-raw/reproduce.R), the printed
# numbers of the paper (printed/PAPER-*.csv), and its claims (claims-PAPER.R): a function of the results that computes a
# verdict on each claim, so that the last article can list all of them.

verdicts <- c("holds", "holds in part", "does not hold", "cannot be tested")

# One claim of a paper: what it says, the printed and the recomputed numbers in words, a verdict, and the reason.
claim <- function(claim, printed, here, verdict, reason = "") {
  stopifnot(verdict %in% verdicts)
  data.frame(claim = claim, printed = printed, here = here, verdict = verdict, reason = reason, claimed = TRUE)
}

# The same for what no sentence of the paper claims. It has a table of its own and is not counted.
also_looked_at <- function(...) {
  row <- claim(...)
  row$claimed <- FALSE
  row
}

# A verdict from the share of cases that agree: all, most, or fewer.
verdict_of <- function(agree, most = 0.5) {
  share <- mean(agree)
  if (share == 1) "holds" else if (share > most) "holds in part" else "does not hold"
}

results <- function(paper) readRDS(paste0(paper, ".rds"))

printed <- function(name) utils::read.csv(file.path("printed", paste0(name, ".csv")), check.names = FALSE)

# A data frame as a table, for chunks with results = "asis". Numbers that are not whole get as many `digits`.
markdown_table <- function(x, digits = 3) {
  align <- ifelse(vapply(x, is.numeric, NA), "r", "l")
  x[] <- lapply(x, function(column) {
    text <- if (is.double(column)) formatC(column, format = "f", digits = digits) else as.character(column)
    ifelse(is.na(column), "", text)
  })
  cat("", knitr::kable(x, "pipe", align = align, row.names = FALSE), "", sep = "\n")
}

claims_table <- function(claims, claimed = TRUE) {
  claims <- claims[claims$claimed == claimed, names(claims) != "claimed"]
  names(claims) <- c("claim", "printed", "recomputed", "verdict", "why")
  claims$verdict <- paste0("**", claims$verdict, "**")
  markdown_table(claims)
}

# How a benchmark was made, in a few words: splits of each data set, and time.
run_facts <- function(bench) {
  splits <- max(table(unique(as.data.frame(bench)[c("task", "split")])$task))
  sprintf("%s %s of each data set at most, %s", splits, if (splits == 1) "split" else "splits", core_time(bench))
}

# How many splits each data set has, in words: "10 splits of enron and yeast, and 1 of delicious".
splits_text <- function(bench) {
  facts <- unique(as.data.frame(bench)[c("task", "split")])
  counts <- sort(table(factor(facts$task, unique(facts$task))), decreasing = TRUE)
  parts <- vapply(unique(counts), function(n) {
    listed(names(counts)[counts == n], before = paste(n, if (n == 1) "split of " else "splits of "))
  }, "")
  paste(parts, collapse = "; ")
}

# c("a", "b", "c") as "a, b and c".
listed <- function(x, before = "") {
  if (length(x) == 0L) return("none")
  last <- if (length(x) > 1L) paste(" and", x[length(x)])
  paste0(before, paste(if (length(x) > 1L) x[-length(x)] else x, collapse = ", "), last)
}

# Means over splits, tasks x selectors, in the order of `tasks`. Tasks that lack a selector are left out.
mean_matrix <- function(bench, measure, tasks, selectors = unique(bench$selector), keep = TRUE) {
  rows <- as.data.frame(bench)
  rows <- rows[rows$measure == measure & keep & rows$selector %in% selectors, ]
  means <- tapply(rows$value, list(factor(rows$task, tasks), factor(rows$selector, selectors)), mean)
  means[stats::complete.cases(means), , drop = FALSE]
}

# The time that a benchmark took, in words.
core_time <- function(bench) {
  spent <- sum(mlsift::timings(bench)$seconds)
  time <- if (spent < 5400) paste(number(spent / 60, 0), "minutes") else paste(number(spent / 3600, 1), "hours")
  paste(time, "of one core")
}

number <- function(x, digits = 3) formatC(x, format = "f", digits = digits, big.mark = ",")

# The losses of predicting the most frequent, on the data sets of the comparison of all selectors. Names: data sets.
floor_values <- function(measure, tasks) {
  floor <- results("all-selectors")$floor
  values <- mean_matrix(floor, measure, intersect(tasks, floor$task))
  stats::setNames(values[, 1], rownames(values))
}

# Means over splits against a parameter of a selector. `values`: its values, with the names of selectors; `group`: for
# several series, the series of each selector.
parameter_plot <- function(bench, values, measure, k, label, group = NULL) {
  means <- summary(bench, measure = measure)
  means <- means[means$selector %in% names(values) & means$k %in% k, ]
  means$series <- if (is.null(group)) "" else group[means$selector]
  ggplot2::ggplot(means, ggplot2::aes(values[selector], mean, color = factor(k), linetype = series)) +
    ggplot2::geom_line() + ggplot2::geom_point() + ggplot2::facet_wrap(~task, scales = "free_y") +
    ggplot2::labs(x = label, y = gsub("_", " ", measure), color = "number of features", linetype = NULL) +
    ggplot2::theme_minimal() + if (is.null(group)) ggplot2::guides(linetype = "none")
}

# On how many data sets each selector has the best ranking score, a row for each measure.
wins <- function(bench) {
  measures <- unique(bench$measure)
  counts <- t(vapply(measures, function(measure) {
    scores <- mlsift::ranking_scores(bench, measure)
    colSums(scores <= apply(scores, 1L, min) + 1e-9, na.rm = TRUE)
  }, numeric(length(unique(bench$selector)))))
  rbind(counts, all = colSums(counts))
}

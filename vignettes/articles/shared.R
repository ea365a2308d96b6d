# What the articles on papers share. Each article has its results (PAPER.rds, made by data-raw/reproduce.R), the printed
# numbers of the paper (printed/PAPER-*.csv), and its claims (claims-PAPER.R): a function of the results that computes a
# verdict on each claim, so that the last article can list all of them.

verdicts <- c("holds", "holds in part", "does not hold", "cannot be tested")

# One claim of a paper: what it says, the printed and the recomputed numbers in words, a verdict, and the reason.
claim <- function(claim, printed, here, verdict, reason = "") {
  stopifnot(verdict %in% verdicts)
  data.frame(claim = claim, printed = printed, here = here, verdict = verdict, reason = reason)
}

# A verdict from the share of cases that agree: all, most, or fewer.
verdict_of <- function(agree, most = 0.5) {
  share <- mean(agree)
  if (share == 1) "holds" else if (share > most) "holds in part" else "does not hold"
}

results <- function(paper) readRDS(paste0(paper, ".rds"))

printed <- function(name) utils::read.csv(file.path("printed", paste0(name, ".csv")), check.names = FALSE)

# A data frame as a markdown table, for chunks with results = "asis".
markdown_table <- function(x, digits = 3) {
  cells <- vapply(x, function(column) {
    text <- if (is.double(column)) formatC(column, format = "f", digits = digits) else as.character(column)
    gsub("|", "\\|", ifelse(is.na(column), "", text), fixed = TRUE)
  }, character(nrow(x)))
  cells <- matrix(cells, nrow(x))
  align <- ifelse(vapply(x, is.numeric, NA), "--:", "---")
  line <- function(parts) paste0("| ", paste(parts, collapse = " | "), " |")
  cat("\n", paste0(c(line(names(x)), line(align), apply(cells, 1, line)), "\n"), "\n", sep = "")
}

claims_table <- function(claims) {
  names(claims) <- c("claim", "printed", "recomputed", "verdict", "why")
  claims$verdict <- paste0("**", claims$verdict, "**")
  markdown_table(claims)
}

# How a benchmark was made, in one sentence: repeats and seconds.
run_facts <- function(bench) {
  spent <- sum(mlsift::timings(bench)$seconds)
  sprintf("%d splits of each data set at most, %.1f hours of one core", max(table(unique(as.data.frame(bench)[c("task", "split")])$task)), spent / 3600)
}

# One grid of strings is used for the console, markdown and LaTeX; each style defines how the parts of a cell are
# written. `pad` replaces a missing mark, to keep the numbers of a column aligned.

# Line breaks in names would end a table row or a LaTeX comment.
one_line <- function(s) gsub("[[:cntrl:]]+", " ", s)

table_styles <- list(
  console = list(pm = "\u00b1", win = "\u2022", loss = "\u25e6", best = \(s) paste0(s, "*"), pad = " ",
    escape = one_line, missing = "NA"),
  ascii = list(pm = "+-", win = "+", loss = "-", best = \(s) paste0(s, "*"), pad = " ", escape = one_line,
    missing = "NA"),
  markdown = list(pm = "\u00b1", win = "\u2022", loss = "\u25e6", best = \(s) paste0("**", s, "**"),
    escape = \(s) gsub("([\\\\`*_|<>#~])", "\\\\\\1", one_line(s)), missing = "NA"),
  latex = list(pm = "$\\pm$", win = "$\\bullet$", loss = "$\\circ$", best = \(s) paste0("\\textbf{", s, "}"),
    escape = function(s) escape_latex(s), name = function(s) breakable_latex(s), missing = "--", less = "$<$"),
  html = list(pm = "\u00b1", win = "\u2022", loss = "\u25e6", best = identity, missing = "\u2013")
)

escape_latex <- function(s) {
  s <- gsub("\\", "\u0001", one_line(s), fixed = TRUE)
  s <- gsub("([&%$#_{}])", "\\\\\\1", s)
  s <- gsub("~", "\\textasciitilde{}", gsub("^", "\\textasciicircum{}", s, fixed = TRUE), fixed = TRUE)
  gsub("\u0001", "\\textbackslash{}", s, fixed = TRUE)
}

# Rows: header, tasks, mean rank, the result of a test over tasks and, with a control, win/tie/loss; columns: row names,
# selectors.
table_grid <- function(x, style) {
  s <- table_styles[[style]]
  margin <- strrep(s$pad %||% "", if (is.null(x$control)) 1L else 2L)
  cells <- matrix(format_cells(x, s), nrow(x$mean))
  ranks <- ifelse(is.finite(x$mean_ranks), formatC(x$mean_ranks, format = "f", digits = 2), s$missing)
  record <- if (!is.null(x$record)) ifelse(is.na(x$record[1L, ]), "", apply(x$record, 2L, paste, collapse = "/"))
  tested <- overall_row(x, s)
  body <- rbind(cells, ranks, record)
  body[-seq_len(nrow(cells)), ] <- paste0(body[-seq_len(nrow(cells)), ], margin)
  body <- rbind(body[seq_len(nrow(cells) + 1L), , drop = FALSE], tested, if (!is.null(record)) body[nrow(body), ])
  name <- s$name %||% s$escape
  names <- c(name(rownames(x$mean)), "mean rank", if (!is.null(tested)) overall_name(x),
    if (!is.null(record)) "win/tie/loss")
  unname(rbind(c("task", paste0(name(colnames(x$mean)), margin)), cbind(names, body)))
}

overall_name <- function(x) if (is.null(x$control)) "group" else "adjusted p"

# The row of a test over tasks: group letters or, with a control, adjusted p-values and marks.
overall_row <- function(x, s) {
  if (is.null(x$overall)) return(NULL)
  pad <- s$pad %||% ""
  if (is.null(x$control)) return(paste0(x$overall$letters, pad))
  p <- sub("<", s$less %||% "<", format_cell_p(x$overall$p_adjusted), fixed = TRUE)
  p[is.na(x$overall$p_adjusted)] <- ""
  paste0(p, pad, outcome_marks(x$overall$outcome, s))
}

# Where numbers are aligned by padding, a mark takes the place of the padding.
outcome_marks <- function(outcome, s) {
  gap <- if (is.null(s$pad)) " "
  mark <- c(win = paste0(gap, s$win), loss = paste0(gap, s$loss), tie = s$pad %||% "")
  mark[ifelse(is.na(outcome), "tie", outcome)]
}

format_cells <- function(x, s) {
  pad <- s$pad %||% ""
  number <- function(v) formatC(v, format = "f", digits = x$digits)
  out <- ifelse(is.na(x$sd), number(x$mean), paste(number(x$mean), s$pm, number(x$sd)))
  out <- ifelse(x$best, s$best(out), paste0(out, pad))
  out <- ifelse(is.na(x$mean), paste0(s$missing, pad), out)
  if (is.null(x$control)) out else paste0(out, outcome_marks(x$outcome, s))
}

table_title <- function(x) {
  one_line(paste0(
    x$measure, at_label(x$at, ", mean over the grid"), " (", better_side(x$direction), "), learner ", x$learner
  ))
}

# What the marks mean, and what is missing.
table_notes <- function(x, s, best) {
  failed <- rownames(x$mean)[rowSums(is.na(x$mean)) > 0L]
  untested <- if (length(x$test) == 1L && x$test != "none") names(x$n_splits)[x$n_splits < 2L]
  list_names <- function(names) s$escape(paste(names, collapse = ", "))
  test <- x$overall_label %||% switch(
    x$test %||% "none", "corrected-t" = "corrected t-test over splits", wilcoxon = "Wilcoxon test over splits",
    "bayes-t" = paste0("Bayesian correlated t-test over splits, rope ", format(x$rope)), none = "means, no test"
  )
  sure <- if (identical(x$test, "bayes-t")) paste0(", probability at least ", format(1 - x$alpha)) else
  if (!identical(x$test, "none")) paste0(", alpha = ", x$alpha)
  c(
    paste0("Mean", if (any(x$n_splits > 1L)) paste0(" ", s$pm, " standard deviation"), " over splits; ", best,
      " best of the row."),
    if (!is.null(x$control)) {
      paste0(s$win, " ", s$escape(x$control), " is better, ", s$loss, " worse than this selector (", s$escape(test),
        sure, ").")
    } else if (!is.null(x$overall)) {
      paste0("Selectors with a common letter do not differ significantly (", s$escape(test), sure, ").")
    },
    if (!is.null(x$record)) {
      paste0("win/tie/loss: in how many tasks ", s$escape(x$control), " is better, neither, or worse.")
    },
    if (!is.null(x$ranked)) paste0("Mean ranks are those of the test", s$escape(x$ranked), "."),
    if (length(failed)) paste0("Left out of mean ranks, since a selector has no value: ", list_names(failed), "."),
    if (length(untested)) paste0("Not tested, since there is one split: ", list_names(untested), ".")
  )
}

#' @export
format.mlscoretable <- function(x, style = c("console", "markdown", "latex", "ascii"), columns = NULL, ...) {
  style <- check_choice(style, c("console", "markdown", "latex", "ascii"))
  switch(style, markdown = markdown_lines(paper_table(x, "markdown")),
    latex = latex_lines(paper_table(x, "latex"), columns, NULL, NULL), console_lines(x, table_grid(x, style), style))
}

# Columns that do not fit the width are continued below, as in data frames.
console_lines <- function(x, grid, style) {
  widths <- apply(grid, 2L, \(v) max(nchar(v, "width")))
  pad <- function(j) {
    room <- strrep(" ", widths[j] - nchar(grid[, j], "width"))
    if (j == 1L) paste0(grid[, j], room) else paste0("  ", room, grid[, j])
  }
  block <- 1L
  used <- widths[1L]
  blocks <- integer(ncol(grid))
  for (j in seq_len(ncol(grid))[-1L]) {
    used <- used + widths[j] + 2L
    if (used > getOption("width") && any(blocks == block)) {
      block <- block + 1L
      used <- widths[1L] + widths[j] + 2L
    }
    blocks[j] <- block
  }
  body <- lapply(seq_len(block), \(b) trimws(do.call(paste0, lapply(c(1L, which(blocks == b)), pad)), "right"))
  c(paste0("<mlscoretable> ", table_title(x)), unlist(lapply(body, \(lines) c("", lines))), "",
    table_notes(x, table_styles[[style]], "* marks the"))
}

#' @export
print.mlscoretable <- function(x, ...) {
  cat(format(x, if (cli::is_utf8_output()) "console" else "ascii"), sep = "\n")
  invisible(x)
}

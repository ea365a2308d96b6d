# Tables of results for papers, as LaTeX and in documents of knitr and litedown. Each result describes its table as a
# paper_table(); one function for each format writes it.

# A table of strings, in one of `table_styles`. grid: the names of the columns, then the rows; title and notes: text in
# that style; left: how many columns are left-aligned; blocks: the sizes, in rows, of blocks separated by a rule.
new_paper_table <- function(grid, title, notes, left = 1L, blocks = nrow(grid) - 1L) {
  list(grid = unname(grid), title = title, notes = notes, left = left, blocks = blocks)
}

# `rows`: the maximum number of rows, since a result may have thousands.
paper_table <- function(x, style, rows = Inf) UseMethod("paper_table")

#' @exportS3Method
paper_table.mlscoretable <- function(x, style, rows = Inf) {
  s <- table_styles[[style]]
  grid <- table_grid(x, style)
  new_paper_table(grid, s$escape(table_title(x)), table_notes(x, s, "bold: the"),
    blocks = c(nrow(x$mean), nrow(grid) - 1L - nrow(x$mean)))
}

#' @exportS3Method
paper_table.mlranktest <- function(x, style, rows = Inf) {
  shown <- rank_test_table(x, 2L)
  if (is.null(x$control)) shown$group <- unname(x$letters[shown$method])
  of_frame(shown, style, rank_test_title(x), c(
    paste0(rank_test_global(x), "."), paste0(rank_test_posthoc(x), "."),
    if (!is.null(x$control)) paste0(upper_first(effect_note(x)), "."),
    if (is.null(x$control)) "Methods with a common letter do not differ significantly.",
    if (x$posthoc == "wilcoxon-holm") too_few_datasets(x$n_datasets, nrow(x$comparisons), x$alpha)
  ))
}

#' @exportS3Method
paper_table.mlpairs <- function(x, style, rows = Inf) {
  about <- whole_pairs(x)
  if (is.null(about)) return(of_frame(as.data.frame(x), style, "pairs of methods"))
  notes <- paste0(upper_first(c(pairs_note(about), difference_note(about))), ".")
  of_frame(pairs_table(x), style, pairs_title(about), notes, left = 2L)
}

#' @exportS3Method
paper_table.mlposterior <- function(x, style, rows = Inf) {
  p <- tidy.mlposterior(x)
  shown <- data.frame(region = p$region, from = format_end(p$conf.low), to = format_end(p$conf.high), better = p$better,
    probability = format_probability(p$probability))
  if (x$rope == 0) shown <- shown[-2L, ]
  title <- paste0(x$method, ", ", counted(x$n_pairs, "pair"), ", rope ", format(x$rope))
  of_frame(shown, style, title, c(
    paste0("Here, ", posterior_sentence(x), "."),
    paste0("Estimated difference y - x: ", format(x$estimate, digits = 3), ".")
  ))
}

#' @exportS3Method
paper_table.mlbestk <- function(x, style, rows = Inf) {
  shown <- as.data.frame(x)
  same <- vapply(intersect(c("learner", "measure"), names(shown)), \(column) length(unique(shown[[column]])) == 1L, NA)
  constant <- names(same)[same]
  title <- c(measure = "best %s", learner = "learner %s")
  of_frame(shown[setdiff(names(shown), constant)], style, paste(c(
    if (length(constant) == 0L || !"measure" %in% constant) "best numbers of features",
    vapply(rev(constant), \(column) sprintf(title[[column]], shown[[column]][1L]), "")
  ), collapse = ", "), left = if ("task" %in% names(shown)) 2L else 1L)
}

#' @exportS3Method
paper_table.mlselection <- function(x, style, rows = Inf) {
  shown <- selection_table(x, min(rows, nrow(x)))
  title <- paste0(attr(x, "selector")$name, ": ", format_count(nrow(shown)), " of ",
    format_count(attr(x, "n_features")), " features",
    if (!is.null(attr(x, "task_name"))) paste0(" of ", attr(x, "task_name")))
  of_frame(shown, style, title, left = match("feature", names(shown)))
}

format_end <- function(x) ifelse(is.infinite(x), "", format(x, digits = 3, trim = TRUE))

# Numbers are rounded to four digits; strings are not changed.
of_frame <- function(frame, style, title, notes = character(), left = 1L) {
  s <- table_styles[[style]]
  name <- s$name %||% s$escape
  text <- vapply(frame, function(column) {
    shown <- if (is.numeric(column)) format(column, digits = 4L, trim = TRUE) else name(as.character(column))
    ifelse(is.na(column), s$missing, shown)
  }, character(nrow(frame)))
  grid <- rbind(s$escape(gsub("_", " ", names(frame))), matrix(text, nrow(frame)))
  new_paper_table(grid, s$escape(one_line(title)), s$escape(one_line(notes)), left)
}

# --- markdown ---------------------------------------------------------------------------------------------------------

markdown_lines <- function(table) {
  row <- function(cells) paste0("| ", paste(cells, collapse = " | "), " |")
  rule <- row(c(rep(":---", table$left), rep("---:", ncol(table$grid) - table$left)))
  c(row(table$grid[1L, ]), rule, apply(table$grid[-1L, , drop = FALSE], 1L, row), markdown_notes(table))
}

markdown_notes <- function(table) {
  if (length(table$notes) > 0L) c("", paste0("*", paste(table$notes, collapse = " "), "*"))
}

# A table wider than the page scrolls. knitr provides the caption, its label and the number.
knit_lines <- function(table, caption) {
  cells <- gsub("\\|", "|", table$grid, fixed = TRUE) # which kable() escapes
  cells <- matrix(cells, nrow(table$grid))
  align <- rep(c("l", "r"), c(table$left, ncol(cells) - table$left))
  lines <- knitr::kable(cells[-1L, , drop = FALSE], "pipe", col.names = cells[1L, ], align = align, caption = caption)
  scrolls <- is.null(knitr::pandoc_to()) || knitr::is_html_output()
  c(if (scrolls) c("<div style=\"overflow-x: auto;\">", ""), lines, if (scrolls) c("", "</div>"), markdown_notes(table))
}

# --- LaTeX ------------------------------------------------------------------------------------------------------------

# Text of more than 24 characters may be broken after every eighth character.
breakable_latex <- function(s) {
  long <- !is.na(s) & nchar(s) > 24L
  out <- escape_latex(s)
  out[long] <- vapply(strsplit(one_line(s[long]), ""), function(letters) {
    pieces <- tapply(letters, (seq_along(letters) - 1L) %/% 8L, paste, collapse = "")
    paste0("\\parbox{3cm}{\\raggedright\\strut ", paste(escape_latex(pieces), collapse = "\\allowbreak{}"), "\\strut}")
  }, "")
  out
}

# If no number of columns is given, as many as fit the page are placed side by side, in smaller type if not all do, and
# the others below them. `float`: whether it is a table with a caption, or part of the text.
latex_lines <- function(table, columns, caption, label, float = TRUE) {
  widths <- apply(table$grid, 2L, function(cells) max(latex_width(cells)))
  fixed <- seq_len(table$left)
  others <- seq_along(widths)[-fixed]
  fits <- function(some, small) sum(widths[c(fixed, some)] * (4.8 - 0.5 * small) + 12 - 4 * small) <= page_points
  small <- if (is.null(columns)) !fits(others, FALSE) else length(others) > columns
  n_blocks <- if (!is.null(columns)) ceiling(length(others) / columns) else Find(function(n) {
    all(vapply(split(others, sort(rep_len(seq_len(n), length(others)))), fits, NA, small = small))
  }, seq_along(others)) %||% length(others)
  pieces <- lapply(split(others, sort(rep_len(seq_len(max(1, n_blocks)), length(others)))), function(some) {
    latex_tabular(table$grid[, c(fixed, some), drop = FALSE], table)
  })
  c(
    if (float) c(
      "\\begin{table}", "\\centering", paste0("\\caption{", caption %||% table$title, "}"),
      if (!is.null(label)) paste0("\\label{", label, "}")
    ) else "\\begin{center}",
    if (small) "\\small\\setlength{\\tabcolsep}{4pt}%",
    unlist(lapply(seq_along(pieces), \(i) c(if (i > 1L) c("", "\\medskip", ""), pieces[[i]]))),
    if (length(table$notes) > 0L) c("", "\\smallskip", paste0("\\parbox{\\linewidth}{\\footnotesize ",
      paste(table$notes, collapse = " "), "}")),
    if (float) "\\end{table}" else "\\end{center}"
  )
}

# The line width of the article class in points.
page_points <- 345

# Approximate number of characters that a cell shows.
latex_width <- function(cells) {
  boxed <- grepl("\\parbox", cells, fixed = TRUE)
  shown <- gsub("\\\\(textbf|[a-z]+)|[{}$]", "", gsub("\\$\\\\[a-z]+\\$", "x", gsub("\\\\([&%$#_{}])", "x", cells)))
  ifelse(boxed, 18, nchar(shown))
}

latex_tabular <- function(grid, table) {
  row <- function(cells) paste0(paste(cells, collapse = " & "), " \\\\")
  body <- apply(grid[-1L, , drop = FALSE], 1L, row)
  last <- seq_along(body) %in% utils::head(cumsum(table$blocks), -1L)
  lines <- unlist(lapply(seq_along(body), \(i) c(body[i], if (last[i]) "\\midrule")))
  spec <- paste0(strrep("l", table$left), strrep("r", ncol(grid) - table$left))
  c(paste0("\\begin{tabular}{", spec, "}"), "\\toprule", row(grid[1L, ]), "\\midrule", lines, "\\bottomrule",
    "\\end{tabular}")
}

# Text is escaped; I("...") is LaTeX, and so is a text reference of bookdown.
latex_caption <- function(caption) {
  if (is.null(caption)) return(NULL)
  check_string(caption)
  if (inherits(caption, "AsIs") || grepl("^\\(ref:[^)]+\\)$", caption)) return(unclass(caption))
  escape_latex(caption)
}

# LaTeX interprets these characters before it sees a label.
check_latex_label <- function(label) {
  check_string(label)
  odd <- regmatches(label, regexpr("[%#{}~\\\\]", label))
  if (length(odd) > 0L) {
    abort(c("{.arg label} must not contain any of %, #, {{, }}, ~ and \\.", x = "It contains {.val {odd}}.",
      i = "Letters, digits, hyphens and colons are safe."))
  }
}

to_latex <- function(x, caption, label, columns = NULL) {
  if (!is.null(label)) check_latex_label(label)
  caption <- latex_caption(caption)
  structure(latex_lines(paper_table(x, "latex"), columns, caption, label), class = "Latex")
}

# What a knitr chunk prints: `options` are the chunk options.
knit_table <- function(x, options, rows) {
  caption <- options$tab.cap
  in_latex <- knitr::is_latex_output()
  table <- paper_table(x, if (in_latex) "latex" else "markdown", rows)
  # Quarto writes its own captions. Without a caption, the title describes the table.
  quarto <- options[["tbl-cap"]] %||% options$tbl.cap
  if (is.null(caption) && is.null(quarto)) table$notes <- c(paste0(table$title, "."), table$notes)
  lines <- if (in_latex) {
    label <- if (!is.null(options$label)) paste0("tab:", options$label)
    c("```{=latex}", latex_lines(table, NULL, latex_caption(caption), label, float = !is.null(caption)), "```")
  } else {
    knit_lines(table, caption)
  }
  needs <- if (in_latex) list(structure(list(name = "booktabs"), class = "latex_dependency"))
  structure(paste(c("", lines, ""), collapse = "\n"), class = "knit_asis", knit_meta = needs, knit_cacheable = NA)
}

#' Tables of results in papers and documents
#'
#' `toLatex()` writes a result as a complete LaTeX table. In documents of knitr, such as R Markdown, Quarto and
#' bookdown, results print as tables by themselves.
#'
#' # LaTeX
#' A table needs the LaTeX package booktabs and no other. Columns that do not fit the page of the class article stand
#' below the others. Names of more than 24 characters can be broken.
#'
#' # Documents
#' A chunk whose value is one of these results shows a table. The chunk option `tab.cap` is its caption, so bookdown
#' numbers it, and `\@ref(tab:chunk)` refers to the chunk of that name. In Quarto, `label: tbl-name` and `tbl-cap` do
#' the same. In HTML, a table that is wider than the page scrolls. Selections show their first ten features. `print()`
#' shows the text of the console instead.
#'
#' # Templates
#' In RStudio, File > New File > R Markdown > From Template lists "Comparison of selectors" and "Selection report".
#' Elsewhere, `rmarkdown::draft("mine.Rmd", "comparison-of-selectors", package = "mlsift")` writes the first, and
#' `"selection-report"` is the second. Both knit as they stand, and need three lines changed for data of your own. For
#' Quarto, copy `system.file("quarto", "comparison-of-selectors.qmd", package = "mlsift")`.
#'
#' @param object A result of [score_table()], [rank_test()], [compare_pairs()], [best_k()], [bayes_signed_rank()],
#'   [bayes_correlated_t()] or [sift_features()]. Of a selection, `head(selection, 20)` gives the first 20 features.
#' @param caption (string) The caption. `NULL` takes the title that `print()` shows. Characters that are special in
#'   LaTeX are escaped; with `I("...")` it is LaTeX as it stands.
#' @param label (string) For `\ref{}`, without %, #, braces, ~ and backslashes.
#' @param columns (count) For score tables: how many selectors stand beside each other. `NULL` chooses.
#' @param ... not used.
#' @return A character vector of class `Latex`, one element for each line, which prints as text.
#' @family comparisons
#' @name tables_for_papers
#' @examples
#' selection <- sift_features(help_pages, sel_mim(), k = 3)
#' toLatex(selection, caption = "The first 3 of 329 words", label = "tab:words")
NULL

#' @rdname tables_for_papers
#' @importFrom utils toLatex
#' @exportS3Method utils::toLatex
toLatex.mlscoretable <- function(object, caption = NULL, label = NULL, columns = NULL, ...) {
  to_latex(object, caption, label, check_count(columns, null = TRUE))
}

#' @rdname tables_for_papers
#' @usage NULL
#' @rawNamespace
#' S3method(utils::toLatex, mlbestk, latex_result)
#' S3method(utils::toLatex, mlpairs, latex_result)
#' S3method(utils::toLatex, mlposterior, latex_result)
#' S3method(utils::toLatex, mlranktest, latex_result)
#' S3method(utils::toLatex, mlselection, latex_result)
latex_result <- function(object, caption = NULL, label = NULL, ...) {
  refuse_dots(...)
  to_latex(object, caption, label)
}

# In documents of knitr and litedown, all results with a paper_table() print as tables.

#' @rawNamespace
#' S3method(knitr::knit_print, mlbestk, knit_result)
#' S3method(knitr::knit_print, mlpairs, knit_result)
#' S3method(knitr::knit_print, mlposterior, knit_result)
#' S3method(knitr::knit_print, mlranktest, knit_result)
#' S3method(knitr::knit_print, mlscoretable, knit_result)
#' S3method(knitr::knit_print, mlselection, knit_result)
#' S3method(xfun::record_print, mlbestk, record_result)
#' S3method(xfun::record_print, mlpairs, record_result)
#' S3method(xfun::record_print, mlposterior, record_result)
#' S3method(xfun::record_print, mlranktest, record_result)
#' S3method(xfun::record_print, mlscoretable, record_result)
#' S3method(xfun::record_print, mlselection, record_result)
knit_result <- function(x, options = NULL, ...) knit_table(x, options, shown_rows(x))

record_result <- function(x, ...) {
  list(structure(c("", markdown_lines(paper_table(x, "markdown", shown_rows(x))), ""), class = "record_asis"))
}

shown_rows <- function(x) if (inherits(x, "mlselection")) 10L else Inf

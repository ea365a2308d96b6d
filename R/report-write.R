#' Write a benchmark or an answer as one web page
#'
#' Writes one self-contained HTML page. For an answer of [sift()], it has the finding in words, the features with their
#' stand-ins and the targets that they serve, the quality, how similar the chosen features are to each other, how they
#' were chosen, and the code. For a benchmark, it has
#' * a summary: for every learner and measure the best selector, the others that a test does not distinguish from it,
#'   and how many features it needs;
#' * the data and the protocol, with the sources of the selectors;
#' * for every learner and measure, the curves, the table of means, and comparisons over tasks: the finding in words, as
#'   [summary.mlranktest()] writes it, the critical-difference diagram of [rank_test()], and the matrix of
#'   [compare_pairs()];
#' * how searches with a learner, such as [sel_rga()], proceeded, if there are any;
#' * the stability of the selected features;
#' * timings and failures;
#' * the code that repeats the benchmark, with fingerprints of the data, and the session of the run: R, platform and
#'   versions of packages.
#'
#' Plots and styles are inside the file, so it can be mailed or archived. The package knitr is required, but pandoc is
#' not.
#'
#' Mean ranks in the table are those of the diagram: ranks of [ranking_scores()]. The matrix compares the means in the
#' table. A rank test needs at least three selectors and two tasks. With two selectors the finding is that of the pair.
#'
#' @param bench A benchmark, from [benchmark_selectors()], or an answer, from [sift()].
#' @param file (string) The file to write, such as `"report.html"`, whose suffix is added where it is missing. An
#'   existing file is replaced.
#' @param title (string) Heading of the page; `NULL` for one that suits what is written.
#' @param control (string) This argument and those below are for benchmarks. A selector to compare the others with. The
#'   tables then count its wins, ties and losses, and the test is that of Bonferroni and Dunn. `NULL` compares all
#'   pairs, by Nemenyi's test.
#' @param alpha (number) Level of the tests.
#' @param comparisons (strings) Which comparisons over tasks the page shows, any of `"ranks"` (the rank test), `"pairs"`
#'   (the matrix of all pairs) and `"bayes"` (a table of [bayes_signed_rank()], of `control` or else the best selector
#'   with each other one). `character()` shows none.
#' @param rope (number, 0 or more) For `"bayes"`: the largest difference that does not matter in practice.
#' @return The path of the file, invisibly.
#' @family benchmarks
#' @examplesIf mlsift:::has_package("knitr")
#' set.seed(1)
#' bench <- benchmark_selectors(help_pages, list(sel_mim(), sel_random()), lrn_nb(), rs_cv(3),
#'   k = c(5, 10, 20), measures = "average_precision"
#' )
#' file <- write_report(bench, tempfile(fileext = ".html"), comparisons = "ranks")
#' if (interactive()) browseURL(file)
#' @export
write_report <- function(bench, file, title = NULL, control = NULL, alpha = 0.05, comparisons = c("ranks", "pairs"),
                         rope = 0) {
  check_string(title, null = TRUE)
  if (inherits(bench, "mlsift")) {
    if (!missing(control) || !missing(alpha) || !missing(comparisons) || !missing(rope)) {
      abort(c("The report of an answer has only the arguments {.arg file} and {.arg title}.",
        i = "{.code write_report(x$benchmark, file)} compares selectors."))
    }
    check_report_file(file)
    check_package("knitr", "A report")
    return(write_page(file, title %||% answer_title(bench), answer_headline(bench), answer_sections(bench)))
  }
  check_benchmark(bench)
  check_report_file(file)
  if (!is.null(control)) check_choice(control, unique(as.character(bench$selector)))
  alpha <- check_alpha(alpha)
  known <- c("ranks", "pairs", "bayes")
  if (!identical(comparisons, character())) comparisons <- check_known(comparisons, known, "comparisons")
  rope <- check_number(rope, min = 0, finite = TRUE)
  check_package("knitr", "A report")
  options <- list(control = control, alpha = alpha, comparisons = comparisons, rope = rope)
  write_page(file, title %||% "Comparison of feature selectors", report_headline(bench),
    report_sections(bench, options))
}

# `sections`: a list of HTML by title, in order. They are evaluated when the page is made.
write_page <- function(file, title, headline, sections) {
  # The package grid cannot draw if numbers such as 0.5 are written as 5e-01.
  rlang::local_options(scipen = max(0, getOption("scipen")))
  sections <- Filter(function(html) !is.null(html) && any(nzchar(html)), sections)
  short <- sub(" .*", "", sub("^The (.)", "\\U\\1", sub("^To repeat it$", "Code", names(sections)), perl = TRUE))
  id <- tolower(short)
  named <- nzchar(short)
  heads <- ifelse(named, paste0("<h2 id=\"", id, "\">", escape_html(names(sections)), "</h2>\n"), "")
  page <- knitr::knit_expand(text = report_file("report.html"), title = escape_html(title),
    css = report_file("report.css"), headline = headline,
    nav = paste0("<a href=\"#", id[named], "\">", escape_html(short[named]), "</a>", collapse = ""),
    body = paste0(heads, vapply(sections, paste, "", collapse = "\n"), collapse = "\n\n"))
  file <- with_suffix(file, "html")
  con <- catch_problem(base::file(file, "w", encoding = "UTF-8"), function(e) {
    abort(c("{.arg file} cannot be written.", x = "{conditionMessage(e)}."))
  })
  on.exit(close(con), add = TRUE)
  writeLines(page, con, useBytes = FALSE)
  invisible(normalizePath(file))
}

check_report_file <- function(file) {
  check_string(file)
  if (!dir.exists(dirname(file))) abort(c("{.arg file} must be in a folder that exists.",
    x = "There is no folder {.file {dirname(file)}}."))
}

report_file <- function(name) {
  readLines(system.file("report", name, package = "mlsift", mustWork = TRUE), encoding = "UTF-8") |>
    paste(collapse = "\n")
}

# `options`: control, alpha, comparisons and rope of write_report().
report_sections <- function(bench, options) {
  list(
    Summary = report_summary(bench, options), Data = report_data(bench), Protocol = report_protocol(bench),
    Results = report_results(bench, options), report_searches(bench),
    "Stability of the selected features" = report_stability(bench), Timings = report_timings(bench),
    Failures = report_failures(bench), "To repeat it" = report_code(bench),
    Session = session_table(attr(bench, "protocol", exact = TRUE)$session)
  )
}

# --- HTML -------------------------------------------------------------------------------------------------------------

escape_html <- function(x) {
  x <- gsub("&", "&amp;", x, fixed = TRUE)
  x <- gsub("<", "&lt;", x, fixed = TRUE)
  x <- gsub(">", "&gt;", x, fixed = TRUE)
  gsub("\"", "&quot;", x, fixed = TRUE)
}

tag <- function(name, ..., class = NULL) {
  paste0("<", name, if (!is.null(class)) paste0(" class=\"", class, "\""), ">", paste0(..., collapse = ""), "</", name,
    ">")
}

paragraph <- function(..., class = NULL) tag("p", escape_html(paste0(...)), class = class)

code_block <- function(lines) tag("pre", escape_html(paste(lines, collapse = "\n")))

# A data frame as a table: numbers, and columns named in `number`, are right-aligned; `best`, a logical matrix of the
# same size, marks cells; the last `totals` rows are set apart; columns named in `text` may wrap.
html_table <- function(data, caption = NULL, best = NULL, totals = 0L, number = character(), text = character(),
                       digits = 4) {
  numeric <- vapply(data, is.numeric, TRUE) | names(data) %in% number
  cells <- unlist(lapply(data, \(column) escape_html(cell_text(column, digits))))
  classes <- matrix(
    ifelse(numeric, "number", ifelse(names(data) %in% text, "text", "")), nrow(data), length(data), byrow = TRUE
  )
  if (!is.null(best)) classes[best] <- paste(classes[best], "best")
  body <- matrix(paste0("<td class=\"", classes, "\">", cells, "</td>"), nrow(data), length(data))
  kind <- rep(c("", " class=\"total\""), c(nrow(data) - totals, totals))
  rows <- paste0("<tr", kind, ">", apply(body, 1L, paste, collapse = ""), "</tr>", collapse = "\n")
  head <- paste0("<th class=\"", ifelse(numeric, "number", ""), "\">", escape_html(names(data)), "</th>", collapse = "")
  paste0("<div class=\"wide\" tabindex=\"0\"><table>",
    if (!is.null(caption)) tag("caption", tag("span", escape_html(caption))), "\n<thead><tr>", head,
    "</tr></thead>\n<tbody>\n", rows, "\n</tbody></table></div>")
}

cell_text <- function(x, digits) {
  if (is.logical(x)) x <- ifelse(x, "yes", "no")
  out <- if (is.double(x)) vapply(x, format, "", digits = digits) else as.character(x)
  ifelse(is.na(x), "\u2013", out)
}

# A picture embedded in the page, drawn twice: for a page of `width` inches, and for a phone, whose text is as large on
# its screen. `draw`: a function of the width in inches that gives a ggplot; `height`: a function of picture_room() that
# gives the height in inches. A picture that is wider than the page scrolls, so that its text stays legible.
html_picture <- function(draw, width, height, alt) {
  embed <- function(width, dpi) {
    file <- tempfile(fileext = ".png")
    on.exit(unlink(file))
    ggplot2::ggsave(file, draw(width), width = width, height = height(picture_room(width, 11)), dpi = dpi,
      bg = "white", limitsize = FALSE)
    knitr::image_uri(file)
  }
  paste0(
    "<figure", if (width > 11) " class=\"wide\"", "><picture><source media=\"(max-width: 640px)\" srcset=\"",
    embed(phone_width, 220), "\"><img src=\"", embed(width, 150), "\" width=\"", round(96 * width), "\" alt=\"",
    escape_html(alt), "\"></picture></figure>"
  )
}

# In inches. A phone shows it a little enlarged.
phone_width <- 3.2

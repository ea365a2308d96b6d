# What the help has from elsewhere, for inline code and @eval of roxygen2.

# Papers of inst/CITATION by their keys, a paragraph each. What follows a key is added at the end, names at the
# beginning: papers(AMI = "LeeLimKim2012", GMBA = "YanLi2016, eqs. 8 and 13 to 16").
papers <- function(...) {
  entries <- unclass(utils::citation("mlsift"))
  entries <- stats::setNames(entries, vapply(entries, attr, "", "key"))
  wanted <- c(...)
  texts <- vapply(wanted, function(one) {
    key <- sub(",.*", "", one)
    if (is.null(entries[[key]])) stop("inst/CITATION has no paper ", key)
    doi <- if (!is.null(entries[[key]]$doi)) paste0(" \\doi{", entries[[key]]$doi, "}")
    paste0(paper_text(entries[[key]]), substring(one, nchar(key) + 1L), ".", doi)
  }, "")
  paste0(ifelse(nzchar(rlang::names2(wanted)), paste0(names(wanted), ": "), ""), texts, collapse = "\n\n")
}

# "Lee and Kim (2016). Title. Entropy 18(11), 405"
paper_text <- function(paper) {
  authors <- in_words(vapply(unclass(paper$author), function(one) one$family, ""))
  number <- if (!is.null(paper$number)) paste0("(", paper$number, ")")
  where <- c(if (!is.null(paper$journal)) paste0(paper$journal, " ", paper$volume, number),
    paper$booktitle, if (!is.null(paper$series)) paste(paper$series, paper$volume), paper$publisher, paper$pages)
  title <- paste0(paper$title, if (!endsWith(paper$title, "?")) ".")
  paste0(authors, " (", paper$year, "). ", title, " ", gsub("--", "-", paste(where, collapse = ", ")))
}

# For @eval: the usage, aliases and exports of functions that share a page.
usages <- function(...) {
  usage <- vapply(c(...), function(name) {
    arguments <- sub("^function ", "", paste(utils::head(deparse(args(get(name)), 500L), -1L), collapse = " "))
    paste(strwrap(paste0(name, trimws(arguments)), 88L, exdent = 2L), collapse = "\n")
  }, "")
  paste(c("@usage", "@aliases", "@export"), c(paste(usage, collapse = "\n"), rep(paste(c(...), collapse = " "), 2L)))
}

# The constructors of selectors or learners that take "weights" or "unknown" labels, as links.
methods_with <- function(table, what) {
  takes <- vapply(registry[[table]], function(method) isTRUE(as_registered(method)[[what]]), NA)
  linked_constructors(registry[[table]][takes])
}

# The constructors of selectors that count these with each feature, see register_selector(), as links.
counting_selectors <- function(..., word = "and") {
  counts <- Filter(function(method) isTRUE(method$counts %in% c(...)), registry$selectors)
  linked_constructors(counts, word)
}

# The same of greedy selectors that a source provides with counts.
greedy_on_sources <- function() linked_constructors(Filter(\(method) !is.null(method$criterion), registry$selectors))

linked_constructors <- function(methods, word = "and") {
  names <- lapply(methods, function(method) unique(sub("[(].*", "()", method$constructor)))
  in_words(paste0("[", unlist(names), "]"), word)
}

# A method with its first parameters.
as_registered <- function(method) {
  if (!is.null(method$variants)) return(resolve_selector(method, method$variants[[1L]]))
  for (field in c("weights", "unknown")) if (is.function(method[[field]])) method[[field]] <- method[[field]](list())
  method
}

in_words <- function(x, word = "and") {
  n <- length(x)
  if (n < 2L) x else paste(paste(x[-n], collapse = ", "), word, x[n])
}

# The first sentences of the value of selectors: what targets and features they take, what of the rows, and what their
# scores are.
takes <- function(...) {
  methods <- lapply(registry$selectors[c(...)], as_registered)
  words <- vapply(methods, function(method) {
    class <- "class" %in% method$kinds && !"numeric" %in% method$kinds
    targets <- c(c(label = "labels", class = "classes", numeric = "numeric targets")[method$kinds],
      if (class) "numeric targets through `target_bins`")
    features <- if ("codes" %in% method$needs) "discrete features (continuous ones are discretized first)"
    else paste("numeric features without missing values (logicals and factors with two levels count as 0/1, ordered",
      "factors as their level number)")
    paste0(in_words(targets, "or"), ", and ", features, ". ", rows_taken(method))
  }, "")
  by <- methods_by(methods, words)
  who <- if (length(by) == 1L) "It takes "
  else paste(vapply(by, in_words, ""), ifelse(lengths(by) == 1L, "takes ", "take "))
  paste0("A selector for [sift_features()]. ", paste0(who, names(by), collapse = "\n\n"), scored(methods))
}

# The first constructors of methods with the same words, by these words.
methods_by <- function(methods, words) {
  names <- vapply(methods, function(method) paste0("`", method$constructor[1L], "`"), "")
  split(names, factor(words, unique(words)))
}

# What the scores of methods are, in sentences.
scored <- function(methods) {
  methods <- Filter(function(method) !is.null(method$score), methods)
  if (length(methods) == 0L) return("")
  by <- methods_by(methods, vapply(methods, function(method) {
    score <- method$score
    paste0("(", score$unit, ") are ", range_in_words(score$low, score$high), ".")
  }, ""))
  who <- if (length(by) == 1L) "" else paste("of", vapply(by, in_words, ""), "")
  paste0(if (length(by) == 1L) " " else "\n\n", paste0("Scores ", who, names(by), collapse = " "))
}

range_in_words <- function(low, high) {
  if (is.finite(low) && is.finite(high)) paste("between", low, "and", high)
  else if (is.finite(low)) paste(low, "or more")
  else if (is.finite(high)) paste("at most", high)
  else "of either sign"
}

# What of the rows a selector or learner takes, as a sentence.
rows_taken <- function(method) {
  chunks <- !is.null(method$counts) || !is.null(method$criterion)
  taken <- c(if (method$weights) "[weights of rows][row_weights()]",
    if (method$unknown) "[unknown labels][unknown_labels]", if (chunks) "rows [in chunks][chunk_source()]",
    if (!is.null(method$counts)) "[tables of counts][count_tables()]")
  if (length(taken) == 0L) return("Weights of rows and unknown labels are refused.")
  paste0(sub("^(\\W*\\w)", "\\U\\1", in_words(taken), perl = TRUE), " are taken too.")
}

# The same for a learner.
learns <- function(name) {
  method <- as_registered(registry$learners[[name]])
  targets <- c(label = "labels", class = "classes", numeric = "numbers")[method$kinds]
  paste0("A learner, for [fit()][fit.mllearner] and [benchmark_selectors()]. It predicts ", in_words(targets), ". ",
    rows_taken(method))
}

odd <- "a_b%c{d}&$e#f~g^h\\i"

bench_of <- function(selectors, tasks = 5) {
  withr::with_seed(3, hand_benchmark(random_values(tasks = tasks, selectors = selectors)))
}

results <- function(selectors = c("s1", "s2", "s3"), tasks = 5) {
  bench <- bench_of(selectors, tasks)
  list(
    score_table(bench), score_table(bench, control = selectors[1]), rank_test(bench),
    rank_test(bench, control = selectors[1], posthoc = "bonferroni-dunn"),
    compare_pairs(bench), best_k(bench), bayes_signed_rank(c(1, 2, 3, 4), c(2, 2, 5, 1)),
    withr::with_seed(1, sift_features(simulate_mltask(40, 12, 2), sel_mim()))
  )
}

# Braces, environments and cells that fit together; no character that LaTeX would take for its own.
expect_sound_latex <- function(lines, info) {
  text <- gsub("\\\\[\\\\{}%&#_$]", "", paste(lines, collapse = "\n"))
  count <- function(pattern) lengths(regmatches(text, gregexpr(pattern, text, fixed = TRUE)))
  expect_identical(count("{"), count("}"), info = info)
  expect_identical(count("\\begin{"), count("\\end{"), info = info)
  expect_false(grepl("[#%]", gsub("tabcolsep}{4pt}%", "", text, fixed = TRUE)), info = info)
  spec <- NULL
  for (line in lines) {
    if (startsWith(line, "\\begin{tabular}")) spec <- nchar(sub(".*[{]([lr]+)[}]$", "\\1", line))
    if (startsWith(line, "\\end{tabular}")) spec <- NULL
    if (!is.null(spec) && endsWith(line, "\\\\")) {
      cells <- strsplit(gsub("\\\\&", "", line), "&", fixed = TRUE)[[1]]
      expect_length(cells, spec)
    }
  }
}

test_that("every result is a complete table of LaTeX", {
  skip_unless_all()
  for (x in results(c("s1", odd, strrep("long name ", 8)))) {
    lines <- toLatex(x, caption = paste("50 % of", odd, "\u00fc"), label = "tab:x")
    expect_s3_class(lines, "Latex")
    expect_sound_latex(unclass(lines), class(x)[1])
    expect_identical(sum(grepl("\\begin{table}", lines, fixed = TRUE)), sum(grepl("\\caption", lines, fixed = TRUE)))
    expect_identical(sum(lines == "\\label{tab:x}"), 1L)
    expect_match(lines, paste0("50 \\% of ", escape_latex(odd), " \u00fc"), fixed = TRUE, all = FALSE)
    expect_match(toLatex(x, caption = I("$a$ of \\emph{all}")), "$a$ of \\emph{all}", fixed = TRUE, all = FALSE)
    expect_match(toLatex(x), "\\\\caption[{].", all = FALSE)
  }
  expect_error(toLatex(x, caption = 1), "`caption`", class = "mlsift_error")
  expect_error(toLatex(x, label = c("a", "b")), "`label`", class = "mlsift_error")
  for (odd in c("a%", "a}", "a\\b")) expect_error(toLatex(x, label = odd), "must not contain", class = "mlsift_error")
})

test_that("columns of wide tables stand below each other", {
  skip_unless_all()
  many <- paste0("s", 1:60)
  bench <- bench_of(many)
  for (x in list(score_table(bench), rank_test(bench), best_k(bench))) {
    lines <- unclass(toLatex(x, label = "tab:x"))
    expect_sound_latex(lines, class(x)[1])
    # Each method and each row is there.
    text <- paste(lines, collapse = " ")
    for (name in many) expect_match(text, paste0("\\b", name, "\\b"))
    expect_identical(sum(lines == "\\label{tab:x}"), 1L)
  }
  one <- bench_of(c("only", "two"), 1)
  expect_sound_latex(unclass(toLatex(score_table(one))), "one task")
})

test_that("missing values are marked", {
  best <- structure(
    data.frame(task = c("a", "b"), selector = "s", k = c(1L, NA), value = c(NA, 0.5), sd = NA_real_),
    class = c("mlbestk", "data.frame")
  )
  expect_match(toLatex(best), "a & s & 1 & -- & --", fixed = TRUE, all = FALSE)
  expect_match(markdown_lines(paper_table(best, "markdown")), "| b | s | NA | 0.5 | NA |", fixed = TRUE, all = FALSE)
})

in_latex <- function(code) {
  old <- knitr::opts_knit$get()
  on.exit(knitr::opts_knit$restore(old))
  knitr::opts_knit$set(rmarkdown.pandoc.to = "latex")
  force(code)
}

test_that("chunks of knitr show tables with their captions", {
  skip_if_not_installed("knitr")
  for (x in results(c("s1", "a|b_c", "s3"))) {
    out <- knitr::knit_print(x, options = list(tab.cap = "A caption & more", label = "chunk"))
    expect_s3_class(out, "knit_asis")
    expect_match(out, "A caption & more", fixed = TRUE)
    expect_match(out, "overflow-x: auto", fixed = TRUE)
    if (inherits(x, c("mlscoretable", "mlranktest"))) expect_match(out, "a&#124;b\\_c", fixed = TRUE)
    # Without a caption, the title is below.
    title <- paper_table(x, "markdown", 10L)$title
    expect_match(knitr::knit_print(x, options = list()), title, fixed = TRUE)
    latex <- in_latex(knitr::knit_print(x, options = list(tab.cap = "A caption & more", label = "chunk")))
    expect_match(latex, "\\caption{A caption \\& more}\n\\label{tab:chunk}", fixed = TRUE)
    expect_match(latex, "```{=latex}", fixed = TRUE)
    expect_no_match(in_latex(knitr::knit_print(x, options = list(label = "chunk"))), "caption|begin[{]table[}]")
    reference <- in_latex(knitr::knit_print(x, options = list(tab.cap = "(ref:name)", label = "chunk")))
    expect_match(reference, "\\caption{(ref:name)}", fixed = TRUE)
  }
  # A selection of many features is shown in part.
  expect_identical(lengths(regmatches(out, gregexpr("|f", out, fixed = TRUE))), 11L)
})

test_that("documents of litedown show tables", {
  for (x in results()) {
    out <- getS3method("record_print", class(x)[1], envir = asNamespace("xfun"))(x)
    expect_s3_class(out[[1]], "record_asis")
    expect_match(out[[1]], "^[|] :---", all = FALSE)
  }
})

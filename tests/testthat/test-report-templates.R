# What is knitted without rmarkdown or pandoc: each template as it stands, and with other data.

knit_template <- function(path, change = identity) {
  folder <- withr::local_tempdir()
  withr::local_dir(folder)
  lines <- change(readLines(path, encoding = "UTF-8"))
  lines[lines == "library(mlsift)"] <- ""
  writeLines(lines, "doc.Rmd", useBytes = TRUE)
  old <- knitr::opts_knit$get()
  withr::defer(knitr::opts_knit$restore(old))
  knitr::opts_chunk$set(error = FALSE)
  withr::defer(knitr::opts_chunk$restore())
  envir <- new.env(parent = asNamespace("mlsift"))
  paste(readLines(withr::with_seed(1, knitr::knit("doc.Rmd", quiet = TRUE, envir = envir))), collapse = "\n")
}

templates <- c(
  comparison = system.file("rmarkdown/templates/comparison-of-selectors/skeleton/skeleton.Rmd", package = "mlsift"),
  selection = system.file("rmarkdown/templates/selection-report/skeleton/skeleton.Rmd", package = "mlsift"),
  quarto = system.file("quarto/comparison-of-selectors.qmd", package = "mlsift")
)

replace_line <- function(start, by) function(lines) {
  lines[startsWith(lines, start)] <- by
  lines
}

test_that("the templates knit as they stand", {
  skip_if_not_installed("knitr")
  pages <- lapply(first_or_all(templates, 2), knit_template)
  for (page in pages) {
    expect_no_match(page, "## Error|`r |NA NA")
    expect_match(page, "MIM-BR|SCLS")
  }
  expect_match(pages$comparison, "were ranked on 4 datasets", fixed = TRUE)
  expect_match(pages$comparison, "Table: .*Mean over all numbers of features")
})

test_that("the templates knit with other data", {
  skip_unless_all()
  skip_if_not_installed("knitr")
  one <- replace_line("tasks <-", "tasks <- list(mine = simulate_mltask(60, 6, 2, kind = \"numeric\"))")
  page <- knit_template(templates[["comparison"]], function(lines) {
    lines <- replace_line("selectors <-", "selectors <- sel_rrelieff()")(one(lines))
    replace_line("measure <-", "measure <- \"arrmse\"")(lines)
  })
  expect_match(page, "needs at least two of them", fixed = TRUE)
  expect_match(page, "kNN regression|kNN")
  page <- knit_template(templates[["selection"]], function(lines) {
    lines <- replace_line("task <-", paste(
      "task <- mltask(data.frame(id = 1:60, a = rnorm(60), b = rep(1:0, 30), same = 1),",
      "data.frame(l = rep(0:1, 30), m = rep(c(0, 0, 1), 20)))"
    ))(lines)
    replace_line("selector <-", "selector <- sel_mim()")(lines)
  })
  expect_match(page, "finds these problems", fixed = TRUE)
})

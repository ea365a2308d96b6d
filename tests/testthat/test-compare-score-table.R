# Four selectors on two tasks whose differences over splits are known: B = A + 0.1 +- 0.01, C = A with noise, D = A.
known_benchmark <- function() {
  base <- c(0.20, 0.22, 0.24, 0.26)
  shift <- list(A = 0, B = 0.1 + c(0.01, -0.01, 0.01, -0.01), C = c(0.02, -0.02, 0.03, -0.03), D = 0)
  values <- array(NA_real_, c(2, 4, 4, 1), list(c("one_task", "two"), 1:4, names(shift), 5))
  for (s in names(shift)) for (t in 1:2) values[t, , s, 1] <- base * t + shift[[s]]
  hand_benchmark(values, n_train = 30L, n_test = 10L)
}

test_that("cells are means and standard deviations over splits, ranked by task", {
  table <- score_table(known_benchmark(), "hamming_loss", k = 5)
  expect_equal(table$mean["one_task", ], c(A = 0.23, B = 0.33, C = 0.23, D = 0.23))
  expect_equal(table$sd["one_task", "A"], stats::sd(c(0.20, 0.22, 0.24, 0.26)))
  expect_identical(table$rank["two", ], c(A = 2, B = 4, C = 2, D = 2))
  expect_identical(table$best["two", ], c(A = TRUE, B = FALSE, C = TRUE, D = TRUE))
  expect_identical(table$mean_ranks, c(A = 2, B = 4, C = 2, D = 2))
})

test_that("the corrected t-test is Nadeau and Bengio's", {
  table <- score_table(known_benchmark(), k = 5, control = "A")
  d <- -(0.1 + c(0.01, -0.01, 0.01, -0.01))
  t <- mean(d) / sqrt((1 / 4 + 10 / 30) * stats::var(d))
  expect_equal(table$p_value["one_task", "B"], 2 * stats::pt(t, 3))
  expect_identical(table$p_value["one_task", "D"], 1)
  expect_identical(table$outcome["one_task", ], c(A = NA, B = "win", C = "tie", D = "tie"))
  expect_equal(table$record[, "B"], c(win = 2, tie = 0, loss = 0))
  expect_equal(table$record[, "C"], c(win = 0, tie = 2, loss = 0))
  against <- score_table(known_benchmark(), k = 5, control = "B")
  expect_equal(against$record[, "A"], c(win = 0, tie = 0, loss = 2))
})

test_that("direction, test and grid are respected", {
  withr::local_seed(1)
  values <- random_values(splits = 12)
  down <- score_table(hand_benchmark(values), k = 2, control = "MFS")
  up <- score_table(hand_benchmark(-values, direction = "maximize"), k = 2, control = "MFS")
  expect_identical(up[c("rank", "best", "outcome", "record")], down[c("rank", "best", "outcome", "record")])
  wilcoxon <- score_table(hand_benchmark(values), k = 2, control = "MFS", test = "wilcoxon")
  expected <- wilcoxon_test(values["task3", , "MFS", "2"], values["task3", , "SCLS", "2"])$p_value
  expect_identical(wilcoxon$p_value["task3", "SCLS"], expected)
  plain <- score_table(hand_benchmark(values), k = 2, control = "MFS", test = "none")
  expect_true(all(plain$outcome[, "SCLS"] == ifelse(plain$mean[, "MFS"] < plain$mean[, "SCLS"], "win", "loss")))
  whole <- score_table(hand_benchmark(values))
  expect_equal(whole$mean["task1", "MFS"], mean(values["task1", , "MFS", ]))
  expect_equal(whole$sd["task1", "MFS"], stats::sd(rowMeans(values["task1", , "MFS", ])))
})

test_that("as.data.frame() is long", {
  long <- as.data.frame(score_table(known_benchmark(), control = "A"))
  expect_named(long, c("task", "selector", "mean", "sd", "n_splits", "rank", "best", "p_value", "outcome"))
  expect_identical(nrow(long), 8L)
  expect_identical(long$outcome[2], "win")
  expect_equal(long$mean[2], 0.33)
  expect_identical(names(as.data.frame(score_table(known_benchmark()))), names(long))
})

test_that("console, markdown and LaTeX are as they should be", {
  bench <- known_benchmark()
  table <- score_table(bench, control = "A")
  skip_if_not(l10n_info()$`UTF-8`)
  expect_snapshot({
    writeLines(format(table))
    writeLines(format(table, "ascii"))
    writeLines(format(table, "markdown"))
    toLatex(table)
    writeLines(format(score_table(bench, digits = 2)))
  })
  withr::local_options(width = 60, cli.unicode = FALSE)
  expect_snapshot(table)
})

test_that("names are escaped for LaTeX", {
  expect_identical(
    escape_latex("a_b&50%\\{^~"), "a\\_b\\&50\\%\\textbackslash{}\\{\\textasciicircum{}\\textasciitilde{}"
  )
})

test_that("knitr and litedown documents get the markdown table", {
  table <- score_table(known_benchmark())
  skip_if_not_installed("knitr")
  out <- knitr::knit_print(table)
  expect_s3_class(out, "knit_asis")
  expect_match(out, "|one\\_task |", fixed = TRUE)
  skip_if_not_installed("litedown")
  page <- litedown::fuse(text = c("```{r, echo = FALSE}", "table", "```"), output = "markdown", envir = environment())
  expect_match(page, "| :--- | ---: |", fixed = TRUE)
})

test_that("a failed selector and a single split are told, not hidden", {
  bench <- known_benchmark()
  bench$value[bench$task == "two" & bench$selector == "C"] <- NA
  table <- score_table(bench, control = "A")
  expect_identical(table$mean_ranks[["B"]], 4)
  expect_true(all(is.na(table$rank["two", ])))
  expect_match(format(table), "Left out of mean ranks, since a selector has no value: two.", fixed = TRUE, all = FALSE)
  single <- score_table(bench[bench$split == 1, ], control = "A")
  expect_match(format(single), "Not tested, since there is one split: one_task, two", fixed = TRUE, all = FALSE)
  expect_true(all(single$outcome[1, -1] == "tie"))
})

test_that("bad requests are refused", {
  bench <- known_benchmark()
  expect_snapshot(error = TRUE, {
    score_table(bench, "micro_f1")
    score_table(bench, k = 4)
    score_table(bench, k = 0)
    score_table(bench, prop = 0.5)
    score_table(bench, control = "E")
    score_table(bench, control = "A", test = "t")
    score_table(bench, digits = -1)
    score_table(bench, control = "A", test = "bayes-t", rope = -1)
    score_table(structure(bench, splits = NULL), control = "A", test = "bayes-t")
    score_table(bench[bench$selector != "D", ], test = rank_test(bench))
    score_table(bench, test = structure(replace(rank_test(bench), "measure", "micro_f1"), class = "mlranktest"))
    score_table(bench, control = "A", test = rank_test(bench, posthoc = "holm", control = "B"))
    toLatex(score_table(bench), columns = 0)
    score_table(structure(bench, splits = NULL), control = "A")
  })
  expect_no_error(score_table(structure(bench, splits = NULL), control = "A", test = "wilcoxon"))
})

test_that("the Bayesian test of cells is bayes_correlated_t(), for the control", {
  withr::local_seed(2)
  values <- random_values(splits = 8)
  for (direction in c("minimize", "maximize")) {
    bench <- hand_benchmark(values, direction = direction)
    table <- score_table(bench, k = 2, control = "MFS", test = "bayes-t", rope = 0.01, alpha = 0.1)
    p <- bayes_correlated_t(values["task2", , "MFS", "2"], values["task2", , "SCLS", "2"], rope = 0.01,
      test_share = 0.2, direction = direction)
    expected <- tidy(p)$probability[match(c("x", "neither", "y"), tidy(p)$better)]
    expect_equal(unname(table$probability["task2", "SCLS", ]), expected)
    expect_identical(dimnames(table$probability)[[3]], c("better", "equivalent", "worse"))
    sure <- table$probability[, "SCLS", ] >= 0.9
    expect_identical(unname(table$outcome[, "SCLS"]),
      unname(ifelse(sure[, "better"], "win", ifelse(sure[, "worse"], "loss", "tie"))))
    expect_true(all(is.na(table$p_value)))
  }
  expect_match(format(table, "ascii"), "Bayesian correlated t-test over splits, rope 0.01, probability at least 0.9",
    fixed = TRUE, all = FALSE)
  single <- score_table(bench[bench$split == 1, ], control = "MFS", test = "bayes-t")
  expect_true(all(single$outcome[, "SCLS"] == "tie"))
  expect_match(format(single, "ascii"), "Not tested, since there is one split", all = FALSE)
})

test_that("a rank test marks selectors below the cells, with its own mean ranks", {
  withr::local_seed(3)
  bench <- hand_benchmark(random_values(tasks = 9, selectors = c("SCLS", "MFS", "MIM-BR", "Random")))
  test <- rank_test(bench, posthoc = "bonferroni-dunn", control = "SCLS")
  table <- score_table(bench, test = test)
  expect_identical(table$mean_ranks, test$mean_ranks)
  expect_identical(table$control, "SCLS")
  expect_identical(table$overall$p_adjusted[-1], test$comparisons$p_adjusted)
  expect_identical(table$overall$outcome[-1], ifelse(test$comparisons$significant, "win", "tie"))
  expect_identical(table$record[, "Random"], c(win = 9L, tie = 0L, loss = 0L))
  expect_true(all(is.na(table$outcome)))
  shown <- format(table, "ascii")
  expect_match(shown, "^adjusted p ", all = FALSE)
  expect_match(shown, "(Bonferroni-Dunn against SCLS, critical difference", fixed = TRUE, all = FALSE)
  expect_match(shown, "Mean ranks are those of the test (ranking scores).", fixed = TRUE, all = FALSE)
  expect_match(format(table, "latex"), "$<$.001 $\\bullet$", fixed = TRUE, all = FALSE)
  # From the other side, the control loses; all pairs serve any control.
  worst <- score_table(bench, test = rank_test(bench, posthoc = "holm", control = "Random"))
  expect_identical(worst$overall$outcome[1], "loss")
  pairs <- rank_test(bench, posthoc = "holm")
  any <- score_table(bench, test = pairs, control = "MFS")
  expect_identical(any$overall$p_adjusted[1], with(pairs$comparisons, p_adjusted[method1 == "SCLS" & method2 == "MFS"]))
  expect_identical(any$overall$outcome[c(1, 2)], c(
    if (any$overall$p_adjusted[1] <= 0.05) "loss" else "tie", NA
  ))
  expect_named(as.data.frame(any), names(as.data.frame(score_table(bench))))
})

test_that("without a control, methods with a common letter are those of a common group", {
  withr::local_seed(4)
  bench <- hand_benchmark(random_values(tasks = 9, selectors = c("SCLS", "MFS", "MIM-BR", "Random")))
  test <- rank_test(bench)
  table <- score_table(bench, test = test)
  common <- function(a, b) length(intersect(strsplit(a, "")[[1]], strsplit(b, "")[[1]])) > 0
  letters <- stats::setNames(table$overall$letters, table$overall$selector)
  for (i in seq_len(nrow(test$comparisons))) {
    row <- test$comparisons[i, ]
    expect_identical(common(letters[[row$method1]], letters[[row$method2]]), !row$significant)
  }
  expect_match(format(table, "ascii"), "^group +a", all = FALSE)
  expect_identical(group_letters(c("a", "b", "c"), list()), c(a = "a", b = "b", c = "c"))
  expect_identical(group_letters(c("a", "b", "c", "d"), list(c("b", "c"))), c(a = "a", b = "b", c = "b", d = "c"))
  pairs <- score_table(bench, test = compare_pairs(bench, k = 2))
  expect_identical(pairs$mean_ranks, score_table(bench)$mean_ranks)
  expect_match(format(pairs, "ascii"), "Wilcoxon's signed-rank test with Holm's correction", all = FALSE)
  control <- score_table(bench, test = compare_pairs(bench), control = "Random")
  expect_identical(control$record["loss", "SCLS"], c(loss = 9L)[[1]])
})

test_that("LaTeX tables of many selectors are divided", {
  withr::local_seed(5)
  bench <- hand_benchmark(random_values(selectors = paste0("s", 1:8)))
  lines <- unclass(toLatex(score_table(bench, control = "s1")))
  header <- grep("^task &", lines, value = TRUE)
  expect_gt(length(header), 1)
  expect_identical(unlist(regmatches(header, gregexpr("s[0-9]", header))), paste0("s", 1:8))
  expect_length(grep("\\toprule", lines, fixed = TRUE), length(header))
  expect_length(grep("^win/tie/loss", lines), length(header))
  expect_true("\\small\\setlength{\\tabcolsep}{4pt}%" %in% lines)
  expect_length(grep("^task &", toLatex(score_table(bench), columns = 8)), 1)
  expect_length(grep("^task &", toLatex(score_table(bench), columns = 3)), 3)
  expect_no_match(toLatex(score_table(bench[bench$selector %in% paste0("s", 1:3), ])), "setlength", all = TRUE)
})

test_that("the corrected tests take the sizes of the splits that are compared", {
  withr::local_seed(5)
  bench <- hand_benchmark(random_values())
  sizes <- attr(bench, "splits")
  attr(bench, "splits")$n_train <- 20L * sizes$split
  late <- bench[bench$split > 2, ]
  alone <- late
  attr(alone, "splits") <- attr(late, "splits")[sizes$split > 2, ]
  for (test in c("corrected-t", "bayes-t")) {
    expect_identical(score_table(late, control = "MFS", test = test), score_table(alone, control = "MFS", test = test))
  }
  expect_false(identical(score_table(late, control = "MFS")$p_value,
    score_table(hand_benchmark(random_values())[bench$split > 2, ], control = "MFS")$p_value))
})

test_that("a control may be the only selector", {
  bench <- hand_benchmark(random_values())
  only <- score_table(bench[bench$selector == "MFS", ], control = "MFS")
  expect_identical(dim(only$record), c(3L, 1L))
  expect_match(format(only, "ascii"), "^mean rank +1.00", all = FALSE)
})

test_that("a test of other points or tasks than those of the table says so", {
  withr::local_seed(6)
  bench <- hand_benchmark(random_values())
  note <- function(...) grep("common letter", format(score_table(bench, ...), "ascii"), value = TRUE)
  expect_match(note(test = compare_pairs(bench)), "Holm's correction, over tasks", fixed = TRUE)
  expect_match(note(k = 1, test = compare_pairs(bench, k = 1)), "Holm's correction, over tasks", fixed = TRUE)
  expect_match(note(k = 1, test = compare_pairs(bench, k = 6)), "correction at k = 6, over tasks", fixed = TRUE)
  expect_match(note(k = 1, test = compare_pairs(bench)), "correction, mean over the grid, over tasks", fixed = TRUE)
  part <- bench[bench$task != "task1", ]
  expect_match(note(test = compare_pairs(part)), "Holm's correction, over 3 tasks", fixed = TRUE)
  expect_match(note(test = rank_test(part)), "[.]708, over 3 tasks")
})

test_that("Wilcoxon's test has the winner of its rank sums, whatever the means", {
  # Smaller on 19 of 20 splits, and much larger on one.
  d <- c(-(1:19) / 1000, 1)
  values <- array(c(0.5 + d, rep(0.5, 20)), c(1, 20, 2, 1), list("t", 1:20, c("often", "other"), 3))
  for (direction in c("minimize", "maximize")) {
    bench <- hand_benchmark(values, direction = direction)
    table <- score_table(bench, control = "often", test = "wilcoxon")
    expect_lt(table$p_value[1, "other"], 0.001)
    expect_identical(table$outcome[1, "other"], if (direction == "minimize") "win" else "loss")
    means <- score_table(bench, control = "often", test = "none")
    expect_identical(means$outcome[1, "other"], if (direction == "minimize") "loss" else "win")
  }
})

test_that("tasks keep their names and splits where the locale lacks their letters", {
  values <- random_values(tasks = 2)
  dimnames(values)[[1L]] <- c("m", "t\u00fc")
  bench <- hand_benchmark(values)
  plain <- as.data.frame(score_table(bench, k = 3))
  withr::local_locale(LC_CTYPE = "C")
  expect_identical(as.data.frame(score_table(bench, k = 3)), plain)
})

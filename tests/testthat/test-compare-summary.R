text_of <- function(...) as.character(summary(...))

scores_with <- function(n, shifts, seed = 1) {
  withr::local_seed(seed)
  x <- matrix(stats::rnorm(n * length(shifts)), n) + rep(shifts, each = n)
  matrix(x, n, dimnames = list(NULL, LETTERS[seq_along(shifts)]))
}

test_that("methods that differ are named, best first, with all that the test cannot tell apart", {
  x <- matrix(c(1, 2, 6, 7), 12, 4, byrow = TRUE) + rep(c(0, 0.1), each = 6)
  x[1:6, 1:2] <- x[1:6, 2:1]
  x[4:9, 3:4] <- x[4:9, 4:3]
  colnames(x) <- c("A", "B", "C", "D")
  test <- rank_test(x, direction = "minimize")
  # Mean ranks 1.5, 1.5, 3.5, 3.5 with CD = 1.354.
  expect_identical(text_of(test), paste(
    "Four methods were ranked on 12 datasets. They differ significantly at level 0.05 (Iman-Davenport F(3, 33) =",
    "44.000, p < 0.0001; Kendall's W = 0.80). A and B have the best mean rank, 1.50; C and D have the worst, 3.50.",
    "By Nemenyi's test, A and B are better than C and D. The test cannot tell apart 2 of 6 pairs: no difference was",
    "found among A and B, nor among C and D. This does not show that these methods are equal."
  ))
  turned <- rank_test(-x, direction = "maximize")
  expect_identical(text_of(turned), text_of(test))
})

test_that("a complete order is one sentence", {
  x <- matrix(1:4, 60, 4, byrow = TRUE, dimnames = list(NULL, c("A", "B", "C", "D")))
  expect_match(text_of(rank_test(x, direction = "maximize")),
    "By Nemenyi's test, every two methods differ, in the order D, C, B and A, best first.$")
})

test_that("nothing significant is said as such", {
  x <- scores_with(6, c(0, 0.2, 0.4))
  test <- rank_test(x, direction = "minimize")
  expect_false(test$global)
  found <- text_of(test)
  expect_match(found, "Taken together, they do not differ significantly at level 0.05")
  expect_match(found, "finds no pair that differs, so no method can be called better than another.", fixed = TRUE)
  expect_match(found, "This does not show that the methods are equal.", fixed = TRUE)
  expect_no_match(found, "is better than|are better than")
})

test_that("all tied methods have nothing to find", {
  tied <- rank_test(matrix(1, 5, 3), direction = "minimize")
  expect_identical(text_of(tied), paste(
    "Three methods were ranked on 5 datasets. All have the same mean rank, so the ranks show no difference at all."
  ))
  expect_match(text_of(compare_pairs(matrix(1, 5, 2), direction = "minimize")),
    "m1 and m2 have the same values on 5 datasets, so there is no difference to test.", fixed = TRUE)
  three <- compare_pairs(matrix(1, 9, 3), direction = "minimize")
  expect_match(text_of(three), "finds no pair that differs.", fixed = TRUE)
})

test_that("significant pairs without a significant overall test are weak evidence", {
  test <- rank_test(scores_with(12, c(0, 0.5, 3)), direction = "minimize")
  test$global <- FALSE
  expect_match(text_of(test), "Nemenyi's test alone would find that .* Without a significant overall test this is weak")
  test <- rank_test(scores_with(6, c(0, 0.2, 0.4)), direction = "minimize")
  test$global <- TRUE
  expect_match(text_of(test), "there are differences, but the data do not tell between which methods.")
})

test_that("a control is better or worse than some, and cannot be told from others", {
  x <- scores_with(25, c(0, 2, 2.1, 4), seed = 2)
  run <- function(control, posthoc = "holm") rank_test(x, direction = "minimize", posthoc = posthoc, control = control)
  found <- text_of(run("B"))
  expect_match(found, "By Holm's procedure, the control B is better than D and worse than A.", fixed = TRUE)
  expect_match(found, "The test cannot tell B from C, which does not show that they are equal.", fixed = TRUE)
  best <- text_of(run("A", "bonferroni-dunn"))
  expect_match(best, "the control A is better than B, C and D.$")
  none <- text_of(rank_test(scores_with(5, c(0, 0, 0.1)), direction = "minimize", posthoc = "holm", control = "B"))
  expect_match(none, "Holm's procedure finds no method that differs from the control B.", fixed = TRUE)
})

test_that("two methods are described by their pair", {
  x <- cbind(A = c(1, 2, 3, 4, 5, 6, 7, 8), B = c(2, 4, 6, 8, 10, 12, 14, 8))
  found <- text_of(compare_pairs(x, direction = "minimize"))
  expect_match(found, "A and B were compared on 8 datasets: A is better on 7, B on 0, and they are equal on 1.",
    fixed = TRUE)
  expect_match(found, "A is significantly better at level 0.05 (Wilcoxon's signed-rank test, p = 0.016", fixed = TRUE)
  interval <- unlist(compare_pairs(x, direction = "minimize")[c("conf_low", "conf_high")])
  expect_match(found, paste(", 95 % interval", interval[1], "to", interval[2]), fixed = TRUE)
  up <- text_of(compare_pairs(x, direction = "maximize"))
  expect_match(up, "B is significantly better at level 0.05", fixed = TRUE)
  few <- text_of(compare_pairs(x[1:4, ], direction = "minimize"))
  expect_match(few, "is not significant at level 0.05", fixed = TRUE)
  expect_match(few, "too few datasets for its interval", fixed = TRUE)
  expect_match(few, "the data do not tell which of the two is better. With 4 datasets the p-value cannot be below",
    fixed = TRUE)
})

test_that("datasets are too few where the smallest p-value, adjusted for all pairs, is above the level", {
  expect_null(too_few_datasets(5, 1, 2^-4))
  expect_identical(too_few_datasets(5, 1, 2^-5), "With 5 datasets the p-value cannot be below 0.062.")
  expect_null(too_few_datasets(8, 6, 0.05))
  expect_identical(too_few_datasets(7, 6, 0.05), "With 7 datasets no p-value adjusted for 6 pairs can be below 0.094.")
  expect_identical(too_few_datasets(2, 6, 0.05), "With 2 datasets no p-value adjusted for 6 pairs can be below 1.")
})

test_that("more than five clauses are cut short, with many methods more than three", {
  # Each of the first six of n methods is better than another one of the last six.
  clauses <- function(n) {
    order <- paste0("m", seq_len(n))
    found <- data.frame(method1 = order[1:6], method2 = rev(order)[1:6], better = order[1:6])
    strsplit(better_clauses(list(order = order), found), "; ")[[1]]
  }
  expect_identical(clauses(12), c(paste0("m", 1:5, " is better than m", 12:8), "in all, 6 pairs differ"))
  expect_identical(clauses(13), c(paste0("m", 1:3, " is better than m", 13:11), "in all, 6 pairs differ"))
})

test_that("long lists of names end with a number", {
  expect_identical(name_list(LETTERS[1:6]), "A, B, C, D, E and F")
  expect_identical(name_list(LETTERS[1:7]), "A, B, C, D, E and 2 others")
  expect_identical(name_list(LETTERS[1:9], most = 3, last = " or "), "A, B or 7 others")
  expect_identical(name_list("A"), "A")
})

test_that("the worst methods are named by the first of them where they are five or more", {
  order <- LETTERS[1:8]
  expect_identical(name_tail(LETTERS[4:8], order), "the 5 methods from D down")
  expect_identical(name_tail(LETTERS[5:8], order), "E, F, G and H")
  expect_identical(name_tail(LETTERS[3:7], order), "C, D, E, F and G")
})

test_that("pairs are described by their own values, not by ranks", {
  x <- scores_with(30, c(0, 2, 2.05, 4), seed = 5)
  pairs <- compare_pairs(x, direction = "minimize")
  found <- text_of(pairs)
  expect_match(found, "By Wilcoxon's signed-rank test with Holm's correction, A is better than C, B and D; C and B are",
    fixed = TRUE)
  expect_match(found, "The test cannot tell apart 1 of 6 pairs: no difference was found among", fixed = TRUE)
  test <- rank_test(x, direction = "minimize", posthoc = "wilcoxon-holm")
  expect_match(text_of(test), "A is better than C, B and D; C and B are better than D.", fixed = TRUE)
  expect_match(text_of(rank_test(-x, direction = "maximize", posthoc = "wilcoxon-holm")),
    "A is better than C, B and D; C and B are better than D.", fixed = TRUE)
})

test_that("what it says of many methods stays short", {
  x <- scores_with(20, 1:25 / 3, seed = 6)
  colnames(x) <- paste0("m", 1:25)
  found <- text_of(rank_test(x, direction = "minimize"))
  expect_lt(nchar(found), 1200)
  expect_match(found, "in all, [0-9]+ pairs differ")
  expect_match(found, "further groups")
})

test_that("a benchmark is named by its measure, and the text is wrapped when printed", {
  withr::local_seed(7)
  bench <- hand_benchmark(random_values())
  found <- summary(rank_test(bench))
  expect_match(as.character(found), "Four methods were ranked on 4 datasets by Hamming loss (ranking scores).",
    fixed = TRUE)
  expect_match(text_of(compare_pairs(bench, k = 2)), "by Hamming loss at k = 2, each pair by its own values.",
    fixed = TRUE)
  withr::local_options(width = 60)
  lines <- utils::capture.output(print(found))
  expect_true(all(nchar(lines) < 60))
  expect_identical(paste(lines, collapse = " "), as.character(found))
})

test_that("each procedure is named", {
  x <- scores_with(12, c(0, 4, 8, 12))
  names <- c(nemenyi = "Nemenyi's test", holm = "Holm's procedure", hochberg = "Hochberg's procedure",
    hommel = "Hommel's procedure", finner = "Finner's procedure", shaffer = "Shaffer's procedure",
    "bergmann-hommel" = "the procedure of Bergmann and Hommel",
    "wilcoxon-holm" = "Wilcoxon's signed-rank test with Holm's correction")
  for (posthoc in names(names)) {
    text <- text_of(rank_test(x, direction = "minimize", posthoc = posthoc))
    expect_match(text, names[[posthoc]], fixed = TRUE, ignore.case = FALSE)
  }
  for (posthoc in c("bonferroni-dunn", "li")) {
    text <- text_of(rank_test(x, direction = "minimize", posthoc = posthoc, control = "A"))
    expect_match(text, c("bonferroni-dunn" = "the test of Bonferroni and Dunn", li = "Li's procedure")[[posthoc]],
      fixed = TRUE)
  }
})

test_that("parts of an mlpairs are data frames", {
  pairs <- compare_pairs(scores_with(6, 1:3), direction = "minimize")
  expect_s3_class(summary(pairs[1:2, 1:4]), "table")
})

test_that("differences that Quade's test finds at equal mean ranks are told", {
  x <- rbind(outer(1:15, 0:2), outer(16:30, 2:0))
  found <- rank_test(x, direction = "minimize", test = "quade")
  expect_true(found$global)
  expect_identical(unname(found$mean_ranks), c(2, 2, 2))
  said <- as.character(summary(found))
  expect_match(said, "They differ significantly at level 0.05 (Quade", fixed = TRUE)
  expect_match(said, "All have the same mean rank. Nemenyi's test finds no pair that differs", fixed = TRUE)
  expect_match(as.character(summary(rank_test(x, direction = "minimize"))), "no difference at all")
})

test_that("a p-value of 1 is printed like any other", {
  expect_identical(vapply(c(1, 0.996, 0.5, 0.05, 1e-5), format_p, ""),
    c("p = 1", "p = 1", "p = 0.5", "p = 0.05", "p < 0.0001"))
})

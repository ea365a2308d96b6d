# Random pairs of k methods, a share of them significant.
random_pairs <- function(k, share) {
  pairs <- utils::combn(paste0("m", seq_len(k)), 2)
  data.frame(method1 = pairs[1, ], method2 = pairs[2, ], significant = stats::runif(ncol(pairs)) < share)
}

# All sets of two or more methods without a significant pair that are inside no other such set.
oracle_groups <- function(methods, pairs) {
  apart <- pairs[pairs$significant, ]
  sound <- function(set) !any(apart$method1 %in% set & apart$method2 %in% set)
  sets <- lapply(seq_len(2^length(methods) - 1), \(i) methods[bitwAnd(i, 2^(seq_along(methods) - 1)) > 0])
  sets <- Filter(\(set) length(set) > 1 && sound(set), sets)
  Filter(\(set) sum(vapply(sets, \(other) all(set %in% other), NA)) == 1, sets)
}

# Which pairs share a letter; "(12)" is one letter.
common_letter <- function(letters, pairs) {
  symbols <- lapply(letters, \(s) regmatches(s, gregexpr("[a-zA-Z]|[(][0-9]+[)]", s))[[1]])
  mapply(\(a, b) length(intersect(symbols[[a]], symbols[[b]])) > 0, pairs$method1, pairs$method2, USE.NAMES = FALSE)
}

test_that("groups are the largest sets without a significant pair, and letters say the same", {
  withr::local_seed(1)
  for (k in 2:8) for (share in c(0, 0.1, 0.3, 0.5, 0.8, 1)) {
    pairs <- random_pairs(k, share)
    methods <- sample(paste0("m", seq_len(k)))
    groups <- same_groups(methods, pairs)
    expect_setequal(groups, oracle_groups(methods, pairs))
    expect_identical(same_groups(methods, pairs[sample(nrow(pairs)), ]), groups)
    letters <- group_letters(methods, groups)
    expect_named(letters, methods)
    expect_true(all(nzchar(letters)))
    expect_match(letters[[1]], "^a")
    expect_identical(common_letter(letters, pairs), !pairs$significant)
  }
})

test_that("pairs that leave exponentially many largest sets still have a letter each, and few of them", {
  withr::local_seed(2)
  # Twenty pairs of two methods each: 2^20 largest sets without one of them.
  matching <- random_pairs(40, 0)
  number <- function(method) as.integer(sub("m", "", method))
  matching$significant <- number(matching$method1) %% 2 == 1 & number(matching$method2) - number(matching$method1) == 1
  expect_identical(sum(matching$significant), 20L)
  for (pairs in list(matching, random_pairs(30, 0.4))) {
    methods <- unique(c(pairs$method1, pairs$method2))
    seconds <- system.time(groups <- same_groups(methods, pairs), gcFirst = FALSE)[["elapsed"]]
    expect_lt(seconds, 20)
    expect_lte(length(groups), nrow(pairs))
    expect_identical(common_letter(group_letters(methods, groups), pairs), !pairs$significant)
  }
})

# Of every post-hoc test: the results for all pairs and, where there may be one, with a control.
posthoc_tests <- function(bench, control) {
  with <- vapply(posthocs, \(p) p$control != "never", NA)
  without <- vapply(posthocs, \(p) p$control != "always", NA)
  run <- function(posthoc, ...) suppressWarnings(suppressMessages(rank_test(bench, posthoc = posthoc, ...)))
  list(all = lapply(names(posthocs)[without], run), control = lapply(names(posthocs)[with], run, control = control))
}

# Seven methods, some of them close: with every test, some pairs differ and others do not.
letters_bench <- function() {
  withr::local_seed(3)
  values <- random_values(tasks = 16, splits = 2, selectors = paste0("s", 1:7), k = 1:2)
  for (j in 1:7) values[, , j, ] <- values[, , j, ] + stats::rnorm(16, sd = 0.08)
  hand_benchmark(values)
}

# The last cell of each row of a table of methods, by the name in the first one.
last_cells <- function(lines, methods, sep) {
  cells <- lapply(strsplit(lines, sep, fixed = TRUE), \(row) trimws(sub("\\\\\\\\", "", row)))
  cells <- lapply(cells, \(row) row[nzchar(row)])
  rows <- Filter(\(row) length(row) > 1 && row[1] %in% methods, cells)
  stats::setNames(vapply(rows, \(row) row[length(row)], ""), vapply(rows, `[`, "", 1))[methods]
}

test_that("every output of every test of all pairs has letters that say what its pairs say", {
  skip_unless_all()
  skip_if_not_installed("knitr")
  withr::local_options(width = 300)
  bench <- letters_bench()
  methods <- paste0("s", 1:7)
  for (test in posthoc_tests(bench, "s2")$all) {
    pairs <- test$comparisons
    expect_true(any(pairs$significant) && !all(pairs$significant), info = test$posthoc)
    same <- !pairs$significant
    latex <- unclass(toLatex(test))
    markdown <- strsplit(knitr::knit_print(test, options = list()), "\n")[[1]]
    table <- score_table(bench, test = test)
    expect_identical(unname(tested_row(table)[1, ]), table$overall$letters)
    row <- strsplit(grep("^group", format(table, "ascii"), value = TRUE), " +")[[1]][-1]
    outputs <- list(field = test$letters, latex = last_cells(latex, methods, "&"),
      markdown = last_cells(markdown, methods, "|"), console = stats::setNames(row, colnames(table$mean)),
      overall = stats::setNames(table$overall$letters, table$overall$selector))
    for (name in names(outputs)) {
      expect_identical(outputs[[name]][methods], test$letters[methods], info = paste(test$posthoc, name))
      expect_identical(common_letter(outputs[[name]], pairs), same, info = paste(test$posthoc, name))
    }
    shared <- vapply(seq_len(nrow(pairs)), \(i) {
      any(vapply(test$groups, \(g) all(c(pairs$method1[i], pairs$method2[i]) %in% g), NA))
    }, NA)
    expect_identical(shared, same, info = test$posthoc)
    # print() and summary() name the same groups; no bar of the diagram covers a significant pair.
    printed <- paste(utils::capture.output(print(test)), collapse = "\n")
    found <- as.character(summary(test))
    for (group in test$groups) expect_match(printed, paste0("\n  ", paste(group, collapse = ", ")), fixed = TRUE)
    for (group in utils::head(test$groups, 3)) expect_match(found, name_group(group, method_order(test)), fixed = TRUE)
    for (bar in cd_groups(test)) expect_true(all(same[pairs$method1 %in% bar & pairs$method2 %in% bar]))
    best <- names(which.min(test$mean_ranks))
    like_best <- setdiff(unlist(pairs[same & (pairs$method1 == best | pairs$method2 == best), 1:2]), best)
    expect_setequal(setdiff(strsplit(same_as(test, best), ", ")[[1]], "none"), like_best)
  }
})

test_that("no output of a test against a control has letters or groups of methods that it did not compare", {
  skip_unless_all()
  skip_if_not_installed("knitr")
  bench <- letters_bench()
  for (test in posthoc_tests(bench, "s2")$control) {
    expect_null(test$groups)
    expect_null(test$letters)
    table <- score_table(bench, test = test)
    expect_true(all(is.na(table$overall$letters)))
    texts <- list(unclass(toLatex(test)), knitr::knit_print(test, options = list()), unclass(toLatex(table)),
      format(table), utils::capture.output(print(test)), as.character(summary(test)))
    for (text in texts) expect_no_match(text, "common letter|^group|[|&] group|Groups|Every two|no difference found")
    same <- test$comparisons$method2[!test$comparisons$significant]
    expect_identical(same_as(test, "s2"), paste(same, collapse = ", "))
  }
})

test_that("letters of compare_pairs() are those of its pairs, and need all of them", {
  bench <- letters_bench()
  pairs <- compare_pairs(bench)
  letters <- with(score_table(bench, test = pairs)$overall, stats::setNames(letters, selector))
  expect_true(any(pairs$p_holm <= 0.05) && any(pairs$p_holm > 0.05))
  expect_identical(common_letter(letters, pairs), pairs$p_holm > 0.05)
  # Pairs that were left out are no pairs that do not differ.
  part <- pairs[pairs$p_holm <= 0.05, ]
  expect_error(score_table(bench, test = part), "must be as `compare_pairs\\(\\)` returned it", class = "mlsift_error")
  expect_error(score_table(bench, test = part, control = "s2"), "lost rows", class = "mlsift_error")
  expect_s3_class(summary(part), "table")
  expect_no_match(utils::capture.output(print(part)), "All pairs")
})

test_that("where every two methods differ there are no groups, and each has a letter of its own", {
  x <- matrix(1:4, 60, 4, byrow = TRUE, dimnames = list(NULL, c("A", "B", "C", "D")))
  for (posthoc in c("nemenyi", "holm", "wilcoxon-holm")) {
    test <- rank_test(x, direction = "maximize", posthoc = posthoc)
    expect_identical(test$groups, list())
    expect_identical(test$letters, c(A = "d", B = "c", C = "b", D = "a"))
    expect_output(print(test), "Every two methods differ.", fixed = TRUE)
  }
})

test_that("many methods of a group are named by its ends only if they follow each other", {
  order <- paste0("m", 1:12)
  expect_identical(name_group(order[2:9], order), "the 8 methods from m2 to m9")
  expect_identical(name_group(order[c(1:7, 9)], order), "m1, m2, m3, m4, m5 and 3 others")
})

test_that("a table in which nothing can be significant says so", {
  withr::local_seed(4)
  x <- matrix(stats::rnorm(6 * 4), 6)
  test <- suppressMessages(rank_test(x, direction = "minimize", posthoc = "wilcoxon-holm"))
  expect_match(toLatex(test), too_few_datasets(6, 6, 0.05), fixed = TRUE, all = FALSE)
})

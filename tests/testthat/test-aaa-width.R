test_that("everything that prints does so at any width of the console", {
  withr::local_seed(1)
  task <- simulate_mltask(60, 8, 3)
  wide <- mltask(matrix(rnorm(40), 10, dimnames = list(NULL, strrep(letters[1:4], 40))), rep(0:1, 5))
  folder <- withr::local_tempdir("width")
  bench <- benchmark_selectors(
    list(a = task, b = numbered_task(1), c = numbered_task(2)), list(sel_mim(), sel_scls(), sel_random()), lrn_nb(),
    rs_holdout(repeats = 2), k = 1:2, measures = c("hamming_loss", "macro_f1"), folder = folder,
    progress = FALSE, workers = "none"
  )
  losses <- data.frame(A = runif(8), B = runif(8), C = runif(8))
  ranks <- function(...) rank_test(losses, direction = "minimize", ...)
  selection <- sift_features(task, sel_mim(), k = 5)
  things <- list(
    task, wide, mltask(data.frame(a = 1:9 / 7), 1:9 / 5), bench, ranks(), ranks(posthoc = "holm"),
    ranks(posthoc = "holm", control = "A"), summary(ranks()), compare_pairs(losses, direction = "minimize"),
    wilcoxon_test(losses$A, losses$B), bayes_signed_rank(losses$A, losses$B, direction = "minimize"),
    score_table(bench, "hamming_loss", k = 2), by_task(a = sel_mim(), otherwise = sel_scls()),
    disc_equal_width(), fit(disc_equal_width(), task), impute_mean(), fit(impute_mean(), task), lrn_nb(),
    fit(lrn_nb(), task), predict(fit(lrn_nb(), task), task), msr_custom("mine", function(truth, response) 0),
    rs_cv(folds = 3), stop_permutation(), label_scores(task, sel_mim()), selection, sel_scls(), label_graph(task),
    tune_selection(task, sel_mim(), lrn_nb(), "hamming_loss", resampling = rs_holdout(repeats = 2), k = 1:3),
    sift(task, learner = lrn_nb(), selectors = sel_mim(), outer = rs_cv(2), max_features = 3),
    chunk_source(function() NULL, paste0("feature_", 1:9), paste0("label_", 1:3)),
    count_tables(task, sel_mim()), benchmark_status(folder),
    suppressMessages(reproduce("ebls", list(yeast = simulate_mltask(60, n_features = 8, n_targets = 14)),
      withr::local_tempdir("paper"), repeats = 1, studies = "comparison", k = 1, progress = FALSE, workers = "none"))
  )
  table <- getNamespaceInfo("mlsift", "S3methods")
  ours <- setdiff(table[table[, 1L] == "print", 2L], "step_sift")  # recipes prints it
  expect_setequal(intersect(unlist(lapply(things, class)), ours), ours)
  for (width in first_or_all(c(10L, 25L, 40L), 2)) {
    withr::local_options(width = width)
    for (thing in things) {
      lines <- tryCatch(capture.output(print(thing)), error = \(e) paste("error:", conditionMessage(e)))
      expect_match(lines[1L], "^<ml|^[A-Z]", info = paste(class(thing)[1L], "at width", width))
    }
  }
})

# Writes small objects of all kinds that are saved, in the format of the mlsift that is attached. See
# test-util-objects.R.
local({
  set.seed(1)
  task <- simulate_mltask(40, n_features = 6, n_targets = 2)
  selection <- sift_features(task, sel_scls())
  learners <- list(nb = lrn_nb(), knn = lrn_brknn(3), linear = lrn_brlr(), mtl = lrn_mtl(), chain = lrn_chain(lrn_nb()))
  models <- lapply(learners, fit, task)
  losses <- matrix(round(stats::rnorm(24), 3), 8, dimnames = list(NULL, c("a", "b", "c")))
  ranks <- suppressMessages(rank_test(losses, direction = "minimize"))
  discretizer <- fit(disc_equal_width(3), task)
  answer <- sift(task[, 1:4], learner = lrn_nb(), selectors = sel_mim(), max_features = 2, outer = rs_cv(2),
    stand_ins = "none")
  objects <- list(
    task = task, selection = selection, short = sift_features(task, sel_scls(), k = 2), models = models,
    predictions = lapply(models, predict, task), counts = count_tables(task, sel_mim()), discretizer = discretizer,
    levels = features(predict(discretizer, task)), imputer = fit(impute_mean(), task), answer = answer,
    chosen = selected(answer), answered = predict(answer, answer$task), ranks = ranks, p_values = tidy(ranks)$p.value,
    pairs = compare_pairs(losses, direction = "minimize"), pair = wilcoxon_test(losses[, 1], losses[, 2]),
    posterior = bayes_signed_rank(losses[, 1], losses[, 2], n = 50)
  )
  # Version 2 is read by every R since 1.4.0.
  saveRDS(objects, file.path("tests/testthat/objects", paste0("format-", mlsift:::object_format, ".rds")),
    version = 2, compress = "xz")
})

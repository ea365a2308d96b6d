# What an answer is worth: the estimate on outer splits, and the choice on permuted targets.

# Draws of random features on each split.
n_draws <- 20L

quality_table <- function(what = character(), mean = double(), se = double(), k = double(), p_value = double(),
                          difference = double(), low = double(), high = double(), as_good = integer(),
                          draws = integer()) {
  data.frame(what, mean, se, k, p_value, difference, low, high, as_good, draws)
}

# Adds `benchmark`, `quality`, `targets`, `shares`, `chance` and `stability`.
estimate_quality <- function(answer, control, deadline, lasts) {
  setup <- answer$setup
  params <- setup$choice
  options <- setup$options
  # The wishes are parameters, so that a folder of other wishes is refused.
  best <- new_selector("Best", "best",
    c(params[setdiff(names(formals(sel_best)), "name")], list(wishes = setup$wishes)))
  learners <- list(chosen = chosen_learner("chosen"), all = chosen_learner("all"),
    random = chosen_learner("random", n_draws, params$max_seconds / 5), floor = chosen_learner("floor"))
  plan <- benchmark_plan(c(list(tasks = list(task = answer$task), selectors = list(chosen = best), learners = learners,
    resampling = setup$outer, k = setup$most, measures = params$measure), options))
  plan$learnable <- list(inner = params$resampling)
  ran <- in_draw(setup$draw,
    run_benchmark(plan, control$folder, control$workers, FALSE, interactive(), deadline, lasts))
  bench <- ran$bench
  answer$notes <- c(answer$notes, split_notes(ran$plan))
  warn_of_failed_cells(bench)
  splits <- unique(bench$split)
  of <- tapply(bench$value, list(factor(bench$split, splits), factor(bench$learner, names(learners))), mean)
  random <- lapply(ran$units, function(unit) unit$details$random$draws)
  drawn <- length(unlist(random))
  if (drawn < n_draws * length(splits) && is.finite(control$max_seconds)) {
    answer$notes <- c(answer$notes, paste0("Time allowed ", counted(drawn, "draw"), " of random features, of ",
      n_draws * length(splits), "."))
  }
  sign <- if (answer$tuning$direction == "maximize") 1 else -1
  as_good <- Map(function(draws, value) at_least(sign * draws, sign * value), random, of[, "chosen"])
  as_good <- sum(unlist(as_good), na.rm = TRUE)
  sizes <- attr(bench, "splits")
  ratio <- mean(sizes$n_test / sizes$n_train)
  used <- bench$n_selected[bench$learner == "chosen"]
  against <- lapply(colnames(of)[-1L], function(what) interval_of(of[, "chosen"] - of[, what], ratio))
  part <- function(name, first = NA_real_) c(first, vapply(against, `[[`, 0, name))
  answer$quality <- quality_table(
    colnames(of), unname(colMeans(of)),
    if (nrow(of) > 1L) unname(apply(of, 2L, corrected_error, ratio)) else NA_real_,
    c(mean(used), ncol(answer$task$x), mean(used), 0), part("p_value"), part("difference"), part("low"), part("high"),
    c(NA, NA, as_good, NA), c(NA, NA, drawn, NA)
  )
  answer$targets <- targets_table(ran$units, c("chosen", "all", "floor"), answer$task)
  answer$alone <- labels_alone(ran$units, answer$task, ratio)
  answer$benchmark <- bench
  # On other splits the choice failed.
  made <- used[!is.na(used)]
  if (length(made) == 0L) return(answer)
  answer$chance <- mean(made) / ncol(answer$task$x)
  add_agreement(answer, length(made))
}

# Says of which splits an estimate is without the others. `plan`: as run_benchmark() returns it.
split_notes <- function(plan) {
  n <- length(plan$splits[[1L]])
  c(
    if (n < (plan$n_drawn %||% n)) {
      paste0("There was time for ", n, " of ", counted(plan$n_drawn, "split"), " of the estimate.")
    },
    if (isTRUE(plan$lone_times > 0L)) paste0("The estimate is without ", counted(plan$lone_times, "split"),
      " with training rows of one time."),
    if (length(plan$unlearnable) > 0L) paste0("The estimate is without the splits in whose training rows ",
      name_list(plan$unlearnable), if (length(plan$unlearnable) > 1L) " are" else " is", " known too seldom.")
  )
}

# The mean of differences over splits, its interval of 95% and p-value by the corrected t-test.
interval_of <- function(d, ratio) {
  half <- if (length(d) > 1L) stats::qt(0.975, length(d) - 1L) * corrected_error(d, ratio) else NA_real_
  c(difference = mean(d), low = mean(d) - half, high = mean(d) + half,
    p_value = if (length(d) > 1L) corrected_t(d, ratio) else NA_real_)
}

# The value of each target, as means over the splits in which it is defined.
targets_table <- function(units, parts, task) {
  table <- data.frame(target = colnames(task$targets))
  for (part in parts) {
    values <- as.double(unlist(lapply(units, function(unit) unit$details[[part]]$targets)))
    means <- rowMeans(matrix(values, nrow(table)), na.rm = TRUE)
    table[[part]] <- replace(means, is.nan(means), NA)
  }
  table$measure <- c(label = "AUC", class = "balanced accuracy", numeric = "R2")[[task_kind(task)]]
  table
}

# The mean AUC of several labels with the chosen features, with its interval over splits, or NULL.
labels_alone <- function(units, task, ratio) {
  if (task_kind(task) != "label" || ncol(task$targets) == 1L) return(NULL)
  auc <- vapply(units, function(unit) mean(as.double(unit$details$chosen$targets), na.rm = TRUE), 0)
  if (anyNA(auc)) return(NULL)
  interval <- interval_of(auc, ratio)
  c(mean = mean(auc), pmin(pmax(interval[c("low", "high")], 0), 1))
}

# Adds the share of splits in which each feature was chosen, and the stability of the choices.
add_agreement <- function(answer, n_splits) {
  chosen <- selections(answer$benchmark)
  chosen <- chosen[chosen$selector == "chosen", ]
  names <- colnames(answer$task$x)
  answer$shares <- table(factor(chosen$feature, names)) / n_splits
  sets <- unname(split(chosen$feature, chosen$split))
  answer$stability <- if (length(sets) > 1L) {
    tryCatch(stability(sets, n_features = length(names))$estimate, mlsift_error = function(e) NA_real_)
  }
  answer
}

# The inner values of the choice on permuted targets, and the p-value.
permutation_check <- function(answer, n) {
  sign <- if (answer$tuning$direction == "maximize") 1 else -1
  permuted <- target_permuter(answer$task)
  values <- vapply(seq_len(n), function(i) {
    task <- with_stream(list(answer$number, "sift", "permute", i), permuted())
    chosen_point(choose_for_answer(answer, task, paste("permutation", i)))$mean
  }, 0)
  observed <- chosen_point(answer$tuning)$mean
  list(observed = observed, permuted = values, p_value = (1 + sum(at_least(sign * values, sign * observed))) / (1 + n))
}

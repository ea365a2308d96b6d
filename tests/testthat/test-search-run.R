# --- against naive searches in R --------------------------------------------------------------------------------------

expect_oracle <- function(selector, data, seed, value) {
  sel <- searched(selector, data$task, seed)
  d <- ncol(data$x)
  expected <- oracle_search(selector, first_number(seed), d, value, data$x, data$y)
  front <- search_front(sel)
  label <- paste(selector$name, "on", d, "features, seed", seed)
  expect_identical(sets_of(sel), expected$sets, label = label)
  expect_identical(values_of(sel), expected$values, label = label)
  expect_identical(lapply(front$features, match, colnames(data$x)), expected$front$sets, label = label)
  expect_identical(front$value, expected$front$values, label = label)
}

test_that("each search is the naive one, set by set", {
  settings <- list(
    list(d = 3, max_features = 2, population = 4, evaluations = 21),
    list(d = 5, max_features = 3, population = 7, evaluations = 26),
    list(d = 8, max_features = 4, population = 5, evaluations = 23),
    list(d = 6, max_features = 10, population = 2, evaluations = 18)
  )
  for (seed in seq_along(settings)) {
    setting <- settings[[seed]]
    data <- codes_task(seed, setting$d)
    searches <- do.call(all_searches, setting[-1])
    if (setting$d == 8) {
      searches[c("sbs", "sfbs")] <- NULL  # do not come down to four features with so few evaluations
      searches$joint <- sel_ga_explore(inner = search_rows, max_features = 2, population = 4, evaluations = 20,
        explore = sel_joint_jmi())
      searches$cmim <- sel_ga_explore(inner = search_rows, max_features = 2, population = 4, evaluations = 20,
        explore = sel_cmim())
    }
    value <- oracle_values(data$task, searches[[1]]$params)
    for (selector in some_or_all(searches, seed, 2L)) expect_oracle(selector, data, seed, value)
  }
})

test_that("sequential searches without a limit are the naive ones", {
  data <- codes_task(11, 6)
  value <- oracle_values(data$task, sel_sequential(inner = search_rows)$params)
  for (direction in c("forward", "backward")) for (floating in c(FALSE, TRUE)) for (most in c(1, 4, 9)) {
    expect_oracle(sel_sequential(direction = direction, floating = floating, max_features = most, inner = search_rows),
      data, 1, value)
  }
})

test_that("a population of one, one feature and a first swarm without features are searched too", {
  data <- codes_task(5, 5)
  value <- oracle_values(data$task, sel_rga(inner = search_rows)$params)
  searches <- all_searches(population = 1, evaluations = 15)
  for (name in setdiff(names(searches), "swarm")) expect_oracle(searches[[name]], data, 3, value)
  # A single particle without features never moves: it is its own leader.
  expect_oracle(searches$swarm, data, 1, value)
  high <- sel_mpsofs(inner = search_rows, population = 3, evaluations = 20, threshold = 0.9, variant = "full")
  for (seed in 1:4) expect_oracle(high, data, seed, value)
  one <- coded_task(data$x[, 1, drop = FALSE], data$y)
  for (selector in all_searches(max_features = 4)) expect_identical(selected(searched(selector, one)), "f1")
})

test_that("a small archive leaves out its most crowded member", {
  # Each feature is a label, so that every one of them helps.
  withr::local_seed(8)
  x <- random_codes(60, 6, 2)
  data <- list(x = x, y = 0L + (x == x[1, 1]))
  colnames(data$y) <- paste0("l", 1:6)
  data$task <- coded_task(data$x, data$y)
  for (population in 3:4) {
    small <- sel_mpsofs(inner = search_rows, population = population, evaluations = 200, variant = "full")
    value <- oracle_values(data$task, small$params)
    for (seed in some_or_all(1:3, population, 2L)) expect_oracle(small, data, seed, value)
  }
})

test_that("given sets come first", {
  data <- codes_task(6, 6)
  start <- list(c(1L, 3L), 5L, c(1L, 3L))
  for (make in list(sel_rga, sel_nsga2, sel_mpsofs, sel_mamfs)) {
    selector <- make(inner = search_rows, population = 5, evaluations = 20, start = start, max_features = 3)
    expect_oracle(selector, data, 2, oracle_values(data$task, selector$params))
    expect_identical(search_history(searched(selector, data$task))$operator[1:5], rep(c("start", "random"), 3:2))
  }
})

test_that("operators are named in their order", {
  task <- codes_task(1, 8)$task
  by <- function(selector) search_history(searched(selector, task))$operator
  genetic <- c("crossover", "crossover", "mutation")
  searches <- all_searches(population = 4, evaluations = 11)
  expect_identical(by(searches$rga), c(rep("random", 4), rep(genetic, 2), "crossover"))
  expect_identical(by(searches$explore), c(rep("random", 4), genetic, rep("exploration", 3), "crossover"))
  expect_identical(by(searches$mamfs), c(rep("random", 4), rep("refinement", 3), genetic, "refinement"))
  expect_identical(by(searches$swarm), c(rep("random", 4), rep("particle", 7)))
  expect_identical(by(searches$sfs)[c(1, 8, 11)], rep("addition", 3))
  expect_identical(search_history(searched(sel_sequential(direction = "backward", inner = search_rows), task))$operator,
    c("start", rep("removal", sum(8:2))))
})

# --- what holds for every search --------------------------------------------------------------------------------------

expect_sound <- function(sel, most, include = character(), exclude = character(), evaluations = NULL) {
  search <- attr(sel, "search")
  history <- search_history(sel)
  names <- lapply(search$sets, function(set) colnames(task_for_invariants$x)[set])
  if (!is.null(evaluations)) expect_identical(nrow(history), as.integer(evaluations))
  expect_named(history, c("evaluation", "value", "best", "n_features", "operator", "seconds"))
  expect_identical(history$evaluation, seq_len(nrow(history)))
  expect_identical(history$best, cummin(history$value))
  expect_identical(history$n_features, lengths(search$sets))
  backward <- identical(attr(sel, "selector")$params$direction, "backward")
  if (!backward) expect_lte(max(history$n_features), most)
  expect_gt(min(history$n_features), length(include))
  expect_true(all(vapply(names, function(set) all(include %in% set) && !any(exclude %in% set), NA)))
  expect_false(any(vapply(search$sets, is.unsorted, NA, strictly = TRUE)))
  front <- search_front(sel)
  expect_identical(anyDuplicated(front$features), 0L)
  expect_identical(front$n_features, lengths(front$features))
  expect_setequal(selected(sel), front$features[[1]])
  expect_identical(front$value[1], min(history$value[history$n_features <= most]))
  expect_false(is.unsorted(front$value))
  at <- match(front$features, names)
  expect_false(anyNA(at))
  expect_identical(history$value[at], front$value)
  if (search$is_front) {
    p <- cbind(front$value, front$n_features)
    expect_identical(oracle_undominated(p), seq_len(nrow(p)))
  }
  expect_true(all(is.na(sel$rank)) && all(is.na(sel$score)))
}

task_for_invariants <- numbers_task(7, 9)

test_that("bounds, included and excluded features and the budget hold in every search", {
  searches <- all_searches(max_features = 4, population = 6, evaluations = 25)
  for (name in names(searches)) {
    fixed <- !startsWith(name, "s") || startsWith(name, "swarm")
    unbounded <- name %in% c("nsga2", "swarm", "swarm_full")
    back <- name %in% c("sbs", "sfbs")
    selector <- searches[[name]]
    if (back) selector$params$evaluations <- NULL
    n <- if (fixed) 25
    sound <- function(most, include = character(), exclude = character(), ...) {
      expect_sound(searched(selector, task_for_invariants, include = include, exclude = exclude, ...), most, include,
        exclude, n)
    }
    wishes <- list(\() sound(if (unbounded) 9 else 4), \() sound(3, c("f2", "f8"), "f5", k = 3),
      \() sound(if (unbounded) 7 else 4, "f9", c("f1", "f3"), seed = 2, k = 8))
    for (wish in some_or_all(wishes, match(name, names(searches)), 2L)) wish()
  }
})

test_that("leaving features out is as searching a task without them", {
  task <- task_for_invariants
  searches <- all_searches(max_features = 4, population = 6, evaluations = 25)
  searches[c("sbs", "sfbs")] <- NULL
  for (selector in searches) {
    sel <- searched(selector, task, exclude = c("f3", "f7"))
    other <- searched(selector, task[, -c(3, 7)])
    expect_identical(sets_of(sel), lapply(sets_of(other), function(set) setdiff(1:9, c(3L, 7L))[set]))
    expect_identical(values_of(sel), values_of(other))
    expect_identical(search_front(sel), search_front(other))
  }
})

test_that("threads and the layout of the features change nothing", {
  skip_unless_all()
  data <- codes_task(9, 7)
  frame <- coded_task(as.data.frame(data$x), data$y)
  dense <- numbers_task(3, 7)
  rows <- mltask(sparse(features(dense)), targets(dense))
  layouts <- list(coded_task(sparse(data$x), data$y), frame, coded_task(sparse(data$x), sparse(data$y)))
  turn <- 0L
  for (selector in all_searches(max_features = 7, evaluations = 24)) {
    turn <- turn + 1L
    result <- without_times(searched(selector, data$task, threads = 1))
    for (threads in some_or_all(2:3, turn, 2L)) {
      expect_identical(without_times(searched(selector, data$task, threads = threads)), result)
    }
    for (layout in some_or_all(layouts, turn)) {
      other <- without_times(searched(selector, layout))
      expect_identical(other$table, result$table)
      expect_identical(other$search, result$search)
    }
    expect_identical(without_times(searched(selector, rows))$search, without_times(searched(selector, dense))$search)
  }
})

test_that("the seed decides, and the generator goes on as if one number had been drawn", {
  task <- numbers_task(1, 8)
  for (selector in all_searches(max_features = 6, inner = rs_holdout(0.8, 1))) {
    sel <- searched(selector, task, 5)
    expect_identical(without_times(searched(selector, task, 5)), without_times(sel))
    withr::with_seed(5, {
      sift_features(task, selector)
      after <- runif(1)
    })
    expect_identical(after, withr::with_seed(5, runif(2)[2]))
  }
  expect_false(identical(sets_of(searched(sel_rga(), task, 1)), sets_of(searched(sel_rga(), task, 2))))
})

test_that("the best of all sets is found with many evaluations", {
  for (seed in 1:2) {
    task <- withr::with_seed(seed, simulate_mltask(80, n_features = 10, n_targets = 3))
    selector <- sel_rga(inner = rs_fixed(1:55, 56:80), evaluations = 250, cache = TRUE, max_features = 4)
    sel <- searched(selector, task, seed)
    sets <- unlist(lapply(1:4, function(n) utils::combn(10, n, simplify = FALSE)), recursive = FALSE)
    evaluate <- search_evaluator(task, 1:10, selector$params, 0, 1L)
    expect_identical(search_front(sel)$value[1], min(vapply(sets, function(set) evaluate(set, 1L)$value, 0)))
  }
})

# --- cache ------------------------------------------------------------------------------------------------------------

# Where all sets are known, a search soon stops to look for others.
local_few_repeats <- function(.env = parent.frame()) {
  if (!all_tests()) testthat::local_mocked_bindings(most_in_vain = 100L, .package = "mlsift", .env = .env)
}

test_that("a cached set is not evaluated again, and the search ends when all sets are known", {
  local_few_repeats()
  task <- codes_task(2, 3)$task
  counter <- new.env()
  searches <- all_searches(max_features = 3, population = 4, evaluations = 40, cache = TRUE,
    learner = hooked_learner(counter))
  for (name in names(searches)) {
    counter$fit <- 0L
    sel <- searched(searches[[name]], task)
    expect_identical(anyDuplicated(sets_of(sel)), 0L)
    expect_identical(counter$fit, nrow(search_history(sel)))
    expect_lte(counter$fit, 7L)
    if (name %in% c("rga", "mamfs", "nsga2", "explore")) expect_identical(counter$fit, 7L)
  }
})

test_that("a cache makes repeats free and changes no step", {
  task <- numbers_task(4, 6)
  for (make in list(sel_rga, sel_nsga2, sel_mpsofs, sel_ga_explore)) {
    plain <- searched(make(inner = search_rows, population = 5, evaluations = 120), task)
    cached <- searched(make(inner = search_rows, population = 5, evaluations = 25, cache = TRUE), task)
    distinct <- !duplicated(sets_of(plain))
    n <- min(sum(distinct), 25)
    expect_gt(n, 10)
    expect_identical(sets_of(cached)[1:n], sets_of(plain)[distinct][1:n])
  }
})

# --- going on ---------------------------------------------------------------------------------------------------------

# Those whose steps depend on the number of evaluations in all.
by_total <- c("mamfs", "mamfs_two", "swarm_full")

test_that("a search that is extended is the longer search, wherever it stopped", {
  task <- numbers_task(5, 6)
  total <- 17
  at <- function(n) all_searches(max_features = 3, population = 4, evaluations = n)
  whole <- lapply(at(total), searched, task = task)
  for (cut in some_or_all(4:16, 1, 2L)) {
    parts <- at(cut)
    for (name in some_or_all(setdiff(names(parts), c(by_total, "sbs", "sfbs", "explore_d2f")), cut)) {
      longer <- extend_selection(searched(parts[[name]], task), task, evaluations = total)
      expect_identical(without_times(longer), without_times(whole[[name]]), label = paste(name, "cut at", cut))
    }
    for (name in some_or_all(by_total, cut)) {
      part <- searched(parts[[name]], task)
      longer <- extend_selection(part, task, evaluations = total)
      expect_identical(nrow(search_history(longer)), 17L)
      expect_identical(sets_of(longer)[seq_len(cut)], sets_of(part))
      expect_identical(values_of(longer)[seq_len(cut)], values_of(part))
    }
  }
})

test_that("a search that ran out of sets ends where the longer one does", {
  skip_unless_all()
  local_few_repeats()
  for (d in 2:3) {
    task <- codes_task(4, d)$task
    at <- function(n) all_searches(max_features = 2, population = 3, evaluations = n, cache = TRUE)
    parts <- at(9)
    whole <- at(40)
    for (name in setdiff(names(parts), by_total)) {
      part <- searched(parts[[name]], task)
      expect_lt(nrow(search_history(part)), 9)
      expect_identical(without_times(extend_selection(part, task, evaluations = 40)),
        without_times(searched(whole[[name]], task)), label = name)
    }
  }
})

test_that("backward searches go on too", {
  task <- numbers_task(5, 6)
  for (floating in c(FALSE, TRUE)) {
    make <- function(n) sel_sequential(direction = "backward", floating = floating, max_features = 5, evaluations = n,
      inner = search_rows)
    whole <- searched(make(60), task)
    for (cut in c(2, 7, 8, 13)) {
      longer <- extend_selection(searched(make(cut), task), task, evaluations = 60)
      expect_identical(without_times(longer), without_times(whole))
    }
  }
})

test_that("a stored search goes on with its wishes, its cache and rows drawn anew", {
  task <- numbers_task(6, 7)
  file <- withr::local_tempfile()
  for (redraw in c(FALSE, TRUE)) for (cache in some_or_all(c(FALSE, TRUE), redraw, 2L)) {
    make <- function(n) sel_ga_explore(population = 5, evaluations = n, inner = rs_holdout(0.7, 2), redraw = redraw,
      cache = cache, start = list("f4"))
    run <- function(n) searched(make(n), task, k = 4, include = "f2", exclude = "f6", discretizer = disc_equal_width(4))
    saveRDS(run(14), file)
    longer <- extend_selection(readRDS(file), task, evaluations = 23)
    expect_identical(without_times(longer), without_times(run(23)))
  }
})

test_that("nothing is evaluated where nothing is left to do, and other tasks are refused", {
  task <- numbers_task(5, 6)
  sel <- searched(sel_rga(population = 4, evaluations = 10), task)
  expect_identical(extend_selection(sel, task, evaluations = 10), sel)
  expect_identical(extend_selection(sel, task, evaluations = 3), sel)
  other <- numbers_task(6, 6)
  path <- sift_features(task, sel_scls(), k = 2)
  expect_snapshot(error = TRUE, {
    extend_selection(sel, other, evaluations = 20)
    extend_selection(sel, task[, 6:1], evaluations = 20)
    extend_selection(sel, task, k = 3)
    extend_selection(sel, task)
    extend_selection(head(sel, 1), task, evaluations = 20)
    extend_selection(path, task, evaluations = 20)
    candidate_scores(sel, task)
  })
})

# --- limits and interrupts --------------------------------------------------------------------------------------------

test_that("a search that is out of time gives what it has, with a warning", {
  task <- numbers_task(8, 5)
  for (selector in all_searches(evaluations = 15)[c("rga", "mamfs", "nsga2", "swarm", "sfs")]) {
    expect_warning(sel <- searched(selector, task, max_seconds = 0), "stopped by `max_seconds`")
    expect_identical(nrow(search_history(sel)), 1L)
    expect_identical(extend_selection(sel, task, evaluations = 15)$feature, searched(selector, task)$feature)
  }
  slow <- hooked_learner(new.env(), function(n) Sys.sleep(0.02))
  selector <- sel_rga(slow, population = 4, evaluations = 40, inner = search_rows)
  expect_warning(sel <- searched(selector, task, max_seconds = 0.2), "It returns the best of")
  n <- nrow(search_history(sel))
  expect_gt(n, 1)
  expect_lt(n, 14)
  expect_identical(search_front(sel)$value[1], min(values_of(sel)))
  quick <- sel_rga(hooked_learner(new.env()), population = 4, evaluations = 40, inner = search_rows)
  expect_identical(values_of(sel), values_of(searched(quick, task))[seq_len(n)])
  back <- sel_sequential(direction = "backward", max_features = 2)
  expect_snapshot(error = TRUE, searched(back, task, max_seconds = 0))
})

# Runs the search with a learner that calls `stop_it` at its n-th fit.
stopped_at <- function(n, stop_it, name, task, run = function(selector) searched(selector, task)) {
  learner <- hooked_learner(new.env(), function(i) if (i == n) stop_it())
  suppressMessages(run(all_searches(population = 4, evaluations = 15, learner = learner)[[name]]))
}

test_that("an interrupt reaches the caller, and what there is goes on", {
  task <- numbers_task(8, 5)
  quietly <- function(code) tryCatch(code, interrupt = function(e) "interrupted")
  turn <- 0L
  for (name in c("rga", "explore", "mamfs", "nsga2", "swarm", "swarm_full", "sffs")) {
    whole <- searched(all_searches(population = 4, evaluations = 15, learner = hooked_learner(new.env()))[[name]], task)
    for (n in some_or_all(c(2, 6, 11), turn <- turn + 1L)) {
      expect_identical(quietly(stopped_at(n, rlang::interrupt, name, task)), "interrupted")
      part <- last_selection()
      expect_identical(nrow(search_history(part)), as.integer(n - 1))
      expect_identical(sets_of(part), sets_of(whole)[seq_len(n - 1)])
      longer <- extend_selection(part, task, evaluations = 15)
      expect_identical(without_times(longer), without_times(whole))
    }
  }
})

test_that("R's own time limits are interrupts, and so are those of an extension", {
  task <- numbers_task(8, 5)
  late <- function() stop("reached elapsed time limit")
  expect_error(stopped_at(5, late, "rga", task), "reached elapsed time limit")
  expect_identical(nrow(search_history(last_selection())), 4L)
  extended <- function(selector) {
    part <- selector
    part$params$evaluations <- 6L
    extend_selection(searched(part, task), task, evaluations = 15)
  }
  caught <- tryCatch(stopped_at(9, rlang::interrupt, "nsga2", task, extended), interrupt = function(e) "interrupted")
  expect_identical(caught, "interrupted")
  expect_identical(nrow(search_history(last_selection())), 8L)
})

test_that("an interrupt before there is a result is an interrupt all the same", {
  task <- numbers_task(8, 5)
  caught <- function(n, name) {
    tryCatch(stopped_at(n, rlang::interrupt, name, task), interrupt = function(e) "interrupted")
  }
  expect_identical(caught(1, "rga"), "interrupted")
  # A backward search that still has more features than it may.
  expect_identical(caught(3, "sbs"), "interrupted")
})

# --- failures ---------------------------------------------------------------------------------------------------------

test_that("a search goes on without sets that fail, says so once, and fails where all do", {
  task <- numbers_task(9, 5)
  fragile <- function(when) lrn_custom(
    "fragile", function(x, y) if (when(colnames(x))) stop("no {braces} here") else colMeans(y),
    function(model, x) outer(rowMeans(x), model, "+")
  )
  some <- fragile(function(names) "f1" %in% names)
  for (name in c("rga", "mamfs", "nsga2", "swarm", "swarm_full", "sffs")) {
    selector <- all_searches(evaluations = 25, learner = some)[[name]]
    said <- capture_warnings(sel <- searched(selector, task))
    expect_length(said, 1)
    bad <- vapply(sets_of(sel), function(set) 1L %in% set, NA)
    expect_match(said, sprintf("%d of %d evaluations failed", sum(bad), length(bad)))
    expect_identical(is.infinite(values_of(sel)), bad)
    failures <- attr(sel, "search")$failures
    expect_identical(failures$evaluation, which(bad))
    expect_match(failures$message, "no {braces} here", fixed = TRUE)
    expect_false("f1" %in% selected(sel))
    expect_true(all(is.finite(search_front(sel)$value)))
  }
  none <- fragile(function(names) TRUE)
  for (name in c("rga", "nsga2", "swarm_full", "sfs")) {
    all_fail <- all_searches(learner = none)[[name]]
    expect_error(searched(all_fail, task), "None of the [0-9]+ sets", class = "mlsift_error")
  }
  expect_snapshot(error = TRUE, {
    searched(sel_rga(none, population = 3, evaluations = 5, inner = search_rows), task)
    searched(sel_mpsofs(threshold = 1), task)
  })
})

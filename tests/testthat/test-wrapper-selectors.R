test_that("searches are listed", {
  rows <- list_selectors()
  rows <- rows[grepl("sel_(rga|ga_explore|mamfs|nsga2|mpsofs|sequential)", rows$constructor), ]
  rownames(rows) <- NULL
  expect_snapshot(rows)
  expect_false(any(rows$greedy))
})

test_that("constructors print, and have the names of the papers", {
  expect_snapshot({
    sel_rga()
    sel_ga_explore(lrn_mlknn(), explore = sel_d2f())
    sel_nsga2(satisfy = 5)
  })
  names <- vapply(all_searches(), function(selector) selector$name, "", USE.NAMES = FALSE)
  expect_identical(names, c(
    "RGA", "GA+SCLS", "GA+D2F", "MAMFS", "MAMFS", "NSGA-II", "NSGA-II", "MPSOFS", "MPSOFS", "MPSOFS-full", "SFS",
    "SFFS", "SBS", "SFBS"
  ))
})

test_that("settings are given by name or as an object, and keep their code", {
  control <- search_control(population = 5, inner = rs_cv(3), cache = TRUE, start = list("f1"))
  by_name <- list(population = 5, inner = rs_cv(3), cache = TRUE, start = list("f1"))
  for (make in list(sel_rga, sel_ga_explore, sel_mamfs, sel_nsga2, sel_mpsofs)) {
    selector <- make(lrn_mlnb(), "jaccard", 4, evaluations = 30, control = control)
    expect_identical(do.call(make, c(list(lrn_mlnb(), "jaccard", 4, evaluations = 30), by_name)), selector)
    expect_identical(eval(parse(text = spec_code(selector))), selector)
    expect_identical(make(control = search_control()), make())
    expect_false(any(c("inner", "population") %in% names(formals(make))))
  }
  expect_identical(eval(parse(text = spec_code(control))), control)
  plain <- sel_sequential(control = search_control(redraw = TRUE))
  expect_identical(sel_sequential(redraw = TRUE), plain)
  expect_identical(eval(parse(text = spec_code(plain))), plain)
  expect_snapshot({
    control
    cat(spec_code(sel_rga(evaluations = 50, control = control)))
  })
  expect_snapshot(error = TRUE, {
    sel_rga(poplation = 5)
    sel_rga(lrn_nb(), "hamming_loss", 3, 50, rs_cv(3))
    sel_mamfs(satisfy = 3)
    sel_rga(cache = TRUE, cache = TRUE)
    sel_rga(control = list(cache = TRUE))
    sel_rga(control = control, redraw = TRUE, discretizer = NULL)
    sel_sequential(population = 5)
    sel_sequential(control = control)
    search_control(population = 0)
    search_control(start = 3)
  })
})

test_that("of k and max_features the smaller holds", {
  task <- numbers_task(1, 8)
  most <- function(selector, ...) max(search_history(searched(selector, task, ...))$n_features)
  make <- function(max_features) sel_rga(inner = search_rows, max_features = max_features, evaluations = 60)
  expect_identical(most(make(5)), 5L)
  expect_identical(most(make(5), k = 3), 3L)
  expect_identical(most(make(3), k = 5), 3L)
  expect_identical(most(make(NULL)), 8L)
  expect_identical(most(make(50)), 8L)
  expect_warning(expect_identical(most(make(50), k = 9), 8L), "larger than the number of features")
  expect_identical(sets_of(searched(make(3), task)), sets_of(searched(make(7), task, k = 3)))
  expect_identical(sets_of(searched(make(NULL), task)), sets_of(searched(make(8), task)))
})

test_that("a search may start from names, positions, a ranking or a set", {
  task <- numbers_task(2, 8)
  first <- function(start, ..., population = 5) {
    sel <- searched(sel_rga(inner = search_rows, max_features = 4, population = population, evaluations = population,
      start = start), task, ...)
    sets_of(sel)[search_history(sel)$operator == "start"]
  }
  expect_identical(first(list(c("f7", "f2"), "f3")), list(c(2L, 7L), 3L))
  expect_identical(first(list(c(7, 2), 3)), list(c(2L, 7L), 3L))
  ranking <- sift_features(task, sel_scls())
  expect_identical(first(ranking), lapply(1:4, function(n) sort(ranking$index[1:n])))
  expect_identical(first(ranking, population = 2), lapply(1:2, function(n) sort(ranking$index[1:n])))
  expect_identical(first(head(ranking, 2)), lapply(1:2, function(n) sort(ranking$index[1:n])))
  expect_identical(first(ranking, k = 3), lapply(1:3, function(n) sort(ranking$index[1:n])))
  left <- ranking$index[!ranking$feature %in% c("f1", "f4")]
  expect_identical(first(ranking, exclude = c("f1", "f4")), lapply(1:4, function(n) sort(left[1:n])))
  set <- searched(sel_rga(inner = search_rows, max_features = 3), task)
  expect_identical(first(set), list(set$index))
  expect_identical(first(list("f3", c("f2", "f3")), include = "f2"), list(2:3, 2:3))
  swarm <- searched(sel_mpsofs(inner = search_rows, population = 3, start = ranking, max_features = 2), task)
  expect_identical(sets_of(swarm)[1:2], lapply(1:2, function(n) sort(ranking$index[1:n])))
})

test_that("satisfy takes the lowest value among small sets, or warns", {
  task <- numbers_task(4, 9)
  make <- function(satisfy) sel_nsga2(inner = search_rows, evaluations = 60, satisfy = satisfy)
  free <- searched(make(NULL), task)
  front <- search_front(free)
  expect_gt(nrow(front), 1)
  for (most in sort(unique(front$n_features))) {
    sel <- searched(make(most), task)
    small <- front[front$n_features <= most, ]
    expect_identical(search_front(sel)$value[1], min(small$value))
    expect_lte(nrow(sel), most)
    expect_setequal(search_front(sel)$features, front$features)
  }
  none <- min(front$n_features) - 1L
  if (none > 0L) expect_warning(searched(make(none), task), "No solution has at most")
  wide <- sel_nsga2(inner = search_rows, evaluations = 20, satisfy = 2)
  expect_warning(sel <- searched(wide, task, include = c("f1", "f2")), "No solution has at most 2 features")
  expect_identical(search_front(sel)$value[1], min(values_of(sel)))
})

test_that("numeric and class targets are searched with learners that predict them", {
  withr::local_seed(1)
  numeric <- simulate_mltask(45, n_features = 6, n_targets = 2, kind = "numeric")
  sel <- searched(sel_rga(lrn_linear(), "armse", 3, 20, population = 5, inner = search_rows), numeric)
  expect_identical(nrow(search_history(sel)), 20L)
  expect_identical(attr(sel, "search")$measure, "armse")
  explored <- sel_ga_explore(lrn_linear(), "armse", 3, 20, population = 5, inner = search_rows, explore = sel_ml_cfs())
  sel <- searched(explored, numeric)
  expect_identical(sum(search_history(sel)$operator == "exploration"), 6L)
  x <- features(numeric)
  class <- mltask(x, data.frame(a = factor(x[, 1] > 0, labels = c("no", "yes")), b = factor(sample(3, 45, TRUE))),
    kind = "class")
  common <- lrn_custom("commonest", function(x, y) vapply(y, function(v) names(which.max(table(v))), ""),
    function(model, x) list(response = matrix(model, nrow(x), length(model), byrow = TRUE)))
  wrong <- msr_custom("wrong", function(truth, response) mean(truth != response), range = c(0, 1))
  for (make in list(sel_rga, sel_ga_explore, sel_mamfs)) {
    sel <- searched(make(common, wrong, 3, 12, population = 5, inner = search_rows), class)
    expect_identical(length(unique(values_of(sel))), 1L)
  }
  expect_snapshot(error = TRUE, {
    searched(sel_rga(inner = search_rows), numeric)
    searched(sel_rga(lrn_linear(), inner = search_rows), numeric)
    sel_ga_explore(lrn_knn_regression(), "armse")
    sel_mamfs(lrn_knn_regression(), "armse")
  })
})

test_that("a search is a selector of benchmarks", {
  task <- numbers_task(5, 6)
  selector <- sel_rga(population = 4, evaluations = 8, max_features = 2)
  run <- function() withr::with_seed(1, benchmark_selectors(
    task, list(selector, sel_mim()), lrn_brknn(3), rs_cv(2), k = 2, measures = "hamming_loss", progress = FALSE
  ))
  bench <- run()
  expect_identical(run()$value, bench$value)
  expect_false(anyNA(bench$value))
})

test_that("impossible searches are refused", {
  task <- numbers_task(6, 5)
  two <- function(..., population = 3) {
    sel_rga(inner = search_rows, max_features = 2, population = population, evaluations = 5, ...)
  }
  scoreless <- lrn_custom("scoreless", function(x, y) 0, function(model, x) list(response = matrix(0L, nrow(x), 3)))
  expect_snapshot(error = TRUE, {
    sel_rga(population = 30, evaluations = 20)
    sel_rga(max_features = 0)
    sel_rga(measure = "haming_loss")
    sel_rga(measure = c("hamming_loss", "jaccard"))
    sel_rga(learner = "NB")
    sel_rga(inner = 0.8)
    sel_rga(evaluations = Inf)
    sel_rga(redraw = NA)
    sel_rga(cache = "yes")
    sel_rga(discretizer = 3)
    sel_rga(start = "f1")
    sel_rga(start = list(character()))
    sel_ga_explore(explore = sel_mim())
    sel_ga_explore(explore = "SCLS")
    sel_mamfs(population = 3, refine = 4)
    sel_mamfs(copies = 0)
    sel_nsga2(satisfy = 0)
    sel_mpsofs(threshold = 2)
    sel_mpsofs(variant = "fast")
    sel_sequential(direction = "both")
    sel_sequential(floating = NULL)
    searched(two(measure = "armse"), task)
    searched(two(measure = "ranking_loss", learner = scoreless), task)
    searched(two(start = list("f9")), task)
    searched(two(start = list(9)), task)
    searched(two(start = list("f1", "f2")), task, exclude = "f2")
    searched(two(start = list("f1", "f2", "f3"), population = 2), task)
    searched(two(start = list(1:3)), task)
    searched(two(start = list("f1")), task, include = "f1")
    searched(two(), task, include = c("f1", "f2"))
    searched(sel_rga(), task, k = 1, include = "f1")
    searched(sel_rga(), task, include = "f1", exclude = paste0("f", 2:5))
    searched(sel_rga(), task, min_gain = 0.1)
    searched(sel_rga(inner = rs_fixed(1:30, 40:50)), task)
    searched(sel_sequential(direction = "backward", max_features = 1, evaluations = 3), task)
  })
  expect_error(searched(two(), task, include = c("f1", "f2")), class = "mlsift_error")
})

test_that("an exploration by a filter from outside the core goes on where a set has all features", {
  withr::local_seed(6)
  numeric <- simulate_mltask(45, n_features = 3, n_targets = 2, kind = "numeric")
  explored <- sel_ga_explore(lrn_linear(), "armse", 3, 20, population = 5, inner = search_rows, explore = sel_ml_cfs())
  sel <- searched(explored, numeric)
  expect_identical(nrow(search_history(sel)), 20L)
  expect_true(list(1:3) %in% sets_of(sel))
  expect_true(all(lengths(sets_of(sel)) %in% 1:3))
})

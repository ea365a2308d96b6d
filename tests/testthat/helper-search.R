# Searches with a learner: small tasks, all searches at once, and what of a result does not depend on the clock.

search_rows <- rs_fixed(1:30, 31:45)

codes_task <- function(seed, d, q = 3, n = 45) {
  withr::with_seed(seed, {
    x <- random_codes(n, d)
    y <- random_labels(n, q)
  })
  list(x = x, y = y, task = coded_task(x, y))
}

numbers_task <- function(seed, d, n = 45) {
  withr::with_seed(seed, simulate_mltask(n, n_features = d, n_targets = 3))
}

searched <- function(selector, task, seed = 1, ...) withr::with_seed(seed, sift_features(task, selector, ...))

# What R's generator draws first.
first_number <- function(seed) withr::with_seed(seed, stats::runif(1))

# All searches by a name, with a budget.
all_searches <- function(max_features = 3, population = 5, evaluations = 20, ..., inner = search_rows, cache = FALSE,
                         learner = lrn_nb()) {
  same <- list(learner = learner, inner = inner, evaluations = evaluations, cache = cache)
  make <- function(constructor, ...) do.call(constructor, c(same, list(...)))
  with_population <- function(constructor, max = max_features, ...) {
    make(constructor, max_features = max, population = population, ...)
  }
  list(
    rga = with_population(sel_rga), explore = with_population(sel_ga_explore),
    explore_d2f = with_population(sel_ga_explore, explore = sel_d2f()), mamfs = with_population(sel_mamfs),
    mamfs_two = with_population(sel_mamfs, refine = min(2, population), copies = 2),
    nsga2 = with_population(sel_nsga2, NULL), nsga2_bound = with_population(sel_nsga2),
    swarm = with_population(sel_mpsofs, NULL), swarm_bound = with_population(sel_mpsofs, threshold = 0.4),
    swarm_full = with_population(sel_mpsofs, NULL, variant = "full"),
    sfs = make(sel_sequential, max_features = max_features),
    sffs = make(sel_sequential, max_features = max_features, floating = TRUE),
    sbs = make(sel_sequential, max_features = max_features, direction = "backward"),
    sfbs = make(sel_sequential, max_features = max_features, direction = "backward", floating = TRUE)
  )
}

without_times <- function(selection) {
  search <- attr(selection, "search")
  search$history$seconds <- NULL
  state <- attr(selection, "state")
  state$log$seconds <- NULL
  list(table = as.data.frame(selection), search = search, state = state)
}

sets_of <- function(selection) attr(selection, "search")$sets
values_of <- function(selection) search_history(selection)$value

# A learner whose answers depend on the features, with something that happens at each fit.
hooked_learner <- function(counter, at_fit = function(n) NULL, name = "hooked") {
  counter$fit <- 0L
  lrn_custom(name,
    fit = function(x, y) {
      counter$fit <- counter$fit + 1L
      at_fit(counter$fit)
      colMeans(y)
    },
    predict = function(model, x) outer(rowMeans(x), model, "+")
  )
}

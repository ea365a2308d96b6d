# Every option of every selector, learner and discretizer, crossed with what rows and columns may be: weighted, with
# unknown targets, sparse, factors, in chunks. An option must not be lost on the way: where it changes a plain result,
# it changes the others too. Whatever the options are, a row of weight w counts as w rows, and one of weight 0 as none.

# --- the options ------------------------------------------------------------------------------------------------------

# Another value for each option whose default does not name the others, as choices and flags do. "method option" goes
# before "option".
other_values <- list(
  adjust = "miller-madow", alpha = 0.3, base = exp(1), beta = 0.4, bins = 3, epochs = 2, gamma = 0.3, kappa = 2,
  lambda = 0.5, lambda_ratio = 0.1, laplace = 0.2, max_bins = 2, max_rows = 40, min_bins = 3, min_count = 9,
  n_features = 2, n_groups = 2, n_labels = 1, n_lambda = 5, n_latent = 2, neighbors = 5, phi = 2, prop_labels = 0.8,
  rho = 5, ridge = 1, s_min = 0.3, sigma = 3, size = 2, smoothing = 2, step = 0.5, tol = 0.1, zero_degree = 0.5,
  zero_share = 0.05, chain_order = 3:1, measure = "hamming_loss", "disc_mdlp min_bins" = 2,
  "disc_mdlp min_count" = 2, "lrn_threshold min_count" = 30, "sel_d2f base" = exp(1),
  "sel_qpmlfs alpha" = 0.9, "sel_grro alpha" = 1, "sel_knn_mi stop" = quote(stop_permutation(9)),
  "sel_knn_mi min_count" = 5, "sel_knn_mi neighbors" = 3, "sel_greedy relevance" = 0.1,
  "sel_greedy label_interaction" = 0.3, "sel_greedy redundancy" = 0.5, "sel_greedy conditional" = 0.5,
  "sel_mtl alpha" = 0.2, "lrn_mtl alpha" = 0.2, "sel_mifs neighbors" = 3, "sel_mdfs beta" = 3,
  "sel_mdfs neighbors" = 3, "sel_turf drop" = 0.5, "sel_chi2 min_count" = 3, "sel_trans_mi min_count" = 3,
  "sel_relieff_ppt min_count" = 3, "lrn_nb discretizer" = quote(disc_equal_width(2))
)

# Options that are left out, and why. "method option" or "option".
left_out <- c(
  n_rows = "draws rows", graph = "a matrix, see test-sel-sparse.R", row_order = "a permutation, see test-sel-gmba.R",
  groups = "lists of targets, see test-sel-jmi.R", clusters = "follows the size", "sel_group_jmi size" = "draws groups",
  "sel_group_jmi n_groups" = "draws groups",
  "sel_spec kappa" = "approximates", zero_distance = "only where values repeat, see test-sel-knn-mi.R",
  max_rows = "a limit", "sel_ensemble name" = "a name", selectors = "not an option", selector = "not an option",
  learner = "not an option", lambda = "a path, see test-lrn-mtl.R"
)

named_value <- function(table, fun, option) table[[c(intersect(paste(fun, option), names(table)), option)[1L]]]

# The calls of a constructor with one option changed at a time, by name of the option.
option_calls <- function(code) {
  call <- str2lang(code)
  fun <- as.character(call[[1L]])
  options <- formals(get(fun, asNamespace("mlsift")))
  options <- options[setdiff(names(options), names(call))]
  values <- lapply(stats::setNames(nm = names(options)), function(option) {
    if (any(c(option, paste(fun, option)) %in% names(left_out))) return(list())
    default <- if (is.call(options[[option]])) eval(options[[option]]) else options[[option]]
    if (is.character(default) && length(default) > 1L) return(as.list(default[-1L]))
    if (is.logical(default)) return(list(!default))
    if (!any(c(option, paste(fun, option)) %in% names(other_values))) stop("No other value for ", fun, " ", option)
    list(named_value(other_values, fun, option))
  })
  calls <- unlist(Map(function(option, values) lapply(values, function(value) {
    call[[option]] <- value
    call
  }), names(values), values), recursive = FALSE)
  calls[vapply(calls, is.call, NA)]
}

# --- the rows ---------------------------------------------------------------------------------------------------------

# Whole numbers that serve as codes and as numbers, with many zeros, and targets of a kind that depend on them.
crossing_data <- function(kind, n = 70) {
  x <- pmin(matrix(rpois(n * 6, rep(c(0.5, 1, 2), 2, each = n)), n, dimnames = list(NULL, paste0("f", 1:6))), 4)
  signal <- x[, 1:3] + matrix(rnorm(3 * n), n)
  colnames(signal) <- paste0("t", 1:3)
  y <- switch(kind,
    label = (signal > 1.4) * 1, numeric = round(signal, 2),
    class = as.data.frame(lapply(as.data.frame(signal), \(s) cut(s, c(-Inf, 0.5, 1.8, Inf), c("a", "b", "c"))))
  )
  unknown <- matrix(runif(3 * n) < 0.25, n)
  list(x = x, y = y, weights = sample(0:3, n, TRUE), unknown = unknown)
}

# The kinds of rows: tasks of the same data.
crossing_task <- function(data, kind, rows = NULL, weights = FALSE, unknown = FALSE, sparse = FALSE, factors = FALSE) {
  x <- if (sparse) sparse(data$x) else if (factors) as_factors(data$x) else data$x
  y <- data$y
  if (unknown) y[data$unknown] <- NA
  task <- mltask(x, y, kind = kind, discrete = all_discrete(data$x), weights = if (weights) data$weights)
  if (is.null(rows)) task else task[rows, ]
}

takes <- function(spec, kind) {
  method <- if (inherits(spec, "mlselector")) selector_method(spec) else learner_method(spec)
  list(kind = kind %in% method$kinds, weights = method$weights,
    # Where numbers become classes first, none may be unknown.
    unknown = isTRUE(method$unknown) && kind != "class" && !(kind == "numeric" && isTRUE(method$whole)))
}

all_branches <- function(takes) Filter(\(b) (takes$weights || !b$weights) && (takes$unknown || !b$unknown), list(
  sparse = list(sparse = TRUE, weights = FALSE, unknown = FALSE),
  weights = list(sparse = FALSE, weights = TRUE, unknown = FALSE),
  "sparse, weights" = list(sparse = TRUE, weights = TRUE, unknown = FALSE),
  unknown = list(sparse = FALSE, weights = FALSE, unknown = TRUE),
  "sparse, unknown" = list(sparse = TRUE, weights = FALSE, unknown = TRUE),
  "weights, unknown" = list(sparse = FALSE, weights = TRUE, unknown = TRUE),
  "sparse, weights, unknown" = list(sparse = TRUE, weights = TRUE, unknown = TRUE)
))

# Variants of one thing, each a function of a task, the first with the defaults: what must not matter for a variant does
# not matter, and what changes the result of plain rows changes it for all rows.
expect_crossing <- function(variants, data, kind, repeats = TRUE, factors = FALSE, chunks = FALSE) {
  force(data)
  local_no_words()
  # Each task is made once.
  tasks <- list()
  make <- function(branch, ...) {
    of <- utils::modifyList(branch, list(...))
    name <- paste(deparse(of), collapse = "")
    tasks[[name]] <<- tasks[[name]] %||% do.call(crossing_task, c(list(data, kind), of))
    tasks[[name]]
  }
  plain <- list(sparse = FALSE, weights = FALSE, unknown = FALSE)
  # One property at a time and as many as can be; all tests have every pair, too. Variants have as many as can be, where
  # an option that one of them loses is lost.
  branches <- function(takes, first = TRUE) {
    of <- all_branches(takes)
    if (all_tests()) return(of)
    single <- which(vapply(of, \(branch) sum(unlist(branch)) == 1, NA))
    of[union(if (first) single, length(of))]
  }
  kinds <- c(list(plain = plain), branches(attr(variants[[1L]], "takes")))
  defaults <- lapply(kinds, \(branch) variants[[1L]](make(branch)))
  for (name in names(variants)) {
    of <- variants[[name]]
    allowed <- attr(of, "takes")
    own <- catch_error(of(make(plain)), identity)
    if (inherits(own, "error")) {
      # Classes are no label sets of one row.
      expect_match(paste(name, kind), "^sel_(chi2|trans_mi).*\"[anls]la\".* class$")
      next
    }
    if (factors) expect_identical(of(make(plain, factors = TRUE)), own, info = paste(name, kind, "factors"))
    # Each result is computed once.
    results <- stats::setNames(list(own), paste(plain, collapse = " "))
    result <- function(branch, ...) {
      of_rows <- utils::modifyList(branch, list(...))
      name <- paste(of_rows, collapse = " ")
      results[[name]] <<- results[[name]] %||% of(make(of_rows))
      results[[name]]
    }
    tried <- branches(allowed, first = name == names(variants)[1L])
    for (rows in intersect(names(tried), names(defaults))) {
      branch <- tried[[rows]]
      info <- paste(name, kind, rows)
      found <- result(branch)
      if (!identical(own, defaults$plain) && identical(found, defaults[[rows]])) fail(paste("no effect:", info))
      if (branch$sparse) expect_identical(found, result(branch, sparse = FALSE), info = info)
      if (chunks && rows %in% utils::tail(names(tried), 1L)) {
        here <- catch_error(of(chunked(make(branch))), identity)
        if (inherits(here, "error")) expect_match(conditionMessage(here), "Use a task", info = info)
        else expect_identical(here, found, info = paste(info, "chunks"))
      }
      if (!branch$weights) next
      checks <- c("left out", if (repeats) "copied")
      if (name != names(variants)[1L]) checks <- some_or_all(checks, match(name, names(variants)), length(checks))
      if ("left out" %in% checks) {
        expect_equal(of(make(branch, rows = which(data$weights > 0))), found, tolerance = 1e-9, info = info)
      }
      copies <- rep(seq_along(data$weights), data$weights)
      if ("copied" %in% checks) {
        expect_equal(of(make(branch, rows = copies, weights = FALSE)), found, tolerance = 1e-6, info = info)
      }
    }
  }
}

# The variants of a selector, learner or discretizer: one for each value of an option that suits this kind of targets.
crossed_options <- function(code, kind, result) {
  # The kinds of targets take turns, and so do the methods for one kind.
  calls <- c(list(str2lang(code)), some_or_all(option_calls(code), match(kind, target_kinds) + nchar(code), 4L))
  # The logistic loss does not suit numbers.
  if (kind == "numeric") calls <- Filter(\(call) !"logistic" %in% as.list(call), calls)
  names(calls) <- vapply(calls, \(call) paste(deparse(call), collapse = ""), "")
  variants <- lapply(calls, function(call) {
    spec <- eval(call)
    takes <- if (!inherits(spec, "mldiscretizer")) takes(spec, kind)
    if (is.null(takes) || takes$kind) structure(\(task) result(spec, task), takes = takes)
  })
  Filter(Negate(is.null), variants)
}

# The kinds of targets that a method takes, or one of them, in turns.
crossed_kinds <- function(code, method_of) {
  kinds <- intersect(target_kinds, method_of(eval(str2lang(code)))$kinds)
  some_or_all(kinds, nchar(code), length(kinds))
}

ranking_of <- function(spec, task, ...) {
  set.seed(1)
  found <- withCallingHandlers(sift_features(task, spec, ...), mlsift_warning = \(w) tryInvokeRestart("muffleWarning"))
  list(index = found$index, score = found$score)
}

test_that("options of selectors hold for all kinds of rows", {
  skip_on_cran()
  withr::local_seed(1)
  codes <- setdiff(list_selectors()$constructor, c("sel_none()", "sel_random()", "sel_knn_mi(search = \"backward\")"))
  # These draw rows, or need more arguments.
  codes <- codes[!grepl("custom|importance|tuned|best|bagged|= \\)", codes)]
  served <- character()
  for (code in codes) for (kind in crossed_kinds(code, selector_method)) {
    method <- selector_method(eval(str2lang(code)))
    if (is_search(method)) next
    data <- crossing_data(kind)
    result <- if (kind == "numeric" && method$whole) \(...) ranking_of(..., target_bins = 3) else ranking_of
    plain <- crossing_task(data, kind)
    chunks <- kind != "numeric" && is.list(or_else(ranking_of(eval(str2lang(code)), chunked(plain)), NULL))
    if (chunks) served <- c(served, code)
    expect_crossing(crossed_options(code, kind, result), data, kind,
        # Repeated rows are near to each other.
      repeats = !grepl("relief|surf|turf", code), factors = identical(method$needs, "codes"), chunks = chunks)
  }
  if (all_tests()) expect_in(c("sel_mim()", "sel_br_or()", "sel_scls()", "sel_cmim()", "sel_chi2()"), served)
  else expect_gt(length(served), 10)
})

test_that("what is asked of a selection holds for all kinds of rows", {
  skip_unless_all()
  withr::local_seed(2)
  selectors <- list(sel_mim(), sel_scls(), sel_ml_cfs(), sel_mtl(), sel_relieff_br())
  asked <- list(plain = list(), k = list(k = 2), include = list(include = "f6"), exclude = list(exclude = c(1, 5)),
    min_gain = list(min_gain = 0.3), groups = list(groups = list(a = 1:2, b = 3:6)),
    costs = list(costs = c(5, 1, 2, 1, 1, 3), max_cost = 7), max_cost = list(costs = 6:1, max_cost = 9))
  for (i in seq_along(selectors)) for (kind in some_or_all(c("label", "class"), i, 2L)) {
    selector <- selectors[[i]]
    method <- selector_method(selector)
    variants <- lapply(asked, function(arguments) {
      structure(\(task) do.call(ranking_of, c(list(selector, task), arguments)), takes = takes(selector, kind))
    })
    expect_crossing(variants, crossing_data(kind), kind, repeats = selector$name != "RF-BR",
      factors = identical(method$needs, "codes"), chunks = identical(method$needs, "codes"))
  }
})

test_that("options of discretizers hold for all kinds of rows", {
  withr::local_seed(3)
  for (code in list_discretizers()$constructor) for (kind in c("label", "class")) {
    discretizer <- eval(str2lang(code))
    learns <- discretizer_method(discretizer)$supervised
    data <- crossing_data(kind)
    data$x <- pmax(data$x + matrix(round(rnorm(length(data$x)), 1), nrow(data$x)), 0)
    result <- function(spec, task) {
      task$discrete[] <- FALSE
      list(cuts = fit(spec, task)$cuts, ranking = if_informative(ranking_of(sel_mim(), task, discretizer = spec)))
    }
    known <- list(kind = TRUE, weights = TRUE, unknown = kind == "label" && !learns)
    variants <- lapply(crossed_options(code, kind, result), structure, takes = known)
    expect_crossing(variants, data, kind)
  }
})

test_that("options of learners hold for all kinds of rows", {
  skip_on_cran()
  withr::local_seed(4)
  new <- matrix(sample(0:4, 240, TRUE) + 0, 40, dimnames = list(NULL, paste0("f", 1:6)))
  learned <- function(spec, task) {
    set.seed(1)
    model <- fit(spec, task)
    c(predict(model, if (is_sparse(task$x)) sparse(new) else new)[c("score", "response")], model_thresholds(model))
  }
  codes <- list_learners()$constructor
  codes <- codes[!grepl("custom|binary|chain\\(|chosen|powerset|threshold", codes)]
  codes <- c(codes, "lrn_chain(lrn_nb())", "lrn_powerset(lrn_nb())", "lrn_threshold(lrn_nb())")
  for (code in codes) for (kind in crossed_kinds(code, learner_method)) {
    # Copies of a row may be in different folds.
    repeats <- !grepl("threshold", code)
    expect_crossing(crossed_options(code, kind, learned), crossing_data(kind), kind, repeats)
  }
})

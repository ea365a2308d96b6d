#' Genetic searches with a learner
#'
#' Search for a small set of features that suits a learner. Each evaluation of a set fits the learner to the training
#' rows of an inner split and measures its predictions of the inner test rows. The number of evaluations and the size of
#' the sets are limited.
#'
#' There are three such searches:
#'
#' * `sel_rga()` is a genetic algorithm with restrictive operators: they never select more than `max_features`. Each
#'   generation has three new sets. Two come from single-point crossover of two random members of the population, one
#'   from mutation of a random member. Mutation replaces every feature by a random other one, and fills each free place
#'   with probability 0.1. The best `population` sets survive. Of sets with equal values, the older one comes first.
#' * `sel_ga_explore()` adds an exploration operator. For each of the three new sets, a filter selects a set of the same
#'   size from the features that are not in it. This set is evaluated too. So the search also tries features that no
#'   member of the population has.
#' * `sel_mamfs()` is a memetic algorithm. Before each generation, a filter refines copies of the best set. It adds the
#'   features with the highest score \eqn{R(f) - \sum_{s \in S} I(f; s)}{R(f) - sum over s of I(f; s)} and removes those
#'   with the lowest. How many is random, and fewer towards the end of the search. The best copy replaces the set if it
#'   is better.
#'
#' The filters count, so they use continuous features discretized by the `discretizer` of [sift_features()]. The learner
#' uses the features as they are, or discretized by the `discretizer` given here.
#'
#' @section Evaluations:
#' `evaluations` is a hard limit, and the first population counts. If the limit falls within a generation, only its
#' first sets are evaluated. A set that comes up again costs another evaluation, unless `cache` is `TRUE`.
#'
#' The value of a set is the one that [assess_features()] gives for this learner, measure, split and discretizer, or 1
#' minus it if larger values of the measure are better. If rows have [weights][row_weights()], the learner uses those of
#' the inner training rows, and the measure those of the inner test rows. If the learner fails for a set, or the measure
#' is not defined, the value is `Inf`, and there is a warning at the end. If all sets fail, there is an error.
#'
#' A search uses only the rows that it is given, which `inner` splits again. The value of the selected set on the inner
#' test rows is optimistic, because it is the best of many: see `vignette("searching-with-a-learner")`.
#'
#' @section Result:
#' [sift_features()] returns a set: `rank` and `score` are `NA`. [search_history()] gives all evaluations,
#' [search_front()] the last population, and `plot()` draws the history. The smaller of `k` and `max_features` limits
#' the size. Features named by `include` are in every set.
#'
#' `max_seconds` ends the search with a warning. After an interrupt, [last_selection()] returns the best set so far.
#' [extend_selection()] continues a search to a larger number of `evaluations`, with the same result as a single run.
#' (The steps of `sel_mamfs()` depend on this number, so it continues with the new one.) Splits, search and learner have
#' random streams of their own, which start from one number drawn from R's generator.
#'
#' Searches are fastest with learners that prepare the rows once for all sets: [lrn_nb()], [lrn_mlnb()], [lrn_mlknn()],
#' [lrn_brknn()], [lrn_knn_regression()], [lrn_brlr()] and [lrn_linear()].
#'
#' @param learner (`mllearner`) Any learner.
#' @param measure The name of a measure, such as `"hamming_loss"` (see [list_measures()]), or one made by [measure()] or
#'   [msr_custom()].
#' @param max_features (count) The largest size of a set. It may exceed the number of features.
#' @param evaluations (count) How many sets are evaluated, `population` or more.
#' @param ... Arguments of [search_control()], by name: `population`, `inner`, `redraw`, `cache`, `discretizer` and
#'   `start`; or `control`, an object made by it.
#' @param explore The filter: a greedy selector such as [sel_scls()].
#' @param refine (count) How many of the best sets are refined in each generation.
#' @param copies (count) How many refined copies of each are evaluated.
#'
#' @return A selector, for [sift_features()] and [benchmark_selectors()].
#' @references `r papers("LeeSeoKim2018", "LeeKim2015Memetic", "ZhuOngDash2007")`
#' @family searches
#' @examples
#' words <- subset_features(help_pages, sift_features(help_pages, sel_mim(), k = 20))
#' set.seed(1)
#' sel <- sift_features(words, sel_rga(max_features = 3, evaluations = 50))
#' sel
#' tail(search_history(sel), 3)
#' sift_features(words, sel_ga_explore(max_features = 3, evaluations = 50))
#' @export
sel_rga <- function(learner = lrn_nb(), measure = "hamming_loss", max_features = 10, evaluations = 100, ...) {
  new_selector("RGA", "rga", search_params(learner, measure, max_features, evaluations, list(...)))
}

#' @rdname sel_rga
#' @export
sel_ga_explore <- function(learner = lrn_nb(), measure = "hamming_loss", max_features = 10, evaluations = 100,
                           explore = sel_scls(), ...) {
  check_selector(explore)
  if (!is_greedy(selector_method(explore))) {
    abort(c("{.arg explore} must be a greedy selector.", x = "{explore$name} is not.",
      i = "{.fn list_selectors} shows those that are."))
  }
  params <- search_params(learner, measure, max_features, evaluations, list(...))
  check_common_kind(learner, explore)
  new_selector(paste0("GA+", explore$name), "ga_explore", c(params, list(explore = explore)))
}

#' @rdname sel_rga
#' @export
sel_mamfs <- function(learner = lrn_nb(), measure = "hamming_loss", max_features = 10, evaluations = 100, refine = 1,
                      copies = 3, ...) {
  params <- search_params(learner, measure, max_features, evaluations, list(...))
  check_common_kind(learner, sel_ami())
  refine <- check_count(refine, max = params$population)
  new_selector("MAMFS", "mamfs", c(params, list(refine = refine, copies = check_count(copies, max = 1000000L))))
}

#' NSGA-II: few features and a low value at once
#'
#' A genetic search for sets that no other set beats in both value and number of features. It has the operators of
#' [sel_rga()]. Survivors are chosen by non-dominated sorting. If a front does not fit as a whole, its sets with the
#' largest crowding distance survive. Duplicates of a set do not survive.
#'
#' The selected set is the one with the lowest value; among equal values, the smallest set. With `satisfy`, it is the
#' one with the lowest value among the non-dominated sets with at most so many features. If there is none, `satisfy` has
#' no effect, and there is a warning. [search_front()] gives the non-dominated sets of the last population, and `plot()`
#' draws them.
#'
#' @inheritParams sel_rga
#' @inheritSection sel_rga Evaluations
#' @param max_features (count) The largest size of a set; `NULL` for no limit.
#' @param satisfy (count) The largest size that the selected set should have; `NULL` for any.
#' @return A selector, for [sift_features()] and [benchmark_selectors()].
#' @references `r papers("Deb2002", "LeeSeoKim2018")`
#' @family searches
#' @examples
#' words <- subset_features(help_pages, sift_features(help_pages, sel_mim(), k = 20))
#' set.seed(1)
#' sel <- sift_features(words, sel_nsga2(max_features = 5, evaluations = 60))
#' search_front(sel)
#' @export
sel_nsga2 <- function(learner = lrn_nb(), measure = "hamming_loss", max_features = NULL, evaluations = 100,
                      satisfy = NULL, ...) {
  params <- search_params(learner, measure, max_features, evaluations, list(...))
  new_selector("NSGA-II", "nsga2", c(params, list(satisfy = check_count(satisfy, null = TRUE))))
}

#' MPSOFS: particle swarm search for few features and a low value
#'
#' A particle has a position in \eqn{[0, 1]^d}. Its set has the features whose coordinates are above `threshold`. In
#' each step, all particles move towards their own best position and a leader, and are evaluated again.
#'
#' With `variant = "paper"`, the form that Lee, Seo and Kim (2018) compared with:
#' * Positions start uniform, velocities at 0. A set of `start` is a position of zeros and ones.
#' * Velocity \eqn{v \leftarrow 0.7298 v + 1.4962 r_1 (p - z) + 1.4962 r_2 (g - z)}{v <- 0.7298 v + 1.4962 r_1 (p - z)
#'   + 1.4962 r_2 (g - z)} with position \eqn{z}, own best \eqn{p}, leader \eqn{g} and uniform \eqn{r_1, r_2} for each
#'   coordinate. Velocities are kept in \eqn{[-1, 1]}, positions in \eqn{[0, 1]}.
#' * A new position replaces the own best if it dominates it (no worse in value and size, better in one). If neither
#'   dominates the other, it does so with probability 1/2.
#' * The leader is the first of the swarm by non-dominated sorting and crowding distance.
#'
#' `variant = "full"` adds three parts that Zhang et al. (2017) describe: an archive of non-dominated solutions, as
#' large as the swarm, whose less crowded members lead; a mutation that draws the share \eqn{0.5 e^{-10 t} + 0.01}{0.5
#' exp(-10 t) + 0.01} of coordinates anew after the share \eqn{t} of the evaluations; and two local trials in each
#' iteration beside the least crowded member of the archive. The constants are ours where the papers state none.
#'
#' If `max_features` or `k` limits the size, the features with the largest coordinates are taken.
#'
#' @inheritParams sel_rga
#' @inheritSection sel_rga Evaluations
#' @param max_features (count) The largest size of a set; `NULL` for no limit.
#' @param threshold (number in 0 to 1) Coordinates above it select a feature.
#' @param variant `"paper"` or `"full"`, see Details.
#' @return A selector, for [sift_features()] and [benchmark_selectors()]. Of all sets that were evaluated,
#'   [search_front()] gives those that no other one beats in both value and size. The selected set is the one with the
#'   lowest value.
#' @references `r papers("Zhang2017", "LeeSeoKim2018")`
#' @family searches
#' @examples
#' words <- subset_features(help_pages, sift_features(help_pages, sel_mim(), k = 20))
#' set.seed(1)
#' sel <- sift_features(words, sel_mpsofs(max_features = 5, evaluations = 60))
#' search_front(sel)
#' @export
sel_mpsofs <- function(learner = lrn_nb(), measure = "hamming_loss", max_features = NULL, evaluations = 100,
                       threshold = 0.5, variant = c("paper", "full"), ...) {
  params <- search_params(learner, measure, max_features, evaluations, list(...))
  variant <- check_choice(variant)
  threshold <- check_number(threshold, 0, 1)
  new_selector(if (variant == "paper") "MPSOFS" else "MPSOFS-full", "mpsofs",
    c(params, list(threshold = threshold, variant = variant)))
}

#' Sequential search with a learner
#'
#' The classic wrapper. Forward, it starts without features. Each step adds the feature that gives the lowest value,
#' until there are `max_features`. Backward, it starts with all features. Each step removes the feature whose removal
#' gives the lowest value, until one is left. Ties go to the first column. The selected set is the one with the lowest
#' value among those met with at most `max_features`; among equal values, the smallest set.
#'
#' With `floating`, each step is followed by steps in the other direction, as long as they give a better set of this
#' size than any before.
#'
#' A forward step evaluates every feature that is not selected yet. With \eqn{d} features and \eqn{m = }`max_features`,
#' this takes about \eqn{d m} evaluations in all. A backward search takes about \eqn{d^2 / 2}. `evaluations` sets a
#' limit. A backward search that stops before it comes down to `max_features` has no result and ends with an error.
#'
#' @inheritParams sel_rga
#' @inheritSection sel_rga Evaluations
#' @param direction `"forward"` or `"backward"`.
#' @param floating (flag) Whether steps in the other direction are tried.
#' @param evaluations (count) How many sets are evaluated at most; `NULL` for no limit.
#' @param ... Arguments of [search_control()], by name: `inner`, `redraw`, `cache` and `discretizer`; or `control`, an
#'   object made by it.
#' @return A selector, for [sift_features()] and [benchmark_selectors()]. [search_front()] gives the best set of each
#'   size.
#' @references `r papers("Pudil1994")`
#' @family searches
#' @examples
#' words <- subset_features(help_pages, sift_features(help_pages, sel_mim(), k = 20))
#' set.seed(1)
#' sel <- sift_features(words, sel_sequential(max_features = 3))
#' sel
#' search_front(sel)
#' @export
sel_sequential <- function(learner = lrn_nb(), measure = "hamming_loss", direction = c("forward", "backward"),
                           floating = FALSE, max_features = 10, evaluations = NULL, ...) {
  direction <- check_choice(direction)
  floating <- check_flag(floating)
  params <- search_params(learner, measure, max_features, evaluations, list(...), has_population = FALSE)
  name <- paste0("S", if (floating) "F", if (direction == "forward") "FS" else "BS")
  new_selector(name, "sequential", c(params, list(direction = direction, floating = floating)))
}

# The filter must support the kind of targets that the learner predicts.
check_common_kind <- function(learner, filter) {
  predicts <- learner_method(learner)$kinds
  counts <- selector_method(filter)$kinds
  if (any(predicts %in% counts)) return(invisible())
  abort(c("{.arg learner} must predict targets that {filter$name} can select for.",
    x = "{learner$name} predicts targets of kind {.or {.val {predicts}}}.",
    i = "{filter$name} needs targets of kind {.or {.val {counts}}}."))
}

# --- running ----------------------------------------------------------------------------------------------------------

# `core`, `options`: for cpp_search(). `filter`: returns a greedy selector that the search uses, or NULL. For `front`
# see run_search().
register_search <- function(method, constructor, name, source, core, options = function(params) list(),
                            filter = function(params) NULL, front = FALSE) {
  run <- function(input, params, state = NULL) {
    asked <- filter(params)
    run_search(input, params, core, options(params), if (!is.null(asked)) greedy_filter(asked), state, front)
  }
  asked_method <- function(params) if (!is.null(asked <- filter(params))) selector_method(asked)
  # The kinds that the learner can predict and the filter can count.
  kinds <- function(params) {
    intersect(learner_method(params$learner)$kinds, asked_method(params)$kinds %||% target_kinds)
  }
  needs <- function(params) {
    asked <- asked_method(params)
    if (is.null(asked)) character() else union("codes", asked$needs)
  }
  takes <- function(what) {
    function(params) learner_method(params$learner)[[what]] && (asked_method(params)[[what]] %||% TRUE)
  }
  variant <- list(learner = lrn_nb(), explore = sel_scls())
  register_selector(method, constructor = constructor, name = name, source = source, kinds = kinds, needs = needs,
    gives = "set", run = run, variants = rep(list(variant), length(constructor)),
    weights = takes("weights"), unknown = takes("unknown"))
}

# A greedy selector in the form that cpp_search() takes: its tables if the core knows the criterion, else a function.
greedy_filter <- function(selector) function(input, free) {
  method <- selector_method(selector)
  part <- selection_input(columns_of(input$prepared, free), selector, method, NULL, input$threads)
  if (!is.null(method$problem)) {
    of <- method$problem(part, selector$params)
    return(cpp_filter_tables(core_rows(part, of$y), of$criterion, of$interaction, input$threads))
  }
  function(set) {
    n <- min(length(set), length(free) - length(set))
    if (n == 0L) return(integer())
    wishes <- list(k = n, include = integer(), excluded = seq_along(free) %in% set, min_gain = -Inf,
      max_seconds = Inf)
    sort(method$run(c(part, wishes), selector$params)$index)
  }
}

register_search("rga", "sel_rga()", "RGA", "Lee, Seo & Kim (2018)", "genetic")

register_search("nsga2", "sel_nsga2()", "NSGA-II", "Deb et al. (2002)", "nondominated", front = TRUE)

register_search("mpsofs", c("sel_mpsofs()", "sel_mpsofs(variant = \"full\")"), c("MPSOFS", "MPSOFS-full"),
  "Zhang et al. (2017)", "swarm",
  options = \(params) list(threshold = params$threshold, archive = params$variant == "full"), front = TRUE)

register_search("sequential", c("sel_sequential()", "sel_sequential(direction = \"backward\")"), c("SFS", "SBS"),
  "Pudil et al. (1994)", "sequential",
  options = \(params) list(forward = params$direction == "forward", floating = params$floating))

register_search("ga_explore", "sel_ga_explore()", "GA+SCLS", "Lee, Seo & Kim (2018)", "exploring",
  filter = \(params) params$explore)

register_search("mamfs", "sel_mamfs()", "MAMFS", "Lee & Kim (2015)", "memetic",
  options = \(params) params[c("refine", "copies")], filter = \(params) sel_ami())

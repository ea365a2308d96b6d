#' Combine selectors
#'
#' `sel_ensemble()` runs several selectors and ranks the features by their ranks. `sel_bagged()` runs one selector on
#' many subsamples of the rows and ranks the features by how often they were selected.
#'
#' @section Ensembles:
#' Every selector ranks all features, 1 is best. Features with equal scores share the mean of their ranks, and so do all
#' features that a selector leaves out. The score is
#' * `"mean_rank"`, `"median_rank"`: minus the mean or the median of the ranks;
#' * `"best_rank"`: minus the best of the ranks.
#'
#' @section Subsamples:
#' The score is the share of the `n` subsamples in which the feature is among the first `k` that are asked for. Equal
#' shares are ordered by the mean rank in the subsamples. With `complementary`, the subsamples are `n / 2` pairs of
#' disjoint halves of the rows. Rows are drawn whatever their [weights][row_weights()], as in splits, and keep them.
#' Only rows of weight 0 are left out before. A subsample in which no target or no feature varies selects nothing, and
#' the result says how many of them there are.
#'
#' If rows have [groups][row_groups()], groups are drawn in the place of rows, at least 4 of them: halves are halves of
#' the groups, and `prop` is the share of the groups. All rows of a drawn group are in the subsample, so where groups
#' differ in size, subsamples do too.
#'
#' With a `threshold`, only features whose share reaches it are selected (stability selection). If subsamples are
#' complementary, the expected number of selected features that are no more likely than chance to be selected from a
#' half of the rows is at most \eqn{k^2 / ((2 t - 1) d)}, with the threshold \eqn{t} and \eqn{d} features (Shah and
#' Samworth 2013, Theorem 1, whose chance level is \eqn{k / d}). `print()` shows the bound. It assumes that rows are
#' drawn independently, or with groups that groups are: "a half of the rows" is then a half of the groups. It does not
#' hold if rows depend on each other and the task does not say in which groups, nor for rows in time.
#'
#' @param selectors A list of two or more selectors. They may be of different kinds.
#' @param aggregate How ranks are combined, see below.
#' @param name (string) What results call it.
#' @param selector (`mlselector`) One selector.
#' @param n (count) Number of subsamples, even if they are complementary.
#' @param prop (number) The share of the rows in a subsample. It is 0.5 if they are complementary.
#' @param complementary (flag) Whether subsamples come in disjoint pairs.
#' @param threshold (number above 0.5, at most 1) The least share; `NULL` for none.
#' @return A selector, for [sift_features()] and [benchmark_selectors()].
#' @references `r papers("ShahSamworth2013", "Meinshausen2010")`
#' @family selectors
#' @examples
#' set.seed(1)
#' sift_features(help_pages, sel_ensemble(list(sel_mim(), sel_scls(), sel_mfs())), k = 4)
#' sift_features(help_pages, sel_bagged(sel_mim(), n = 20, threshold = 0.8), k = 4)
#' @export
sel_ensemble <- function(selectors, aggregate = c("mean_rank", "median_rank", "best_rank"),
                         name = "Ensemble") {
  if (!is.list(selectors) || is.object(selectors) || length(selectors) < 2L) {
    abort_value(selectors, "a list of two or more selectors")
  }
  for (i in seq_along(selectors)) check_selector(selectors[[i]], paste0("selectors[[", i, "]]"))
  aggregate <- check_choice(aggregate)
  new_selector(check_string(name), "ensemble", list(selectors = unname(selectors), aggregate = aggregate))
}

#' @rdname sel_ensemble
#' @export
sel_bagged <- function(selector, n = 50, prop = 0.5, complementary = TRUE, threshold = NULL) {
  check_selector(selector)
  n <- check_count(n)
  prop <- check_number(prop, 0, 1, above = TRUE)
  check_flag(complementary)
  if (complementary && (prop != 0.5 || n %% 2L != 0L)) {
    abort(c("Complementary subsamples are pairs of halves: {.arg n} must be even and {.arg prop} 0.5.",
      x = "{.arg n} is {n}; {.arg prop} is {prop}.", i = "Or use {.code complementary = FALSE}."))
  }
  threshold <- check_number(threshold, 0.5, 1, above = TRUE, null = TRUE)
  new_selector(paste0(selector$name, " (bagged)"), "bagged", list(selector = selector, n = n, prop = prop,
    complementary = complementary, threshold = threshold))
}

# The targets that a selector accepts, including numbers if they can be converted to classes.
own_kinds <- function(selector) {
  own <- selector_method(selector)$kinds
  if ("class" %in% own) union(own, "numeric") else own
}

# The selectors that a selector runs, the targets that all of them accept, and whether all, and its learner if it has
# one, accept `what`: "weights" of rows or "unknown" labels.
inner_selectors <- function(params) params$selectors %||% list(params$selector)

# The selector, whose settings are of the features `all`, for those of them that are `left`.
selector_among <- function(selector, all, left) {
  if (identical(all, left)) return(selector)
  params <- selector$params
  inner <- intersect(c("selectors", "selector"), names(params))
  for (part in inner[lengths(params[inner]) > 0L]) {
    params[[part]] <- if (part == "selector") selector_among(params[[part]], all, left)
    else lapply(params[[part]], selector_among, all, left)
  }
  if (inherits(params$start, "mlselection")) {
    kept <- params$start[params$start$feature %in% left, ]
    params$start <- structure(kept, class = class(params$start))
  } else if (!is.null(params$start)) {
    params$start <- lapply(params$start, \(set) all[column_positions(set, all, "start", "feature")])
    gone <- setdiff(unlist(params$start), left)
    if (length(gone) > 0L) abort(c("{.arg start} must not hold features that are left out.",
      x = "{.val {gone[1L]}} is left out."))
  }
  if (!is.null(params$graph)) {
    check_graph_size(params$graph, length(all))
    at <- match(left, all)
    params$graph <- params$graph[at, at, drop = FALSE]
  }
  selector$params <- params
  selector
}

common_kinds <- function(params) Reduce(intersect, lapply(inner_selectors(params), own_kinds))

all_take <- function(what) {
  function(params) {
    specs <- c(inner_selectors(params), if (!is.null(params$learner)) list(params$learner))
    all(vapply(specs, spec_takes, NA, what))
  }
}

# The selection made by one of several selectors on these rows.
select_within <- function(input, selector, rows = input$prepared, k = NULL) {
  bins <- if (task_kind(rows$task) == "numeric" && bins_targets(selector, input$target_bins)) input$target_bins
  select_from(rows, selector, k, list(exclude = which(input$excluded)), bins, input$threads)
}

# Ranks of d features in a selection; equal scores, and omitted features, share their mean rank.
ranks_in <- function(selection, d) {
  n <- nrow(selection)
  rank <- rep((n + 1 + d) / 2, d)
  within <- if (anyNA(selection$rank)) rep((n + 1) / 2, n)
  else if (selector_method(attr(selection, "selector"))$gives == "scores" && !anyNA(selection$score))
    rank(-selection$score)
  else seq_len(n)
  rank[selection$index] <- within
  rank
}

register_selector("ensemble",
  constructor = "sel_ensemble(list(sel_mim(), sel_scls()))", name = "Ensemble",
  source = "mlsift", whole = TRUE, needs = character(), kinds = common_kinds, weights = all_take("weights"),
  unknown = all_take("unknown"), variants = list(list(selectors = list(sel_none()))),
  score = score_scale("rank", -Inf, -1),
  run = function(input, params) {
    d <- ncol(input$task$x)
    ranks <- vapply(params$selectors, function(selector) ranks_in(select_within(input, selector), d), double(d))
    ranks <- matrix(ranks, d)
    rank_scores(switch(params$aggregate,
      mean_rank = -rowMeans(ranks), median_rank = -apply(ranks, 1L, stats::median), best_rank = -apply(ranks, 1L, min)
    ))
  }
)

# Row numbers of each subsample. `unit`: what is drawn, a number for each row: the row itself, or its group.
draw_subsamples <- function(unit, params) {
  n_units <- max(unit)
  rows_of <- function(units) which(unit %in% units)
  if (!params$complementary) {
    size <- max(2L, whole_part(params$prop * n_units))
    return(lapply(seq_len(params$n), function(i) rows_of(sample.int(n_units, size))))
  }
  half <- n_units %/% 2L
  unlist(lapply(seq_len(params$n / 2L), function(i) {
    order <- sample.int(n_units)
    list(rows_of(order[seq_len(half)]), rows_of(order[half + seq_len(half)]))
  }), recursive = FALSE)
}

run_bagged <- function(input, params) {
  task <- used_task(input$prepared)
  d <- ncol(task$x)
  group <- group_numbers(task$rows)
  unit <- group %||% seq_len(nrow(task$x))
  if (max(unit) < 4L) {
    of <- if (is.null(group)) "rows" else "groups of rows"
    abort(c("Subsamples need a task of at least 4 {of}.", x = "It has {max(unit)}."))
  }
  share <- rank <- numeric(d)
  empty <- 0L
  for (rows in draw_subsamples(unit, params)) {
    subsample <- prepared_rows(split_part(task, rows), input$discretizer)
    found <- if_informative(select_within(input, params$selector, subsample, input$k))
    if (is.null(found)) {
      empty <- empty + 1L
      next
    }
    first <- utils::head(found$index, input$k)
    share[first] <- share[first] + 1
    rank <- rank + ranks_in(found, d)
  }
  ranking <- rank_scores(share / params$n, -rank)
  note <- paste0("shares of ", params$n, " subsamples", if (!is.null(group)) " of groups",
    " in which a feature is among the first ", input$k,
    if (empty > 0L) paste0("\nin ", empty, " of them no target or no feature varies, and none is selected"))
  if (!is.null(params$threshold)) {
    keep <- ranking$score >= params$threshold
    ranking$index <- ranking$index[keep]
    ranking$score <- ranking$score[keep]
    # The theorem is about complementary pairs.
    bound <- if (params$complementary) input$k^2 / ((2 * params$threshold - 1) * sum(!input$excluded))
    note <- paste0(note, if (!is.null(bound)) paste0("\nexpected number of features selected that are no better than ",
      "chance: at most ", format(bound, digits = 3)))
  }
  ranking$note <- note
  ranking
}

register_selector("bagged",
  constructor = "sel_bagged(sel_mim())", name = "MIM-BR (bagged)", source = "Shah & Samworth (2013)", whole = TRUE,
  nested = FALSE, needs = character(), gives = "path", kinds = common_kinds, weights = all_take("weights"),
  unknown = all_take("unknown"), variants = list(list(selector = sel_none())), run = run_bagged,
  score = score_scale("share", 0, 1)
)

#' TuRF: drop the worst features and score the others again
#'
#' Scores from neighbors, such as those of [sel_multisurf()], suffer from useless features, because these take part in
#' the distances. TuRF (tuned ReliefF) runs a selector in rounds. Each round scores the features that are left and drops
#' the worst of them, a share `drop`, rounded down, but at least one. So the distances of the next round come from
#' fewer and better features.
#'
#' It ends with a round that scores the `k` features that [sift_features()] is asked for, or, if it is asked for all of
#' them, a single one. The features of this round come first, best first. The dropped features follow, those of later
#' rounds before those of earlier ones, each with its score in the last round that it took part in. Scores of different
#' rounds are not comparable. So a feature may have a larger score than one that comes before it.
#'
#' @param selector (`mlselector`) A selector that scores every feature. Scores that do not depend on the other features,
#'   as those of [sel_mim()], gain nothing from this.
#' @param drop (number above 0, at most 1) The share of the remaining features that a round drops.
#' @return A selector, for [sift_features()] and [benchmark_selectors()]. It takes the targets, features,
#'   [weights of rows][row_weights()] and [unknown labels][unknown_labels] that `selector` takes.
#' @details Features in `exclude` are left out from the start, those in `include` are never dropped, and `k` counts
#'   both. With `max_seconds`, there is no new round after this time, and a warning says so. As the ranking depends on
#'   `k`, the first features of a longer one may be others.
#'
#'   With `drop = 0.1`, it costs as much as ten to fifteen runs of the selector on all features, if a single feature is
#'   left at the end.
#'   The package scikit-rebate has a parameter `pct`, which is the share of features that a round keeps, and sets the
#'   scores of dropped features to 0.
#' @references `r papers("MooreWhite2007")`
#' @family selectors
#' @examples
#' cars <- mltask(mtcars, targets = c("vs", "am"))
#' sift_features(cars, sel_turf(sel_multisurf()), k = 4)
#' sift_features(cars, sel_turf(sel_relieff_br(), drop = 0.3), k = 4)
#' @export
sel_turf <- function(selector, drop = 0.1) {
  check_selector(selector)
  method <- selector_method(selector)
  if (method$gives != "scores") {
    given <- if (method$gives == "set") "a set of features" else "an order that depends on how many are asked for"
    abort(c("TuRF needs a selector that scores every feature.", x = "{selector$name} gives {given}.",
      i = "Use one such as {.fn sel_multisurf} or {.fn sel_relieff_br}."))
  }
  new_selector("TuRF", "turf", list(selector = selector, drop = check_number(drop, 0, 1, above = TRUE)))
}

run_turf <- function(input, params) {
  left <- which(!input$excluded)
  least <- max(1L, length(input$include), if (input$k < length(left)) input$k)
  began <- now()
  part <- input
  columns <- seq_along(input$excluded)
  index <- integer()
  score <- double()
  repeat {
    part$prepared <- columns_of(part$prepared, match(left, columns))
    columns <- left
    part$excluded <- logical(length(left))
    again <- function() select_within(part, selector_among(params$selector, input$names, input$names[left]))
    found <- if (length(index) == 0L) again() else if_informative(again())
    # What is left is constant, and keeps its order and scores.
    if (is.null(found)) return(list(index = c(kept$index, index), score = c(kept$score, score), ordered = TRUE))
    ranked <- left[found$index]
    n <- min(max(1, whole_part(params$drop * length(left))), length(left) - least)
    late <- n > 0 && now() - began > input$max_seconds
    if (late) warn(c("TuRF was stopped by {.arg max_seconds}.",
      i = "The {length(left)} feature{?s} that {?is/are} left {?has/have} the ranks and scores of the last round."))
    out <- if (n > 0 && !late) utils::tail(setdiff(ranked, input$include), n) else ranked
    index <- c(out, index)
    score <- c(found$score[match(out, ranked)], score)
    left <- setdiff(left, out)
    kept <- list(index = setdiff(ranked, out), score = found$score[!ranked %in% out])
    if (length(left) == 0L) return(list(index = index, score = score, ordered = TRUE))
  }
}

register_selector("turf",
  constructor = "sel_turf(sel_multisurf())", name = "TuRF", source = "Moore & White (2007)", whole = TRUE,
  nested = FALSE, needs = character(), gives = "path", kinds = common_kinds, weights = all_take("weights"),
  unknown = all_take("unknown"), variants = list(list(selector = sel_multisurf())),
  score = function(params) selector_method(params$selector)$score,
  run = function(input, params) tell_once(run_turf(input, params))
)

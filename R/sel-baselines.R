#' Baselines: random features, and all features
#'
#' Two baselines that every selector should beat: features in random order, and no selection at all.
#' @return A selector for [sift_features()], for any kind of targets and features.
#'   Unlike other selectors, they also take targets and features that do not vary.
#'   * `sel_random()`: the scores are uniform random numbers from R's generator, one for each feature.
#'   * `sel_none()` keeps all features for any `k`, in column order. `rank` and `score` are missing.
#' @family selectors
#' @examples
#' set.seed(1)
#' sift_features(help_pages, sel_random(), k = 3)
#' sift_features(help_pages, sel_none())
#' @export
sel_random <- function() new_selector("Random", "random")

#' @rdname sel_random
#' @export
sel_none <- function() new_selector("All", "none")

register_selector("random", score = score_scale("random number", 0, 1),
  name = "Random", kinds = target_kinds, needs = character(), source = "baseline", weights = TRUE, unknown = TRUE,
  run = function(input, params) rank_scores(stats::runif(ncol(input$task$x)))
)

register_selector("none",
  name = "All", kinds = target_kinds, needs = character(), gives = "set", source = "baseline", weights = TRUE,
  unknown = TRUE,
  run = function(input, params) {
    index <- seq_len(ncol(input$task$x))
    list(index = index, score = rep(NA_real_, length(index)), ordered = FALSE)
  }
)

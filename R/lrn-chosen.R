#' The learner that was chosen with the features
#'
#' In a benchmark, [sel_best()] chooses a learner together with the features. This stands for that learner: on each
#' split, the chosen features are assessed by the learner that was chosen with them. So the benchmark measures the
#' whole choice on rows that played no part in it.
#' @return A learner for [benchmark_selectors()], for any kind of targets. Selectors other than [sel_best()] choose no
#'   learner, so their values are missing. It cannot be fitted by itself.
#' @family learners
#' @seealso [sift()], which estimates what its own choice is worth in the same way.
#' @examples
#' cars <- mltask(mtcars, targets = c("vs", "am"))
#' learners <- list(lrn_linear(), lrn_nb())
#' best <- sel_best(list(sel_mim(), sel_cmim()), learners, k = c(2, 4), resampling = rs_cv(3))
#' set.seed(1)
#' bench <- benchmark_selectors(list(cars = cars), best, lrn_chosen(), rs_cv(2),
#'   k = 4, measures = "hamming_loss"
#' )
#' summary(bench)
#' @export
lrn_chosen <- function() new_learner("Chosen", "chosen")

# Stand-ins for learners in the benchmark of sift(). `part`: "chosen" is lrn_chosen(); "all" has all features and the
# learner that was the best one with them; "random" the chosen learner and `draws` times as many random features as were
# chosen, fewer draws if they take more than so many `seconds`; "floor" predicts what is most frequent.
chosen_learner <- function(part, draws = NULL, seconds = NULL) {
  new_learner("Chosen", "chosen", list(part = part, draws = draws, seconds = seconds))
}

register_learner("chosen",
  name = "Chosen", kinds = target_kinds, source = "mlsift", weights = TRUE, unknown = TRUE, joint = TRUE, curve = TRUE,
  fit = function(task, params, prefixes, threads) {
    abort(c("{.fn lrn_chosen} needs a selector that chooses a learner.", i = "{.fn sel_best} does so."))
  },
  predict = function(state, x, params, prefixes, threads) NULL
)

#' Weights of rows
#'
#' A task may have a weight for each row: a row of weight 3 stands for three equal rows. Weights come from samples in
#' which some groups are drawn more often than others, from tables in which equal rows are already added up, or from
#' costs of errors.
#'
#' @details
#' [mltask()] takes the weights, and `task[i, ]`, splits, benchmarks and [sift_features()] keep them with their rows.
#' Rows of weight 0 are left out everywhere: selections, models, random splits, estimates and tests are those of the
#' task without them. Other weights must be between 1e-50 and 1e50.
#'
#' Results with whole weights are those of the rows repeated so many times: scores made of counts, and cuts of
#' [discretizers][disc_equal_width()], are equal to the last bit, sums of other real numbers up to rounding. Only
#' [Relief][sel_relieff_br()] and its relatives differ: repeated rows would be each other's nearest neighbors. To count
#' rows, other weights are turned into whole numbers whose sum is about one billion. Fitted models, such as
#' [lrn_brlr()], [lrn_linear()], [sel_mtl()] and [sel_rfs()], multiply the loss of each row by its weight, and
#' standardize features by weighted means and deviations. [sel_br_cc()], [sel_ml_cfs()] and [sel_mfs()] use the weights
#' in means and variances. All of these refuse weights of which the largest is more than 1e10 times the smallest above
#' 0, because rounding would lose the light rows.
#'
#' [sift()] takes tasks with weights too. For labels, its default learner is then [lrn_nb()]. Functions of your own, in
#' [lrn_custom()], [lrn_binary()] and [sel_importance()], get the weights if they have an argument for them.
#' [step_sift()] uses the case weights of a recipe, and the [filters][mlr_filters_sift] the weights of a task of mlr3.
#'
#' [sel_ensemble()], [sel_bagged()] and [sel_turf()] take weights if their selectors do, and searches such as
#' [sel_rga()] if their learner and their filter do.
#'
#' These use weights: `r methods_with("selectors", "weights")`; and `r methods_with("learners", "weights")`.
#'
#' Functions that cannot use weights give an error of class `mlsift_error` for a task that has them. They never ignore
#' weights silently. [evaluate()] uses the weights of the task, unless others are given.
#'
#' [score_test()] permutes the targets among rows, or [groups of rows][row_groups()], of the same weight.
#'
#' Splits of rows and the subsamples of [sel_bagged()] count rows of weights above 0, whatever these weights are. A row
#' is on one side of a split as a whole, so repeat the rows of a table of counts instead of giving weights; [sift()] and
#' [check_task()] find such tables. [summary()][summary.mltask()] counts all rows. Rows that come
#' [in chunks][chunk_source()] may have whole weights.
#' @param task A task.
#' @return The weights, one for each row; `NULL` for a task without weights.
#' @family tasks
#' @examples
#' df <- data.frame(a = c(0, 1, 1, 0), b = c(1, 1, 0, 0), tag = c(0, 1, 1, 0), times = c(10, 3, 5, 1))
#' task <- mltask(df, targets = "tag", weights = "times")
#' row_weights(task)
#' sift_features(task, sel_mim())
#' repeated <- mltask(df[rep(1:4, df$times), c("a", "b", "tag")], targets = "tag")
#' sift_features(repeated, sel_mim())
#' @export
row_weights <- function(task) {
  check_mltask(task)
  task$rows$weights
}

# The task without rows of weight 0, for methods that learn from rows.
weighted_rows <- function(task) {
  counted <- counted_rows(task$rows)
  if (length(counted) == 0L) task else split_part(task, counted)
}

# The rows with a weight above 0, if there are others.
counted_rows <- function(rows) {
  counted <- which(rows$weights > 0)
  if (length(counted) == length(rows$weights)) return(integer())
  if (length(counted) < 2L) {
    abort(c("At least two rows must have a weight above 0.", x = "There {?is/are} {length(counted)}."))
  }
  counted
}

# The rows from which nothing can be learned and on which nothing can be tested: of weight 0, or of which no target is
# known. None if they are all.
idle_rows <- function(task) {
  unknown <- task$targets$unknown
  without <- if (!is.null(unknown)) which(Matrix::rowSums(unknown) == ncol(unknown))
  idle <- union(which(task$rows$weights == 0), without)
  if (length(idle) < nrow(task)) idle else integer()
}

# Sums of products of numbers lose what light rows add to them beside very heavy rows.
check_weight_range <- function(task) {
  if (is.null(task$rows$weights)) return(invisible())
  used <- range(task$rows$weights[task$rows$weights > 0])
  if (used[2L] <= 1e10 * used[1L]) return(invisible())
  abort(c("The largest weight of a row must be at most 1e10 times the smallest above 0 here.",
    x = "The weights are from {signif(used[1L], 3)} to {signif(used[2L], 3)}.",
    i = "Give the lightest rows the weight 0, or use a method that counts, such as {.fn sel_mim}."))
}

# Weights in the form that the core counts with: whole numbers whose sum fits an R integer. `weight`: the task weight
# that one of them stands for. NULL if all rows count once.
row_counts <- function(task) {
  weights <- task$rows$weights
  if (is.null(weights)) return(NULL)
  total <- sum(weights)
  if (total <= .Machine$integer.max && all(weights == round(weights))) {
    return(structure(as.integer(weights), weight = 1))
  }
  counts <- pmax(1L, as.integer(round(weights / total * 2^30)))
  structure(counts, weight = total / sum(as.double(counts)))
}

count_weight <- function(counts) attr(counts, "weight") %||% 1

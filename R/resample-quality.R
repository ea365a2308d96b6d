#' How evenly splits spread the labels
#'
#' Compares the labels of the test rows of each split with those of all rows. In cross-validation the test rows are the
#' folds, so the means of the columns are the measures of the papers.
#'
#' For the test rows \eqn{S} of a split and all rows \eqn{D}, and with \eqn{S^l} for the rows of \eqn{S} that have label
#' \eqn{l},
#' \deqn{\mathrm{LD} = \frac1q \sum_l \left| \frac{|S^l|}{|S| - |S^l|} - \frac{|D^l|}{|D| - |D^l|} \right|.
#' }{LD = mean over l of abs(#S_l / (#S - #S_l) - #D_l / (#D - #D_l)).}
#' LPD is the same for pairs of labels, with the rows that have both labels of a pair. Its mean is over the pairs that
#' occur in some row. Small values are better, and 0 is a perfect split.
#'
#' Labels that no row or all rows have are left out. The odds are infinite, and so are LD or LPD, if all test rows have
#' a label that some other row lacks. For class targets, each category of each target counts as a label.
#'
#' @param task A task with labels or classes.
#' @param splits What [split_rows()] returns, or a resampling such as [rs_cv()], which is applied first.
#' @return A data frame with one row for each split and the columns
#'   - `split`: its name;
#'   - `n_test`: the number of test rows;
#'   - `ld`: the label distribution;
#'   - `lpd`: the label-pair distribution, `NA` if no row has two labels;
#'   - `labels_missing`: the number of labels that occur, but in no test row. (Sechidis et al. count folds with such a
#'     label, FZ, and such pairs of fold and label, FLZ: the sums of `labels_missing > 0` and of `labels_missing`.)
#'
#'   Errors have the class `mlsift_error`. They occur for numeric targets, and for splits that do not fit the task.
#' @references `r papers(LD = "Sechidis2011", LPD = "SzymanskiKajdanowicz2017")`
#' @family resampling
#' @examples
#' set.seed(1)
#' task <- simulate_mltask(100, n_features = 4, n_targets = 6)
#' colMeans(split_quality(task, rs_cv(5))[-1])
#' colMeans(split_quality(task, rs_cv(5, stratify = FALSE))[-1])
#' @export
split_quality <- function(task, splits) {
  call <- rlang::current_env()
  check_known_task(task)
  if (task_kind(task) == "numeric") abort(c("{.fn split_quality} needs labels or classes.",
    x = "The targets are of kind {.val numeric}."))
  if (!inherits(splits, "mlresampling")) splits <- rs_custom(splits)
  splits <- make_splits(task, splits, call)
  y <- label_incidence(task)
  n <- nrow(y)
  count <- Matrix::colSums(y)
  pairs <- pair_counts(y)
  labels <- count > 0 & count < n
  varying <- pairs$count < n
  found <- lapply(splits, function(split) {
    part <- y[split$test, , drop = FALSE]
    size <- nrow(part)
    here <- Matrix::colSums(part)
    both <- pair_counts(part)
    both <- ifelse(pairs$pair %in% both$pair, both$count[match(pairs$pair, both$pair)], 0)
    data.frame(n_test = size, ld = odds_difference(here[labels], size, count[labels], n),
      lpd = odds_difference(both[varying], size, pairs$count[varying], n), labels_missing = sum(here == 0 & count > 0))
  })
  result <- cbind(split = names(splits), do.call(rbind, unname(found)))
  rownames(result) <- NULL
  result
}

# Sechidis et al. (2011): mean difference of the odds. `here` has the counts among `size` rows, `everywhere` among `n`;
# NA if there are none.
odds_difference <- function(here, size, everywhere, n) {
  if (length(here) == 0L) return(NA_real_)
  mean(abs(here / (size - here) - everywhere / (n - everywhere)))
}

# Rows x labels, or rows x categories of class targets, as a dgCMatrix of ones.
label_incidence <- function(task) {
  labels <- category_labels(task$targets)
  if (is_sparse(labels$values)) return(with_values(labels$values))
  columns <- label_columns(labels)
  Matrix::sparseMatrix(i = columns$row + 1L, p = columns$start, x = 1, dims = dim(labels))
}

# The pairs of labels that occur together, numbered, and the number of rows with both.
pair_counts <- function(y) {
  together <- Matrix::summary(Matrix::triu(Matrix::crossprod(y), 1))
  occurring <- together$x > 0
  list(pair = (together$i + ncol(y) * (together$j - 1))[occurring], count = together$x[occurring])
}

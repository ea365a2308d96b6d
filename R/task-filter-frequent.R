#' Keep the most frequent features of a text
#'
#' Keeps the features that are present in most rows. For texts this is a usual first step before slower methods. A
#' feature is present in a row if its value is a number other than 0, `TRUE`, or the level `"1"` of a factor.
#'
#' @param task (`mltask`) The data. Factors must have the levels 0 and 1; missing values count as absent.
#' @param prop (number above 0, at most 1) The share of the features to keep: `max(1, floor(prop * d))` of `d` features.
#'   Of features that are present in equally many rows, the first columns are kept.
#' @return A task with these features, in their original order.
#' @references `r papers("LeeSeoKim2018")` They keep 2 % or 5 % of the features of their largest texts.
#' @family tasks
#' @seealso [disc_presence()], which codes presence.
#' @examples
#' filter_frequent(help_pages, 0.1)  # the 32 words on most pages
#' @export
filter_frequent <- function(task, prop) {
  check_unweighted_task(task)
  prop <- check_number(prop, 0, 1, above = TRUE)
  frequency <- document_frequency(task$x)
  n <- max(1, whole_part(prop * length(frequency)))
  task[, sort(utils::head(order(-frequency, method = "radix"), n))]
}

# The number of rows in which each feature is present.
document_frequency <- function(x) {
  if (is_pattern(x)) return(stats::setNames(as.double(diff(x@p)), colnames(x)))
  if (is_sparse(x)) return(Matrix::colSums(x != 0, na.rm = TRUE))
  if (!is.data.frame(x)) return(colSums(x != 0, na.rm = TRUE))
  vapply(names(x), function(name) {
    values <- x[[name]]
    if (is.factor(values) && !all(levels(values) %in% c("0", "1"))) {
      abort(c("Features of a text must be numbers, logical, or factors with the levels 0 and 1.",
        x = "{.val {name}} has level {.val {setdiff(levels(values), c(\"0\", \"1\"))[1L]}}."))
    }
    if (is.factor(values)) values <- values == "1"
    as.double(sum(values != 0, na.rm = TRUE))
  }, 0)
}

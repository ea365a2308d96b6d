# Scores in column order.
scores_of <- function(task, selector, ...) {
  sel <- sift_scored(task, selector, ...)
  sel$score[order(sel$index)]
}

# The same selection bit by bit from every layout of the same data, from one thread and two.
expect_same_everywhere <- function(x, y, selector) {
  reference <- as.data.frame(sift_scored(coded_task(x, y), selector, threads = 1))
  layouts <- list(
    sparse = coded_task(sparse(x), y), frame = coded_task(as.data.frame(x), y),
    sparse_labels = coded_task(sparse(x), sparse(y)),
    whole = suppressMessages(coded_task(structure(as.integer(x), dim = dim(x), dimnames = dimnames(x)), y))
  )
  for (layout in names(layouts)) {
    for (threads in 1:2) {
      expect_identical(
        as.data.frame(sift_scored(layouts[[layout]], selector, threads = threads)), reference, label = layout
      )
    }
  }
  invisible(reference)
}

# The same for features used as numbers.
expect_same_numbers_everywhere <- function(x, y, selector) {
  reference <- as.data.frame(sift_scored(mltask(x, y), selector, threads = 1))
  layouts <- list(sparse = mltask(sparse(x), sparse(y)), frame = mltask(as.data.frame(x), y, kind = "label"))
  for (layout in names(layouts)) {
    for (threads in 1:2) {
      expect_identical(
        as.data.frame(sift_scored(layouts[[layout]], selector, threads = threads)), reference, label = layout
      )
    }
  }
  invisible(reference)
}

# As the equations say, constant features included.
sift_scored <- function(...) sift_features(..., constants = "scored")

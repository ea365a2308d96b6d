# Scores in column order.
scores_of <- function(task, selector, ..., words = FALSE) {
  if (!words) local_no_words()
  sel <- sift_scored(task, selector, ...)
  sel$score[order(sel$index)]
}

# The same selection bit by bit from every layout of the same data, from one thread and two, which take turns where not
# all tests are asked for.
expect_same_everywhere <- function(x, y, selector) {
  local_no_words()
  reference <- as.data.frame(sift_scored(coded_task(x, y), selector, threads = 1))
  layouts <- list(
    sparse = coded_task(sparse(x), y), frame = coded_task(as.data.frame(x), y),
    sparse_labels = coded_task(sparse(x), sparse(y)),
    whole = coded_task(structure(as.integer(x), dim = dim(x), dimnames = dimnames(x)), y)
  )
  for (layout in names(layouts)) {
    for (threads in some_or_all(1:2, match(layout, names(layouts)), 2L)) {
      expect_identical(
        as.data.frame(sift_scored(layouts[[layout]], selector, threads = threads)), reference, label = layout
      )
    }
  }
  invisible(reference)
}

# The same for features used as numbers.
expect_same_numbers_everywhere <- function(x, y, selector) {
  local_no_words()
  reference <- as.data.frame(sift_scored(mltask(x, y), selector, threads = 1))
  layouts <- list(sparse = mltask(sparse(x), sparse(y)), frame = mltask(as.data.frame(x), y, kind = "label"))
  for (layout in names(layouts)) {
    for (threads in some_or_all(1:2, match(layout, names(layouts)), 2L)) {
      expect_identical(
        as.data.frame(sift_scored(layouts[[layout]], selector, threads = threads)), reference, label = layout
      )
    }
  }
  invisible(reference)
}

# As the equations say, constant features included.
sift_scored <- function(...) sift_features(..., constants = "scored")

# Every registered selector, also those whose constructor has arguments without defaults.
every_selector <- function() {
  calls <- list_selectors()$constructor
  calls[calls == "sel_custom()"] <- "sel_custom('own', function(task, k) seq_len(ncol(task)))"
  calls[calls == "sel_custom(codes = TRUE)"] <- "sel_custom('own', function(task, k) seq_len(ncol(task)), codes = TRUE)"
  calls <- sub("sel_importance(", "sel_importance(name = 'own', function(x, y) ncol(x), seq_len, ", calls, fixed = TRUE)
  calls <- sub(", )", ")", calls, fixed = TRUE)
  calls <- sub("label_interaction = )", "label_interaction = 1)", calls, fixed = TRUE)
  calls <- sub("k = 1:10", "k = 1:2", calls, fixed = TRUE)
  lapply(stats::setNames(nm = calls), function(call) eval(str2lang(call)))
}

works_on_source <- function(selector) {
  method <- selector_method(selector)
  !is.null(method$counts) || !is.null(method$criterion)
}

# What tidy(), glance() and augment() return: a tibble where that package is installed, since tibbles print better, and
# a data frame elsewhere.
result_frame <- function(x) {
  x <- renumbered(x)
  if (has_tibble()) class(x) <- c("tbl_df", "tbl", "data.frame")
  x
}

# A data frame whose rows are named by their numbers.
renumbered <- function(x) {
  rownames(x) <- NULL
  x
}

# Loaded, tibble registers its methods.
has_tibble <- function() requireNamespace("tibble", quietly = TRUE)

# Joins lists of columns into one data frame. `empty` has the columns and their types.
bind_columns <- function(parts, empty = lapply(parts[[1L]], `[`, 0L)) {
  columns <- lapply(stats::setNames(nm = names(empty)), function(name) {
    unlist(c(list(empty[[name]]), lapply(parts, `[[`, name)), use.names = FALSE)
  })
  list2DF(columns)
}

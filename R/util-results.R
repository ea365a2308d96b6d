# What tidy(), glance() and augment() return: a tibble where that package is installed, since tibbles print better, and
# a data frame elsewhere.
result_frame <- function(x) {
  rownames(x) <- NULL
  if (has_tibble()) class(x) <- c("tbl_df", "tbl", "data.frame")
  x
}

# Loaded, tibble registers its methods.
has_tibble <- function() requireNamespace("tibble", quietly = TRUE)

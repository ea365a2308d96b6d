# Names for columns that had none: a vector of src/names.cpp, which creates its strings when they are read. The lookups
# here avoid creating millions of strings.

# The names in y that are also in x.
common_names <- function(x, y) {
  if (!cpp_are_numbered_names(x)) return(intersect(x, y))
  if (cpp_are_numbered_names(y)) return(character())
  unique(y[!is.na(match_names(y, x))])
}

# match() that does not create the strings of numbered names.
match_names <- function(names, table) {
  if (!cpp_are_numbered_names(table)) return(match(names, table))
  prefix <- substr(table[1L], 1L, 1L)
  written <- grepl(paste0("^", prefix, "[1-9][0-9]{0,9}$"), names, useBytes = TRUE)
  number <- rep(NA_real_, length(names))
  number[written] <- as.double(substring(names[written], 2L))
  number[!is.na(number) & number > length(table)] <- NA
  as.integer(number)
}

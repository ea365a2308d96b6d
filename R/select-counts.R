# Tables of joint counts of features and labels, from which scores follow. Tables of disjoint rows with the same levels
# add up to the table of all rows.

# The levels of every feature, fixed before rows are counted: those that occur in the task, or those of `cuts` (as from
# fit_cuts()).
fixed_levels <- function(task, cuts = NULL, right = FALSE, threads = resolve_threads()) {
  cpp_fixed_levels(task$x, cuts, right, threads)
}

joint_counts <- function(task, levels = fixed_levels(task), threads = resolve_threads()) {
  cpp_joint_counts(task$x, task$y, levels, threads)
}

add_counts <- function(a, b) cpp_add_counts(a, b)

# The scores of sel_mim(), one for each feature.
mim_of_counts <- function(counts) cpp_mim_of_counts(counts)

# The targets of Group-JMI: groups of targets drawn at random, with the rows of each group clustered around medoids.
# Sechidis, Spyromitros-Xioufis and Vlahavas (2019), Entropy 21, 855, Algorithm 1.

# list(size, clusters, n_groups) as sel_group_jmi() keeps them: "random" or numbers, and a count or NULL.
check_grouping <- function(size, clusters, n_groups) {
  list(
    size = if (identical(size, "random")) size else check_share(size),
    clusters = if (identical(clusters, "random")) clusters else check_clusters(clusters),
    n_groups = check_count(n_groups, max = 1e6, null = TRUE, arg = "n_groups")
  )
}

check_share <- function(size) {
  if (!is_number(size) || size <= 0 || size > 1) {
    abort_value(size, "{.val random} or a share of the targets, above 0 and at most 1")
  }
  as.double(size)
}

check_clusters <- function(clusters) {
  if (!is_whole(clusters) || clusters < 1) abort_value(clusters, "{.val random} or a whole number, 1 or more")
  as.integer(clusters)
}

# Rows x groups: the cluster (from 1) of each row. `size`, `clusters`, `n_groups` as from check_grouping(). Distinct
# target vectors are clustered, with their multiplicities; if there are more than `most`, samples of `sample` vectors
# are.
target_groups <- function(task, size = "random", clusters = "random", n_groups = NULL, scale = FALSE, threads = 1L,
                          most = 5000L, sample = 1000L) {
  targets <- clustered_targets(task, scale)
  groups <- draw_groups(targets$q, size, clusters, n_groups %||% targets$q)
  n_vectors <- if (nrow(task$x) > most) cpp_count_target_vectors(targets$y, targets$n_levels) else 0L
  orders <- if (n_vectors > most) lapply(1:5, function(i) sample.int(n_vectors)) else list()
  cpp_target_groups(targets$y, targets$n_levels, groups$members, groups$clusters, orders, most, sample, threads)
}

# list(y, n_levels, q): targets as the clustering takes them, and their number; labels that do not occur are not
# counted.
clustered_targets <- function(task, scale) {
  y <- task$targets$values
  switch(task_kind(task),
    label = list(y = y, n_levels = integer(), q = n_occurring(task$targets)),
    class = list(y = coded(task$targets), n_levels = vapply(y, nlevels, 0L, USE.NAMES = FALSE), q = ncol(y)),
    numeric = list(y = if (scale) sweep(y, 2, cpp_column_scale(y), "/") else y, n_levels = integer(), q = ncol(y))
  )
}

# For each group its members, drawn without replacement, and its number of clusters. Random sizes range from q/4 rounded
# up to 3q/4 rounded down, random numbers of clusters from 4 to 16.
draw_groups <- function(q, size, clusters, n_groups) {
  low <- ceiling(q / 4)
  sizes <- if (floor(3 * q / 4) < low) 1L else seq.int(low, floor(3 * q / 4))
  members <- vector("list", n_groups)
  counts <- integer(n_groups)
  for (i in seq_len(n_groups)) {
    n <- if (identical(size, "random")) sizes[sample.int(length(sizes), 1L)]
    else min(q, max(1, whole_part(size * q + 0.5)))
    members[[i]] <- sort(sample.int(q, n))
    counts[i] <- if (identical(clusters, "random")) 3L + sample.int(13L, 1L) else clusters
  }
  list(members = members, clusters = counts)
}

# Groups of features that are selected together, costs, and a budget: `groups`, `costs` and `max_cost` of
# sift_features(). A unit is a group, or a feature outside all groups. The core works with units, see
# search/units_left.h.

# The wishes with `units`: list(unit, for each feature; size and cost, for each unit; max_cost; label, for messages).
# `include` and `excluded` then contain whole units. Without groups and costs, the wishes are returned unchanged.
add_units <- function(wishes, groups, costs, max_cost, names, k, selector, method) {
  max_cost <- check_number(max_cost, min = 0, above = TRUE)
  if (is.null(costs) && is.finite(max_cost)) abort(c("{.arg max_cost} needs {.arg costs}.",
    x = "{.arg costs} is NULL.", i = "Give one positive number for each feature."))
  if (is.null(groups) && is.null(costs)) return(wishes)
  if (method$gives == "set") abort(c(
    "{.arg {if (is.null(groups)) \"costs\" else \"groups\"}} needs a selector that gives an order.",
    x = "{selector$name} gives a set of features.", i = "See {.fn list_selectors} for others."
  ))
  d <- length(names)
  grouped <- check_unit_groups(groups, names)
  unit <- grouped$unit
  costs <- if (is.null(costs)) numeric(d) else check_costs(costs, names)
  n_units <- max(unit)
  units <- list(unit = unit, size = tabulate(unit, n_units), cost = as.vector(rowsum(costs, unit)),
    max_cost = max_cost, label = grouped$label)

  with_them <- unit %in% unit[wishes$excluded]
  both <- wishes$include[with_them[wishes$include]]
  if (length(both) > 0L) abort(c("{.arg include} and {.arg exclude} must not name features of one group.",
    x = "{.val {names[both[1L]]}} is included, and another feature of its group is excluded."))
  if (all(with_them)) abort(c("{.arg exclude} must leave at least one group.",
    i = "If it names one feature of a group, it excludes all of them."))
  wishes$excluded <- with_them
  wishes$include <- unique(unlist(lapply(wishes$include, function(f) c(f, which(unit == unit[f])))))
  wishes$include <- as.integer(wishes$include)
  check_include_fits(wishes, units, k)
  wishes$k <- min(wishes$k, sum(!with_them))
  possible <- unique(unit[!with_them])
  if (min(units$cost[possible]) > max_cost) {
    cheapest <- possible[which.min(units$cost[possible])]
    abort(c("{.arg max_cost} must pay for at least one feature or group.", x = "It is {max_cost}.",
      i = "The cheapest, {.val {name_of_unit(units, cheapest, names)}}, costs {units$cost[cheapest]}."))
  }
  wishes$units <- units
  wishes
}

check_include_fits <- function(wishes, units, k) {
  n <- length(wishes$include)
  if (!is.null(k) && n > k) abort(c("{.arg k} must have room for {.arg include}.",
    x = "With the groups of its features, it has {n} features; {.arg k} is {k}."))
  cost <- sum(units$cost[unique(units$unit[wishes$include])])
  if (cost > units$max_cost) abort(c("{.arg max_cost} must pay for {.arg include}.",
    x = "It costs {cost}; {.arg max_cost} is {units$max_cost}."))
}

# list(unit: a number for each feature, in order of appearance; label: by unit, NA for a feature without a group).
check_unit_groups <- function(groups, names) {
  d <- length(names)
  if (is.null(groups)) return(list(unit = seq_len(d), label = rep(NA_character_, d)))
  value <- if (is.list(groups)) group_values(groups, names) else {
    if (!is_atomic(groups) || length(groups) != d) abort_value(groups,
      "a list of sets of features, or a vector with a value for each of the {d} features",
      i = "For example {.code list(color = c(\"red\", \"blue\"))}.")
    as_text(groups)[in_column_order(groups, names, "groups")]
  }
  alone <- is.na(value)
  key <- value
  key[alone] <- paste0("\r", seq_len(d)[alone])
  first <- unique(key)
  list(unit = match(key, first), label = value[match(first, key)])
}

# The label of each feature's set, NA if it is in none.
group_values <- function(groups, names) {
  value <- rep(NA_character_, length(names))
  labels <- rlang::names2(groups)
  for (i in seq_along(groups)) {
    at <- unique(column_positions(groups[[i]], names, "groups", "feature"))
    twice <- at[!is.na(value[at])]
    if (length(twice) > 0L) abort(c("{.arg groups} must not have a feature twice.",
      x = "{.val {names[twice[1L]]}} is in two groups."))
    value[at] <- if (nzchar(labels[i]) && !labels[i] %in% value) labels[i] else paste("group", i)
  }
  value
}

check_costs <- function(costs, names) {
  d <- length(names)
  if (!is.numeric(costs) || !is.null(dim(costs)) || length(costs) != d) {
    abort_value(costs, "a positive number for each of the {d} features")
  }
  costs <- as.double(costs)[in_column_order(costs, names, "costs")]
  bad <- which(!is.finite(costs) | costs <= 0)
  if (length(bad) > 0L) abort(c("{.arg costs} must be positive numbers.",
    x = "That of {.val {names[bad[1L]]}} is {costs[bad[1L]]}."))
  costs
}

# Named values are matched to the features by name.
in_column_order <- function(x, names, arg) {
  if (is.null(names(x))) return(seq_along(names))
  at <- match(names, names(x))
  if (anyNA(at)) abort(c("The names of {.arg {arg}} must be those of the features.",
    x = "There is none for {.val {names[is.na(at)][1L]}}.", i = "Without names, values are in column order."))
  at
}

name_of_unit <- function(units, u, names) if (is.na(units$label[u])) names[match(u, units$unit)] else units$label[u]

# The group of each feature as a number, features without one each alone; NULL without groups.
together_in <- function(wishes, names) {
  if (!is.null(wishes$groups)) check_unit_groups(wishes$groups, names)$unit
}

# For each `k`, how many of the features it is, without an incomplete group at the end; the first group at least.
counts_in_groups <- function(index, k, together) {
  k <- as.integer(pmin(k, length(index)))
  if (is.null(together) || length(index) == 0L) return(k)
  ends <- which(c(diff(together[index]) != 0L, TRUE))
  vapply(k, function(k) max(ends[1L], ends[ends <= k]), 0L)
}

# The same of one number, in which the first group must have room.
whole_units <- function(index, k, units) {
  n <- counts_in_groups(index, k, units$unit)
  if (n > k) refuse_small_k()
  n
}

# A number of features in which the best group has room, whichever it is.
room_for_group <- function(k, together) if (is.null(k) || is.null(together)) k else max(k, tabulate(together))

refuse_small_k <- function() {
  abort(c("{.arg k} must have room for the best group.", x = "The group has more features than {.arg k}.",
    i = "Use a larger {.arg k}."))
}

# Reports what the selection costs, and why it is shorter than `k`.
describe_units <- function(ranking, wishes) {
  units <- wishes$units
  if (is.null(units)) return(ranking)
  n <- length(ranking$index)
  if (n == 0L && isTRUE(ranking$no_room)) refuse_small_k()
  cost <- sum(units$cost[unique(units$unit[ranking$index])])
  note <- c(
    if (cost > 0) paste0(counted(n, "feature"), if (n == 1L) " costs " else " cost ", format(cost, digits = 6),
      if (is.finite(units$max_cost)) paste0(", at most ", format(units$max_cost, digits = 6))),
    if (isTRUE(ranking$no_room)) paste0("ended before a group that k = ", wishes$k, " has no room for")
  )
  if (length(note) > 0L) ranking$note <- paste(c(ranking$note, note), collapse = "\n")
  ranking
}

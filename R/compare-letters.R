# Which methods a test of all pairs does not distinguish. All groups and letters follow from the significant pairs.

# The largest groups of two or more `methods`, in their order, without a significant pair: two methods share a group
# exactly when no significant pair parts them. By insert and absorb (Piepho 2004). `pairs`: all pairs of methods, as in
# $comparisons of a rank test.
same_groups <- function(methods, pairs) {
  apart <- pairs[pairs$significant, ]
  first <- match(apart$method1, methods)
  second <- match(apart$method2, methods)
  groups <- matrix(TRUE, length(methods), 1L)
  for (pair in seq_along(first)) groups <- part_groups(groups, first[pair], second[pair])
  groups <- groups[, do.call(order, asplit(!groups, 1L)), drop = FALSE]
  lapply(which(colSums(groups) > 1L), \(g) methods[groups[, g]])
}

# `groups`: a logical matrix methods x groups. A group with both methods i and j becomes two, one without each, unless
# these are inside another group.
part_groups <- function(groups, i, j) {
  both <- which(groups[i, ] & groups[j, ])
  if (length(both) == 0L) return(groups)
  parts <- groups[, c(both, both), drop = FALSE]
  parts[cbind(rep(c(i, j), each = length(both)), seq_len(ncol(parts)))] <- FALSE
  others <- groups[, -both, drop = FALSE]
  absorbed <- rowSums(crossprod(parts, others) == colSums(parts)) > 0
  groups <- cbind(others, parts[, !absorbed, drop = FALSE])
  if (ncol(groups) > choose(nrow(groups), 2)) needed_groups(groups) else groups
}

# Some significant pairs leave exponentially many groups. Then only those stay that are needed to join a pair.
needed_groups <- function(groups) {
  shared <- tcrossprod(groups)
  needed <- rep(TRUE, ncol(groups))
  for (g in rev(seq_len(ncol(groups)))) {
    inside <- groups[, g]
    needed[g] <- min(shared[inside, inside]) == 1
    if (!needed[g]) shared[inside, inside] <- shared[inside, inside] - 1
  }
  groups[, needed, drop = FALSE]
}

# One letter for each group, and one for each method in no group, in the order of `methods`.
group_letters <- function(methods, groups) {
  groups <- c(groups, as.list(setdiff(methods, unlist(groups))))
  groups <- groups[order(vapply(groups, \(g) min(match(g, methods)), 0))]
  symbols <- c(letters, LETTERS, sprintf("(%d)", seq_along(groups)))
  vapply(methods, \(m) paste(symbols[which(vapply(groups, \(g) m %in% g, NA))], collapse = ""), "")
}

#' What a comparison found, in words
#'
#' Writes one paragraph about a rank test or a comparison of pairs: whether the methods differ, which methods differ,
#' and which ones the test does not distinguish.
#'
#' @param object A rank test, from [rank_test()], or an `mlpairs`, from [compare_pairs()].
#' @param ... Not used.
#' @return A string of class `mlfinding`, which prints as a paragraph. Rows or columns of an `mlpairs` are a data frame,
#'   with the summary of one.
#' @family comparisons
#' @examples
#' set.seed(1)
#' losses <- matrix(runif(10 * 4), 10, dimnames = list(NULL, c("EBLS", "MIM-BR", "MFS", "All")))
#' losses[, "EBLS"] <- losses[, "EBLS"] - 0.5
#' summary(rank_test(losses, direction = "minimize"))
#' summary(compare_pairs(losses[, 2:3], direction = "minimize"))
#' @export
summary.mlranktest <- function(object, ...) {
  pairs <- object$comparisons
  pairs$better <- better_method(pairs, object$posthoc)
  # Signed-rank tests may find differences even if all mean ranks are equal.
  able <- object$global || !all_tied(object) || object$posthoc == "wilcoxon-holm"
  new_finding(c(finding_global(object), if (able) finding_pairs(object, pairs)))
}

#' @rdname summary.mlranktest
#' @export
summary.mlpairs <- function(object, ...) {
  about <- whole_pairs(object)
  if (is.null(about)) return(NextMethod())
  test <- list(posthoc = "wilcoxon-holm", control = about$control, alpha = about$alpha, n_datasets = about$n_datasets,
    order = names(about$means), global = TRUE)
  new_finding(if (nrow(object) == 1L) finding_two(object, about)
  else c(finding_opening(about), finding_pairs(test, judged_pairs(object))))
}

# The rows of compare_pairs() in the form used by rank_test(), with the better method of each pair.
judged_pairs <- function(pairs) {
  about <- attr(pairs, "about")
  out <- data.frame(method1 = pairs$method1, method2 = pairs$method2, p_adjusted = pairs$p_holm,
    significant = pairs$p_holm <= about$alpha, win = pairs$win, tie = pairs$tie, loss = pairs$loss,
    effect = pairs$effect)
  out$better <- better_method(out, "wilcoxon-holm")
  out
}

new_finding <- function(sentences) structure(paste(sentences, collapse = " "), class = "mlfinding")

#' @export
print.mlfinding <- function(x, ...) {
  cat(strwrap(x, 0.95 * getOption("width")), sep = "\n")
  invisible(x)
}

all_tied <- function(test) length(unique(test$mean_ranks)) == 1L

# The better method of each pair: by mean ranks, or by the sign of the signed-rank statistic; NA if neither is better.
better_method <- function(pairs, posthoc) {
  side <- if (posthoc == "wilcoxon-holm") pairs$effect else pairs$difference
  ifelse(side == 0, NA, ifelse(side > 0, pairs$method1, pairs$method2))
}

# Methods ordered by quality.
method_order <- function(test) test$order %||% names(sort(test$mean_ranks))

# --- sentences --------------------------------------------------------------------------------------------------------

# "A", "A and B", "A, B and C"; above `most` names, the first ones and the number of the others.
name_list <- function(names, most = 6L, last = " and ") {
  n <- length(names)
  if (n > most) return(paste0(paste(names[seq_len(most - 1L)], collapse = ", "), last, n - most + 1L, " others"))
  if (n < 2L) return(names)
  paste0(paste(names[-n], collapse = ", "), last, names[n])
}

# A number as a word at the beginning of a sentence.
number_word <- function(n) {
  words <- c("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")
  if (n <= length(words)) words[n] else format_count(n)
}

finding_measure <- function(x, whole) {
  if (is.null(x$measure)) "" else paste0(" by ", measure_title(x$measure), at_label(x$at, whole))
}

finding_global <- function(test) {
  whole <- if (test$posthoc == "wilcoxon-holm") ", mean over the grid" else " (ranking scores)"
  opening <- paste0(number_word(test$n_methods), " methods were ranked on ", counted(test$n_datasets, "dataset"),
    finding_measure(test, whole), ".")
  # Quade's test may find differences even then.
  if (all_tied(test) && !test$global) {
    return(c(opening, "All have the same mean rank, so the ranks show no difference at all."))
  }
  about <- paste0("at level ", format(test$alpha), " (", global_statistic(test), "; ", agreement_label(test), ").")
  c(opening, paste(if (test$global) "They differ significantly" else "Taken together, they do not differ significantly",
    about), if (test$ties_decide) paste0(upper_first(ties_note(test)), "."), finding_extremes(test$mean_ranks))
}

finding_extremes <- function(mean_ranks) {
  if (length(unique(mean_ranks)) == 1L) return("All have the same mean rank.")
  who <- function(rank) {
    names <- names(mean_ranks)[mean_ranks == rank]
    paste(name_list(names), if (length(names) > 1L) "have" else "has")
  }
  number <- function(rank) formatC(rank, format = "f", digits = 2)
  best <- min(mean_ranks)
  worst <- max(mean_ranks)
  paste0(who(best), " the best mean rank, ", number(best), "; ", who(worst), " the worst, ", number(worst), ".")
}

finding_opening <- function(about) {
  paste0(number_word(length(about$means)), " methods were compared on ", counted(about$n_datasets, "dataset"),
    finding_measure(about, ", mean over the grid"),
    if (is.null(about$control)) ", each pair" else paste0(", each with ", about$control), " by its own values.")
}

# Which pairs differ and which do not.
finding_pairs <- function(test, pairs) {
  found <- pairs[pairs$significant, ]
  by <- posthocs[[test$posthoc]]$phrase
  if (nrow(found) == 0L) return(finding_none(test, pairs, by))
  differ <- if (is.null(test$control)) better_clauses(test, found) else control_clauses(test, found)
  first <- if (test$global) paste0("By ", by, ", ", differ, ".") else
    paste0(upper_first(by), " alone would find that ", differ,
      ". Without a significant overall test this is weak evidence.")
  c(first, finding_same(test, pairs))
}

finding_none <- function(test, pairs, by) {
  few <- if (test$posthoc == "wilcoxon-holm") too_few_datasets(test$n_datasets, nrow(pairs), test$alpha)
  if (!is.null(test$control)) {
    none <- paste0(upper_first(by), " finds no method that differs from the control ", test$control, ".")
  } else {
    none <- paste0(upper_first(by), " finds no pair that differs", if (!test$global) {
      ", so no method can be called better than another."
    } else if (is.null(test$order)) {
      ": there are differences, but the data do not tell between which methods."
    } else ".")
  }
  c(none, few, if (is.null(few)) "This does not show that the methods are equal.")
}

# "A and B are better than C; C is better than D": methods with the same inferiors are grouped, best first.
better_clauses <- function(test, found) {
  order <- method_order(test)
  most <- if (length(order) > 12L) 3L else 5L
  worse <- ifelse(found$better == found$method1, found$method2, found$method1)
  inferiors <- lapply(order, \(m) order[order %in% worse[found$better == m]])
  if (nrow(found) == choose(length(order), 2) && identical(lengths(inferiors), rev(seq_along(order)) - 1L)) {
    return(paste0("every two methods differ, in the order ", name_list(order, Inf), ", best first"))
  }
  keys <- vapply(inferiors, paste, "", collapse = "\n")
  winners <- split(order, factor(keys, setdiff(unique(keys), "")))
  clauses <- vapply(names(winners), function(key) {
    who <- winners[[key]]
    paste0(name_list(who), if (length(who) > 1L) " are" else " is", " better than ",
      name_tail(strsplit(key, "\n", fixed = TRUE)[[1L]], order))
  }, "")
  shown <- utils::head(unname(clauses), most)
  rest <- length(clauses) - length(shown)
  paste0(paste(shown, collapse = "; "), if (rest > 0L) paste0("; in all, ", nrow(found), " pairs differ"))
}

# The worst methods; if there are many, they are described by the first of them.
name_tail <- function(names, order) {
  n <- length(names)
  if (n > 4L && identical(names, utils::tail(order, n))) paste0("the ", n, " methods from ", names[1L], " down") else
    name_list(names)
}

control_clauses <- function(test, found) {
  worse <- found$method2[found$better == test$control]
  better <- found$method2[found$better != test$control]
  parts <- c(if (length(worse)) paste("better than", name_list(worse)),
    if (length(better)) paste("worse than", name_list(better)))
  paste0("the control ", test$control, " is ", paste(parts, collapse = " and "))
}

# What the test does not distinguish.
finding_same <- function(test, pairs) {
  same <- pairs[!pairs$significant, ]
  if (nrow(same) == 0L) return(NULL)
  if (!is.null(test$control)) {
    return(paste0("The test cannot tell ", test$control, " from ", name_list(same$method2, last = " or "),
      ", which does not show that they are equal."))
  }
  groups <- same_groups(method_order(test), pairs)
  named <- vapply(utils::head(groups, 3L), name_group, "", order = method_order(test))
  more <- length(groups) - length(named)
  paste0("The test cannot tell apart ", nrow(same), " of ", counted(nrow(pairs), "pair"),
    ": no difference was found among ", paste(named, collapse = ", nor among "),
    if (more > 0L) paste0(", nor in ", counted(more, "further group")),
    ". This does not show that these methods are equal.")
}

# Many methods are named by the first and the last of them, if they follow each other in `order`.
name_group <- function(group, order) {
  run <- all(diff(match(group, order)) == 1L)
  if (length(group) <= 6L || !run) return(name_list(group))
  paste0("the ", length(group), " methods from ", group[1L], " to ", group[length(group)])
}

# Two methods: everything about their one pair.
finding_two <- function(pairs, about) {
  n <- about$n_datasets
  two <- c(pairs$method1, pairs$method2)
  on <- paste0(" on ", counted(n, "dataset"), finding_measure(about, ", mean over the grid"))
  if (pairs$win + pairs$loss == 0L) {
    return(paste0(two[1L], " and ", two[2L], " have the same values", on, ", so there is no difference to test."))
  }
  record <- paste0(two[1L], " and ", two[2L], " were compared", on, ": ", two[1L], " is better on ", pairs$win, ", ",
    two[2L], " on ", pairs$loss, ", and they are equal on ", pairs$tie, ".")
  interval <- if (is.finite(pairs$conf_low)) format_interval(pairs$conf_low, pairs$conf_high, 1 - about$alpha) else
    "too few datasets for its interval"
  size <- paste0("median difference ", format(pairs$median_difference, digits = 3), ", ", interval,
    ", rank-biserial correlation ", formatC(pairs$effect, format = "f", digits = 2), ", positive where ", two[1L],
    " is better")
  test <- paste0("(Wilcoxon's signed-rank test, ", format_p(pairs$p_value), "; ", size, ")")
  if (pairs$p_value > about$alpha) {
    return(c(record, paste0("The difference is not significant at level ", format(about$alpha), " ", test,
      ", so the data do not tell which of the two is better."),
    too_few_datasets(n, 1L, about$alpha)))
  }
  winner <- better_method(pairs, "wilcoxon-holm")
  c(record, paste0(winner, " is significantly better at level ", format(about$alpha), " ", test, "."))
}

# Shows an answer in words, as text and as data frames.

# Titles that begin with a word in capitals, such as AUC, are not changed.
tolower_first <- function(text) {
  if (grepl("^.[A-Z]", text)) text else paste0(tolower(substr(text, 1L, 1L)), substring(text, 2L))
}

quality_of <- function(x, what, field = "mean") {
  value <- x$quality[[field]][x$quality$what == what]
  if (length(value) == 0L) NA_real_ else value
}

# "60 rows, 8 features, 3 targets"
answer_size <- function(x) {
  task <- x$task
  paste(counted(nrow(task$x), "row"), counted(ncol(task$x), "feature"), counted(ncol(task$targets), "target"),
    sep = ", ")
}

#' @export
summary.mlsift <- function(object, ...) {
  x <- object
  c(choice_sentence(x), few_rows_sentence(x), x$setup$signs, apart_sentence(x), quality_sentences(x), rows_sentence(x),
    features_sentence(x), check_sentence(x), left_sentences(x))
}

choice_sentence <- function(x) {
  tuning <- x$tuning
  curve <- tuning$curve
  n <- c(learner = length(unique(curve$learner)), selector = length(setdiff(unique(curve$selector), tuning$all)),
    number = length(unique(curve$k)))
  words <- c(learner = "learner", selector = "selector", number = "number")
  tried <- vapply(names(n)[n > 1L], function(what) paste0(counted(n[[what]], words[[what]])), "")
  tried[names(tried) == "number"] <- paste(tried[names(tried) == "number"], "of features", recycle0 = TRUE)
  d <- format_count(ncol(x$task$x))
  what <- if (ncol(x$task$x) == 1L) "The only feature was"
  else if (takes_all(tuning)) features_were(ncol(x$task$x), ncol(x$task$x))
  else paste0(tuning$name, " with ", format_count(nrow(x$selection)), " of ", d, " features was")
  small <- x$fewest
  c(
    paste0(what, " chosen for ", tuning$learner_name, ", by the ", tolower_first(measure_title(tuning$measure)),
      if (length(tried) > 0L) paste0(", from ", name_list(tried, Inf)), "."),
    if (at_edge(tuning)) paste0(format_count(tuning$k), " is the largest number tried, so more may be better."),
    if (!is.null(small) && small$k < tuning$k) {
      paste0(small$selector, " with ", counted(small$k, "feature"), " for ", small$learner,
        " is a smaller set: within ", if (tuning$relative) paste0(format(100 * tuning$tolerance), "%")
        else format(tuning$tolerance), " of the best on the inner splits.")
    }
  )
}

# Where the best of useless features would look as good as one that gives the best known target away, by the rule of
# vignette("how-many-rows"). For numbers, the standard error is that of a correlation.
few_rows_sentence <- function(x) {
  task <- x$task
  numeric <- task_kind(task) == "numeric"
  values <- if (!numeric) with_indicators(task$targets)
  known <- known_rows(task$targets)
  on <- if (!numeric) as.vector(Matrix::colSums(values$on, na.rm = TRUE))
  known <- if (task_kind(task) == "class") rep(nrow(task$x), length(on)) else known
  error <- if (numeric) 1 / sqrt(known - 1) else sqrt((1 / on + 1 / (known - on)) / 3)
  least <- (sqrt(2 * log(ncol(task$x))) + 1.3) * min(error)
  if (is.na(least) || least < 1) return(NULL)
  rows <- format_count(signif(nrow(task$x) * (least / if (numeric) 0.5 else 0.6)^2, 2))
  paste0("There are too few rows to tell which features matter: even one that ",
    if (numeric) "goes perfectly with a target" else "parts rows perfectly", " hardly stands out from useless ones. ",
    "With ", rows, " such rows, features with ", if (numeric) "a correlation of 0.5" else "an AUC of 0.8",
    " would, see vignette(\"how-many-rows\").")
}

# Chosen features that part the rows with a label from the others without an error, if by chance about one of a million
# tasks has one: a threshold of such a feature may have made the label.
apart_sentence <- function(x) {
  task <- x$task
  at <- which(x$effects$effect %in% c("Cliff's delta", "Cramer's V") & abs(x$effects$value) > 1 - 1e-12)
  if (length(at) == 0L) return(NULL)
  labels <- category_labels(task$targets)
  limit <- log(1e-6) - log(ncol(task$x) * ncol(labels))
  with <- Matrix::colSums(labels$values)[match(x$effects$target[at], colnames(labels))]
  at <- at[-lchoose(nrow(task$x), with) < limit]
  found <- Filter(function(e) {
    values <- dense_column(task$x, match(x$effects$feature[e], colnames(task$x)))
    label <- match(x$effects$target[e], colnames(labels))
    on <- dense_column(labels$values, label) == 1
    unknown <- if (is.null(labels$unknown)) FALSE else dense_column(labels$unknown, label) == 1
    known <- !is.na(values) & !unknown & (task$rows$weights %||% 1) > 0
    # Rows of a group are no evidence of their own.
    unit <- (task$rows$group %||% seq_along(on))[known]
    n <- length(unique(unit))
    # There are at most so many ways in which levels, or sides of a threshold, have or lack the label.
    ways <- if (x$effects$effect[e] == "Cramer's V") length(unique(values[known])) else 1
    ways * log(2) - lchoose(n, length(unique(unit[on[known]]))) < limit
  }, at)
  found <- found[!duplicated(x$effects$feature[found])]
  if (length(found) == 0L) return(NULL)
  said <- paste0(x$effects$feature[found], " (", x$effects$target[found], ")")
  paste("One feature is enough to tell a target without an error:", first_of(said), given_away)
}

quality_sentences <- function(x) {
  side <- better_side(x$tuning$direction)
  number <- function(value) format(value, digits = 3)
  if (nrow(x$quality) == 0L) {
    floor <- x$setup$floor %||% NA
    return(paste0("Its value of ", number(chosen_point(x$tuning)$mean), " (", side, ") is the best of many and so ",
      "looks better than it is; the quality was not estimated.",
      if (!is.na(floor)) paste0(" Always predicting ", floor_words(x), " reaches ", number(floor), ".")))
  }
  if (is.na(quality_of(x, "chosen"))) {
    return("The quality could not be estimated on every split, see failures(x$benchmark).")
  }
  se <- quality_of(x, "chosen", "se")
  value <- paste0(
    "On rows that played no part in it, the choice reaches ", number(quality_of(x, "chosen")),
    if (!is.na(se)) if (se <= 1e-12 * abs(quality_of(x, "chosen"))) " in every split"
    else paste0(" \u00b1 ", format(se, digits = 2)), " (", side, ")."
  )
  c(value, floor_sentence(x), random_sentence(x), all_sentence(x))
}

# "+0.078 (95% from -0.01 to 0.17)" for rows of the table of quality. Splits that all agree tell no interval.
difference_words <- function(rows, from = "95% from ") {
  number <- function(values) {
    vapply(values, function(value) {
      format(if (isTRUE(abs(value) < 1e-12)) 0 else value, digits = 2, scientific = 5L * isTRUE(abs(value) < 1))
    }, "")
  }
  alike <- rows$high - rows$low <= 1e-12 * abs(rows$difference)
  spread <- ifelse(alike, " in every split", paste0(" (", from, number(rows$low), " to ", number(rows$high), ")"))
  paste0(ifelse(rows$difference < 0, "", "+"), number(rows$difference), ifelse(is.na(alike), "", spread))
}

# How sure it is that the choice is better than predicting what is most frequent.
beats_floor <- function(x) {
  sign <- if (x$tuning$direction == "maximize") 1 else -1
  limit <- if (sign > 0) quality_of(x, "floor", "low") else -quality_of(x, "floor", "high")
  !is.na(limit) && limit > 0
}

floor_words <- function(x) if (task_kind(x$task) == "numeric") "the mean" else "the most frequent"

floor_sentence <- function(x) {
  if (is.na(quality_of(x, "floor"))) return(NULL)
  at <- x$quality[x$quality$what == "floor", ]
  what <- floor_words(x)
  value <- format(at$mean, digits = 3)
  if (is.na(quality_of(x, "floor", "low"))) {
    return(paste0("Always predicting ", what, " reaches ", value, "; one split cannot say how sure the difference is."))
  }
  if (beats_floor(x)) {
    return(paste0("Always predicting ", what, " reaches ", value, ": the difference is ",
      difference_words(at), "."))
  }
  alone <- x$alone
  if (isTRUE(alone[["low"]] > 0.5) && x$tuning$measure != "macro_auc") {
    number <- function(name) format(alone[[name]], digits = 2)
    return(paste0(
      "By this measure the choice is not surely better than always predicting ", what, ", which reaches ", value,
      ": the difference is ", difference_words(at), ". But the labels can be predicted one by one: their mean ",
      "AUC is ", number("mean"), " (95% from ", number("low"), " to ", number("high"), "), and chance gives 0.5. ",
      "`measure = \"macro_auc\"` chooses by that."
    ))
  }
  # Noise is seldom better by more than a standard error.
  sign <- if (x$tuning$direction == "maximize") 1 else -1
  much <- sign * quality_of(x, "floor", "difference") > quality_of(x, "chosen", "se")
  few <- if (length(unique(x$benchmark$split)) < 5L) "too few rows or outer splits" else "too few rows"
  paste0(if (much) paste("There are", few, "to be sure that there is something here")
    else paste("There is nothing here that this learner can use, or", few, "to show it"), ": always predicting ", what,
  " reaches ", value, ", and the difference is ", difference_words(at), ".")
}

# The rows of the quality that tell something: random sets of all features are the choice itself.
told_quality <- function(x) {
  x$quality[x$quality$what != "random" | is.na(x$quality$k) | x$quality$k < ncol(x$task$x), ]
}

random_sentence <- function(x) {
  at <- told_quality(x)
  at <- at[at$what == "random", ]
  if (nrow(at) == 0L || is.na(at$mean)) return(NULL)
  paste0("Random features of the same number reach ", format(at$mean, digits = 3), ": the difference is ",
    difference_words(at), ", and the choice is better than ", at$draws - at$as_good, " of ", at$draws,
    " random sets.")
}

all_sentence <- function(x) {
  if (takes_all(x$tuning) && quality_of(x, "chosen", "k") == ncol(x$task$x) || is.na(quality_of(x, "all"))) return(NULL)
  paste0("All features reach ", format(quality_of(x, "all"), digits = 3), ": the difference is ",
    difference_words(x$quality[x$quality$what == "all", ]), ".")
}

# How rows that belong together, or follow each other in time, were parted.
rows_sentence <- function(x) {
  rows <- x$task$rows
  resampling <- if (nrow(x$quality) > 0L) x$setup$outer else x$setup$choice$resampling
  params <- resampling$params
  if (resampling$method == "forward") {
    return(paste0("Tested on later rows than those to learn from", if (!is.null(rows$group)) ", in other groups", "."))
  }
  group <- params$group %||% group_numbers(rows)
  if (is.null(group) || isFALSE(group) && is.null(rows$group)) return(NULL)
  splits <- switch(resampling$method, fixed = list(params), custom = params$splits)
  both <- vapply(splits, function(split) any(group[split$train] %in% group[split$test]), NA)
  if (isFALSE(group) || any(both)) return("Rows of the same group were learned from and tested on.")
  paste0("Rows of a group stayed together: ", describe_groups(group), ".")
}

# "Both features were", "1 of the 5 features was"
features_were <- function(some, n) {
  if (n == 1L) return(if (some == n) "The feature was" else "The feature was not")
  if (some == n) return(if (n == 2L) "Both features were" else paste("All", counted(n, "feature"), "were"))
  paste(if (some == 0L) "None" else format_count(some), "of the", counted(n, "feature"),
    if (some > 1L) "were" else "was")
}

# Whether stand-ins were found by putting them in the place of features.
swaps <- function(x) identical(x$setup$stand_ins, "swap")

# Where every split chose all features, shares tell nothing.
shares_tell <- function(features) !anyNA(features$share) && (all(is.na(features$score)) || !all(features$chance == 1))

features_sentence <- function(x) {
  if (takes_all(x$tuning)) {
    return(if (!is.null(x$setup$order)) paste0("The features are listed in the order of ", x$setup$order, "."))
  }
  features <- x$features
  n <- nrow(features)
  stand <- sum(lengths(features$stand_ins) > 0L)
  share <- features$share
  text <- c(
    if (!anyNA(share)) paste0(features_were(sum(share >= 1 - 1e-9), n), " chosen in ",
      if (length(unique(x$benchmark$split)) == 1L) "the" else "every", " outer split (by chance a feature is in ",
      format(signif(100 * features$chance[1L], if (features$chance[1L] < 0.1) 1 else 2)), "% of them",
      if (isTRUE(x$stability > -Inf)) paste0("; stability ", format(x$stability, digits = 2), " of 1"), ")"),
    if (stand > 0L) paste0(format_count(stand), if (stand == 1L) " has" else " have",
      " stand-ins, with ",
      if (swaps(x)) "which the inner value is hardly worse" else "nearly the same information")
  )
  if (length(text) > 0L) paste0(paste(text, collapse = "; "), ".")
}

check_sentence <- function(x) {
  if (is.null(x$check)) return(NULL)
  n <- length(x$check$permuted)
  reached <- round(x$check$p_value * (1 + n)) - 1
  paste0("With permuted targets, the same choice reached the inner value in ", reached, " of ", n, " trials (",
    format_p(x$check$p_value), ").")
}

left_sentences <- function(x) {
  named <- function(status) candidates_of(x$tuning$candidates, status)
  kinds <- c(id = "identify rows", constant = "are constant", target_copy = "are copies of a target")
  found <- split(x$left_out$feature, x$left_out$problem)
  dropped <- vapply(intersect(names(kinds), names(found)), function(problem) {
    some <- utils::head(unique(found[[problem]]), 3L)
    more <- length(unique(found[[problem]])) - length(some)
    paste0(kinds[[problem]], " (", paste(some, collapse = ", "), if (more > 0L) paste(" and", more, "more"), ")")
  }, "")
  list_of <- function(words, names) if (length(names) > 0L) paste0(words, paste(names, collapse = ", "), ".")
  c(
    if (isTRUE(x$setup$weightless > 0L)) paste("Left out:", counted(x$setup$weightless, "row"), "of weight 0."),
    if (isTRUE(x$setup$without > 0L)) {
      paste("Left out:", counted(x$setup$without, "row"), "of which no target is known.")
    },
    if (length(dropped) > 0L) paste0("Left out: features that ", paste(dropped, collapse = "; or "), "."),
    list_of("There was no time to try ", named("not tried")), list_of("Failed: ", named("failed")),
    list_of("Not tried: ", named("left out")),
    if (x$setup$default[["learner"]] && !compares_rows(x$task)) {
      neighbors <- c(label = "lrn_mlknn()", class = "lrn_brknn()", numeric = "lrn_knn_regression()")
      paste0("Not tried, as they take long with many rows: nearest neighbors. `learner = ",
        neighbors[[task_kind(x$task)]], "` tries them.")
    },
    setdiff(x$notes, x$setup$signs)
  )
}

#' @export
print.mlsift <- function(x, n = 6L, ...) {
  n <- check_count(n, min = 0)
  width <- min(80L, getOption("width"))
  said <- summary(x)
  lines <- c(paste0("<mlsift> ", if (!is.null(x$task$name)) paste0(x$task$name, ": "), answer_size(x)), said)
  lines <- unlist(lapply(lines, strwrap, width = width, exdent = 2L))
  shown <- utils::head(x$features, n)
  table <- data.frame(rank = shown$rank, feature = shorten_names(shown$feature, 28))
  if (all(is.na(table$rank))) table$rank <- NULL
  else table$rank <- ifelse(is.na(table$rank), "-", table$rank)
  if (shares_tell(shown)) table$share <- format(round(shown$share, 2))
  few <- function(list, letters) {
    text <- vapply(list, function(names) {
      paste0(paste(shorten_names(utils::head(names, 1L), letters - 5), collapse = ""),
        if (length(names) > 1L) paste0(" +", length(names) - 1L))
    }, "")
    ifelse(nzchar(text), text, "-")
  }
  table[["stand-in"]] <- few(shown$stand_ins, 22)
  if (ncol(x$task$targets) > 1L) table$serves <- few(shown$serves, 18)
  rows <- if (nrow(table) > 0L) utils::capture.output(print(table, row.names = FALSE, right = FALSE))
  rows <- substr(rows, 1L, width)
  more <- nrow(x$features) - nrow(shown)
  foot <- paste0("# ", if (more > 0L) paste0(counted(more, "more feature"), "; "),
    "plot(x), summary(x), write_report(x, file), as_code(x)")
  # At most 25 lines: words are dropped to make room for the table.
  room <- 25L - length(rows) - 2L
  if (length(lines) > room) lines <- c(utils::head(lines, room - 1L), "# more in summary(x)")
  cat(lines, "", rows, strwrap(foot, width = width, exdent = 2L)[1L], sep = "\n")
  invisible(x)
}

#' @rdname tidy_results
#' @export
tidy.mlsift <- function(x, ...) {
  result_frame(data.frame(term = x$features$feature, rank = x$features$rank, estimate = x$features$score,
    share = x$features$share,
    stand_ins = vapply(x$features$stand_ins, paste, "", collapse = ", "),
    serves = vapply(x$features$serves, paste, "", collapse = ", ")))
}

#' @rdname tidy_results
#' @export
glance.mlsift <- function(x, ...) result_frame(data.frame(
  selector = x$tuning$name, k = nrow(x$selection), n_features = ncol(x$task$x), measure = x$tuning$measure,
  learner = x$tuning$learner_name, mean = quality_of(x, "chosen"), se = quality_of(x, "chosen", "se"),
  all = quality_of(x, "all"), random = quality_of(x, "random"), floor = quality_of(x, "floor"),
  stability = x$stability %||% NA_real_, seconds = x$seconds
))

# --- beside the answer ------------------------------------------------------------------------------------------------

# `took`: seconds of the choice, which is made again on so many outer splits.
tell_long_estimate <- function(took, n_splits) {
  if (took * n_splits < 120) return(invisible())
  inform(c(i = paste("The choice took {round(took)} s. To estimate its quality, it is made again on {n_splits} outer",
    "split{?s}, in about {round(took * n_splits / 60)} minutes by one process."),
  " " = "{.arg max_seconds} limits the time, and {.code estimate = FALSE} leaves the estimate out."))
}

# "Missing values of a, b, c and 2 more features are filled in, by the mean or the most frequent value."
filled_note <- function(x) {
  names <- colnames(x)[columns_with_gaps(x)]
  more <- length(names) - 3L
  paste0("Missing values of ", paste(utils::head(names, 3L), collapse = ", "),
    if (more > 0L) paste0(" and ", counted(more, "more feature")),
    " are filled in, by the mean or the most frequent value.")
}

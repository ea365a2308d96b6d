#' Features that mislead, and rows that belong together
#'
#' `check_task()` finds features that number the rows, that have many levels, that are constant, that repeat another
#' feature, that are a copy of a target, or whose gaps tell one. `drop_features()` removes them from a task. It also
#' finds signs that rows belong together, of a task without [groups][row_groups()]. A source is read once, and gives
#' what the task with the same rows gives, but for such signs and gaps; leave features out of it with `exclude`.
#'
#' The problems are called:
#'
#' * `"id"`: a factor or a text in which more than 90 % of the rows have a value of their own, or a column of whole
#'   numbers that runs, or nearly runs, from 1 to the number of rows (at least 20 rows). Such a feature identifies rows
#'   and nothing else. Its numbers may skip or repeat a tenth of the rows and may start anywhere. They must increase or
#'   decrease from row to row, unless this is the only such column: several columns in other orders are ranks. Other
#'   numbers are never ids, however many different values they have.
#' * `"levels"`: a discrete feature with many levels for its rows: more than 5, and fewer than 20 rows for each level on
#'   average (at least 20 rows). Such a feature looks informative to selectors that count, even if it is noise.
#'   [`sel_mim(adjust = "chance")`][sel_mim()] allows for this; or merge levels, or leave the feature out. If
#'   rows with the same level belong together, such as visits of a patient, make it the `group` of [mltask()].
#' * `"constant"`: the same value in all rows.
#' * `"duplicate"`: a copy of an earlier feature. `detail` names the first one.
#' * `"target_copy"`: a copy of a target. `detail` names the target.
#' * `"gaps"`: a feature with missing values that is known, or missing, only in rows with one value of a label, or that
#'   all have or lack one class, such as the age at a diagnosis. By chance, about one of a million tasks has such a
#'   feature. A group counts as one row, and rows of weight 0 do not count. Leave the feature out if its values come
#'   with the target, or after it.
#'
#' A copy has the same rows together: each value of one column stands for one value of the other, as in `"yes"` and 1,
#' 1 and 0, or relabelled categories. A missing value is a value, and an unknown label counts as one or as 0. Columns
#' with more than 1,024 different values, or more than half as many as rows, are copies only if they are equal. Copies
#' in a task are compared value by value, those in a source by hashes of 53 bits.
#'
#' In a task with 20 rows or more, a feature is also a copy of a numeric target with 12 different values or more if its
#' numbers are in the same order, or in the opposite one, and at least half as many are different: the target in another
#' unit, or its logarithm. If the rows are sorted by the target, the feature must be a linear function of it, because
#' other features may be sorted too.
#'
#' Running numbers that repeat themselves in most of the first 100, 1,000, 10,000, ... rows are not looked for, nor are
#' those in no order if there are more than 16 million.
#'
#' # Rows that belong together
#' If a patient has several rows, what is learned from some of them is known of the others, and tests on these look
#' better than on other patients. These problems are of rows, and `drop_features()` does nothing about them:
#'
#' * `"repeated_rows"`: more than 5 % of the rows equal an earlier row in all features (at least 20 rows). `detail`
#'   also says about how many would do so by chance, if features were independent with the values that they have. With
#'   few discrete features these may be most rows. So [sift()] names repeated rows only if they are more than twice as
#'   many as by chance.
#' * `"blocks"`: more than half of the features that vary are constant or nearly so within the values of one column,
#'   `feature`. It is a factor, a text or a column of whole numbers, with 3 values or more and 3 rows or more for each
#'   on average (at least 20 rows), that is not mostly 0 or missing. It may also be a column that `exclude` of
#'   [mltask()] left out. A feature is nearly constant if at most 5 % of its variance are within the values. Both
#'   variances are divided by their degrees of freedom, so that values of one row do not count. For categories, it is
#'   the variance of their indicators. Of several such columns, the one with most such features is named, then the one
#'   with the fewest values.
#'
#' Give the column as `group` of [mltask()] if its values are what rows have in common. If no column says which rows
#' belong together, but equal rows do, such as repeated measurements of one sample, number the equal rows of the
#' features `x`, a data frame: `key <- do.call(paste, c(x, sep = "|"))`, then `group = match(key, unique(key))`.
#'
#' `"counts"` is of rows that stand for several cases each: their weights are whole numbers, a third of them or more
#' equal an earlier row in all features, and no two have the same targets as well, as in `as.data.frame(Titanic)`. Such
#' a cell is on one side of a split, so models are tested on cells that they have not seen, and look worse than they
#' are. Repeat each row as often as its weight says, and leave out the weights. The other two problems are then not
#' looked for.
#'
#' @param task (`mltask`) The data; for `check_task()` also a source, see [chunk_source()].
#' @return `check_task()` gives a data frame with the columns `feature` (name; `NA` for repeated rows and cells),
#'   `problem` and `detail`, a row for each problem in the order of the features, those of rows last. `drop_features()`
#'   gives a task without the features that have one of the problems; it is an error if no feature is left.
#' @family tasks
#' @examples
#' x <- data.frame(id = 1:30, a = rep(1:3, 10), b = rep(1:3, 10), c = 0)
#' task <- mltask(x, data.frame(label = rep(0:1, 15)))
#' check_task(task)
#' drop_features(task, c("id", "duplicate"))
#' @export
check_task <- function(task) UseMethod("check_task")

#' @export
check_task.default <- function(task) check_mltask(task)

#' @rdname check_task
#' @export
check_task.mltask <- function(task) {
  check_mltask(task)
  features <- rbind(feature_problems(task), gap_problems(task))
  features <- features[order(match(features$feature, colnames(task$x))), ]
  renumbered(rbind(features, row_problems(task)))
}

feature_problems <- function(task) problem_table(colnames(task$x), find_problems(task_facts(task)))

problem_table <- function(names, found) {
  order <- order(found$index, match(found$problem, problem_names))
  renumbered(data.frame(feature = names[found$index], problem = found$problem, detail = found$detail)[order, ])
}

#' @rdname check_task
#' @param what Which problems: some of `"id"`, `"levels"`, `"constant"`, `"duplicate"`, `"target_copy"`, `"gaps"`.
#'   Features with many levels and gaps are kept unless `"levels"` and `"gaps"` are among them.
#' @export
drop_features <- function(task, what = c("id", "constant", "duplicate", "target_copy")) {
  check_mltask(task)
  all_names <- c(problem_names, "gaps")
  odd <- if (is.character(what)) setdiff(what, all_names)
  if (!is.character(what) || length(what) == 0L || length(odd) > 0L) {
    abort(c("{.arg what} must be some of {.val {all_names}}.",
      x = "It {if (length(odd) > 0L) \"has\" else \"is\"} {describe(if (length(odd) > 0L) odd[1L] else what)}."))
  }
  found <- find_problems(task_facts(task))
  dropped <- unique(c(found$index[found$problem %in% what],
    if ("gaps" %in% what) match(gap_problems(task)$feature, colnames(task$x))))
  if (length(dropped) == 0L) return(task)
  left <- setdiff(seq_len(ncol(task$x)), dropped)
  if (length(left) == 0L) abort(c("{.fn drop_features} must leave at least one feature.",
    x = "All {length(dropped)} feature{?s} {?has/have} one of the problems {.val {what}}.",
    i = "{.fn check_task} lists them."))
  task[, left]
}

# Reports once, when the task is made, what may mislead selectors. `known`: names of features whose use the user chose
# with `discrete`.
report_traps <- function(task, known = NULL) {
  constant <- which(cpp_constant_columns(task$x))
  report_constants(task, constant)
  chosen <- match(known, colnames(task$x))
  numbers <- if (nrow(task$x) >= 20L) cpp_row_numbers(task$x)
  ids <- id_columns(numbers$kind, nrow(task$x))
  report_numbers(task, c(ids, chosen))
  report_weights(task)
  # With few rows, columns may agree by chance.
  if (nrow(task$x) < 20L) return(task)
  many <- setdiff(many_level_columns(task), c(ids, chosen))
  report_columns(colnames(task$x), setdiff(ids, chosen), many, named_copies(task, constant),
    "{.fn check_task} lists them, {.fn drop_features} removes them.", grouped = !is.null(task$rows$group),
    levels = if (is.data.frame(task$x)) lapply(task$x, levels))
  task
}

# `levels`: of all features, in their order.
report_columns <- function(names, ids, many, copies, advice, grouped, levels) {
  if (length(ids) + length(many) + length(copies) == 0L) return(invisible())
  is_time <- function(text) inherits(as_times(text), c("Date", "POSIXct"))
  written_as <- function(what, looks, converts) {
    at <- Filter(function(f) length(levels[[f]]) > 0L && all(looks(levels[[f]])), c(ids, many))
    rest <- paste0(" ", what, " as text: ", converts, " makes quantities of them")
    trap(names[at], paste0("holds", rest), paste0("hold", rest))
  }
  formats <- unique(unlist(lapply(Filter(\(text) !is_time(text), levels[c(ids, many)]), date_format)))
  inform(c(
    "!" = trap(names[ids], "identifies the rows", "identify the rows"),
    "!" = trap(names[many], "has many levels for its rows", "have many levels for their rows"),
    "!" = trap(names[copies], "is a copy of a target", "are copies of targets"),
    i = paste("Many selectors rank such features first.", advice),
    i = if (length(many) > 0L) paste("If the levels matter, merge some, or use {.code sel_mim(adjust = \"chance\")},",
      "which allows for their number."),
    i = if (length(many) > 0L && !grouped) paste("If rows with the same level belong together, such as visits of a",
      "patient, say so: {.code group = {deparse1(names[many][1L])}}."),
    i = written_as("numbers", is_decimal, "{.code as.numeric(as.character())}"),
    i = written_as("numbers with commas, spaces or signs", are_written_numbers,
      "{.fn as.numeric}, once {.fn gsub} has replaced these,"),
    i = trap(names[Filter(\(f) is_prose(levels[[f]]), c(ids, many))], "holds text", "hold text") |> paste0(
      " A table of words, with a row for each text, has features: {.code mltask(words, y)}.", recycle0 = TRUE),
    i = written_as("dates", is_time, "{.code as.numeric(as.POSIXct())}"),
    stats::setNames(vapply(formats, function(format) {
      written_as("dates", \(text) !is_time(text) && identical(date_format(text), format),
        paste0("{.code as.numeric(as.Date(x, format = \"", format, "\"))}"))
    }, ""), rep("i", length(formats)))
  ))
}

is_prose <- function(text) length(text) > 0L && mean(lengths(strsplit(text, " +"))) >= 5

# The format of dates as text, the day before the month if both fit; NULL for other text.
date_format <- function(text) {
  orders <- c("%d?%m?%Y", "%m?%d?%Y", "%Y?%m?%d", "%d?%b?%Y", "%b?%d, %Y", "%d?%m?%y", "%m?%d?%y")
  digits <- c(d = "[0-9]{1,2}", m = "[0-9]{1,2}", Y = "[0-9]{4}", y = "[0-9]{2}", b = "[[:alpha:]]+")
  fits <- function(format, text) {
    pattern <- gsub(".", "[.]", format, fixed = TRUE)
    for (part in names(digits)) pattern <- gsub(paste0("%", part), digits[[part]], pattern, fixed = TRUE)
    all(grepl(paste0("^", pattern, "( |$)"), text)) && !anyNA(as.Date(text, format))
  }
  formats <- unlist(lapply(c(".", "/", "-", " "), gsub, pattern = "?", x = orders, fixed = TRUE))
  if (length(text) > 0L) Find(function(format) fits(format, text[1L]) && fits(format, text), formats)
}

# Targets and features without information. Rows of weight 0 count as absent.
report_constants <- function(task, constant) {
  if (any(task$rows$weights == 0)) {
    task <- task[task$rows$weights > 0, ]
    constant <- which(cpp_constant_columns(task$x))
  }
  if (nrow(task$x) < 2L) return(invisible())
  tell_constant("target", colnames(task$targets), setdiff(seq_len(ncol(task$targets)), varying(task$targets)))
  tell_constant("feature", colnames(task$x), constant)
}

# Says '2 of 5 targets ("a", "b") do not vary and have no information.' if there are such. `at`: their positions.
tell_constant <- function(what, names, at, one = "does not vary and has no information",
                          more = "do not vary and have no information") {
  n <- length(at)
  if (n == 0L) return(invisible())
  inform(c("!" = paste0(format_count(n), " of ", counted(length(names), what), " (", some_names(names[at]), ") ",
    if (n == 1L) one else more, ".")))
}

# Integers that are used as numbers, except for `known` columns.
report_numbers <- function(task, known) {
  numbers <- setdiff(which(integer_columns(task$x) & !task$discrete), known)
  if (length(numbers) == 0L) return(invisible())
  inform(c(i = trap(colnames(task$x)[numbers], "is used as a number", "are used as numbers", "Integer feature"),
    " " = "{.arg discrete} of {.fn mltask} says otherwise."))
}

# Weights whose column was left among the features.
report_weights <- function(task) {
  if (!is.data.frame(task$x) || length(unique(task$rows$weights)) < 2L) return(invisible())
  same <- which(vapply(task$x, function(x) is.numeric(x) && isTRUE(all(x == task$rows$weights)), NA))
  if (length(same) == 0L) return(invisible())
  inform(c("!" = trap(names(task$x)[same], "has the weights of the rows", "have the weights of the rows"),
    i = "To take it out of the features, name it in {.arg weights} or {.arg exclude}."))
}

# 'Features "a", "b", "c", ... have it', or NULL if there are none.
trap <- function(columns, one, more, noun = "Feature") {
  n <- length(columns)
  if (n == 0L) return(NULL)
  paste0(noun, if (n > 1L) "s", " ", some_names(columns), " ", if (n == 1L) one else more, ".")
}

# '"a", "b", "c", ...' as text for cli, so braces are doubled.
some_names <- function(names) {
  shown <- gsub("([{}])", "\\1\\1", encodeString(utils::head(names, 3L), quote = "\""))
  paste0(paste(shown, collapse = ", "), if (length(names) > 3L) ", ...")
}

# Features that are copies of targets. In a pattern, only features with as many ones as some label has, or lacks, are
# compared.
named_copies <- function(task, constant) {
  at <- seq_len(ncol(task$x))
  if (is_pattern(task$x) && task_kind(task) == "label") {
    ones <- rows_with(task$targets)
    at <- which(diff(task$x@p) %in% c(ones, nrow(task$x) - ones))
    if (length(at) == 0L) return(at)
    if (length(at) < ncol(task$x)) task$x <- task$x[, at, drop = FALSE]
  }
  classes <- switch(task_kind(task), label = 2L, class = max(vapply(task$targets$values, nlevels, 0L)),
    numeric = most_classes)
  at[copies_of_targets(copy_facts(task, classes + 1L, task_kind(task) == "numeric", which(at %in% constant)))$index]
}

# Features that are known, or missing, only where a label or class has one value, as check_task() lists them; NULL if
# there are none.
gap_problems <- function(task) {
  if (task_kind(task) == "numeric" || length(cpp_find_missing(task$x)) == 0L) return(NULL)
  if (any(task$rows$weights == 0)) task <- task[task$rows$weights > 0, ]
  x <- task$x
  gaps <- columns_with_gaps(x)
  values <- with_indicators(task$targets)
  # How many of the rows `at` know each label, and how many have it.
  count <- function(at) {
    unknown <- if (is.null(task$targets$unknown)) 0 else Matrix::crossprod(task$targets$unknown, as.double(at))
    cbind(all = sum(at) - as.vector(unknown), on = as.vector(Matrix::crossprod(values$on, as.double(at))))
  }
  # Rows of a group are no evidence of their own.
  first <- if (!is.null(task$rows$group)) !duplicated(task$rows$group)
  every <- count(rep(TRUE, nrow(x)))
  drawn <- if (is.null(first)) every else count(first)
  limit <- log(1e-6) - log(length(gaps) * nrow(every))
  do.call(rbind, lapply(gaps, function(f) {
    known <- !is.na(dense_column(x, f))
    here <- count(known)
    some <- if (is.null(first)) here else count(known & first)
    # The logarithm of the chance that all of these rows have, or lack, the label.
    chances <- function(here, some) {
      chance <- function(of) lchoose(of, some[, "all"]) - lchoose(drawn[, "all"], some[, "all"])
      cbind(ifelse(here[, "on"] == here[, "all"], chance(drawn[, "on"]), 0),
        ifelse(here[, "on"] == 0, chance(drawn[, "all"] - drawn[, "on"]), 0))
    }
    sides <- list(known = chances(here, some), missing = chances(every - here, drawn - some))
    side <- names(which.min(vapply(sides, min, 0)))
    at <- arrayInd(which.min(sides[[side]]), dim(sides[[side]]))
    if (sides[[side]][at] > limit) return(NULL)
    data.frame(feature = colnames(x)[f], problem = "gaps", detail = paste(side, "only where", values$says[at]))
  }))
}

# list(on, says): labels, or classes as a label for each level, and what it says that a row has, or lacks, each.
with_indicators <- function(targets) {
  names <- colnames(targets)
  if (targets$kind == "label") {
    return(list(on = targets$values, says = cbind(paste(names, "is 1"), paste(names, "is 0"))))
  }
  levels <- lapply(targets$values, levels)
  list(
    on = do.call(cbind, lapply(unname(as.list(targets$values)), function(y) {
      pattern_of(seq_along(y), as.integer(y), c(length(y), nlevels(y)))
    })),
    says = matrix(paste(rep(names, lengths(levels)), rep(c("is", "is not"), each = sum(lengths(levels))),
      unlist(levels)), ncol = 2L)
  )
}

# Says what gap_problems() found, and returns it as a sentence.
report_gaps <- function(found) {
  if (is.null(found)) return(character())
  said <- first_of(paste0(found$feature, " is ", found$detail))
  inform(c("!" = gsub("([{}])", "\\1\\1", said),
    i = "If these values come with the target, or after it, they give it away: leave them out with {.arg exclude}."))
  paste(said, given_away)
}

given_away <- "If these values come with the target, or after it, they give it away."

# "a, b, c, and 2 more."
first_of <- function(said) {
  more <- length(said) - 3L
  paste0(paste(utils::head(said, 3L), collapse = ", "), if (more > 0L) paste(", and", more, "more"), ".")
}

problem_names <- c("id", "levels", "constant", "duplicate", "target_copy")

# Columns with more different values are compared by their values.
most_classes <- 1024L

# What find_problems() needs: positions of features, and what tells copies. `targets`: partitions of the targets, and
# where labels are unknown, also those with 0 there. same(f, of, g, recoded): whether features f are really copies of
# the features (`of` 0) or targets (`of` 1 or 2) g.
task_facts <- function(task) {
  x <- task$x
  n <- nrow(x)
  numbers <- cpp_row_numbers(x)
  ids <- id_columns(numbers$kind, n)
  many <- setdiff(many_level_columns(task), ids)
  facts <- copy_facts(task, most_classes)
  distinct <- numbers$count
  distinct[many] <- vapply(many, function(f) length(unique(dense_column(x, f))), 0L)
  c(list(n = n, ids = ids, many = many, distinct = distinct), facts)
}

copy_facts <- function(task, most, with_values = TRUE, constant = which(cpp_constant_columns(task$x))) {
  x <- task$x
  y <- list(shown_targets(task$targets), if (!is.null(task$targets$unknown)) task$targets$values)
  list(constant = constant, features = cpp_partitions(x, most, with_values),
    targets = lapply(y, function(side) if (!is.null(side)) cpp_partitions(side, most_classes, TRUE)),
    target_names = colnames(task$targets), feature_names = colnames(x),
    in_order = features_in_order(task),
    same = function(f, of, g, recoded) cpp_same_partition(x, f, if (of == 0L) x else y[[of]], g, recoded),
    levels = if (is.data.frame(x)) lapply(x, levels),
    target_levels = if (is.data.frame(task$targets$values)) lapply(task$targets$values, levels))
}

# list(index, problem, detail).
find_problems <- function(facts) {
  twins <- copies_among_features(facts)
  copies <- copies_of_targets(facts)
  several <- c(facts$ids, facts$many)
  list(
    index = c(several, facts$constant, twins$index, copies$index),
    problem = rep(problem_names, c(length(facts$ids), length(facts$many), length(facts$constant), length(twins$index),
      length(copies$index))),
    detail = c(paste(facts$distinct[several], "values in", facts$n, "rows", recycle0 = TRUE),
      rep("one value", length(facts$constant)), twins$detail, copies$detail)
  )
}

# A number for each column that copies have too: of its partition, or of its values if only equal ones make a copy.
copy_keys <- function(columns) ifelse(columns$by_value, -columns$values, columns$alike)

copies_among_features <- function(facts) {
  keys <- copy_keys(facts$features)
  first <- match(keys, keys)
  at <- setdiff(which(first != seq_along(first)), facts$constant)
  confirmed(facts, at, 0L, first[at], facts$features, facts$feature_names, facts$levels)
}

copies_of_targets <- function(facts) {
  found <- NULL
  for (of in which(!vapply(facts$targets, is.null, NA))) {
    target <- facts$targets[[of]]
    first <- match(copy_keys(facts$features), copy_keys(target))
    at <- setdiff(which(!is.na(first)), c(facts$constant, found$index))
    more <- confirmed(facts, at, of, first[at], target, facts$target_names, facts$target_levels)
    found <- Map(c, found %||% list(index = NULL, detail = NULL), more)
  }
  more <- facts$in_order
  more <- lapply(more, `[`, !more$index %in% found$index)
  if (length(more$index) > 0L) Map(c, found, more) else found
}

# list(index, detail): features in the order of a numeric target, or against it, with at least half as many different
# values. Where the rows are sorted by the target, other features may be sorted too: only linear functions of it count.
features_in_order <- function(task) {
  if (task_kind(task) != "numeric" || is_pattern(task$x)) return(NULL)
  x <- task$x
  number <- if (is.data.frame(x)) vapply(x, \(column) is.numeric(column) || is.ordered(column), NA)
  else rep(TRUE, ncol(x))
  targets <- as.matrix(shown_targets(task$targets))
  found <- do.call(rbind, lapply(seq_len(ncol(targets)), function(g) {
    y <- as.double(targets[, g])
    rows <- order(y, na.last = NA)
    first <- rows[!duplicated(y[rows])]
    if (length(rows) < 20L || length(first) < 12L) return(NULL)
    is_sorted <- identical(rows, sort(rows)) || identical(rows, sort(rows, decreasing = TRUE))
    # A dozen rows tell nearly all other features, and the number of stored values most sparse ones.
    some <- first[round(seq(1, length(first), length.out = 12))]
    at <- if (is_sparse(x)) which(2 * diff(x@p) + 2 >= length(first)) else which(number)
    steps <- diff(if (is.data.frame(x)) vapply(x[at], \(column) as.double(column[some]), double(12))
    else as.matrix(x[some, at, drop = FALSE]))
    maybe <- at[which((colSums(steps < 0) == 0 | colSums(steps > 0) == 0) & colSums(steps != 0) >= 5)]
    how <- vapply(maybe, function(f) {
      v <- as.double(dense_column(x, f))[rows]
      if (anyNA(v) || 2 * length(unique(v)) < length(first)) return("")
      # Squares may overflow where R has no long double.
      if (isTRUE(stats::cor(v, y[rows])^2 > 1 - 1e-9)) return("linear in")
      if (is_sorted) return("")
      if (!is.unsorted(v[order(y[rows], v)])) "in the order of"
      else if (!is.unsorted(-v[order(y[rows], -v)])) "against the order of" else ""
    }, "")
    data.frame(index = maybe, detail = paste(how, colnames(targets)[g], recycle0 = TRUE))[nzchar(how), ]
  }))
  as.list(found[!duplicated(found$index), ])
}

# list(index, detail): of the features `f`, those that are copies of the columns g of the side `of`.
confirmed <- function(facts, f, of, g, side, names, levels) {
  equal <- facts$features$values[f] == side$values[g]
  same_levels <- vapply(seq_along(f), function(i) identical(facts$levels[[f[i]]], levels[[g[i]]]), NA)
  true <- facts$same(f, of, g, !equal) & (same_levels | !facts$features$by_value[f])
  opposite <- facts$features$zero_one[f] & side$zero_one[g]
  word <- ifelse(equal & same_levels, "equal to", ifelse(opposite, "the opposite of", "a recoding of"))
  list(index = f[true], detail = paste(word, names[g], recycle0 = TRUE)[true])
}

# Discrete features with so many levels that they look informative by chance.
many_level_columns <- function(task) {
  if (nrow(task$x) < 20L) return(integer())
  cpp_with_more_values(task$x, which(task$discrete), few_levels(nrow(task$x)))
}

# Factors with a unique level in most rows, and whole numbers that number the rows. `kind`: see RowNumbers.
id_columns <- function(kind, n) {
  if (n < 20L) return(integer())
  # Several columns with different orders are ranks.
  running <- if (sum(kind == "unsorted") > 1L) "sorted" else c("sorted", "unsorted")
  which(kind %in% c("categories", running))
}

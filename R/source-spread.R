#' Rows that are spread over processes and machines
#'
#' `spread_source()` makes a source of rows that lie in several parts, such as files. Each part is read once, by a
#' worker that keeps its rows in memory. From then on workers send only tables of counts, which add up. The result is
#' that of one process with all rows, to the last bit, however many parts and workers there are.
#'
#' [sift_features()], [count_tables()], [extend_selection()], [candidate_scores()] and [check_task()] take it like any
#' other source, see [chunk_source()].
#'
#' # Workers
#' Workers are daemons of the package mirai or workers of the package future. Start them first, on this machine or on
#' others, as these packages describe: `mirai::daemons(4)`, or `mirai::daemons(url = , remote = )` with
#' `mirai::ssh_config()` or `mirai::cluster_config()`, or `future::plan("cluster", workers = )`. `"auto"` uses daemons
#' if there are any, otherwise a plan of future that is not sequential, otherwise this process. The plan must be
#' `"multisession"` or `"cluster"`, because the workers of other plans end after each task.
#'
#' A part goes to the first worker that is free, and stays there. Tasks among the parts are sent to it once; everything
#' else is read by the worker itself. Make more parts than workers, of about the same size, and wait until all workers
#' are connected (`mirai::status()`). Every question goes to all workers, so a worker that is busy with something else
#' makes a selection wait. All workers need the same build of this package as this process.
#'
#' `threads` of [sift_features()] is the number of threads on each machine, which its workers share.
#'
#' Workers keep the rows until the source has been removed from this session, its memory has been collected (see
#' [gc()]), and they get their next question. If a source is saved, its parts are read again in the next session.
#'
#' # What can go wrong
#' If a worker is lost, other workers read its parts again, and must find the same rows there. If a part fails twice,
#' the error names the part and the cause. An interrupt stops the workers' work but leaves them alive, and
#' [last_selection()] returns the features that were selected before.
#'
#' All parts must have the same features and targets, in any order, and targets of the same kind. All of them must have
#' weights, or none, and likewise groups. Factors may lack levels, and class targets classes, that other parts have. A
#' part without rows is an error.
#'
#' # Costs
#' A worker holds the rows of its parts, and while it reads a LIBSVM file, the numbers in it once more. For greedy
#' selectors it also keeps the levels of all features by row, in up to 512 MB (the option `mlsift.chunk_bytes`, in
#' bytes). Rows beyond that are discretized again in every step.
#'
#' The first pass sends a few numbers for each feature and part, and the values of features that seem to number the
#' rows. In each step of a greedy selector, every worker gets a message, which takes milliseconds, and returns a table
#' of integers: levels of all features x levels of the feature just selected x (1 + targets that vary), where one level
#' of each feature is left out. Workers of future take some 10 times as long for a message as daemons of mirai.
#'
#' @param parts A list of tasks or sources, or names of files. With `read`, anything that it takes. Names are used in
#'   messages. The rows of the parts stand one after the other, for example for `folds` of [count_tables()].
#' @param read A function of one part that returns a task or a source. It is called where the part is read, so it must
#'   find files there and open its own connections, and must not use variables of this session. `NULL` takes tasks and
#'   sources as they are, and reads files with [read_chunks()].
#' @param workers Who reads and counts: `"none"` is this process. See below.
#' @return A source, see [chunk_source()].
#'
#'   Errors have the class `mlsift_error`, and name the part.
#' @family sources
#' @examples
#' files <- file.path(tempdir(), paste0("part-", 1:3, ".csv"))
#' rows <- split(1:150, rep(1:3, 50))
#' for (i in 1:3) write.csv(iris[rows[[i]], ], files[i], row.names = FALSE)
#' source <- spread_source(files, read = function(file) read_chunks(file, targets = "Species"))
#' source
#' sift_features(source, sel_scls(), k = 3)
#' @export
spread_source <- function(parts, read = NULL, workers = c("auto", "mirai", "future", "none")) {
  workers <- check_choice(workers)
  if (!is.null(read) && !is.function(read)) abort_value(read, "a function",
    i = "It takes one part, and returns a task or a source.")
  spread <- new_spread(as_parts(parts, read), part_names(parts), read, workers)
  if (backend_of(workers)$kind != "none") check_sendable(spread)
  local_progress("Reading parts")
  backend <- spread_backend(spread)
  read_parts(spread, seq_along(spread$parts), backend)
  agreed <- agree_on_parts(spread)
  share(spread, agreed = agreed)
  spread$hashes <- by_part(ask_parts(spread, "settle", NULL, 1L))
  n_rows <- sum(vapply(spread$facts, `[[`, 0, "rows"))
  source <- new_mlsource(NULL, agreed$features, agreed$targets, n_rows, counted(length(spread$parts), "part"),
    agreed$discrete, agreed$name, kind = agreed$kind, classes = agreed$classes, codes = list(), given = agreed$given,
    counter = spread_counter)
  source$spread <- spread
  source
}

# --- the parts --------------------------------------------------------------------------------------------------------

as_parts <- function(parts, read) {
  if (is.character(parts)) parts <- as.list(unname(parts))
  if (!is.list(parts) || is.object(parts) || length(parts) == 0L) {
    abort_value(parts, "a list of tasks or sources, or names of files",
      i = if (inherits(parts, c("mltask", "mlsource"))) "Make a list of them: {.code list(task1, task2)}.")
  }
  for (i in seq_along(parts)) {
    part <- parts[[i]]
    file <- is.character(part) && length(part) == 1L && !is.na(part)
    if (file && file.exists(part) && !dir.exists(part)) parts[[i]] <- normalizePath(part)
    fits <- !is.null(read) || file || inherits(part, "mltask") || inherits(part, "mlsource") && is.null(part$spread)
    if (!fits) abort(c("Part {i} must be a task, a source or the name of a file.", x = "It is {describe(part)}.",
      i = "{.arg read} can make a task or a source of something else."))
  }
  unname(parts)
}

# The names that messages use, NA for none.
part_names <- function(parts) {
  given <- rlang::names2(parts)
  of_file <- vapply(parts, function(part) if (is.character(part) && length(part) == 1L) part else NA_character_, "")
  unname(ifelse(nzchar(given), given, of_file))
}

# External pointers, such as database connections, mean nothing in other processes.
check_sendable <- function(spread) {
  for (i in which(!vapply(spread$parts, inherits, NA, "mltask"))) {
    pointer <- FALSE
    serialize(list(spread$parts[[i]], spread$read), NULL, refhook = function(x) {
      pointer <<- pointer || typeof(x) == "externalptr"
      NULL
    })
    if (pointer) {
      abort(c("{name_of_part(spread, i)} cannot be sent to a worker.", x = "It holds a connection or another pointer.",
        i = "Give names as {.arg parts}, and let {.arg read} connect."))
    }
  }
}

# What all parts have in common: list(features, targets, kind, classes, levels, discrete, given, name, unknown).
agree_on_parts <- function(spread) {
  facts <- spread$facts
  first <- facts[[1L]]
  for (i in seq_along(facts)) {
    check_part_names(spread, i, "features", "feature")
    check_part_names(spread, i, "targets", "target")
    check_part_targets(spread, i)
    check_part_fields(spread, i)
  }
  if (sum(vapply(facts, `[[`, 0, "counted")) == 0) abort_no_weight()
  if (sum(vapply(facts, `[[`, 0, "rows")) > 2^53) abort("Parts must have at most 2^53 rows.")
  flags <- do.call(cbind, lapply(facts, function(one) one$discrete[match(first$features, one$features)]))
  names <- unique(lapply(facts, `[[`, "name"))
  list(
    features = first$features, targets = first$targets, kind = first$kind, classes = common_classes(facts),
    levels = common_levels(spread), discrete = ifelse(rowSums(flags != flags[, 1L]) %in% 0, flags[, 1L], NA),
    given = first$given, name = if (length(names) == 1L) names[[1L]],
    unknown = any(vapply(facts, `[[`, NA, "unknown"))
  )
}

check_part_names <- function(spread, i, side, what) {
  expected <- spread$facts[[1L]][[side]]
  found <- spread$facts[[i]][[side]]
  lacking <- setdiff(expected, found)
  if (length(lacking) + length(setdiff(found, expected)) == 0L) return(invisible())
  problem <- if (length(lacking) > 0L) "has no {what} {.val {lacking[1]}}, which {name_of_part(spread, 1)} has"
  else "has a {what} {.val {setdiff(found, expected)[1]}}, which {name_of_part(spread, 1)} lacks"
  abort(c("All parts must have the same {what}s.", x = paste0("{name_of_part(spread, i)} ", problem, "."),
    i = "{.arg read} can leave out columns."))
}

# Labels that are spelled in some way must be spelled so in all parts.
check_part_targets <- function(spread, i) {
  first <- spread$facts[[1L]]
  found <- spread$facts[[i]]
  if (first$kind != found$kind) abort(c("All parts must have targets of one kind.",
    x = "They are of kind {.val {first$kind}} in {name_of_part(spread, 1)}, and {.val {found$kind}} in
      {name_of_part(spread, i)}.", i = "Say what they are where {.arg read} reads them, by {.arg kind}."))
  spelled <- function(facts, target) {
    codes <- if (length(facts$codes) > 0L) facts$codes[[match(target, facts$targets)]]
    codes <- codes %||% plain_codes
    codes[!names(codes) %in% names(plain_codes)]
  }
  for (target in if (found$kind == "label") first$targets) {
    here <- spelled(first, target)
    there <- spelled(found, target)
    both <- intersect(names(here), names(there))
    same <- (length(here) == 0L) == (length(there) == 0L) && all(here[both] == there[both])
    if (!same) abort(c("The labels of all parts must be written alike.",
      x = "{.val {target}} is written in other words in {name_of_part(spread, i)} than in {name_of_part(spread, 1)}.",
      i = "Say which value means on where {.arg read} reads them, by {.arg on}."))
  }
}

check_part_fields <- function(spread, i) {
  first <- spread$facts[[1L]]$given
  found <- spread$facts[[i]]$given
  field <- names(first)[first != found[names(first)]][1L]
  if (is.na(field)) return(invisible())
  what <- row_words[[field]]
  has <- function(given) paste(if (given[[field]]) "has" else "has no", what)
  abort(c("All parts must have {what}, or none.",
    x = "{name_of_part(spread, 1)} {has(first)}, and {name_of_part(spread, i)} {has(found)}."))
}

# Sorted where they are sorted in all parts, as in one process.
all_values <- function(values) {
  all <- unique(unlist(values))
  sorted <- function(values) sort(values, method = "radix")
  if (all(vapply(values, function(some) identical(some, sorted(some)), NA))) sorted(all) else all
}

common_classes <- function(facts) {
  if (facts[[1L]]$kind != "class") return(NULL)
  lapply(stats::setNames(nm = facts[[1L]]$targets), function(target) {
    all_values(lapply(facts, function(one) one$classes[[match(target, one$targets)]]))
  })
}

# The levels of each feature, NULL where it is no factor.
common_levels <- function(spread) {
  features <- spread$facts[[1L]]$features
  found <- lapply(spread$facts, function(one) {
    if (is.null(one$levels)) vector("list", length(features)) else unname(one$levels)[match(features, one$features)]
  })
  lapply(seq_along(features), function(f) {
    of_parts <- lapply(found, `[[`, f)
    is_factor <- lengths(of_parts) > 0L
    if (!any(is_factor)) return(NULL)
    if (!all(is_factor)) abort(c("A feature must have the same type in all parts.",
      x = "{.val {features[f]}} holds text in {name_of_part(spread, which(is_factor)[1])}, and numbers in
        {name_of_part(spread, which(!is_factor)[1])}.", i = "Let {.arg read} make them alike."))
    all_values(of_parts)
  })
}

# --- counting ---------------------------------------------------------------------------------------------------------

# See chunk_counter(). The workers count, and their tables are added here.
spread_counter <- function(source, seen, threads) {
  spread <- source$spread
  agreed <- spread$shared$agreed
  counted <- vapply(spread$facts, `[[`, 0, "counted")
  seen$counted <- sum(counted)
  seen$known <- TRUE
  seen$unknown <- agreed$unknown
  seen$levels <- if (any(lengths(agreed$levels) > 0L)) agreed$levels
  numbers <- as.character(seq_along(counted))
  ask <- function(what, ...) ask_parts(spread, what, list(...), threads)
  add <- function(a, b) cpp_add_counts(a, b, FALSE)
  list(
    summary = function(most, inspect) {
      parts <- ask("summary", most = most, inspect = inspect(source, seen), n_rows = sum(counted),
        before = stats::setNames(as.list(cumsum(counted) - counted), numbers))
      cpp_join_summaries(by_part(parts), most, most_levels)
    },
    tables = function(levels, sets, pairs) Reduce(add, ask("tables", levels = levels, sets = sets, pairs = pairs)),
    groups = function(levels, folds, sets, pairs) {
      if (!is.null(folds)) {
        rows <- vapply(spread$facts, `[[`, 0, "rows")
        folds <- stats::setNames(split(as.character(folds), rep(seq_along(rows), rows)), numbers)
      }
      Reduce(add_groups, ask("groups", levels = levels, folds = folds, sets = sets, pairs = pairs))
    },
    joint = function(levels) list(parts = function(indicator, target) {
      share(spread, layout = list(levels = levels, indicator = indicator, target = target,
        most_bytes = getOption("mlsift.chunk_bytes", 512 * 2^20)))
      function(s, begin, end, sides) until_interrupt(ask("pairs", s = s, begin = begin, end = end, sides = sides))
    })
  )
}

# Values that workers gave by part, in the order of the parts.
by_part <- function(answers) {
  all <- do.call(c, answers)
  unname(all[order(as.integer(names(all)))])
}

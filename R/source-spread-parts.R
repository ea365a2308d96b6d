# Rows of a spread source where they are read and counted: in a worker, or in this process. A worker keeps the rows of
# its parts until the source is gone. Kept rows are list2env(parts, shared, version, layout): `parts` by number, and
# `shared` what the parts have in common, as of `version`. `layout`: see cpp_pair_layout(), with coded rows; NULL before
# the first question about pairs.

# The process that keeps some rows.
own_token <- function() paste(unlist(own_process()), collapse = " ")

# The rows that are kept here for a source. `owner`: the process with the source; `live`: its sources that still exist.
kept_rows <- function(id, owner, live) {
  for (other in names(process_state$spread)) {
    gone <- identical(process_state$spread[[other]]$owner, owner) && !other %in% c(live, id)
    if (gone) drop_rows(other)
  }
  if (is.null(process_state$spread[[id]])) process_state$spread[[id]] <- list2env(list(owner = owner, parts = list()))
  process_state$spread[[id]]
}

# Gives the memory of rows back. Where a part is an object, or was read by a function of the user's, others may have its
# rows: they are left to the garbage collector.
drop_rows <- function(id) {
  rows <- process_state$spread[[id]]
  process_state$spread[[id]] <- NULL
  own <- Filter(\(part) part$own, rows$parts)
  for (part in own) for (chunk in part$chunks) for (side in chunk[c("x", "y")]) {
    lapply(attributes(side), cpp_give_back)
  }
  drop_layout(rows)
}

drop_layout <- function(rows) {
  if (!is.null(rows$layout)) cpp_drop_layout(rows$layout)
  rows$layout <- NULL
}

update_shared <- function(rows, shared, version) {
  if (is.null(shared)) return(invisible())
  rows$shared <- shared
  rows$version <- version
  drop_layout(rows)
}

# list(state, token, value or why, warnings), as a worker answers. Messages stay there.
serve_safely <- function(build, code) {
  odd <- other_build(build)
  if (!is.null(odd)) return(list(state = "refused", token = own_token(), why = paste0(own_process()$host, ": ", odd)))
  warnings <- list()
  keep <- function(w) {
    warnings <<- c(warnings, list(conditionMessage(w)))
    rlang::cnd_muffle(w)
  }
  found <- catch_error(
    withCallingHandlers(list(state = "done", value = code), warning = keep, message = rlang::cnd_muffle),
    function(e) list(state = "failed", why = failure_message(e))
  )
  c(found, list(token = own_token(), warnings = warnings))
}

# Reads a part: list(facts, hash), the latter if it is known what the parts have in common.
serve_part <- function(id, owner, live, number, part, read, shared, version, build) {
  serve_safely(build, {
    rows <- kept_rows(id, owner, live)
    update_shared(rows, shared, version)
    rows$parts[[number]] <- read_rows(part, read)
    drop_layout(rows)
    list(facts = rows$parts[[number]]$facts, hash = if (!is.null(shared)) settle_part(rows, number))
  })
}

# Answers a question for the parts that are placed here: list(parts, value, stale). `parts`: those that the answer is
# for. `stale`: the worker has missed what the parts have in common.
serve_question <- function(id, owner, live, placement, ask, args, shared, version, threads, build) {
  serve_safely(build, {
    rows <- kept_rows(id, owner, live)
    update_shared(rows, shared, version)
    parts <- intersect(placement[[own_token()]], names(rows$parts))
    stale <- length(parts) > 0L && !identical(rows$version, version)
    if (stale || length(parts) == 0L) list(parts = character(), stale = stale)
    else list(parts = parts, value = part_questions[[ask]](rows, parts, args, threads[[own_token()]]), stale = FALSE)
  })
}

part_questions <- list(
  settle = function(rows, parts, args, threads) {
    lapply(stats::setNames(nm = parts), function(number) settle_part(rows, number))
  },
  summary = function(rows, parts, args, threads) {
    lapply(stats::setNames(nm = parts), function(number) {
      cpp_source_summary(pass_over(rows, number), common_columns(rows), args$most, most_levels, args$inspect,
        c(args$before[[number]], args$n_rows), threads)
    })
  },
  tables = function(rows, parts, args, threads) {
    n_columns <- common_columns(rows, args$pairs)
    cpp_source_counts(pass_over(rows, parts), args$levels, n_columns, args$sets, args$pairs, threads)
  },
  groups = function(rows, parts, args, threads) {
    n_columns <- common_columns(rows, args$pairs)
    count_groups(pass_over(rows, parts, args$folds)(), args$levels, n_columns, args$sets, args$pairs, threads)
  },
  pairs = function(rows, parts, args, threads) {
    layout <- rows$shared$layout
    if (is.null(rows$layout)) rows$layout <- do.call(cpp_pair_layout, layout)
    chunks <- lapply(rows$parts[parts], `[[`, "chunks")
    cpp_part_pairs(chunks, rows$layout, args$s, args$begin, args$end, args$sides, threads)
  }
)

common_columns <- function(rows, pairs = NULL) n_target_columns(rows$shared$agreed, rows$shared$agreed, pairs)

# Begins a pass over the chunks of some parts. `folds`: for each part, of all its rows, also those of weight 0.
pass_over <- function(rows, parts, folds = NULL) function() {
  chunks <- unlist(lapply(unname(rows$parts[parts]), `[[`, "chunks"), recursive = FALSE)
  of_part <- rep(parts, vapply(rows$parts[parts], function(part) length(part$chunks), 0L))
  i <- 0L
  function() {
    if (i == length(chunks)) return(NULL)
    i <<- i + 1L
    chunk <- chunks[[i]]
    if (!is.null(folds)) chunk$group <- folds[[of_part[i]]][chunk$row]
    chunk
  }
}

# --- reading ----------------------------------------------------------------------------------------------------------

# list(facts, chunks, own): what is known of a part, its rows as chunks for the core, see open_pass(), and whether
# nobody else has them. Its columns, levels and classes are still its own.
read_rows <- function(part, read) {
  process_state$keeps_rows <- TRUE
  on.exit(process_state$keeps_rows <- FALSE)
  source <- source_of_part(part, read)
  seen <- new_seen(source)
  call_on_exit(function() end_passes(seen))
  agree_on_targets(source, seen)
  # Other parts tell whether the core looks for unknown labels. Weights of other parts may be above 0.
  seen$unknown <- seen$in_part <- TRUE
  next_chunk <- open_pass(source, seen)
  chunks <- list()
  while (!is.null(chunk <- next_chunk())) chunks[[length(chunks) + 1L]] <- chunk
  facts <- list(
    features = source$features, targets = source$targets, kind = seen$kind,
    classes = if (seen$kind == "class") seen$classes, codes = seen$codes, levels = seen$levels,
    discrete = source$discrete, given = seen$given, name = source$name, rows = seen$rows, counted = seen$counted,
    unknown = any(!vapply(chunks, function(chunk) is.null(chunk$unknown), NA))
  )
  list(facts = facts, chunks = chunks, own = is.null(read) && is.character(part))
}

source_of_part <- function(part, read) {
  x <- if (!is.null(read)) call_read(read, part) else if (is.character(part)) read_chunks(part) else part
  if (inherits(x, "mltask")) {
    check_mltask(x, "parts")
    check_source_kind(task_kind(x))
    return(source_of_task(x))
  }
  if (inherits(x, "mlsource") && is.null(x$spread)) return(x)
  abort(c("{.arg read} must return a task or a source of rows.", x = "It returned {describe(x)}."))
}

# A function that was sent to a worker finds the functions of this package there.
call_read <- function(read, part) {
  if (!"package:mlsift" %in% search()) {
    attachNamespace("mlsift")
    on.exit(detach("package:mlsift", character.only = TRUE))
  }
  read(part)
}

# Gives the rows of a part the columns, levels and classes that all parts have, and returns a hash of them, by which a
# part that is read again is known.
settle_part <- function(rows, number) {
  part <- rows$parts[[number]]
  agreed <- rows$shared$agreed
  if (is.null(part$hash)) {
    facts <- part$facts
    to <- list(
      x = match(agreed$features, facts$features), y = match(agreed$targets, facts$targets),
      classes = class_places(facts, agreed)
    )
    part$chunks <- lapply(part$chunks, settle_chunk, to = to, facts = facts, agreed = agreed)
    rows$parts[[number]] <- part
    rows$parts[[number]]$hash <- cpp_rows_hash(pass_over(rows, number), common_columns(rows))
  }
  rows$parts[[number]]$hash
}

# For class targets: where each column of a part stands among those of all parts; NULL if there is nothing to move.
class_places <- function(facts, agreed) {
  if (identical(facts$classes, agreed$classes)) return(NULL)
  before <- cumsum(c(0L, lengths(agreed$classes)))[seq_along(agreed$classes)]
  names(before) <- agreed$targets
  unlist(lapply(facts$targets, function(target) {
    before[[target]] + match(facts$classes[[target]], agreed$classes[[target]])
  }))
}

settle_chunk <- function(chunk, to, facts, agreed) {
  if (is.unsorted(to$x)) chunk$x <- chunk$x[, to$x, drop = FALSE]
  own <- if (is.data.frame(chunk$x)) lapply(unname(as.list(chunk$x)), levels)
  for (f in which(!mapply(identical, own, agreed$levels[seq_along(own)]))) {
    column <- chunk$x[[f]]
    chunk$x[[f]] <- factor(agreed$levels[[f]][match(levels(column), agreed$levels[[f]])[column]], agreed$levels[[f]])
  }
  if (!is.null(to$classes)) {
    chunk$y <- pattern_of(chunk$y@i + 1L, rep(to$classes, diff(chunk$y@p)), c(nrow(chunk$y),
      sum(lengths(agreed$classes))))
  } else if (is.unsorted(to$y)) {
    chunk$y <- chunk$y[, to$y, drop = FALSE]
    chunk$unknown <- keep_unknown(chunk$unknown, columns = to$y)
  }
  chunk
}

# Questions to the parts of a spread source, from the process that has it.

# What is known of a spread source: list2env(id, parts, names, read, workers, kind, holder, hosts, losses, facts,
# hashes, shared, version, sent). kind: of the back end that has the rows. holder: by part, the token of the process
# that keeps it, NA if none does. losses: how often a part's worker was lost since it last answered. shared: what the
# workers must know of all parts; version: its number; sent: the number that all workers have been sent.
new_spread <- function(parts, names, read, workers) {
  none <- rep(NA_character_, length(parts))
  spread <- list2env(list(
    id = new_spread_id(), parts = parts, names = names, read = read, workers = workers, kind = "", holder = none,
    hosts = none, losses = integer(length(parts)), facts = vector("list", length(parts)),
    hashes = vector("list", length(parts)), shared = NULL, version = 0, sent = 0
  ), parent = emptyenv())
  reg.finalizer(spread, function(spread) process_state$live_spreads <- setdiff(process_state$live_spreads, spread$id))
  spread
}

# Names that no other source of any process has.
new_spread_id <- function() {
  process_state$spreads <- (process_state$spreads %||% 0L) + 1L
  rlang::hash(list(own_token(), now(), process_state$spreads))
}

share <- function(spread, ...) {
  changed <- list(...)
  if (identical(spread$shared[names(changed)], changed)) return(invisible())
  spread$shared[names(changed)] <- changed
  spread$version <- spread$version + 1
}

# Parts that are lost so often are given up.
most_part_losses <- 2L

# The answers to a question, one from each worker that keeps parts. Parts that no worker has are read before.
ask_parts <- function(spread, ask, args, threads) {
  backend <- spread_backend(spread)
  left <- as.character(seq_along(spread$parts))
  answers <- list()
  missed <- 0L
  while (length(left) > 0L) {
    read_parts(spread, left[is.na(spread$holder[as.integer(left)])], backend)
    replies <- ask_everyone(spread, backend, ask, args, left, threads)
    states <- vapply(replies, `[[`, "", "state")
    stale <- FALSE
    for (reply in replies[states == "done"]) {
      value <- reply$value
      stale <- stale || value$stale
      # A question may reach one worker twice.
      if (length(value$parts) == 0L || !all(value$parts %in% left)) next
      answers <- c(answers, list(value$value))
      left <- setdiff(left, value$parts)
      spread$losses[as.integer(value$parts)] <- 0L
    }
    spread$sent <- if (stale) 0 else spread$version
    missed <- missed + 1L
    if (length(left) == 0L || stale || missed < 3L && !any(states == "lost")) next
    lose_parts(spread, as.integer(left), NULL)
    missed <- 0L
  }
  answers
}

# The workers, which are looked up anew for every question. Rows that are with others are read again.
spread_backend <- function(spread) {
  backend <- backend_of(spread$workers)
  if (backend$kind == "future" && !inherits(future::plan("next"), c("multisession", "cluster"))) {
    abort(c("A plan of {.pkg future} must have workers that stay.", x = "Those of this plan end after each task.",
      i = "Use {.code future::plan(\"multisession\")} or {.code \"cluster\"}, or daemons of {.pkg mirai}."))
  }
  if (backend$kind != spread$kind) {
    drop_rows(spread$id)
    spread$holder[] <- NA
    spread$kind <- backend$kind
    spread$sent <- 0
  }
  process_state$live_spreads <- union(process_state$live_spreads, spread$id)
  backend
}

# What every message to a worker says.
spread_message <- function(spread, serve, ...) {
  list(serve = serve, id = spread$id, owner = own_token(), live = process_state$live_spreads,
    version = spread$version, build = own_build(), ...)
}

ask_everyone <- function(spread, backend, ask, args, left, threads) {
  at <- as.integer(left)
  keepers <- unique(spread$holder[at])
  # Workers on one computer share its threads.
  host <- spread$hosts[match(keepers, spread$holder)]
  share <- as.integer(sign(threads) * pmax(1L, abs(threads) %/% as.vector(table(host)[host])))
  handles <- backend$everyone(spread_message(
    spread, "serve_question", placement = split(left, spread$holder[at]), ask = ask, args = args,
    shared = if (spread$sent != spread$version) spread$shared,
    threads = stats::setNames(as.list(share), keepers)
  ))
  on.exit(for (handle in handles) backend$stop(handle))
  watch <- watch_spread(backend)
  await(function() all(vapply(handles, backend$is_done, NA)), watch)
  replies <- lapply(handles, function(handle) check_reply(backend$value(handle), NULL, spread))
  handles <- list()
  replies
}

# Waits for a condition, at most a tenth too long, and lets interrupts and time limits through. Most answers take less
# time than a look at the daemons.
await <- function(holds, watch) {
  wait <- 0.0005
  while (!holds()) {
    show_progress()
    if (wait >= 0.02) watch()
    Sys.sleep(wait)
    wait <- min(0.02, 1.1 * wait)
  }
}

watch_spread <- function(backend) {
  watch_daemons(backend, function() {
    abort(c("No daemon is connected any more.", i = "Start daemons, and make the same call again."))
  })
}

# Passes warnings on. `number`: of the part that was read, NULL for an answer.
check_reply <- function(reply, number, spread) {
  where <- if (!is.null(number)) paste0(name_of_part(spread, number), ": ")
  for (text in unique(unlist(reply$warnings))) warn("{where}{text}")
  if (reply$state == "refused") {
    abort(c("A worker cannot take part.", x = "{reply$why}.", i = "All workers need the same build of mlsift."))
  }
  if (reply$state == "failed" && is.null(number)) abort(c("A worker could not count its rows.", x = "{reply$why}"))
  reply
}

name_of_part <- function(spread, number) {
  name <- spread$names[number]
  paste0("Part ", number, if (!is.na(name)) paste0(" (", encodeString(name, quote = "\""), ")"))
}

# --- reading ----------------------------------------------------------------------------------------------------------

# Each part is read by the worker that is free first, which keeps it.
read_parts <- function(spread, queue, backend) {
  queue <- as.integer(queue)
  running <- list()
  on.exit(for (one in running) backend$stop(one$handle))
  watch <- watch_spread(backend)
  while (length(queue) + length(running) > 0L) {
    free <- max(0L, backend$capacity() - length(running))
    for (number in utils::head(queue, free)) {
      handle <- start_reading(spread, number, backend)
      if (is.null(handle)) break
      queue <- setdiff(queue, number)
      running <- c(running, list(list(number = number, handle = handle)))
    }
    is_done <- function(one) backend$is_done(one$handle)
    await(function() length(running) == 0L || any(vapply(running, is_done, NA)), watch)
    done <- vapply(running, is_done, NA)
    for (one in running[done]) {
      reply <- check_reply(backend$value(one$handle), one$number, spread)
      if (!keep_reply(spread, one$number, reply, backend)) queue <- c(queue, one$number)
    }
    running <- running[!done]
  }
}

# NULL if a worker has just been lost and future does not know it yet.
start_reading <- function(spread, number, backend) {
  message <- spread_message(spread, "serve_part", number = as.character(number), part = spread$parts[[number]],
    read = spread$read, shared = spread$shared)
  catch_error(backend$start(message), function(e) {
    if (!inherits(e, "FutureError")) abort("{name_of_part(spread, number)} could not be sent.", parent = e)
    lose_parts(spread, number, NULL)
    Sys.sleep(0.5)
    NULL
  })
}

# Whether a part has been read. A part that another worker read before must be the same.
keep_reply <- function(spread, number, reply, backend) {
  if (reply$state != "done") {
    if (backend$kind == "none") spread$losses[number] <- most_part_losses
    lose_parts(spread, number, reply$why)
    return(FALSE)
  }
  found <- reply$value
  changed <- function(before, now) !is.null(before) && !identical(now, before)
  if (changed(spread$facts[[number]], found$facts) || changed(spread$hashes[[number]], found$hash)) abort(c(
    "The parts of a source must not change.",
    x = "{name_of_part(spread, number)} had other rows when it was read again.", i = "Call {.fn spread_source} again."
  ))
  spread$facts[[number]] <- found$facts
  spread$holder[number] <- reply$token
  spread$hosts[number] <- sub(" .*", "", reply$token)
  TRUE
}

# Parts whose worker is gone, or that could not be read because of `why`. They are read again elsewhere, unless that has
# happened before.
lose_parts <- function(spread, numbers, why) {
  spread$holder[numbers] <- NA
  spread$losses[numbers] <- spread$losses[numbers] + 1L
  worst <- numbers[spread$losses[numbers] >= most_part_losses][1L]
  if (is.na(worst)) return(invisible())
  spread$losses[] <- 0L
  name <- name_of_part(spread, worst)
  if (!is.null(why)) abort(c("{name} could not be read.", x = "{why}"))
  abort(c("{name} could not be counted.", x = "Its worker was lost twice.",
    i = "The worker may have run out of memory: make smaller parts."))
}

# Other processes that work for this one: mirai daemons or future workers. A back end is list(kind, is_local, capacity,
# start, everyone, is_done, value, stop). capacity(): how many tasks may be sent at once; start(args) sends one;
# everyone(args) sends one to each worker; value() is what the function `args$serve` of the package returned there, or
# list(state = "lost") if the worker was lost.

choose_backend <- function(workers, folder) {
  backend <- backend_of(check_choice(workers, c("auto", "mirai", "future", "none")))
  kind <- backend$kind
  if (is.null(folder) && kind != "none" && !backend$is_local()) {
    abort(c("{.arg folder} must be given if workers may be on other machines.",
      x = "The workers of {.pkg {kind}} are not known to be on this machine.",
      i = "Name a folder that all of them see under this path."))
  }
  backend
}

backend_of <- function(kind) {
  if (kind == "auto") kind <- if (has_daemons()) "mirai" else if (has_future_plan()) "future" else "none"
  switch(kind, mirai = mirai_backend(), future = future_backend(), here_backend())
}

# This process, which does at once what it is asked.
here_backend <- function() {
  start <- function(args) list(value = do.call(args$serve, args[names(args) != "serve"]))
  list(
    kind = "none", is_local = function() TRUE, capacity = function() 1L, start = start,
    everyone = function(args) list(start(args)), is_done = function(handle) TRUE,
    value = function(handle) handle$value, stop = function(handle) NULL
  )
}

# --- mirai ------------------------------------------------------------------------------------------------------------

has_daemons <- function() isNamespaceLoaded("mirai") && has_package("mirai") && mirai::daemons_set()

mirai_backend <- function() {
  check_package("mirai", "{.code workers = \"mirai\"}")
  if (!mirai::daemons_set()) abort(c("{.code workers = \"mirai\"} needs daemons.", x = "There are none.",
    i = "Start them first, such as {.code mirai::daemons(4)}."))
  list(
    kind = "mirai",
    is_local = function() all(grepl("^(abstract|ipc|inproc):|^(tcp|ws)://(127[.]0[.]0[.]1|localhost):", mirai_urls())),
    connected = function() mirai::status()$connections,
    # A few tasks wait at the daemons, so that these are never idle.
    capacity = function() 2L * max(1L, mirai::status()$connections),
    start = function(args) mirai::mirai(call_worker(args), call_worker = call_worker, args = args),
    everyone = function(args) {
      unclass(mirai::everywhere(call_worker(args), .args = list(call_worker = call_worker, args = args)))
    },
    is_done = function(handle) !mirai::unresolved(handle),
    value = function(handle) {
      found <- handle$data
      if (mirai::is_mirai_error(found)) list(state = "failed", why = as.character(found))
      else if (mirai::is_error_value(found)) list(state = "lost")
      else found
    },
    stop = function(handle) mirai::stop_mirai(handle)
  )
}

mirai_urls <- function() {
  found <- mirai::status()$daemons
  if (is.character(found)) found else as.character(mirai::nextget("url"))
}

# --- future -----------------------------------------------------------------------------------------------------------

has_future_plan <- function() {
  isNamespaceLoaded("future") && has_package("future") && !inherits(future::plan("next"), "sequential")
}

future_backend <- function() {
  check_package("future", "{.code workers = \"future\"}")
  if (inherits(future::plan("next"), "sequential")) {
    abort(c("{.code workers = \"future\"} needs a plan with workers.", x = "The plan is sequential.",
      i = "Choose one first, such as {.code future::plan(\"multisession\")}."))
  }
  # Random streams belong to the tasks, so future needs none.
  start <- function(args) future::future(
    call_worker(args), seed = NULL, globals = list(call_worker = call_worker, args = args), packages = character()
  )
  list(
    kind = "future",
    is_local = function() inherits(
      future::plan("next"), c("multisession", "multicore", "callr", "mirai_multisession", "batchtools_local")
    ),
    capacity = function() future::nbrOfWorkers(),
    start = start,
    # A worker is free again when its value has been asked for, so each gets one.
    everyone = function(args) lapply(seq_len(future::nbrOfWorkers()), function(i) start(args)),
    is_done = function(handle) or_else(future::resolved(handle), TRUE),
    value = function(handle) catch_error(future::value(handle), function(e) {
      if (inherits(e, "FutureError")) list(state = "lost") else list(state = "failed", why = conditionMessage(e))
    }),
    stop = function(handle) suppressWarnings(try(future::cancel(handle), silent = TRUE))
  )
}

# --- both -------------------------------------------------------------------------------------------------------------

# Without daemons, tasks would wait forever. Daemons on other machines may take a long time to connect.
# `lost()`: raises the error.
watch_daemons <- function(backend, lost) {
  if (is.null(backend$connected)) return(function() NULL)
  seen <- now()
  expected <- backend$is_local()
  function() {
    if (backend$connected() > 0L) {
      seen <<- now()
      expected <<- TRUE
    }
    if (!expected || now() - seen < stale_seconds()) return()
    lost()
  }
}

# Sent to the worker, so it uses only base R until mlsift is found there.
call_worker <- function(args) {
  # An interrupt while R loads parts of a package would leave them incomplete in a worker that continues to run.
  found <- suspendInterrupts(requireNamespace("mlsift", quietly = TRUE) && {
    state <- asNamespace("mlsift")$process_state
    if (is.null(state$complete)) as.list(asNamespace("mlsift"), all.names = TRUE)
    state$complete <- TRUE
  })
  if (!found) return(list(state = "refused", why = paste("mlsift is not installed on", Sys.info()[["nodename"]])))
  serve <- get0(args$serve, asNamespace("mlsift"), mode = "function")
  if (is.null(serve)) return(list(state = "refused", why = "An older mlsift is installed there."))
  do.call(serve, args[names(args) != "serve"])
}
environment(call_worker) <- baseenv()

# Signs of life are further apart than this only if a process has been lost.
stale_seconds <- function() {
  check_number(getOption("mlsift.stale", 60), 0.1, finite = TRUE, arg = "options(mlsift.stale)")
}

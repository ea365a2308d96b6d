# The R side of tools/kill.sh: runs the benchmark that is disturbed, and says how that ended.
#   Rscript tools/kill.R run <folder> <outcome>         the benchmark; writes its outcome to a file
#   Rscript tools/kill.R join <folder>                  takes part in it
#   Rscript tools/kill.R damage <folder> <work> <n> <seed> <expected>
#                                                       damages copies of a folder, and runs the benchmark on each
#   Rscript tools/kill.R spread <n> <seed>              kills and interrupts workers of a spread source
#   Rscript tools/kill.R limits <work> <n> <seed> <expected>
#                                                       stops the benchmark by time limits, and completes it
# MLSIFT_KILL=answer makes it the estimate of sift(), which is a benchmark of its own.
# An outcome is one line: "value <fingerprint>", "refused <message>" for a mlsift_error, or "wrong <message>".

suppressPackageStartupMessages(library(mlsift))
options(mlsift.stale = 1, cli.width = 10000)

make_run <- function(folder) if (Sys.getenv("MLSIFT_KILL") == "answer") make_answer(folder) else make_benchmark(folder)

make_answer <- function(folder) {
  set.seed(1)
  task <- simulate_mltask(60, n_features = 10, n_targets = 3)
  sift(task, learner = lrn_brknn(), selectors = list(sel_mim(), sel_random()), max_features = 3, outer = rs_cv(6),
    inner = rs_cv(2), folder = folder, threads = 1)
}

# Small, but of all kinds of parts. Each value depends on the random numbers, on the data and on all of the selection.
make_benchmark <- function(folder) {
  set.seed(1)
  tasks <- list(
    a = simulate_mltask(80, n_features = 20, n_targets = 4),
    b = simulate_mltask(60, n_features = 40, n_targets = 5, sparse = TRUE, density = 0.3)
  )
  set.seed(2)
  benchmark_selectors(
    tasks, list(MIM = sel_mim(), AMI = sel_ami(), random = sel_random(), JMI = sel_joint_jmi()),
    list(BRkNN = lrn_brknn(), MLNB = lrn_mlnb()), rs_cv(4), k = c(1, 3, 9),
    measures = c("hamming_loss", "micro_f1", "ranking_loss"), folder = folder, progress = FALSE, threads = 1
  )
}

outcome <- function(code) {
  tryCatch({
    bench <- suppressWarnings(suppressMessages(code))
    # Attributes hold the times.
    columns <- function(frame) lapply(names(frame), function(name) frame[[name]])
    if (inherits(bench, "mlsift")) {
      return(paste("value", rlang::hash(lapply(bench[c("features", "quality", "targets", "effects")], columns))))
    }
    paste("value", rlang::hash(lapply(list(bench, selections(bench), failures(bench)), columns)))
  }, mlsift_error = function(e) paste("refused", gsub("\n", " ", cli::ansi_strip(conditionMessage(e)))),
  error = function(e) paste("wrong", class(e)[1], gsub("\n", " ", conditionMessage(e))))
}

# --- damage -----------------------------------------------------------------------------------------------------------

write_bytes <- function(bytes, path) writeBin(as.raw(bytes), path)

# What can happen to a file. Each returns what it did.
damages <- list(
  truncated = function(path, others) {
    bytes <- readBin(path, "raw", 1e7)
    write_bytes(bytes[seq_len(sample.int(max(1L, length(bytes)), 1L) - 1L)], path)
  },
  empty = function(path, others) write_bytes(raw(), path),
  `a byte changed` = function(path, others) {
    bytes <- readBin(path, "raw", 1e7)
    if (length(bytes) == 0L) return()
    at <- sample.int(length(bytes), 1L)
    bytes[at] <- xor(bytes[at], as.raw(2^sample(0:7, 1L)))
    write_bytes(bytes, path)
  },
  `zero bytes at its end` = function(path, others) {
    bytes <- readBin(path, "raw", 1e7)
    from <- sample.int(max(1L, length(bytes)), 1L)
    if (length(bytes) > 0L) bytes[from:length(bytes)] <- as.raw(0)
    write_bytes(bytes, path)
  },
  `random bytes` = function(path, others) write_bytes(sample(0:255, sample(1:2000, 1L), TRUE), path),
  `a foreign object` = function(path, others) {
    saveRDS(sample(list(mtcars, NULL, 1:3, list(), list(number = 1), "text", function(x) x, quote(x)), 1L)[[1L]], path)
  },
  `another file of the folder` = function(path, others) file.copy(sample(others, 1L), path, overwrite = TRUE),
  `a folder of its name` = function(path, others) {
    unlink(path)
    dir.create(path)
  },
  deleted = function(path, others) unlink(path),
  `a foreign file beside it` = function(path, others) {
    write_bytes(sample(0:255, 50, TRUE), file.path(dirname(path), sample(
      c("notes.txt", ".DS_Store", "x.rds", ".part-x", ".part-a-b-c-d", "copy of it.rds", "x.1", "Thumbs.db"), 1L
    )))
  }
)

# The rest of a unit is missing too, in half of the trials, so that something is left to compute.
damage_folder <- function(folder) {
  files <- list.files(folder, recursive = TRUE, full.names = TRUE)
  units <- files[basename(dirname(files)) == "units"]
  if (stats::runif(1) < 0.5) unlink(sample(units, 3L))
  files <- files[file.exists(files)]
  # Each kind of file as often as the others.
  kinds <- split(files, basename(dirname(files)))
  path <- sample(sample(kinds, 1L)[[1L]], 1L)
  what <- sample(names(damages), 1L)
  damages[[what]](path, setdiff(files, path))
  paste0(basename(dirname(path)), "/", basename(path), ": ", what)
}

run_damage <- function(folder, work, n, seed, expected) {
  counts <- c(same = 0L, refused = 0L)
  wrong <- character()
  for (trial in seq_len(n)) {
    set.seed(seed + trial)
    copy <- file.path(work, "copy")
    dir.create(copy)
    file.copy(list.files(folder, full.names = TRUE), copy, recursive = TRUE)
    # In a claim of a process that has ended.
    writeLines("host: h\npid: 1\nstarted: 1\nmachine: elsewhere\nlosses: 0",
      file.path(copy, "claims", paste0(sub("[.]rds$", "", list.files(file.path(copy, "units"))[1L]), ".1")))
    what <- damage_folder(copy)
    cat(sprintf("trial %d: %s\n", seed + trial, what), file = file.path(work, "trials.log"), append = TRUE)
    status <- tryCatch({
      suppressWarnings(suppressMessages(benchmark_status(copy)))
      ""
    }, mlsift_error = function(e) "", error = function(e) paste("benchmark_status() wrong:", conditionMessage(e)))
    found <- outcome(make_run(copy))
    if (nzchar(status)) wrong <- c(wrong, sprintf("trial %d, %s: %s", seed + trial, what, status))
    if (identical(found, expected)) counts[["same"]] <- counts[["same"]] + 1L
    else if (startsWith(found, "refused")) counts[["refused"]] <- counts[["refused"]] + 1L
    else wrong <- c(wrong, sprintf("trial %d, %s: %s", seed + trial, what, found))
    unlink(copy, recursive = TRUE)
  }
  cat(sprintf("damaged, truncated and foreign files: %d trials, %d same values, %d refused, %d wrong\n", n,
    counts[["same"]], counts[["refused"]], length(wrong)))
  finish(wrong)
}

finish <- function(wrong, failed = length(wrong) > 0L) {
  if (length(wrong) > 0L) cat(paste0("  ", wrong, "\n"), sep = "")
  quit(status = as.integer(failed))
}

# --- time limits ------------------------------------------------------------------------------------------------------

# A time limit of R ends a call with R's error and nothing else, wherever it comes.
run_limits <- function(work, n, seed, expected) {
  folder <- file.path(work, "limits")
  # The second time, everything is compiled.
  for (i in 1:2) {
    seconds <- system.time(outcome(make_run(folder)))[["elapsed"]]
    unlink(folder, recursive = TRUE)
  }
  stopped <- 0L
  wrong <- character()
  for (trial in seq_len(n)) {
    set.seed(seed + trial)
    # More of them early, when the objects are written.
    limit <- seconds * runif(1)^3
    setTimeLimit(elapsed = limit, transient = TRUE)
    found <- outcome(make_run(folder))
    # A limit that comes here comes once.
    tryCatch(setTimeLimit(), error = function(e) setTimeLimit())
    ended <- grepl("reached elapsed time limit", found, fixed = TRUE) && !startsWith(found, "refused")
    stopped <- stopped + ended
    again <- outcome(make_run(folder))
    for (one in c(if (!ended) found, again)) if (!identical(one, expected)) {
      wrong <- c(wrong, sprintf("trial %d, after %.4f s: %s", seed + trial, limit, one))
    }
    unlink(folder, recursive = TRUE)
  }
  cat(sprintf("time limits: %d trials, %d stopped, %d wrong\n", n, stopped, length(wrong)))
  finish(wrong, length(wrong) > 0L || stopped == 0L)
}

# --- workers of a spread source ---------------------------------------------------------------------------------------

# Selections from rows on three daemons, one after the other until one of the daemons has been killed at a random
# moment, or this process interrupted. In turns the rows are read anew for each, or stay with the daemons. The selection
# after it must be the same too, and after an interrupt all daemons must be there.
run_spread <- function(n, seed) {
  if (!requireNamespace("mirai", quietly = TRUE)) {
    cat("workers of a spread source: left out, since mirai is not installed\n")
    finish(character())
  }
  set.seed(1)
  task <- simulate_mltask(3000, n_features = 60, n_targets = 5)
  parts <- lapply(1:7, function(i) task[seq(i, 3000, 7), ])
  select <- function(source) as.data.frame(sift_features(source, sel_jmim(), k = 10)[c("feature", "score")])
  expected <- select(task)
  wrong <- character()
  hit <- c(kill = 0L, interrupt = 0L)
  for (trial in seq_len(n)) for (what in names(hit)) {
    set.seed(seed + trial)
    mirai::daemons(3)
    pids <- unlist(mirai::everywhere({
      loadNamespace("mlsift")
      Sys.getpid()
    })[])
    kept <- spread_source(parts)
    select(kept)
    once <- function() select(if (trial %% 2L == 0L) kept else spread_source(parts))
    seconds <- system.time(once())[["elapsed"]]
    ended <- FALSE
    target <- if (what == "kill") paste("-9", sample(pids, 1L)) else paste("-INT", Sys.getpid())
    tryCatch({
      system(sprintf("(sleep %.4f; kill %s) &", seconds * (0.2 + runif(1)), target))
      deadline <- Sys.time() + 20 + 2 * seconds
      while (!ended && Sys.time() < deadline) {
        found <- tryCatch(suppressMessages(once()), error = conditionMessage)
        if (!identical(found, expected)) {
          wrong <- c(wrong, sprintf("trial %d, %s: %s", seed + trial, what, toString(found)))
        }
        ended <- mirai::status()$connections < 3L
      }
    }, interrupt = function(e) ended <<- TRUE)
    hit[[what]] <- hit[[what]] + ended
    found <- tryCatch(once(), error = conditionMessage)
    left <- mirai::status()$connections
    mirai::daemons(0)
    if (!identical(found, expected)) {
      wrong <- c(wrong, sprintf("trial %d, after %s: %s", seed + trial, what, toString(found)))
    }
    if (what == "interrupt" && left < 3L) wrong <- c(wrong, sprintf("trial %d: %d daemons left", seed + trial, left))
  }
  cat(sprintf("workers of a spread source: %d killed and %d interrupts in %d trials each, %d wrong\n", hit[["kill"]],
    hit[["interrupt"]], n, length(wrong)))
  finish(wrong, length(wrong) > 0L || any(hit < n))
}

# --- the command ------------------------------------------------------------------------------------------------------

arguments <- commandArgs(TRUE)
switch(arguments[1],
  run = {
    cat("begun\n", file = paste0(arguments[3], ".begun"))
    found <- outcome(make_run(arguments[2]))
    writeLines(found, arguments[3])
  },
  join = invisible(suppressMessages(join_benchmark(arguments[2]))),
  damage = run_damage(
    arguments[2], arguments[3], as.integer(arguments[4]), as.integer(arguments[5]),
    paste(arguments[6:7], collapse = " ")
  ),
  limits = run_limits(
    arguments[2], as.integer(arguments[3]), as.integer(arguments[4]), paste(arguments[5:6], collapse = " ")
  ),
  spread = run_spread(as.integer(arguments[2]), as.integer(arguments[3])),
  stop("Unknown command.")
)

# Takes mlsift to sizes and places that no test reaches, and prints what that costs:
#   Rscript tools/stress.R [part ...]
# units      a benchmark of 100,000 units in a folder: its size, and how long it takes to resume
# selectors  one benchmark of 5,000 selectors
# tall       1,000,000 rows x 50 features, each selector that counts
# memory     each selector 1,000 times: what stays in memory
# interrupt  how soon each selector stops at a time limit, on data that keep it busy
# fork       selections in forked processes, with threads
# random     each kind of R's random generators: set.seed() makes a call repeatable
# labels     20,000 labels: memory of MTL and RFS
# commas     a CSV line of 1 GB of commas
# Without a part, all of them run, each in a process of its own. A line is printed for each finding above the limits
# stated below, and then the exit status is 1. mlsift must be installed; memory is measured on Linux only.

limits <- c(resume = 60, late = 2, stays = 64, sel_mtl = 3000, sel_rfs = 9000, commas = 1000) # s, s, then MB

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
suppressPackageStartupMessages(library(mlsift))
options(cli.width = 10000, mlsift.threads = 1)

say <- function(...) cat(sprintf(...), "\n", sep = "")
finding <- function(...) {
  say(...)
  assign("found", TRUE, globalenv())
}
found <- FALSE

elapsed <- function(code) system.time(code)[["elapsed"]]
quietly <- function(code) suppressWarnings(suppressMessages(code))

# MB of this process: now, or the most so far.
memory <- function(what = c("VmRSS", "VmHWM")) {
  what <- match.arg(what)
  if (!file.exists("/proc/self/status")) return(NA_real_)
  line <- grep(what, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# Every selector whose constructor needs no argument, and wrappers of MIM-BR for the others.
all_selectors <- function() {
  given <- list(sel_turf = list(sel_surf()), sel_ensemble = list(list(sel_mim(), sel_scls())), sel_best = list(),
    sel_stability = list(sel_mim()), sel_filter_search = NULL, sel_custom = NULL)
  names <- setdiff(ls("package:mlsift", pattern = "^sel_"), names(Filter(is.null, given)))
  made <- lapply(stats::setNames(names, names), function(name) {
    tryCatch(do.call(name, if (is.null(given[[name]])) list() else given[[name]]), error = function(e) NULL)
  })
  made[vapply(made, inherits, NA, "mlselector")]
}

# The first task that a selector takes.
select_any <- function(selector, tasks, ...) {
  for (task in tasks) {
    selection <- tryCatch(quietly(sift_features(task, selector, ...)), mlsift_error = function(e) NULL)
    if (!is.null(selection)) return(selection)
  }
}

tasks_of <- function(n, d, q) {
  set.seed(1)
  x <- matrix(as.double(sample(0:2, n * d, TRUE)), n, dimnames = list(NULL, paste0("f", seq_len(d))))
  y <- matrix(stats::rbinom(n * q, 1, 0.3), n, dimnames = list(NULL, paste0("l", seq_len(q))))
  list(mltask(x, y), mltask(x, y + stats::rnorm(n * q)))
}

parts <- list()

parts$units <- function() {
  folder <- tempfile()
  task <- simulate_mltask(20, n_features = 4, n_targets = 2)
  selectors <- lapply(stats::setNames(1:100, paste0("s", 1:100)), function(i) sel_random())
  run <- function() {
    set.seed(1)
    quietly(benchmark_selectors(task, selectors, lrn_brknn(neighbors = 1), rs_holdout(repeats = 1000), k = 1,
      measures = "hamming_loss", folder = folder, progress = FALSE))
  }
  first <- elapsed(bench <- run())
  again <- elapsed(same <- run())
  size <- sum(file.size(list.files(folder, recursive = TRUE, full.names = TRUE))) / 2^20
  say("units: 100,000 in %.0f s, %.0f MB of files, read again in %.0f s, %.0f MB of memory", first, size, again,
    memory("VmHWM"))
  if (!identical(bench$value, same$value)) finding("units: the values differ")
  if (again > limits[["resume"]]) finding("units: resuming takes %.0f s, more than %.0f", again, limits[["resume"]])
  unlink(folder, recursive = TRUE)
}

parts$selectors <- function() {
  task <- simulate_mltask(40, n_features = 10, n_targets = 2)
  selectors <- lapply(stats::setNames(1:5000, paste0("s", 1:5000)), function(i) sel_random())
  set.seed(1)
  seconds <- elapsed(bench <- quietly(benchmark_selectors(task, selectors, lrn_brknn(neighbors = 1), rs_cv(2), k = 1,
    measures = "hamming_loss", progress = FALSE)))
  say("selectors: 5,000 on two splits in %.0f s; summary %.1f s, print %.1f s, table %.1f s", seconds,
    elapsed(summary(bench)), elapsed(utils::capture.output(print(bench))), elapsed(format(score_table(bench))))
}

parts$tall <- function() {
  tasks <- tasks_of(1e6, 50, 5)
  for (name in c("sel_mim", "sel_ebls", "sel_scls", "sel_jmim", "sel_chi2", "sel_single_jmi", "sel_fimf", "sel_ami")) {
    seconds <- elapsed(select_any(get(name)(), tasks, k = 10))
    say("tall: %-16s %6.2f s", name, seconds)
  }
  say("tall: at most %.0f MB", memory("VmHWM"))
}

parts$memory <- function() {
  tasks <- tasks_of(40, 8, 3)
  slow <- 0.02 # seconds of a call, above which fewer calls are made
  for (name in names(selectors <- all_selectors())) {
    call <- function() select_any(selectors[[name]], tasks, k = 3)
    for (i in 1:3) seconds <- elapsed(call())
    times <- if (seconds > slow) max(20, round(1000 * slow / seconds)) else 1000
    for (i in seq_len(times / 5)) call()
    gc()
    before <- memory()
    for (i in seq_len(times)) call()
    gc()
    stays <- memory() - before
    if (isTRUE(stays > limits[["stays"]])) finding("memory: %s, %d calls: %.0f MB stay", name, times, stays)
  }
  say("memory: %d selectors, %.0f MB at the end", length(selectors), memory())
}

# A limit stops a call where it would look for an interrupt of the user. Late are processor seconds, so that other
# processes of the machine do not count.
parts$interrupt <- function() {
  sizes <- list(large = tasks_of(2e4, 1500, 20), small = tasks_of(3000, 300, 10))
  for (name in names(selectors <- all_selectors())) {
    for (size in names(sizes)) {
      set.seed(1)
      used <- system.time(ended <- tryCatch({
        setTimeLimit(elapsed = 1, transient = TRUE)
        ran <- !is.null(select_any(selectors[[name]], sizes[[size]]))
        setTimeLimit()
        if (ran) "done" else "refused"
      }, error = function(e) if (grepl("time limit", conditionMessage(e))) "stopped" else conditionMessage(e)))
      setTimeLimit()
      seconds <- sum(used[1:2])
      if (ended == "stopped" && seconds - 1 > limits[["late"]]) {
        finding("interrupt: %s, %s data: %.1f s late", name, size, seconds - 1)
      }
      say("interrupt: %-24s %-6s %-8s after %6.2f s", name, size, ended, seconds)
    }
  }
}

parts$fork <- function() {
  if (.Platform$OS.type != "unix") return(say("fork: not on this platform"))
  task <- tasks_of(2000, 200, 5)[[1]]
  selectors <- list(sel_mim(), sel_jmim(), sel_relieff_br(3), sel_mtl(), sel_random())
  run <- function(i) {
    set.seed(i)
    quietly(sift_features(task, selectors[[(i - 1) %% 5 + 1]], k = 5, threads = 2))$feature
  }
  here <- lapply(1:20, run)
  forked <- parallel::mclapply(1:20, run, mc.cores = 2)
  say("fork: 20 selections by two forked processes with two threads each")
  if (!identical(here, forked)) finding("fork: the selections differ")
}

parts$random <- function() {
  old <- RNGkind()
  on.exit(RNGkind(old[1], old[2], old[3]))
  task <- tasks_of(60, 8, 3)[[1]]
  kinds <- c("Wichmann-Hill", "Marsaglia-Multicarry", "Super-Duper", "Mersenne-Twister", "Knuth-TAOCP",
    "Knuth-TAOCP-2002", "L'Ecuyer-CMRG")
  seen <- 0
  for (kind in kinds) for (normal in c("Inversion", "Box-Muller", "Ahrens-Dieter")) {
    for (sampling in c("Rounding", "Rejection")) {
      suppressWarnings(RNGkind(kind, normal, sampling))
      run <- function() {
        set.seed(1)
        list(
          quietly(sift_features(task, sel_random()))$feature,
          quietly(sift_features(task, sel_relieff_br(3, n_rows = 20)))$score,
          quietly(benchmark_selectors(task, list(sel_random()), lrn_brknn(), rs_cv(2), k = 2, measures = "hamming_loss",
            progress = FALSE))$value,
          RNGkind(), stats::runif(1)
        )
      }
      seen <- seen + 1
      if (!identical(run(), run())) finding("random: %s, %s, %s: not repeatable", kind, normal, sampling)
    }
  }
  say("random: %d kinds of generators", seen)
}

parts$labels <- function() {
  set.seed(1)
  n <- 5000
  x <- Matrix::rsparsematrix(n, 300, 0.05, dimnames = list(NULL, paste0("f", 1:300)))
  y <- Matrix::rsparsematrix(n, 20000, 2e-4, rand.x = function(n) rep(1, n))
  colnames(y) <- paste0("l", seq_len(ncol(y)))
  task <- quietly(mltask(x, y))
  before <- memory()
  for (name in c("sel_mtl", "sel_rfs")) {
    seconds <- elapsed(ended <- tryCatch({
      setTimeLimit(elapsed = 120, transient = TRUE)
      quietly(sift_features(task, get(name)(), k = 10))
      "done"
    }, mlsift_error = function(e) paste("refused:", cli::ansi_strip(conditionMessage(e))),
    error = function(e) conditionMessage(e)))
    setTimeLimit()
    most <- memory("VmHWM") - before
    say("labels: %s: %s after %.0f s, %.0f MB", name, gsub("\n", " ", ended), seconds, most)
    if (isTRUE(most > limits[[name]])) finding("labels: %s takes %.0f MB", name, most)
  }
}

parts$commas <- function() {
  file <- tempfile(fileext = ".csv")
  for (where in c("names", "the first row", "a later row")) {
    con <- file(file, "wb")
    if (where != "names") writeChar("a,x\n", con, eos = NULL)
    if (where == "a later row") writeChar(strrep("1,0\n0,1\n", 1e5), con, eos = NULL)
    commas <- strrep(",", 2^24)
    for (i in 1:64) writeChar(commas, con, eos = NULL)
    close(con)
    seconds <- elapsed(ended <- tryCatch({
      quietly(sift_features(read_chunks(file, targets = "x"), sel_mim()))
      "read"
    }, mlsift_error = function(e) gsub("\n", " ", cli::ansi_strip(conditionMessage(e))), error = conditionMessage))
    say("commas: in %s: %s after %.0f s, %.0f MB", where, ended, seconds, memory("VmHWM"))
  }
  unlink(file)
  if (isTRUE(memory("VmHWM") > limits[["commas"]])) finding("commas: more than %.0f MB", limits[["commas"]])
}

asked <- commandArgs(TRUE)
unknown <- setdiff(sub("in:", "", asked), names(parts))
if (length(unknown) > 0) stop("No such part: ", unknown[1], ". There are ", paste(names(parts), collapse = ", "), ".")
if (length(asked) == 1 && startsWith(asked, "in:")) {
  parts[[sub("in:", "", asked)]]()
} else {
  for (part in if (length(asked) == 0) names(parts) else asked) {
    # What takes 8 GB is a finding, and not the end of other processes.
    bound <- if (.Platform$OS.type == "unix") "ulimit -v 8000000; "
    status <- system(paste0(bound, shQuote(file.path(R.home("bin"), "Rscript")), " ", shQuote(script), " in:", part))
    if (status != 0) finding("%s: ended with status %d", part, status)
  }
}
quit(status = as.integer(found))

# The race of candidates over splits.

# Runs the candidates split by split, dropping those that failed or fell behind: list(units, keys, table). `table`:
# selector, status, n_splits, seconds, reason. `deadline`: in the time of now().
race_candidates <- function(plan, params, deadline, call) {
  names <- names(plan$selectors)
  splits <- names(plan$splits$task)
  sizes <- split_table(plan)
  ratio <- mean(sizes$n_test / sizes$n_train)
  backend <- choose_backend(if (is.null(plan$wishes)) "auto" else "none", NULL, call)
  backend$any_build <- FALSE
  store <- benchmark_store(NULL, backend, plan, call)
  if (isTRUE(store$is_temporary)) call_on_exit(function() unlink(store$folder, recursive = TRUE))
  table <- data.frame(selector = names, status = "tried", n_splits = 0L, seconds = 0, reason = NA_character_)
  values <- array(NA_real_, c(length(splits), nrow(plan$grids$task), length(names)))
  kept <- list()
  run <- function(keys) run_units(plan, store, backend, FALSE, call, keys)
  key <- function(split, name) list(task = "task", split = splits[split], selector = name)
  direction <- plan$measures[[1L]]$direction
  # One split at a time, unless nothing can stop the run in between.
  steps <- if (is.finite(deadline) || length(names) > 1L) as.list(seq_along(splits)) else list(seq_along(splits))
  for (step in steps) {
    running <- which(table$status == "tried")
    keys <- unlist(lapply(step, function(split) lapply(names[running], key, split = split)), recursive = FALSE)
    units <- run_until(deadline, keys, run, at_least = if (length(kept) == 0L) 1L else 0L)
    done <- seq_along(units)
    late <- setdiff(running, match(vapply(keys[done], `[[`, "", "selector"), names))
    if (length(late) > 0L && step[1L] > 1L) break
    table$status[late] <- "not tried"
    kept <- c(kept, Map(function(unit, key) list(unit = unit, key = key), units, keys[done]))
    for (i in done) {
      split <- match(keys[[i]]$split, splits)
      at <- match(keys[[i]]$selector, names)
      values[split, , at] <- unit_rows(units[[i]], new_job(plan, keys[[i]]))$value
      table$n_splits[at] <- split
      table$seconds[at] <- table$seconds[at] + sum(units[[i]]$timings$seconds)
      if (all(is.na(values[split, , at]))) {
        table$status[at] <- "failed"
        table$reason[at] <- units[[i]]$failures$message[1L]
      }
    }
    s <- max(step)
    if (params$race && s >= 2L && s < length(splits)) {
      running <- which(table$status == "tried")
      behind <- running[falls_behind(values[seq_len(s), , running, drop = FALSE], ratio, direction)]
      table$status[behind] <- "dropped"
      table$reason[behind] <- paste("clearly behind after", counted(s, "split"))
    }
    if (length(late) > 0L || !any(table$status == "tried")) break
  }
  list(units = lapply(kept, `[[`, "unit"), keys = lapply(kept, `[[`, "key"), table = table)
}

# The units of `keys`, as far as they begin before the deadline.
run_until <- function(deadline, keys, run, at_least) {
  if (is.infinite(deadline)) return(run(keys))
  units <- list()
  while (length(units) < length(keys) && (length(units) < at_least || now() <= deadline)) {
    units <- c(units, run(keys[length(units) + 1L]))
  }
  units
}

# The candidates that are clearly behind the leader; the best two never are. `values`: splits x k x candidates. Each
# candidate is judged at its own best k.
falls_behind <- function(values, ratio, direction) {
  n <- dim(values)[3L]
  s <- dim(values)[1L]
  if (n <= 2L) return(logical(n))
  loss <- if (direction == "maximize") -values else values
  own <- vapply(seq_len(n), function(i) {
    curve <- matrix(loss[, , i], s)
    best <- which.min(colMeans(curve))
    if (length(best) == 1L) curve[, best] else rep(Inf, s)
  }, double(s))
  means <- colMeans(own)
  order <- order(means)
  difference <- own[, order[-1L], drop = FALSE] - own[, order[1L]]
  finite <- is.finite(means[order[-1L]])
  variance <- mean(apply(difference[, finite, drop = FALSE], 2L, stats::var))
  margin <- stats::qt(0.95, sum(finite) * (s - 1)) * sqrt((1 / s + ratio) * variance)
  behind <- logical(n)
  behind[order[-1L]] <- colMeans(difference) > margin
  behind[order[1:2]] <- FALSE
  behind & !is.na(behind)
}

# Runs the choice of learner, selector and number of features: candidates over splits, their curves, and the rules.

# `request`: the parameters that checked_choice() gives, and `options`: discretizer, impute, target_bins and threads of
# benchmark_selectors(), and `wishes`: further arguments of sift_features(). `most`: the largest default k. `rows`: the
# task as prepared rows, if there are any. `fewest`: whether to select the smallest set within the tolerance, too.
choose_selection <- function(task, request, most = Inf, rows = NULL, fewest = FALSE) {
  deadline <- now() + request$max_seconds
  check_information(task)
  choice <- complete_choice(task, request, most)
  plans <- choice_plans(task, choice)
  ran <- run_candidates(plans, choice, deadline)
  measure <- plans[[1L]]$measures[[1L]]
  curve <- tuning_curve(ran$values, choice)
  points <- usable_points(curve, ran$table, choice)
  warn_of_missing(ran$values$value, ran$messages)
  if (nrow(points) == 0L) stop_without_choice(ran, choice)
  relative <- !is_share(measure)
  point_of <- function(rule) choose_point(points, measure$direction, rule, request$tolerance, relative)
  found <- point_of(request$rule)
  rows <- rows %||% imputed_rows(task, request$options$discretizer, request$options$impute)
  tuned <- list(
    learner = choice$learners[[found$learner]], selector = chosen_selector(choice, found), k = found$k, fewest = NULL,
    curve = curve, selection = select_point(found, choice, rows), measure = names(plans[[1L]]$measures),
    direction = measure$direction, rule = request$rule, tolerance = request$tolerance, relative = relative,
    name = found$selector, all = choice$all,
    learner_name = found$learner, all_learner = learner_of_all(points, measure$direction, choice, found),
    candidates = candidate_table(ran$table, choice, found)
  )
  if (fewest) {
    small <- point_of("fewest")
    same <- identical(small[c("selector", "k")], found[c("selector", "k")])
    tuned$fewest <- fewest_table(small, if (same) tuned$selection else select_point(small, choice, rows))
  }
  saved_object(tuned, "mltuning")
}

stop_without_choice <- function(ran, choice) {
  reason <- commonest(ran$messages)
  one <- length(choice$selectors) == 1L && length(choice$learners) == 1L
  abort(c(if (one) "No number of features could be assessed on every split."
    else "No candidate could be assessed on every split.", x = if (!is.null(reason)) "{reason}"))
}

chosen_selector <- function(choice, point) choice$selectors[[point$selector]] %||% sel_none()

# The number of features to ask a selector for, so that the first `k` are what splits measured. `tried`: all numbers.
asked_count <- function(selector, k, tried) {
  method <- selector_method(selector)
  if (method$nested || method$gives == "set") k else max(k, tried)
}

# The selection of a point of the curve, on all rows.
select_point <- function(point, choice, rows) {
  selector <- chosen_selector(choice, point)
  bins <- if (bins_targets(selector, choice$bins) || selector_method(selector)$whole) choice$bins
  all <- selector$method == "none"
  together <- if (!all) together_in(choice$wishes, colnames(rows$task$x))
  wishes <- if (all) wishes_of_all(choice$wishes) else choice$wishes
  asked <- if (!all) room_for_group(asked_count(selector, point$k, choice$k), together)
  found <- select_from(rows, selector, asked, as.list(wishes), bins,
    resolve_threads(choice$options$threads))
  n <- counts_in_groups(found$index, point$k, together)
  if (n < nrow(found) && !anyNA(found$rank)) utils::head(found, n) else found
}

# All features hold all groups whole, and cost what they cost.
wishes_of_all <- function(wishes) {
  if (is.null(wishes$max_cost)) wishes[setdiff(names(wishes), c("groups", "costs"))] else wishes
}

fewest_table <- function(point, selection) {
  table <- point[c("k", "mean")]
  table$features <- list(selection$feature)
  table[c("selector", "learner")] <- point[c("selector", "learner")]
  renumbered(table)
}

# --- what is tried ----------------------------------------------------------------------------------------------------

# The parameters with defaults where nothing was given: selectors and learners by name, without those that cannot take
# the task, which are in `left_out`; k; `all`: the name of all features as a candidate, `slow`: learners that they are
# not given to; `bins`: of numeric targets.
complete_choice <- function(task, params, most) {
  kind <- task_kind(task)
  wishes <- params$wishes
  d <- ncol(task$x) - length(unique(wishes$exclude))
  named <- function(specs, class, arg) named_objects(specs, class, "", arg)
  selectors <- params$selectors %||% named(default_selectors(task), "mlselector", "selectors")
  learners <- params$learner %||% named(usual_learners(task, params$measure), "mllearner", "learner")
  bins <- if (kind == "numeric") params$options$target_bins %||% if (is.null(params$selectors)) disc_equal_width(5)
  own_all <- vapply(selectors, function(selector) selector$method == "none", NA)
  all <- any(own_all) || is.null(params$k) && d <= max(most, if (is.infinite(most)) d) && is.null(wishes$max_cost)
  k <- choice_counts(params$k, d, min(d, most, 200), length(wishes$include), all)
  refused <- refused_specs(task, selectors[!own_all], bins, "selectors")
  refused_learners <- refused_specs(task, learners, NULL, "learners")
  learners <- learners[!names(learners) %in% names(refused_learners)]
  slow <- if (all) slow_on_all(task, learners)
  all_name <- if (all) all_name(selectors, own_all)
  list(
    selectors = selectors[!own_all & !names(selectors) %in% names(refused)],
    all = all_name, learners = learners, slow = slow,
    left_out = data.frame(
      selector = c(names(refused), rep(NA_character_, length(refused_learners)), rep(all_name, length(slow))),
      learner = c(rep(NA_character_, length(refused)), names(refused_learners), slow),
      reason = c(unname(c(refused, refused_learners)), rep("would take long", length(slow)))
    ),
    measure = params$measure %||% default_measure(task), k = k, bins = bins,
    resampling = own_resampling(params$resampling, task, rs_cv(5)), options = params$options, wishes = wishes
  )
}

# With a single label, rows have nothing to rank.
default_measure <- function(task) {
  kind <- task_kind(task)
  if (kind == "label" && ncol(task$targets) == 1L) "macro_auc" else measure_for[[kind]]
}

# What results call the candidate of all features.
all_name <- function(selectors, own) {
  if (any(own)) names(selectors)[own][1L]
  else setdiff(c("All", "All features"), names(selectors))[1L]
}

# The numbers of features that selectors are asked for. With all features as a candidate of their own, they are below
# the number of features.
choice_counts <- function(k, d, most, n_included, all) {
  given <- k %||% default_counts(most)
  k <- given[given <= d]
  if (length(k) > 0L) k <- unique(pmax(k, n_included))
  if (length(k) == 0L) abort(c("{.arg k} must have a number that is not above that of the features.",
    x = "The smallest is {min(given)}; the task has {d} feature{?s}."))
  if (all) k[k < d] else k
}

default_counts <- function(most) {
  counts <- c(5L, 10L, 20L, 30L, 50L, 75L, 100L, 150L, 200L)
  if (most < 10) seq_len(most) else unique(c(counts[counts <= most], as.integer(most)))
}

# The reasons why some of several selectors or learners cannot take the task, by name.
refused_specs <- function(task, specs, bins, what) {
  if (length(specs) <= 1L) return(character())
  weights <- !is.null(task$rows$weights)
  unknown <- !is.null(task$targets$unknown)
  targets <- if (task_kind(task) == "label") "labels" else "targets"
  reasons <- vapply(specs, function(spec) {
    method <- if (what == "learners") learner_method(spec) else selector_method(spec)
    kinds <- served_kinds(spec, method, bins)
    if (!is.null(kinds) && !task_kind(task) %in% kinds) paste("for targets of kind", paste(kinds, collapse = ", "))
    else if (weights && !method$weights) "cannot use the weights of rows"
    else if (unknown && !method$unknown) paste("cannot use unknown", targets)
    else ""
  }, "")
  reasons <- reasons[nzchar(reasons)]
  if (length(reasons) < length(specs)) return(reasons)
  also <- paste0(if (weights) ", and its rows have weights", if (unknown) paste(", and some", targets, "are unknown"))
  said <- paste0(names(reasons), ": ", reasons, collapse = "; ")
  abort(c("At least one of the {what} must be able to serve the task.",
    x = "Its targets are of kind {.val {task_kind(task)}}{also}.", i = "{said}."))
}

# Benchmarks on the same splits: one of the selectors, and one of all features, with the learners that can take them.
choice_plans <- function(task, choice) {
  # The random numbers of a single selector or learner do not depend on its name.
  in_plan <- function(specs, name) if (length(specs) == 1L) stats::setNames(specs, name) else specs
  plan_of <- function(selectors, learners, k, wishes = choice$wishes) {
    asked <- list(tasks = list(task = task), selectors = selectors, learners = learners, k = k,
      resampling = choice$resampling, measures = choice$measure)
    asked[names(choice$options)] <- choice$options
    asked["target_bins"] <- list(choice$bins)
    plan <- benchmark_plan(asked)
    plan$wishes <- wishes
    plan$together <- together_in(wishes, colnames(task$x))
    plan
  }
  learners <- in_plan(choice$learners, "learner")
  fast <- !names(choice$learners) %in% choice$slow
  plans <- list(
    if (length(choice$k) > 0L && length(choice$selectors) > 0L) {
      plan_of(in_plan(choice$selectors, "selector"), learners, choice$k)
    },
    if (!is.null(choice$all) && any(fast)) {
      plan_of(stats::setNames(list(sel_none()), choice$all), learners[fast],
        ncol(task$x) - length(unique(choice$wishes$exclude)), wishes_of_all(choice$wishes))
    }
  )
  plans <- Filter(Negate(is.null), plans)
  plans[[1L]]$learnable <- list()
  plans[[1L]] <- draw_splits(plans[[1L]], stats::runif(1))
  lapply(plans, function(plan) utils::modifyList(plan, plans[[1L]][c("number", "splits", "kept")]))
}

# The smaller of rows and features up to which a linear learner is tried with all features.
most_of_linear <- 2000

# The names of those of several learners that would take longer on all features than everything else.
slow_on_all <- function(task, learners) {
  many <- pair_differences(task) > most_differences
  slow <- function(learner) {
    learner$method == "linear" && min(dim(task$x)) > most_of_linear || many && has_setting(learner, "neighbors") ||
      any(vapply(Filter(\(value) inherits(value, "mllearner"), learner$params), slow, NA))
  }
  found <- vapply(learners, slow, NA)
  if (all(found)) character() else names(learners)[found]
}

# --- running ----------------------------------------------------------------------------------------------------------

# Runs the candidates split by split, without those that failed: list(values, table, messages). `values`: selector,
# learner, k, value. `table`: selector, learner, status, n_splits, seconds, reason. `deadline`: in the time of now().
run_candidates <- function(plans, choice, deadline) {
  backend <- choose_backend(if (is.null(plans[[1L]]$wishes)) "auto" else "none", NULL)
  backend$any_build <- FALSE
  stores <- lapply(plans, function(plan) benchmark_store(NULL, backend, plan))
  call_on_exit(function() {
    for (store in stores) if (isTRUE(store$is_temporary)) unlink(store$folder, recursive = TRUE)
  })
  splits <- names(plans[[1L]]$splits$task)
  table <- do.call(rbind, lapply(seq_along(plans), function(at) {
    expand.grid(learner = names(plans[[at]]$learners), selector = names(plans[[at]]$selectors), plan = at,
      stringsAsFactors = FALSE)
  }))
  table <- data.frame(table, status = "tried", n_splits = 0L, seconds = 0, reason = NA_character_)
  values <- list()
  messages <- character()
  # One split at a time, unless nothing can stop the run in between.
  single <- is.infinite(deadline) && length(unique(table$selector)) == 1L
  for (step in if (single) list(splits) else splits) {
    done <- run_split(plans, stores, backend, step, table, deadline, length(values) > 0L)
    if (is.null(done)) break
    for (one in done) {
      values <- c(values, list(one$rows))
      messages <- c(messages, one$unit$failures$message)
      at <- which(table$selector == one$selector)
      spent <- split_seconds(one$unit, table$learner[at])
      table$n_splits[at] <- table$n_splits[at] + 1L
      table$seconds[at] <- table$seconds[at] + spent
      all_missing <- vapply(table$learner[at], function(name) all(is.na(one$rows$value[one$rows$learner == name])), NA)
      table$status[at[all_missing]] <- "failed"
      table$reason[at[all_missing]] <- vapply(table$learner[at[all_missing]], failure_reason, "", unit = one$unit)
    }
    late <- table$status == "tried" & table$n_splits == 0L
    table$status[late] <- "not tried"
    if (any(late) || !any(table$status == "tried")) break
  }
  values <- do.call(rbind, values)
  back <- function(names, specs, word) if (length(specs) == 1L) replace(names, names == word, names(specs)) else names
  for (part in c("values", "table")) {
    frame <- get(part)
    frame$selector <- back(frame$selector, choice$selectors, "selector")
    frame$learner <- back(frame$learner, choice$learners, "learner")
    assign(part, frame)
  }
  list(values = values, table = table[names(table) != "plan"], messages = messages)
}

# The units of a step, one or more splits, for the selectors that have not failed: a list of list(selector, unit, rows).
# NULL if there was no time to finish a later step.
run_split <- function(plans, stores, backend, splits, table, deadline, later) {
  done <- list()
  for (at in seq_along(plans)) {
    selectors <- unique(table$selector[table$plan == at & table$status == "tried"])
    keys <- unlist(lapply(splits, function(split) {
      lapply(selectors, function(selector) list(task = "task", split = split, selector = selector))
    }), recursive = FALSE)
    run <- function(keys) run_units(plans[[at]], stores[[at]], backend, FALSE, keys)
    units <- run_until(deadline, keys, run, if (later || length(done) > 0L) 0L else 1L)
    if (length(units) < length(keys) && later) return(NULL)
    done <- c(done, Map(function(unit, key) {
      rows <- list2DF(unit_rows(unit, new_job(plans[[at]], key)))
      list(selector = key$selector, unit = unit, rows = rows[c("selector", "learner", "k", "value")])
    }, units, keys[seq_along(units)]))
  }
  done
}

# The seconds of each learner, with its share of those of the selection.
split_seconds <- function(unit, learners) {
  own <- vapply(learners, function(name) sum(unit$timings$seconds[unit$timings$learner %in% name]), 0)
  own + sum(unit$timings$seconds[is.na(unit$timings$learner)]) / length(learners)
}

failure_reason <- function(name, unit) {
  unit$failures$message[is.na(unit$failures$learner) | unit$failures$learner == name][1L]
}

# --- choosing ---------------------------------------------------------------------------------------------------------

tuning_curve <- function(values, choice) {
  key <- paste(values$selector, values$learner, values$k, sep = "\x1f")
  first <- !duplicated(key)
  by <- split(values$value, factor(key, key[first]))
  curve <- values[first, c("selector", "learner", "k")]
  curve$mean <- vapply(by, mean, 0)
  curve$sd <- vapply(by, stats::sd, 0)
  curve$n_splits <- lengths(by)
  curve$se <- curve$sd / sqrt(curve$n_splits)
  curve <- curve[c("selector", "learner", "k", "mean", "sd", "se", "n_splits")]
  order <- order(match(curve$selector, c(names(choice$selectors), choice$all)),
    match(curve$learner, names(choice$learners)), curve$k)
  renumbered(curve[order, ])
}

# The points assessed on all splits that were run, those that win ties first.
usable_points <- function(curve, table, choice) {
  running <- table[table$status == "tried", ]
  usable <- paste(curve$selector, curve$learner, sep = "\x1f") %in%
    paste(running$selector, running$learner, sep = "\x1f") & !is.na(curve$mean)
  curve <- curve[usable, ]
  curve[order(curve$k, match(curve$selector, c(names(choice$selectors), choice$all)),
    match(curve$learner, names(choice$learners))), ]
}

is_share <- function(measure) measure$range[1L] >= 0 && measure$range[2L] <= 1

# The point that the rule chooses, a row of `points`. `relative`: whether the tolerance is a share of the best mean.
choose_point <- function(points, direction, rule, tolerance = 0, relative = FALSE) {
  loss <- if (direction == "maximize") -points$mean else points$mean
  first_best <- function(at) at[at_least(-loss[at], -min(loss[at]))][1L]
  best <- first_best(seq_along(loss))
  allowed <- switch(rule, best = 0, fewest = tolerance * if (relative) abs(points$mean[best]) else 1,
    "one-se" = if (is.na(points$se[best])) 0 else points$se[best])
  near <- which(at_least(-loss, -loss[best] - allowed))
  at <- switch(rule, best = best, "one-se" = near[1L],
    fewest = first_best(near[points$k[near] == min(points$k[near])]))
  points[at, ]
}

# The learner that is best with all features, or the chosen one where they were not tried.
learner_of_all <- function(points, direction, choice, found) {
  points <- points[points$selector %in% choice$all, ]
  name <- if (nrow(points) == 0L) found$learner else choose_point(points, direction, "best")$learner
  choice$learners[[name]]
}

chosen_point <- function(tuning) {
  tuning$curve[tuning$curve$selector == tuning$name & tuning$curve$learner == tuning$learner_name &
    tuning$curve$k == tuning$k, ]
}

candidate_table <- function(table, choice, found) {
  table$status[table$selector == found$selector & table$learner == found$learner] <- "chosen"
  table <- table[c("selector", "learner", "status", "n_splits", "seconds", "reason")]
  out <- choice$left_out
  n <- nrow(out)
  renumbered(rbind(table, data.frame(selector = out$selector, learner = out$learner, status = rep("left out", n),
    n_splits = rep(0L, n), seconds = rep(0, n), reason = out$reason)))
}

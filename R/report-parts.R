# The sections of write_report(), each a string of HTML.

report_headline <- function(bench) {
  count <- function(column) counted(length(unique(bench[[column]])), column)
  splits <- range(table(unique(as.data.frame(bench)[c("task", "split")])$task))
  grid <- if (all(is.na(bench$prop))) paste0("up to ", max(bench$k), " features") else paste0(
    length(unique(bench$prop)), " shares of the features"
  )
  escape_html(paste0(
    count("selector"), " on ", count("task"), ", ", paste(unique(splits), collapse = " to "),
    if (splits[2L] == 1L) " split" else " splits", " a task, ", count("learner"), ", ", count("measure"), ", ", grid,
    ". Written ",
    format(Sys.time(), "%Y-%m-%d %H:%M"), "."
  ))
}

# For each measure and learner: which selectors are best, which ones do not differ from it, and how many features it
# needs.
report_summary <- function(bench, options) {
  rows <- do.call(rbind, for_each_pair(bench, options, summary_row))
  if (length(unique(rows$learner)) == 1L) rows$learner <- NULL
  how <- if (length(unique(bench$task)) < 2L || length(unique(bench$selector)) < 3L) {
    "There are too few tasks or selectors for a test over tasks, so the best may be best by chance."
  } else if (is.null(options$control)) {
    "Where a test finds no difference from other selectors, these may be taken as well."
  } else {
    paste0("Where the test finds no difference from ", options$control, ", it does not show which is better.")
  }
  paste0(html_table(rows, text = utils::tail(names(rows), 2L), number = "mean rank"), paragraph(
    "The best selector has the best mean rank over tasks, by ranking scores. ", how,
    " The last column is the number of features at which the best selector is best on each task: the least and the ",
    "most.", class = "soft"
  ))
}

# What a function(learner, measure, bench, options) gives for each learner and measure.
for_each_pair <- function(bench, options, fun) {
  pairs <- unique(as.data.frame(bench)[c("learner", "measure")])
  unname(Map(fun, pairs$learner, pairs$measure, MoreArgs = list(bench = bench, options = options)))
}

summary_row <- function(learner, measure, bench, options) {
  test <- tryCatch(report_rank_test(bench, learner, measure, options), mlsift_error = function(e) NULL)
  ranks <- if (is.null(test)) tryCatch(
    score_table(bench, measure, learner = learner, test = "none")$mean_ranks, mlsift_error = function(e) NA_real_
  ) else test$mean_ranks
  best <- names(ranks)[which(rank(ranks, "keep", "min") == 1L)]
  apart <- if (is.null(test)) "not tested" else same_as(test, best)
  points <- if (length(best) > 0L) tryCatch(best_k(bench, measure, learner), mlsift_error = function(e) NULL)
  out <- data.frame(measure = measure_title(measure), learner = learner, best = NA, rank = NA, apart = apart)
  if (length(best) > 0L) out[c("best", "rank")] <- list(toString(best), sprintf("%.2f", min(ranks, na.rm = TRUE)))
  out$features <- features_label(points, best)
  names(out)[4:5] <- c("mean rank", paste("no difference found", if (is.null(options$control)) "from it" else
    paste("from", options$control)))
  out
}

# The selectors that a test does not distinguish from the best ones, or from its control.
same_as <- function(test, best) {
  same <- if (is.null(test$control)) setdiff(unlist(Filter(\(group) any(best %in% group), test$groups)), best) else
    test$comparisons$method2[!test$comparisons$significant]
  if (length(same) > 0L) paste(unique(same), collapse = ", ") else "none"
}

features_label <- function(points, best) {
  at <- points[points$selector %in% best, , drop = FALSE]
  found <- if (is.null(at)) NULL else if (is.null(at$k)) 100 * at$prop else at$k
  found <- found[!is.na(found)]
  if (length(found) == 0L) return(NA_character_)
  paste0(paste(format_number(unique(range(found))), collapse = " to "), if (is.null(at$k)) " %")
}

# Where the methods were published.
report_papers <- function(bench) {
  known <- list_selectors()
  names <- unique(as.character(bench$selector))
  papers <- known$source[match(names, known$name)]
  if (all(is.na(papers))) return("")
  html_table(data.frame(method = names, source = papers), text = "source")
}

report_data <- function(bench) {
  tasks <- rows_about(attr(bench, "tasks", exact = TRUE), bench, "task")
  if (is.null(tasks)) return(paragraph("The benchmark holds no facts about its tasks."))
  if (all(tasks$n_unknown == 0)) tasks$n_unknown <- NULL
  names(tasks) <- sub("^n_", "", names(tasks))
  names(tasks) <- gsub("_", " ", sub("_ir$", "_imbalance", names(tasks)))
  tasks <- tasks[vapply(tasks, \(column) !all(is.na(column)), NA)]
  paste0(html_table(tasks, digits = 3), paragraph(
    "Discrete: features that are not continuous.", if ("cardinality" %in% names(tasks)) paste(
      " Cardinality is the mean number of labels of a row, density that number divided by the number of labels;",
      "imbalance is the number of rows of the most frequent label divided by that of a label."
    ), class = "soft"
  ))
}

report_protocol <- function(bench) {
  protocol <- attr(bench, "protocol", exact = TRUE)
  by_task <- function(x) if (length(unique(x)) == 1L) x[[1L]] else paste0(names(x), ": ", x, collapse = "; ")
  listed <- function(column) paste(unique(as.character(bench[[column]])), collapse = ", ")
  # NULL, so no row, where the protocol has nothing.
  said <- function(field, but = NULL, sep = "; ") {
    if (length(setdiff(protocol[[field]], but)) > 0L) paste(unique(protocol[[field]]), collapse = sep)
  }
  grid <- if (all(is.na(bench$prop))) bench$k else bench$prop
  facts <- c(
    Selectors = listed("selector"), Learners = listed("learner"),
    Splits = if (length(protocol$resampling)) by_task(protocol$resampling),
    "Numbers of features" = counts_label(sort(unique(grid)), is_share = !all(is.na(bench$prop))),
    "Discretizer" = said("discretizer"), "Discretizer of learners" = said("learner_discretizer", but = "none"),
    "Numeric targets, for selectors of categories" = said("target_bins", but = "none"),
    "Missing values" = said("impute"), "mlsift" = said("version", sep = ", ")
  )
  paste0(
    html_table(data.frame(what = names(facts), value = unname(facts)), text = "value"), report_papers(bench),
    report_sizes(bench), report_measures(bench),
    paragraph("Features are selected, and discretizers learned, on the training rows of each split alone. Every ",
      "learner is then fitted to the first k features of each selection and measured on the test rows.")
  )
}

# A run such as "1 to 20", or all values if they are not a run.
counts_label <- function(grid, is_share) {
  if (is_share) return(paste0(format_number(100 * grid), " %", collapse = ", "))
  run <- length(grid) > 2L && all(diff(grid) == 1)
  if (run) paste(min(grid), "to", max(grid)) else paste(grid, collapse = ", ")
}

report_sizes <- function(bench) {
  splits <- rows_about(attr(bench, "splits", exact = TRUE), bench, "task")
  if (is.null(splits)) return("")
  range_label <- function(x) if (min(x) == max(x)) paste(min(x)) else paste0(min(x), "\u2013", max(x))
  by_task <- function(f) vapply(split(splits, factor(splits$task, unique(splits$task))), f, "")
  html_table(data.frame(
    task = unique(splits$task), splits = by_task(\(s) paste(nrow(s))),
    "training rows" = by_task(\(s) range_label(s$n_train)),
    "test rows" = by_task(\(s) range_label(s$n_test)), row.names = NULL, check.names = FALSE
  ), number = c("splits", "training rows", "test rows"))
}

report_measures <- function(bench) {
  measures <- rows_about(attr(bench, "measures", exact = TRUE), bench, "measure")
  if (is.null(measures)) return("")
  limits <- paste(format_number(measures$range_low), "to", format_number(measures$range_high))
  renamed <- any(measures$definition != measures$measure, na.rm = TRUE)
  html_table(data.frame(
    measure = measures$measure, definition = if (renamed) measures$definition else character(nrow(measures)),
    better = ifelse(measures$direction == "minimize", "smaller", "larger"), range = limits
  )[c("measure", if (renamed) "definition", "better", "range")])
}

# --- results ----------------------------------------------------------------------------------------------------------

report_results <- function(bench, options) paste(for_each_pair(bench, options, report_pair), collapse = "\n")

# One learner and measure: curves, means, comparisons.
report_pair <- function(learner, measure, bench, options) {
  several <- length(unique(bench$learner)) > 1L
  test <- tryCatch(report_rank_test(bench, learner, measure, options), mlsift_error = identity)
  paste0(
    tag("h3", escape_html(paste0(upper_first(measure_title(measure)), if (several) paste0(", ", learner)))),
    report_curves(bench, learner, measure),
    report_means(bench, learner, measure, options, if ("ranks" %in% options$comparisons) test),
    report_comparisons(bench, learner, measure, options, test)
  )
}

report_rank_test <- function(bench, learner, measure, options) {
  rank_test(bench, measure, learner = learner, control = options$control, alpha = options$alpha,
    posthoc = if (is.null(options$control)) "nemenyi" else "bonferroni-dunn")
}

# `code`, or a note that explains why there is none.
or_note <- function(code, what) {
  tryCatch(code, mlsift_error = function(e) {
    paragraph(what, " cannot be given: ", failure_message(e), class = "note")
  })
}

report_curves <- function(bench, learner, measure) {
  n_tasks <- length(unique(bench$task))
  n_selectors <- length(unique(bench$selector))
  legend_columns <- ceiling(n_selectors / 20)
  curves <- function(width) {
    ggplot2::autoplot(bench, measure = measure, learner = learner, width = min(7, width)) + ggplot2::labs(title = NULL)
  }
  # On a phone, panels are below each other, and the legend below them.
  height <- function(room) {
    if (room$width < 5) return(1.2 + 1.4 * n_tasks + 0.1 * n_selectors)
    max(1.2 + 2.4 * ceiling(n_tasks / 3), 0.7 + 0.24 * ceiling(n_selectors / legend_columns))
  }
  or_note(html_picture(curves, width = c(6, 8, 9.5)[min(n_tasks, 3L)] + 1.5 * (legend_columns - 1), height = height,
    alt = paste(measure, "against the number of features")), "The curves")
}

# `test`: the rank test, whose mean ranks the table shows, the reason why there is none, or NULL.
report_means <- function(bench, learner, measure, options, test) {
  or_note({
    scores <- score_table(bench, measure, learner = learner, control = options$control, alpha = options$alpha)
    ranked <- inherits(test, "mlranktest")
    means_table(scores, if (ranked) score_table(bench, measure, learner = learner, test = test))
  }, "The table of means")
}

# `tested`: the same table with the results of the rank test, or NULL.
means_table <- function(scores, tested = NULL) {
  cells <- matrix(format_cells(scores, table_styles$html), nrow(scores$mean), dimnames = dimnames(scores$mean))
  mean_ranks <- (tested %||% scores)$mean_ranks
  last <- rbind(
    "mean rank" = ifelse(is.na(mean_ranks), "\u2013", sprintf("%.2f", mean_ranks)),
    if (!is.null(tested)) tested_row(tested), if (!is.null(scores$control)) record_row(scores)
  )
  turn_table(cells, means_caption(scores, tested), last = last, best = scores$best, order = order(mean_ranks))
}

tested_row <- function(tested) {
  row <- overall_row(tested, table_styles$html)
  matrix(ifelse(nzchar(row), row, "\u2013"), 1L, dimnames = list(overall_name(tested), NULL))
}

means_caption <- function(scores, tested) {
  paste0(
    "Mean \u00b1 standard deviation over splits, averaged over the numbers of features. ",
    "The best of each task is shaded.",
    if (!is.null(scores$control)) paste0(
      " ", scores$control, " is significantly better than \u2022, worse than \u25e6 (level ", format(scores$alpha),
      ", corrected t-test over splits)."
    ),
    if (is.null(tested)) " Mean ranks are those of these means." else paste0(
      " Mean ranks are those of the rank test and its diagram: they rank the selectors of each task by their ranking ",
      "scores, the mean of their ranks at each number of features.",
      if (is.null(tested$control)) " Selectors with a common letter do not differ significantly." else
        paste0(" Adjusted p: the rank test against ", tested$control, ".")
    )
  )
}

# A table tasks x selectors (or learners), with rows `last` at the bottom. With more than eight selectors it would be
# too wide, so selectors then become rows, in this order, and `last` the first columns.
turn_table <- function(cells, caption, what = "selector", last = NULL, best = matrix(FALSE, nrow(cells), ncol(cells)),
                       order = seq_len(ncol(cells))) {
  n_last <- NROW(last)
  turned <- ncol(cells) > 8L
  with_last <- function(x, last) if (turned) t(rbind(last, x)[, order, drop = FALSE]) else rbind(x, last)
  best <- with_last(best, matrix(FALSE, n_last, ncol(best)))
  cells <- with_last(cells, last)
  data <- data.frame(rownames(cells), cells, check.names = FALSE, row.names = NULL)
  names(data)[1L] <- if (turned) what else "task"
  html_table(
    data, caption = caption, best = cbind(FALSE, best), totals = if (turned) 0L else n_last, number = colnames(cells)
  )
}

record_row <- function(scores) {
  record <- apply(scores$record, 2L, paste, collapse = "/")
  record[scores$control] <- "\u2013"
  rbind("win/tie/loss" = record)
}

# Comparisons over tasks, described in words first.
report_comparisons <- function(bench, learner, measure, options, test) {
  wanted <- options$comparisons
  if (length(wanted) == 0L) return("")
  rows <- bench[bench$learner == learner & bench$measure == measure, ]
  n <- c(selectors = length(unique(rows$selector)), tasks = length(unique(rows$task)))
  if (any(n < 2L)) return(too_small_to_compare(n))
  pairs <- tryCatch(compare_pairs(bench, measure, learner = learner, control = options$control,
    alpha = options$alpha), mlsift_error = identity)
  paste0(
    report_finding(test, pairs, n, wanted),
    if ("ranks" %in% wanted && inherits(test, "mlranktest")) report_diagram(test),
    if ("pairs" %in% wanted && inherits(pairs, "mlpairs") && n["selectors"] > 2L) report_matrix(pairs),
    if ("bayes" %in% wanted) report_bayes(bench, learner, measure, options)
  )
}

too_small_to_compare <- function(n) {
  why <- if (n["selectors"] < 2L) "There is only one, so there is nothing to compare." else
    paste0("There is one task, so no test over tasks is possible. Whether a difference on it is more than chance can ",
      "be judged over its splits: with a control, the table above has the marks of such tests.")
  paragraph("A rank test needs at least three selectors and two tasks. ", why, class = "soft")
}

# One paragraph: on the rank test, or on the pairs if the rank test is not wanted or there are only two selectors.
report_finding <- function(test, pairs, n, wanted) {
  by_ranks <- "ranks" %in% wanted && n["selectors"] > 2L
  if (!by_ranks && !any(c("ranks", "pairs") %in% wanted)) return("")
  found <- if (by_ranks) test else pairs
  or_note({
    if (inherits(found, "mlsift_error")) rlang::cnd_signal(found)
    paragraph(summary(found), class = "finding")
  }, if (by_ranks) "The rank test" else "The comparison of pairs")
}

report_diagram <- function(test) {
  diagram <- function(width) ggplot2::autoplot(test, width = width) + ggplot2::labs(title = NULL, subtitle = NULL)
  paste0(
    paragraph("Mean ranks of ranking scores. ", rank_test_posthoc(test), ".", class = "soft"),
    html_picture(diagram, width = 8, alt = "Critical-difference diagram",
      height = function(room) (1.2 + cd_height(cd_layout_of(test))) * room$base_size / 11)
  )
}

report_matrix <- function(pairs) {
  about <- attr(pairs, "about")
  k <- length(about$means)
  width <- 1.8 + max(0.62 * k, 4.5)
  matrix <- function(width) ggplot2::autoplot(pairs, width = width) + ggplot2::labs(title = NULL)
  few <- too_few_datasets(about$n_datasets, nrow(pairs), about$alpha)
  counts <- paste0("Each pair alone, by the means of the table above, which do not depend on the other selectors: ",
    sum(pairs$p_holm <= about$alpha), " of ", counted(nrow(pairs), "pair"),
    " differ significantly after Holm's correction. p in the cells is not corrected.",
    if (!is.null(few)) paste0(" ", few))
  paste0(paragraph(counts, class = "soft"), html_picture(
    matrix, width = width, alt = "Matrix of all pairs",
    height = function(room) 2 + (if (room$width < 5) 0.33 else 0.5) * (if (is.null(about$control)) k else 1L)
  ))
}

report_bayes <- function(bench, learner, measure, options) {
  or_note({
    input <- rank_input(bench, measure, NULL, NULL, learner, NULL, means = TRUE)
    means <- colMeans(input$values)
    reference <- options$control %||% names(means)[which.min(better_rank(means, input$better))]
    others <- setdiff(names(means)[order(better_rank(means, input$better))], reference)
    regions <- vapply(others, function(other) {
      posterior <- bayes_signed_rank(input$values[, reference], input$values[, other], options$rope,
        direction = input$direction)
      posterior$probability[match(c("x", "neither", "y"), posterior_better(posterior))]
    }, numeric(3))
    table <- data.frame(others, t(matrix(format_probability(regions), 3L)))
    names(table) <- c("selector", paste(reference, "better"), "equivalent", "selector better")
    if (options$rope == 0) table$equivalent <- NULL
    html_table(table, number = names(table)[-1L], caption = paste0(
      "Probability that ", reference, " or the other selector is ", if (options$rope > 0) "practically ",
      "better, by the Bayesian signed-rank test on the means of the tasks",
      if (options$rope > 0) paste0("; differences up to ", format(options$rope), " are equivalent"), "."
    ))
  }, "The Bayesian comparison")
}

# --- searches ---------------------------------------------------------------------------------------------------------

# Empty where no selector searches with a learner.
report_searches <- function(bench) {
  history <- search_history(bench)
  if (nrow(history) == 0L) return("")
  panels <- nrow(unique(history[c("task", "measure")]))
  height <- function(room) if (room$width < 5) 1.6 + 1.3 * panels else 1.2 + 2.4 * ceiling(panels / 3)
  paste0(
    tag("h2", "Searches"),
    paragraph("The lowest value that a search had found after so many evaluations, on the inner test rows and ",
      "averaged over splits. It is the best of many and therefore optimistic: compare it with the results above.",
      class = "soft"),
    html_picture(function(width) plot_searches(bench, width = min(7, width)), width = 8, height = height,
      alt = "Lowest value against evaluations")
  )
}

# --- stability, timings, failures -------------------------------------------------------------------------------------

report_stability <- function(bench) {
  or_note({
    paste0(
      paragraph("How far the splits agree on the features, corrected for chance: 1 where all choose the same, ",
        "about 0 where they choose at random (Nogueira, Sechidis and Brown 2018).", class = "soft"),
      stability_table(stability(bench))
    )
  }, "Stability")
}

# tasks x selectors: estimate and half the width of its confidence interval.
stability_table <- function(table) {
  text <- sprintf("%.2f \u00b1 %.2f", table$estimate, (table$conf_high - table$conf_low) / 2)
  text[is.na(table$estimate)] <- "\u2013"
  tasks <- unique(table$task)
  selectors <- unique(table$selector)
  cells <- matrix("\u2013", length(tasks), length(selectors), dimnames = list(tasks, selectors))
  cells[cbind(match(table$task, tasks), match(table$selector, selectors))] <- text
  turn_table(cells, "Estimate \u00b1 half the width of its 95 % confidence interval.")
}

report_timings <- function(bench) {
  or_note({
    spent <- timings(bench)
    if (nrow(spent) == 0L) return(paragraph("No timings were kept."))
    select <- spent[spent$stage == "select", ]
    learn <- spent[spent$stage != "select", ]
    paste0(
      paragraph("Mean seconds per split. A learner's time covers all numbers of features together.", class = "soft"),
      seconds_table(select, "selector", "Selecting"),
      if (nrow(learn) > 0L) seconds_table(learn, "learner", "Fitting, predicting and measuring, per selection")
    )
  }, "Timings")
}

# tasks x selectors (or learners): mean seconds.
seconds_table <- function(spent, column, caption) {
  order <- function(x) factor(x, unique(x))
  of <- function(rows) list(order(rows$task), order(rows[[column]]))
  sums <- tapply(spent$seconds, of(spent), sum)
  means <- sums / table(of(unique(spent[unique(c("task", "split", "selector", column))])))
  turn_table(matrix(cell_text(as.vector(means), 2), nrow(means), dimnames = dimnames(means)), caption, column)
}

report_failures <- function(bench) {
  or_note({
    failed <- failures(bench)
    if (nrow(failed) == 0L) return(paragraph("Nothing failed."))
    paste0(paragraph(counted(nrow(failed), "step"), " failed; the values are missing.", class = "note"),
      html_table(failed, text = "message"))
  }, "Failures")
}

# --- repeating it -----------------------------------------------------------------------------------------------------

report_code <- function(bench) {
  protocol <- attr(bench, "protocol", exact = TRUE)
  if (is.null(protocol$call)) return(paragraph("The benchmark does not hold the code that made it."))
  paste0(code_block(protocol$call), paragraph(
    "The tasks are the data described above. All random choices derive from one number, ",
    format(protocol$number, digits = 15), ", drawn from R's generator when the benchmark started: with the same state ",
    "of the generator, set by set.seed(), the same numbers come out.", class = "soft"
  ), report_hashes(bench))
}

# Fingerprints show whether somebody else has the same data.
report_hashes <- function(bench) {
  prints <- attr(bench, "protocol", exact = TRUE)$tasks
  prints <- prints[names(prints) %in% bench$task]
  paste0(html_table(data.frame(task = names(prints), fingerprint = unname(prints))), paragraph(
    "Equal fingerprints are equal data: the same rows, features and targets, in the same order and of the same types. ",
    "A benchmark of one\u2019s own data has them in attr(bench, \"protocol\")$tasks.", class = "soft"
  ))
}

# The session that computed the numbers, not the one that writes the page.
session_table <- function(session) {
  html_table(data.frame(what = upper_first(names(session)), value = unname(session)), text = "value")
}

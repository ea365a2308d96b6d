# What sift() gives for each chosen feature: how often it was chosen, what could stand in for it, and which targets it
# serves.

# list(features, similarity): the table of chosen features, and their symmetrical uncertainties. Where all features were
# chosen, those in `order` come first, and only these are described.
describe_features <- function(answer, stand_ins, order) {
  selection <- answer$selection
  task <- filled_in(answer$task, attr(selection, "imputer"))
  options <- answer$setup$options
  all <- takes_all(answer$tuning)
  index <- match((if (all) order else selection)$feature, colnames(task$x))
  rest <- if (all) setdiff(seq_len(ncol(task$x)), index)
  fitted <- fitted_discretizer(options$discretizer %||% disc_auto(), task)
  coded <- weighted_rows(stats::predict(fitted, task))
  found <- similar_features(coded, index, if (stand_ins == "swap") 0 else 0.8, options$threads)
  others <- lapply(found$others, function(one) names(one))
  others <- if (all || stand_ins == "none") rep(list(character()), length(index))
  else if (stand_ins == "information") others
  else swapped_features(answer, lapply(others, utils::head, 3L))
  ordered <- if (all) nrow(order) > 1L else !anyNA(selection$rank)
  features <- data.frame(
    rank = c(if (ordered) seq_along(index) else rep(NA_integer_, length(index)), rep(NA_integer_, length(rest))),
    feature = colnames(task$x)[c(index, rest)],
    score = c((if (all) order else selection)$score, rep(NA_real_, length(rest)))
  )
  features$share <- if (is.null(answer$shares)) NA_real_ else as.vector(answer$shares[features$feature])
  none <- rep(list(character()), length(rest))
  features$stand_ins <- c(others, none)
  features$serves <- c(served_targets(task[, index], options), none)
  features$chance <- answer$chance %||% NA_real_
  list(features = features, similarity = found$among)
}

# list(name, features): where all features were chosen, a data frame of at most 200 in the order of the selector of the
# smallest set within the tolerance or, if that has all of them too, of the one that was best with fewer.
order_of_all <- function(answer) {
  tuning <- answer$tuning
  setup <- answer$setup
  small <- tuning$fewest
  points <- tuning$curve[!tuning$curve$selector %in% tuning$all & !is.na(tuning$curve$mean), ]
  name <- if (!small$selector %in% tuning$all) small$selector
  else if (nrow(points) > 0L) choose_point(points, tuning$direction, "best")$selector
  if (is.null(name)) return(list(features = data.frame(feature = small$features[[1L]], score = NA_real_)))
  choice <- c(list(selectors = setup$choice$selectors, bins = setup$options$target_bins), setup[c("wishes", "options")])
  point <- list(selector = name, k = min(ncol(answer$task$x), 200L))
  rows <- imputed_rows(answer$task, setup$options$discretizer, setup$options$impute)
  found <- with_stream(list(answer$number, "sift", "order"), select_point(point, choice, rows))
  list(name = name, features = found[c("feature", "score")])
}

# Symmetrical uncertainties of features of a task with discrete columns only: list(among: a matrix of those at `index`;
# others: for each of them, the features outside with at least `least`, most similar first).
similar_features <- function(coded, index, least, threads) {
  code <- function(j) {
    values <- coded$x[, j]
    if (is.factor(values)) as.integer(values) else match(values, sort(unique(values)))
  }
  counts <- row_counts(coded)
  entropy <- function(codes) {
    share <- if (is.null(counts)) tabulate(codes) / length(codes)
    else rowsum(as.double(counts), codes)[, 1L] / sum(as.double(counts))
    -sum(share[share > 0] * log2(share[share > 0]))
  }
  names <- colnames(coded$x)
  among <- diag(1, length(index))
  dimnames(among) <- list(names[index], names[index])
  own <- vapply(index, function(j) entropy(code(j)), 0)
  others <- vector("list", length(index))
  known <- rep(NA_real_, ncol(coded$x))
  known[index] <- own
  for (i in seq_along(index)) {
    rows <- cpp_task_rows(list(x = coded$x, cuts = NULL, right = FALSE, y = matrix(code(index[i])), classes = TRUE,
      weights = counts))
    shared <- cpp_relevance(rows, FALSE, resolve_threads(threads))[, 2L]
    among[i, ] <- 2 * shared[index] / pmax(own[i] + own, 1e-300)
    # An uncertainty of u requires u / (2 - u) of the entropy of this feature.
    able <- setdiff(which(shared > 0 & shared >= (1 - 1e-9) * own[i] * least / (2 - least)), index)
    # Without a limit, the most similar features are among those that share the most information.
    if (least == 0) able <- utils::head(able[order(-shared[able])], 20L)
    new <- able[is.na(known[able])]
    known[new] <- vapply(new, function(j) entropy(code(j)), 0)
    u <- stats::setNames(2 * shared[able] / (own[i] + known[able]), names[able])
    u <- u[u >= least - 1e-12]
    others[[i]] <- u[order(-u)]
  }
  among[] <- pmin(pmax((among + t(among)) / 2, 0), 1)
  diag(among) <- 1
  list(among = among, others = others)
}

# The most similar features that can replace a chosen one.
swapped_features <- function(answer, candidates) {
  params <- answer$setup$choice
  options <- answer$setup$options
  learner <- answer$tuning$learner
  splits <- with_stream(list(answer$number, "sift", "swap"), split_rows(answer$task, params$resampling))
  assess <- function(features) {
    with_stream(list(answer$number, "sift", "assess"), assess_features(
      answer$task, features, learner, params$measure, rs_custom(unname(splits)), NULL, options$impute, options$threads
    ))$value
  }
  chosen <- answer$selection$feature
  sign <- if (answer$tuning$direction == "maximize") 1 else -1
  own <- assess(chosen)
  margin <- stats::sd(own) / sqrt(length(own))
  Map(function(f, others) {
    worse <- vapply(others, function(g) mean(sign * (own - assess(replace(chosen, chosen == f, g)))), 0)
    # Without a standard error, or one of 0, it must not get worse at all.
    others[which(worse < margin | worse <= 1e-12 * max(abs(own)))]
  }, chosen, candidates, USE.NAMES = FALSE)
}

# For each feature of a task, at most three targets with the most information.
served_targets <- function(task, options) {
  numeric <- task_kind(task) == "numeric"
  score <- function(task) {
    if_informative(label_scores(task, sel_mim(), options$discretizer %||% disc_auto(),
      target_bins = if (numeric) 5, threads = options$threads))
  }
  # Numbers are cut on the rows in which they are known.
  scores <- if (numeric) do.call(cbind, each_known(task, score)) else score(task)
  lapply(seq_len(ncol(task$x)), function(i) {
    row <- stats::setNames(scores[i, ], colnames(scores))
    names(utils::head(sort(row[row > 1e-9], decreasing = TRUE), 3L)) %||% character()
  })
}

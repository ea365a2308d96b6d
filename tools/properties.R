# Checks properties of scores on random tasks of all kinds, for some minutes (1 by default):
#   Rscript tools/properties.R [minutes] [seed]
# Each failure is printed with the seed of its task: the same command with 0 minutes and that seed repeats it alone.
# mlsift must be installed. The exit status is 1 if a property does not hold.

suppressPackageStartupMessages(library(mlsift))

# Selectors whose scores are made of counts. `labels`: permuted labels change no bit (EBLS takes labels of equal entropy
# in their order, and is left out unless it takes all). `levels`: names of levels do not matter; `about`: but for the
# last bits. `alone`: the score of a feature depends on this feature alone. `source`: works on rows in chunks. `greedy`:
# can be extended. `doubled`: depends on relative frequencies only.
counting <- list(
  list(sel_mim(), "labels levels alone source doubled"), list(sel_mim(base = 10), "labels levels alone source doubled"),
  list(sel_mim(adjust = "miller-madow"), "levels alone"), list(sel_ebls(), "levels alone source doubled"),
  list(sel_ebls(prop_labels = 1), "labels levels alone source doubled"),
  list(sel_br_or(), "alone source"), list(sel_chi2("ela"), "about alone"), list(sel_chi2("lp"), "about alone"),
  list(sel_chi2("ppt", min_count = 2), "about alone"), list(sel_trans_mi("lp"), "levels alone doubled"),
  list(sel_trans_mi("ala"), "levels alone doubled"), list(sel_igmf(), "levels alone doubled"),
  list(sel_fimf(), "levels"),
  list(sel_ami(), "levels source greedy"), list(sel_scls(), "levels source greedy"),
  list(sel_d2f(), "levels source greedy"), list(sel_pmu(), "levels greedy"), list(sel_lrfs(), "levels greedy"),
  list(sel_lsmfs(), "levels greedy"), list(sel_mlsmfs(), "levels greedy"),
  list(sel_mdmr(), "levels source greedy"), list(sel_mrmr(), "levels source greedy"),
  list(sel_jmim(), "levels source greedy"), list(sel_cmim(), "levels source greedy"),
  list(sel_njmim(), "levels source greedy"), list(sel_disr(), "levels source greedy"),
  list(sel_single_jmi(), "levels source greedy"), list(sel_joint_jmi(), "levels greedy"),
  list(sel_jmi3(), "levels greedy"), list(sel_cmi(), "levels greedy"), list(sel_jim(), "levels source greedy")
)
# Selectors whose scores are sums of real numbers: threads change no bit, other changes the last ones.
numeric <- list(
  list(sel_br_cc(), "alone"), list(sel_mfs(), "alone"), list(sel_mfs_mcdm(), ""),
  list(sel_ml_cfs(), ""), list(sel_qpmlfs(), ""),
  list(sel_grro(1, 0.1, "uncertainty"), ""),
  list(sel_spec(), "alone"), list(sel_relieff_br(3), "alone"), list(sel_relieff_ml(3), "alone"),
  list(sel_rrelieff(3), "alone"), list(sel_mlrf(2), "alone"),
  list(sel_surf(), "alone"), list(sel_multisurf(), "alone"),
  list(sel_mtl(), ""), list(sel_mtl("logistic", alpha = 0.8), ""), list(sel_mssl(), ""),
  list(sel_mdfs(), ""), list(sel_mifs(), "")
)

# --- random tasks -----------------------------------------------------------------------------------------------------

# Sizes at which words, blocks and runs of the core end.
borders <- c(63:65, 127:129, 255:257, 511:513)

# One task of four has as many features as a border, and one of four as many rows.
draw_parts <- function(kind) {
  at <- sample(c("features", "rows", "", ""), 1)
  n <- if (at == "rows") sample(borders, 1) else sample(15:120, 1)
  # The largest runs are the most likely to be forgotten.
  d <- if (at == "features") sample(c(borders, rep(512:513, 6)), 1) else sample(3:9, 1)
  q <- sample(1:6, 1)
  levels <- sample(2:5, 1)
  x <- matrix(as.double(sample.int(levels, n * d, TRUE) - 1L), n)
  x[, 1] <- stats::rbinom(n, 1, stats::runif(1))
  colnames(x) <- paste0("f", seq_len(d))
  y <- matrix(0, n, q, dimnames = list(NULL, paste0("l", seq_len(q))))
  for (l in seq_len(q)) {
    # In a wide task, features at borders matter.
    places <- if (d > 9) intersect(c(64, 128, 256, 512, d), seq_len(d)) else seq_len(d)
    signal <- x[, sample(places, 1)] + stats::rnorm(n)
    y[, l] <- switch(kind, label = signal > stats::quantile(signal, stats::runif(1, 0.2, 0.9)),
      class = cut(rank(signal, ties.method = "first"), 3, labels = FALSE), numeric = signal)
  }
  list(x = x, y = y, kind = kind)
}

make_task <- function(parts, x = parts$x, y = parts$y) {
  if (parts$kind == "class") y <- as.data.frame(lapply(as.data.frame(y), factor))
  discrete <- stats::setNames(rep(TRUE, ncol(x)), colnames(x))
  suppressMessages(mltask(x, y, kind = parts$kind, discrete = discrete))
}

as_sparse <- function(x) methods::as(methods::as(Matrix::Matrix(x, sparse = TRUE), "generalMatrix"), "CsparseMatrix")

# The selection as plain data, or NULL where the selector refuses the task.
selection_of <- function(task, selector, ..., seed = 1) {
  set.seed(seed)
  tryCatch({
    selection <- suppressWarnings(suppressMessages(sift_features(task, selector, ...)))
    list(feature = selection$feature, score = selection$score)
  }, mlsift_error = function(e) NULL)
}

score_by_name <- function(selection) stats::setNames(selection$score, selection$feature)

same <- identical
close <- function(a, b, tolerance = 1e-9) {
  isTRUE(all.equal(a[order(names(a))], b[names(a)][order(names(a))], tolerance = tolerance))
}

# --- properties -------------------------------------------------------------------------------------------------------

# A list of TRUE, FALSE or NA (does not apply) by the name of the property.
check_selector <- function(parts, selector, marks, counts) {
  has <- function(mark) mark %in% strsplit(marks, " ")[[1]]
  task <- make_task(parts)
  # Joint distributions of all features, slow graphs, and models of many features.
  slow <- c("QPMLFS", "GRRO", "ML-CFS", "SPEC", "Joint-JMI", "MIFS")
  if (ncol(parts$x) > 100 && selector$name %in% slow) return(list())
  bins <- if (parts$kind == "numeric" && counts) 3L
  select <- function(task, ...) selection_of(task, selector, ..., target_bins = bins)
  plain <- select(task, threads = 1)
  if (is.null(plain)) return(list())
  equal <- if (counts) same else function(a, b) close(score_by_name(a), score_by_name(b))
  n <- nrow(parts$x)
  found <- list(threads = same(select(task, threads = 2), plain))
  found$`data frame` <- equal(select(make_task(parts, as.data.frame(parts$x))), plain)
  found$sparse <- equal(select(make_task(parts, as_sparse(parts$x))), plain)
  draws <- grepl("GMBA|Group", selector$name)
  if (!draws && (counts || selector$name %in% c("BR+CC", "MFS"))) {
    rows <- sample(n)
    found$`permuted rows` <- equal(
      select(make_task(parts, parts$x[rows, , drop = FALSE], parts$y[rows, , drop = FALSE])), plain
    )
  }
  if (has("labels")) {
    found$`permuted labels` <- same(select(make_task(parts, y = parts$y[, sample(ncol(parts$y)), drop = FALSE])), plain)
  }
  if (has("levels") || has("about")) {
    codes <- sample(7) * 3 - 10
    renamed <- select(make_task(parts, matrix(codes[parts$x + 1], n, dimnames = dimnames(parts$x))))
    found$`renamed levels` <- if (has("levels")) same(renamed, plain) else
      close(score_by_name(renamed), score_by_name(plain))
  }
  if (has("alone")) {
    copied <- select(make_task(parts, cbind(parts$x, copy = parts$x[, 2])))
    scores <- score_by_name(copied)
    # A copy comes after the first of equal scores, since it is the last column.
    found$`copied feature` <- same(scores[["copy"]], scores[["f2"]]) &&
      match("copy", copied$feature) > match("f2", copied$feature)
    if (!selector$name %in% c("RReliefF", "MLRF", "ReliefF-BR", "ReliefF-ML") && counts) {
      found$`others unchanged` <- same(scores[names(score_by_name(plain))], score_by_name(plain))
    }
  }
  if (has("doubled") && parts$kind != "numeric") {
    twice <- rep(seq_len(n), 2)
    found$`doubled rows` <- close(
      score_by_name(select(make_task(parts, parts$x[twice, ], parts$y[twice, , drop = FALSE]))), score_by_name(plain)
    )
  }
  if (has("source") && parts$kind == "label") {
    ends <- sort(unique(c(sample(n, 2), n)))
    begins <- c(1L, utils::head(ends, -1) + 1L)
    chunks <- chunk_source(function(i) if (i <= length(ends)) task[begins[i]:ends[i], ], feature_names(task),
      target_names(task), discrete = stats::setNames(rep(TRUE, ncol(task)), feature_names(task)))
    found$chunks <- same(select(chunks), plain)
  }
  # Without some features that are not selected, the borders of runs lie elsewhere, and the same is selected first.
  if (ncol(parts$x) > 9 && counts && !anyDuplicated(plain$score[1:6])) {
    dropped <- setdiff(colnames(parts$x), plain$feature[1:5])[1:7]
    fewer <- select(make_task(parts, parts$x[, setdiff(colnames(parts$x), dropped)]))
    found$`fewer features` <- identical(fewer$feature[1:5], plain$feature[1:5]) &&
      isTRUE(all.equal(fewer$score[1:5], plain$score[1:5]))
  }
  if (has("greedy")) {
    set.seed(1)
    short <- suppressWarnings(sift_features(task, selector, k = 2, target_bins = bins))
    longer <- suppressWarnings(extend_selection(short, task, k = ncol(task)))
    found$extended <- same(list(feature = longer$feature, score = longer$score), plain)
  }
  found
}

check_bases <- function(parts) {
  if (parts$kind != "label") return(list())
  scores <- lapply(c(2, exp(1), 10), function(base) score_by_name(selection_of(make_task(parts), sel_mim(base = base))))
  list(`bases of the logarithm` = close(scores[[1]] * log(2), scores[[2]]) && close(scores[[3]] * log(10), scores[[2]]))
}

# One random task; a data frame of selector, property and whether it holds.
check_round <- function(seed) {
  set.seed(seed)
  kind <- sample(c("label", "label", "class", "numeric"), 1)
  parts <- draw_parts(kind)
  cases <- c(lapply(sample(counting, 4), c, TRUE), lapply(sample(numeric, 2), c, FALSE))
  rows <- lapply(cases, function(case) {
    held <- check_selector(parts, case[[1]], case[[2]], case[[3]])
    data.frame(selector = rep(case[[1]]$name, length(held)), property = as.character(names(held)),
      held = as.logical(unlist(held)))
  })
  bases <- check_bases(parts)
  rows <- c(rows, list(data.frame(
    selector = rep("MIM-BR", length(bases)), property = as.character(names(bases)), held = as.logical(unlist(bases))
  )))
  rows <- do.call(rbind, rows)
  cbind(seed = rep(seed, nrow(rows)), kind = rep(kind, nrow(rows)), rows)
}

if (sys.nframe() == 0L) {
  asked <- as.numeric(commandArgs(TRUE))
  if (anyNA(asked) || length(asked) > 2) stop("Give minutes and a seed, both numbers, or nothing.", call. = FALSE)
  minutes <- if (length(asked) > 0) asked[1] else 1
  seed <- if (length(asked) > 1) asked[2] else as.integer(Sys.time()) %% 1e6 * 1000
  cat(sprintf("The first seed is %.0f.\n", seed))
  started <- proc.time()[["elapsed"]]
  results <- list()
  repeat {
    rows <- tryCatch(check_round(seed), error = function(e) data.frame(
      seed = seed, kind = "", selector = "", property = paste("error:", conditionMessage(e)), held = FALSE
    ))
    bad <- rows[!rows$held, ]
    if (nrow(bad) > 0) {
      cat(sprintf("seed %.0f, %s task: \"%s\" does not hold for %s\n", bad$seed, bad$kind, bad$property, bad$selector),
        sep = "")
    }
    results[[length(results) + 1L]] <- rows
    seed <- seed + 1
    if (proc.time()[["elapsed"]] - started >= 60 * minutes) break
  }
  all <- do.call(rbind, results)
  print(stats::xtabs(~ property + kind, all))
  cat(sprintf("Properties: %d tasks, %d checks of %d selectors, %d failed.\n", length(results), nrow(all),
    length(unique(all$selector)), sum(!all$held)))
  quit(status = as.integer(any(!all$held)))
}

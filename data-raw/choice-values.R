# Values of selectors x learners x numbers of features on public data sets, for choice-candidates.R:
#   Rscript data-raw/choice-values.R <folder with data sets> <folder for results> [part or set ...]
# Of each set at most 1,000 rows are used, in two random halves: one to choose with, in three folds, and one to test the
# final model. Class sets are rows with exactly one label, and small sets of R. The part "others" compares with the
# importance of forests and boosted trees, and with L1 paths, on the halves alone; it needs the packages ranger and
# glmnet, and the program xgboost. Results are kept set by set, and what is there is not computed again. mlsift must be
# installed.
suppressPackageStartupMessages(library(mlsift))

arguments <- commandArgs(TRUE)
data <- arguments[1]
results <- arguments[2]
facts <- utils::read.csv(file.path(data, "datasets.csv"))
most_rows <- 1000
k <- c(5, 10, 20, 30, 50, 75, 100, 150, 200)

read_file <- function(name) suppressMessages(read_mulan(file.path(data, paste0(name, ".arff.gz"))))

few_rows <- function(task) {
  set.seed(1)
  if (nrow(task) > most_rows) task <- task[sort(sample.int(nrow(task), most_rows)), ]
  drop_features(task, c("id", "constant", "target_copy"))
}

label_set <- function(name) {
  task <- few_rows(read_file(name))
  on <- colSums(as.matrix(targets(task)) != 0)
  subset_targets(task, target_names(task)[on > 0 & on < nrow(task)])
}

# The rows with exactly one label, of the labels with 20 such rows.
single_label_set <- function(name) {
  task <- read_file(name)
  y <- as.matrix(targets(task)) != 0
  single <- rowSums(y) == 1
  label <- max.col(y, "first")
  often <- which(tabulate(label[single], ncol(y)) >= 20)
  rows <- which(single & label %in% often)
  few_rows(mltask(features(task[rows, ]), data.frame(.class = factor(label[rows])), name = name))
}

data_frame_set <- function(name) {
  part <- strsplit(name, "::")[[1]]
  x <- stats::na.omit(as.data.frame(getExportedValue(part[1], part[2])))
  class <- c("datasets::iris" = "Species", "MASS::fgl" = "type", "MASS::crabs" = "sex",
    "MASS::biopsy" = "class")[[name]]
  x <- x[setdiff(names(x), c("ID", "index"))]
  few_rows(mltask(x[names(x) != class], data.frame(.class = factor(x[[class]])), name = name))
}

# Missing values are filled in on all rows: the targets have none, and all candidates see the same.
number_set <- function(name) {
  task <- read_file(name)
  few_rows(if (name == "osales") stats::predict(fit(impute_mean(), task), task) else task)
}

shown <- function(selectors) stats::setNames(selectors, vapply(selectors, `[[`, "", "name"))

# Features that are constant in a fold have no correlation.
correlation <- sel_custom("Correlation", function(task, k) {
  r <- suppressWarnings(stats::cor(data.matrix(features(task)), as.matrix(targets(task))))
  replace(rowMeans(abs(r), na.rm = TRUE), rowSums(!is.na(r)) == 0, 0)
})

# What else is in use: one model of all features for each label, and the mean over labels of what it says of a feature.
number_matrix <- function(task) {
  x <- features(task)
  if (is.data.frame(x)) data.matrix(x) else if (is.matrix(x)) x + 0 else methods::as(x, "CsparseMatrix")
}

mean_over_labels <- function(name, importance) {
  sel_custom(name, function(task, k) {
    x <- number_matrix(task)
    y <- as.matrix(targets(task)) != 0
    y <- y[, colSums(y) > 1 & colSums(!y) > 1, drop = FALSE]
    set.seed(1)
    rowMeans(vapply(seq_len(ncol(y)), function(l) importance(x, as.integer(y[, l])), double(ncol(x))))
  })
}

forest <- function(x, y, importance) {
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  ranger::ranger(x = x, y = factor(y), importance = importance, num.threads = 1, num.trees = 500)$variable.importance
}

# All labels at once, as one class: the set of labels of a row.
label_set_forest <- sel_custom("forest of label sets", function(task, k) {
  set.seed(1)
  sets <- apply(as.matrix(targets(task)) != 0, 1, function(on) paste(which(on), collapse = " "))
  unname(forest(as.matrix(number_matrix(task)), sets, "impurity"))
})

# The mean of ranks: the place at which a feature enters. Those that never do share the last places.
l1_path <- function(x, y) {
  path <- suppressWarnings(glmnet::glmnet(x, y, family = "binomial"))
  entered <- apply(as.matrix(path$beta) != 0, 1, function(on) if (any(on)) which(on)[1] else Inf)
  -rank(entered)
}

# The share of the gain of all splits that is the feature's, of a hundred trees with the defaults of the program.
boosted_gain <- function(x, y) {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  file <- function(name) file.path(folder, name)
  cells <- if (is.matrix(x)) {
    data.frame(i = as.vector(row(x)), j = as.vector(col(x)), v = as.vector(x))
  } else {
    data.frame(i = x@i + 1L, j = rep(seq_len(ncol(x)), diff(x@p)), v = x@x)
  }
  words <- split(paste0(cells$j - 1L, ":", cells$v), factor(cells$i, seq_len(nrow(x))))
  writeLines(paste(y, vapply(words, paste, "", collapse = " ")), file("rows"))
  writeLines(c("booster = gbtree", "objective = binary:logistic", "num_round = 100", "nthread = 1", "verbosity = 0",
    sprintf('data = "%s?format=libsvm"', file("rows")), sprintf('model_out = "%s"', file("model")),
    sprintf('model_in = "%s"', file("model")), sprintf('name_dump = "%s"', file("trees")), "dump_stats = 1"),
    file("settings"))
  writeLines(sub("model_in.*", "", readLines(file("settings"))), file("training"))
  system2("xgboost", file("training"), stdout = FALSE, stderr = FALSE)
  system2("xgboost", c(file("settings"), "task=dump"), stdout = FALSE, stderr = FALSE)
  splits <- grep("gain=", readLines(file("trees")), value = TRUE)
  feature <- as.integer(sub(".*\\[f([0-9]+).*", "\\1", splits)) + 1L
  gain <- as.double(sub(".*gain=([^,]+).*", "\\1", splits))
  total <- as.vector(tapply(gain, factor(feature, seq_len(ncol(x))), sum, default = 0))
  total / max(sum(total), 1e-300)
}

bayes <- lrn_nb(discretizer = disc_auto())

sizes <- facts$n_rows * facts$n_features
by_size <- function(kind) facts$name[order(sizes)][facts$kind[order(sizes)] == kind]
parts <- list(
  labels = list(
    sets = c(setdiff(by_size("multilabel"), "delicious"), "delicious"), read = label_set,
    selectors = shown(list(sel_mlsmfs(), sel_mtl(), sel_cmim(), sel_ml_cfs(), sel_ami(), sel_mim(), sel_chi2("ela"),
      sel_mfs(), sel_ebls(), sel_mrmr(), sel_scls(), sel_none())),
    learners = list(lrn_mlknn(), lrn_linear(), bayes),
    measures = c("average_precision", "macro_f1", "micro_f1")
  ),
  classes = list(
    sets = c("datasets::iris", "MASS::fgl", "MASS::crabs", "MASS::biopsy", "emotions", "scene", "image", "genbase",
      "medical", "slashdot", "ng20", "ohsumed"),
    read = function(name) if (grepl("::", name)) data_frame_set(name) else single_label_set(name),
    selectors = shown(list(sel_mim(), sel_cmim(), sel_jmim(), sel_relieff_br(), sel_mtl(loss = "squared"), sel_mrmr(),
      sel_none())),
    learners = list(lrn_brknn(10), lrn_linear(), bayes),
    measures = c("balanced_accuracy", "class_log_loss")
  ),
  numbers = list(
    sets = by_size("multitarget"), read = number_set,
    selectors = shown(list(correlation, sel_rrelieff(), sel_group_jmi(), sel_mtl(standardize_targets = TRUE),
      sel_ml_cfs(), sel_none())),
    learners = list(lrn_linear(), lrn_knn_regression()),
    measures = c("arrmse", "mean_r2")
  ),
  others = list(
    sets = c("emotions", "birds", "yeast", "scene", "slashdot", "ng20"), read = label_set,
    selectors = shown(list(sel_mlsmfs(), sel_cmim(), sel_mtl(), sel_ami(), sel_mim(), sel_random(), sel_none(),
      mean_over_labels("forest impurity", function(x, y) forest(x, y, "impurity")),
      label_set_forest, mean_over_labels("xgboost gain", boosted_gain), mean_over_labels("L1 path", l1_path))),
    learners = list(lrn_mlknn(), lrn_linear(), bayes),
    measures = c("average_precision", "macro_f1", "micro_f1"), k = c(10, 50)
  ),
  # What Relief is worth where features tell something alone.
  relief = list(
    sets = by_size("multilabel"), read = label_set, selectors = shown(list(sel_relieff_br())),
    learners = list(lrn_mlknn(), lrn_linear(), bayes),
    measures = c("average_precision", "macro_f1", "micro_f1"), k = c(10, 50)
  ),
  # What is gained by thresholds of labels that are learned.
  thresholds = list(
    sets = setdiff(by_size("multilabel"), "delicious"), read = label_set,
    selectors = shown(list(sel_mtl(), sel_mlsmfs())),
    learners = list(linear = lrn_linear(), NB = bayes, "linear, each label" = lrn_threshold(lrn_linear()),
      "linear, all labels" = lrn_threshold(lrn_linear(), by = "all"),
      "linear, by count" = lrn_threshold(lrn_linear(), by = "count"), "NB, each label" = lrn_threshold(bayes)),
    measures = c("macro_f1", "micro_f1"), k = c(10, 50)
  ),
  # With a thousand features this takes several times as long as impurity.
  permutation = list(
    sets = c("emotions", "birds"), read = label_set,
    selectors = shown(list(mean_over_labels("forest permutation", function(x, y) forest(x, y, "permutation")))),
    learners = list(lrn_mlknn(), lrn_linear(), bayes),
    measures = c("average_precision", "macro_f1", "micro_f1"), k = c(10, 50)
  )
)

# Two halves, and three folds of the first rows of each.
nested_splits <- function(task) {
  set.seed(2)
  outer <- split_rows(task, rs_holdout(0.5, 2))
  splits <- lapply(seq_along(outer), function(h) {
    rows <- outer[[h]]
    inner <- lapply(split_rows(task[rows$train, ], rs_cv(3)), function(fold) lapply(fold, function(i) rows$train[i]))
    stats::setNames(c(list(rows), inner), paste0("half", h, c("", paste0(".fold", 1:3))))
  })
  lapply(do.call(c, splits), function(split) split[c("train", "test")])
}

one_set <- function(name, part, kind, suffix = "") {
  label <- gsub("::", "-", name)
  file <- file.path(results, paste0(kind, "-", label, suffix, ".rds"))
  if (file.exists(file)) return(invisible())
  task <- part$read(name)
  splits <- nested_splits(task)
  limit <- min(ncol(task), 200)
  ks <- sort(unique(c(if (limit < 10) seq_len(limit - 1), k[k < limit], limit)))
  if (!is.null(part$k)) {
    splits <- splits[c("half1", "half2")]
    ks <- part$k
  }
  set.seed(3)
  spent <- system.time(bench <- suppressMessages(suppressWarnings(benchmark_selectors(list(set = task), part$selectors,
    part$learners, rs_custom(splits), ks, part$measures, threads = 1, progress = FALSE,
    folder = file.path(results, "folders", paste0(kind, "-", label))))))
  times <- transform(timings(bench), learner = ifelse(is.na(learner), "", learner))
  saveRDS(list(name = name, rows = nrow(task), features = ncol(task), targets = ncol(targets(task)), k = ks,
    values = as.data.frame(bench)[c("split", "selector", "learner", "k", "n_selected", "measure", "value")],
    seconds = stats::aggregate(seconds ~ split + selector + learner + stage, times, sum),
    failures = as.data.frame(failures(bench))), file)
  cat(sprintf("%s %-22s %5d x %5d, %3d targets, %6.1f s\n", format(Sys.time(), "%H:%M:%S"), name, nrow(task),
    ncol(task), ncol(targets(task)), spent[["elapsed"]]))
}

wanted <- arguments[-(1:2)]
dir.create(file.path(results, "folders"), showWarnings = FALSE, recursive = TRUE)
for (kind in names(parts)) {
  part <- parts[[kind]]
  for (name in part$sets) {
    if (length(wanted) == 0 || kind %in% wanted || name %in% wanted) {
      tryCatch(one_set(name, part, kind), error = function(e) cat(name, "failed:", conditionMessage(e), "\n"))
    }
  }
}
# Logistic regression of the best candidates, where its cost allows.
if (length(wanted) == 0 || "brlr" %in% wanted) {
  part <- parts$labels
  part$selectors <- part$selectors[c("MTL", "MLSMFS", "SCLS", "mRMR", "CMIM", "All")]
  part$learners <- list(lrn_brlr())
  for (name in part$sets) {
    found <- readRDS(file.path(results, paste0("labels-", name, ".rds")))
    if (found$targets <= 30 && found$features <= 1200) one_set(name, part, "labels", "-brlr")
  }
}

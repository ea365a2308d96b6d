# What vignettes/articles/ebls.Rmd looks into: why some claims of the paper do not hold. Stores the numbers in
# vignettes/articles/ebls-why.rds. Takes about half an hour on one core.
#   Rscript data-raw/ebls-why.R DATA [PART ...]
# DATA has the data sets (NAME.arff or NAME.arff.gz, and NAME.xml). Parts are those of `parts` below, all without.
suppressPackageStartupMessages(library(mlsift))

argument <- commandArgs(TRUE)
if (length(argument) < 1L) stop("Give the folder of the data sets.")
file <- file.path("vignettes", "articles", "ebls-why.rds")

data_set <- function(name) {
  path <- file.path(argument[1], paste0(name, c(".arff", ".arff.gz")))
  read_mulan(path[file.exists(path)][1], file.path(argument[1], paste0(name, ".xml")))
}
# Numbers of labels in Table 2 of the paper.
promising <- c(
  bibtex = 32, corel5k = 112, delicious = 98, enron = 5, genbase = 24, langlog = 38, slashdot = 18, yeast = 3
)

bits <- function(counts) {
  p <- counts[counts > 0] / sum(counts)
  -sum(p * log2(p))
}
feature_bits <- function(task) {
  x <- features(task)
  x <- if (is.data.frame(x)) data.matrix(x) else as.matrix(x)
  apply(x, 2, function(codes) bits(table(codes)))
}

parts <- list(
  # EBLS beside its two limits: the entropy of features alone, and all labels (MIM-BR). And where the ones of the labels
  # are: the time of counts depends on them.
  limits = function() {
    rows <- lapply(names(promising), function(name) {
      task <- data_set(name)
      cuts <- if (name == "yeast") disc_equal_width(2) else disc_auto()
      seen <- NULL
      entropy <- sel_custom("Entropy", function(task, k) {
        seen <<- feature_bits(task)
        seen
      }, codes = TRUE)
      score <- function(selector) {
        found <- sift_features(task, selector, k = ncol(features(task)), discretizer = cuts)
        found$score[order(found$feature)]
      }
      top <- function(selector) sift_features(task, selector, k = 50, discretizer = cuts)$feature
      tops <- lapply(list(ebls = sel_ebls(promising[[name]]), entropy = entropy, mim = sel_mim()), top)
      y <- targets(task)
      ones <- Matrix::colSums(y)
      p <- ones / nrow(y)
      label_bits <- ifelse(p > 0 & p < 1, -p * log2(p) - (1 - p) * log2(1 - p), 0)
      chosen <- order(-label_bits)[seq_len(promising[[name]])]
      data.frame(
        task = name, n_labels = promising[[name]], share_of_labels = promising[[name]] / ncol(y),
        share_of_ones = sum(ones[chosen]) / sum(ones), entropy_of_labels = stats::median(label_bits),
        entropy_of_features = stats::median(seen), as_entropy = mean(tops$ebls %in% tops$entropy),
        as_mim = mean(tops$ebls %in% tops$mim)
      )
    })
    do.call(rbind, rows)
  },
  # Seconds of a selection, the fastest of fifteen. Times of the processor, as others may use the machine.
  seconds = function() {
    rows <- lapply(c("bibtex", "corel5k", "delicious", "enron"), function(name) {
      task <- data_set(name)
      selectors <- list(EBLS = sel_ebls(promising[[name]]), "MIM-BR" = sel_mim(), "BR+CC" = sel_br_cc(),
        "BR+OR" = sel_br_or(), "ELA+CHI" = sel_chi2(), FIMF = sel_fimf(n_labels = 10), MFS = sel_mfs())
      seconds <- vapply(selectors, function(selector) {
        min(replicate(15, sum(system.time(sift_features(task, selector, k = 50, threads = 1))[1:2])))
      }, 0)
      data.frame(task = name, selector = names(selectors), seconds = unname(seconds))
    })
    do.call(rbind, rows)
  },
  # A least number of labels, beside a fifth of the labels.
  least = function() {
    names <- c("emotions", "scene", "image", "birds", "yeast", "slashdot", "genbase", "enron", "langlog")
    tasks <- lapply(stats::setNames(nm = names), data_set)
    tasks$genbase <- drop_features(tasks$genbase, "id")
    tasks[["yeast, 5 intervals"]] <- tasks$yeast
    at_least <- function(least) {
      do.call(by_task, lapply(tasks, function(task) {
        n <- ncol(targets(task))
        sel_ebls(min(n, max(least, round(n / 5))))
      }))
    }
    selectors <- list(
      "Entropy alone" = sel_custom("Entropy alone", function(task, k) feature_bits(task), codes = TRUE),
      "EBLS" = sel_ebls(), "EBLS, 5 or more" = at_least(5), "EBLS, 10 or more" = at_least(10),
      "EBLS, 20 or more" = at_least(20), "MIM-BR" = sel_mim(), "Random" = sel_random()
    )
    set.seed(1)
    suppressWarnings(benchmark_selectors(tasks, selectors, list(lrn_mlknn(scale = "none"), lrn_brlr(scale = "zscore")),
      rs_holdout(0.8, 3, stratify = FALSE), k = c(10, 30, 50), measures = c("hamming_loss", "ranking_loss"),
      discretizer = by_task(yeast = disc_equal_width(2), otherwise = disc_auto()), threads = 1
    ))
  },
  # Genbase with and without the column that numbers its rows.
  row_numbers = function() {
    genbase <- data_set("genbase")
    set.seed(1)
    suppressWarnings(benchmark_selectors(
      list("with row numbers" = genbase, "without" = drop_features(genbase, "id")),
      list(EBLS = sel_ebls(24), sel_br_cc(), sel_br_or(), sel_chi2(), sel_fimf(n_labels = 10), sel_mfs()),
      lrn_brlr(scale = "zscore"), rs_holdout(0.8, 5, stratify = FALSE), k = 50,
      measures = c("hamming_loss", "ranking_loss"), threads = 1
    ))
  },
  # All features: the penalty of logistic regression, and ranking by predicted labels in place of probabilities, as
  # after a fit that diverged until all probabilities are 0 or 1.
  baseline = function() {
    rows <- lapply(c("genbase", "slashdot", "yeast", "langlog", "corel5k", "enron"), function(name) {
      task <- data_set(name)
      set.seed(1)
      # The last three take long.
      n <- if (name %in% c("genbase", "slashdot", "yeast")) 3 else 1
      train <- replicate(n, sample(nrow(task), round(0.8 * nrow(task))), simplify = FALSE)
      runs <- lapply(train, function(rows) lapply(c(1, 1e-4), function(rho) {
        model <- suppressWarnings(fit(lrn_brlr(rho, "zscore"), task[rows, ], threads = 1))
        made <- predict(model, task[-rows, ])
        truth <- targets(task[-rows, ])
        data.frame(
          task = name, rho = rho, hamming_loss = msr_hamming_loss(truth, made),
          ranking_loss = msr_ranking_loss(truth, made), by_labels = msr_ranking_loss(truth, made$response)
        )
      }))
      do.call(rbind, unlist(runs, recursive = FALSE))
    })
    stats::aggregate(cbind(hamming_loss, ranking_loss, by_labels) ~ task + rho, do.call(rbind, rows), mean)
  }
)

for (part in if (length(argument) > 1L) argument[-1] else names(parts)) {
  result <- parts[[part]]()
  if (inherits(result, "mlbenchmark")) {
    result$value <- signif(result$value, 6)
    attr(result, "selections") <- attr(result, "selections")[0L, ]
  }
  found <- if (file.exists(file)) readRDS(file)
  found[[part]] <- result
  saveRDS(found[intersect(names(parts), names(found))], file, compress = "xz")
}

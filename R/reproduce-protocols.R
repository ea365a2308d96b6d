# The experiments of papers, as arguments of benchmark_selectors(). A protocol is a list of studies:
#
#   tasks      names of the data sets
#   repeats    how often rows are split, in the paper
#   prepare    a function of a task (and its name), applied before anything else; NULL for none
#   arguments  a function of the tasks and the number of repeats that gives the other arguments
#
# The help of reproduce() lists what papers leave open, and what was chosen.

protocols <- list(
  ebls = function() {
    tasks <- c("bibtex", "corel5k", "delicious", "enron", "genbase", "langlog", "slashdot", "yeast")
    setup <- function(selectors, k) function(tasks, repeats) list(
      selectors = selectors, learners = lrn_brlr(scale = "zscore"),
      resampling = rs_holdout(0.8, repeats, stratify = FALSE), k = k, measures = c("hamming_loss", "ranking_loss"),
      discretizer = by_task(yeast = disc_equal_width(2), otherwise = disc_auto())
    )
    # Table 2 of the paper, or a fifth of the labels if `data` has other sets.
    proposed <- by_task(
      bibtex = sel_ebls(32), corel5k = sel_ebls(112), delicious = sel_ebls(98), enron = sel_ebls(5),
      genbase = sel_ebls(24), langlog = sel_ebls(38), slashdot = sel_ebls(18), yeast = sel_ebls(3)
    )
    selectors <- list(
      EBLS = proposed, sel_br_cc(), sel_br_or(), sel_chi2(), sel_fimf(n_labels = 10), sel_mfs()
    )
    shares <- seq(0.1, 1, 0.1)
    labels <- function(which) {
      made <- lapply(shares, function(share) sel_ebls(prop_labels = share, which = which))
      stats::setNames(made, paste(which, format(shares, nsmall = 1)))
    }
    list(
      comparison = list(tasks = tasks, repeats = 10, arguments = setup(selectors, c(1, seq(5, 50, 5)))),
      baseline = list(tasks = tasks, repeats = 10, arguments = setup(list(sel_none()), 50)),
      share = list(
        tasks = tasks, repeats = 10, arguments = setup(c(labels("largest"), labels("smallest")), c(10, 30, 50))
      )
    )
  },
  gmba = function() {
    small <- c("emotions", "enron", "genbase", "medical", "scene", "yeast")
    selectors <- list(
      sel_gmba(scale = "zscore"), "GMBA, step 0.01" = sel_gmba(step = 0.01, epochs = 10, scale = "zscore"),
      "GMBA, program" = sel_gmba(variant = "code2016", scale = "zscore"),
      sel_spec(), sel_mfs(), sel_mlrf(scale = "zscore"),
      "MLRF, program" = sel_mlrf(variant = "code2016", scale = "zscore"), sel_none()
    )
    setup <- function(split) function(tasks, repeats) list(
      selectors = selectors, learners = list(lrn_brknn(scale = "none"), lrn_cc_knn(scale = "none")),
      resampling = if (split == "cv") rs_cv(10, repeats, stratify = FALSE) else lapply(tasks, function(task) {
        rs_holdout(n_train = 1800, n_test = nrow(task) %/% 10, repeats = repeats, stratify = FALSE)
      }),
      prop = seq(0.1, 0.9, 0.1), measures = c("hamming_loss", "micro_f1", "macro_f1")
    )
    # The authors' program scales all rows together.
    prepare <- function(task, name) scale_features(indicator_features(drop_features(task, c("id", "constant"))))
    list(
      folds = list(tasks = small, repeats = 1, prepare = prepare, arguments = setup("cv")),
      samples = list(tasks = c("bibtex", "mediamill"), repeats = 10, prepare = prepare, arguments = setup("holdout"))
    )
  },
  "group-jmi" = function() {
    labels <- c("cal500", "emotions", "enron", "genbase", "image", "langlog", "medical", "scene", "yeast")
    # Ten labels, or all if there are fewer.
    fimf <- by_task(emotions = sel_fimf(6), image = sel_fimf(5), scene = sel_fimf(6), otherwise = sel_fimf(10))
    numbers <- c("atp1d", "atp7d", "oes97", "oes10", "osales", "scm20d")
    setup <- function(selectors) function(tasks, repeats) list(
      selectors = selectors, learners = lrn_mlknn(neighbors = 7, scale = "none"), resampling = rs_holdout(0.5, repeats),
      k = 1:50, measures = c("hamming_loss", "ranking_loss", "norm_coverage", "macro_f1"),
      discretizer = disc_equal_width(5)
    )
    clusters <- lapply(c(4, 8, 16, 32), function(n) sel_group_jmi(size = 0.5, clusters = n))
    sizes <- lapply(c(0.25, 0.5, 0.75), function(size) sel_group_jmi(size = size, clusters = 8))
    names(clusters) <- paste("clusters", c(4, 8, 16, 32))
    names(sizes) <- paste("size", c(0.25, 0.5, 0.75))
    list(
      jmi = list(
        tasks = labels, repeats = 30, arguments = setup(list(sel_single_jmi(), sel_joint_jmi(), sel_group_jmi()))
      ),
      rivals = list(tasks = labels, repeats = 30, arguments = setup(list(
        sel_mim(), sel_chi2(), sel_ami(), sel_pmu(), fimf, sel_scls(), sel_group_jmi()
      ))),
      groups = list(tasks = c("image", "medical", "genbase"), repeats = 30, arguments = setup(c(clusters, sizes))),
      regression = list(tasks = numbers, repeats = 30, arguments = function(tasks, repeats) list(
        selectors = list(sel_group_jmi(), "RReliefF, 10 neighbors" = sel_rrelieff(neighbors = 10),
          "RReliefF, 50 neighbors" = sel_rrelieff(neighbors = 50)),
        learners = lrn_knn_regression(neighbors = 10, scale = "zscore"), resampling = rs_holdout(0.5, repeats),
        k = 1:50, measures = "arrmse", discretizer = disc_equal_width(5), impute = impute_mean(), target_bins = 5
      ))
    )
  },
  "ppt-mi" = function() {
    tasks <- c("yeast", "scene", "emotions")
    n_train <- c(yeast = 1500, scene = 1211, emotions = 391)
    setup <- function(selectors, split) function(tasks, repeats) list(
      selectors = selectors, learners = lrn_mlknn(neighbors = 7, scale = "none"),
      resampling = stats::setNames(nm = names(tasks), lapply(names(tasks), function(name) {
        n <- n_train[[name]]
        if (split == "usual") rs_fixed(seq_len(n), seq(n + 1, nrow(tasks[[name]]))) else
          rs_holdout(n_train = n, repeats = repeats, stratify = FALSE)
      })),
      k = c(1:20, seq(25, 300, 5)), measures = c("hamming_loss", "jaccard")
    )
    ppt_mi <- function(...) sel_knn_mi(min_count = 6, neighbors = 4, ..., scale = "zscore")
    selectors <- list(
      "PPT+MI" = ppt_mi(), "PPT+MI, repeated values" = ppt_mi(zero_distance = "ross"),
      "LP+CHI" = sel_chi2(transform = "lp"), sel_none()
    )
    list(
      usual = list(tasks = tasks, repeats = 1, arguments = setup(c(selectors, list(
        "PPT+MI, backward" = ppt_mi(search = "backward")
      )), "usual")),
      random = list(tasks = tasks, repeats = 10, arguments = setup(selectors, "random"))
    )
  },
  "budgeted-ga" = function() {
    tasks <- c(
      "birds", "emotions", "enron", "langlog", "slashdot", "genbase", "yeast", "medical", "scene", "tmc2007-500",
      "yahoo_arts", "yahoo_business", "yahoo_education", "yahoo_reference", "yahoo_science"
    )
    all <- list(sel_ga_explore, sel_rga, sel_nsga2, sel_mpsofs)
    study <- function(measure, searches = all, k = 10, prop = NULL) list(
      tasks = tasks, repeats = 10, prepare = function(task, name) {
        if (startsWith(name, "yahoo")) filter_frequent(task, 0.05) else task
      },
      arguments = function(tasks, repeats) list(
        selectors = lapply(searches, function(search) search(lrn_nb(), measure, discretizer = disc_laim())),
        learners = lrn_nb(), resampling = rs_holdout(0.8, repeats, stratify = FALSE), k = k, prop = prop,
        measures = measure, discretizer = disc_laim(), learner_discretizer = disc_laim()
      )
    )
    # Filters that are not in the paper.
    filter <- study("jaccard")
    filter$arguments <- function(tasks, repeats) {
      arguments <- study("jaccard")$arguments(tasks, repeats)
      arguments$selectors <- list(sel_scls(), sel_mim())
      arguments$measures <- c("jaccard", "hamming_loss", "ranking_loss", "norm_coverage")
      arguments
    }
    # Genbase without its column of row numbers, which say nothing about other rows.
    no_id <- study("jaccard", list(sel_ga_explore, sel_rga))
    no_id$tasks <- "genbase"
    no_id$prepare <- function(task, name) drop_features(task, "id")
    # In the paper, searches for a front are not limited to ten features.
    list(
      hamming = study("hamming_loss"), jaccard = study("jaccard"), ranking = study("ranking_loss"),
      coverage = study("norm_coverage"), sizes = study("jaccard", list(sel_nsga2, sel_mpsofs), k = NULL, prop = 1),
      filter = filter, no_id = no_id
    )
  },
  "all-selectors" = function() {
    small <- c("emotions", "flags", "birds", "cal500", "genbase", "medical", "enron", "langlog", "slashdot", "scene",
      "yeast", "image", "stackex_chess")
    large <- c("corel5k", "bibtex", "delicious", "tmc2007-500", "ohsumed", "ng20", "stackex_chemistry", "yahoo_arts",
      "yahoo_business", "yahoo_education", "yahoo_reference", "yahoo_science")
    both <- list(lrn_mlknn(scale = "none"), lrn_brlr(rho = 1, scale = "zscore"))
    # Selectors that finish within seconds, even with tens of thousands of features or hundreds of labels.
    fast <- list(
      sel_mim(), sel_ebls(), sel_br_cc(), sel_br_or(), sel_chi2(), sel_trans_mi(), sel_mfs(), sel_fimf(), sel_ami(),
      sel_scls(), sel_d2f(), sel_mdmr(), sel_mrmr(), sel_jmim(), sel_cmim(), sel_njmim(), sel_disr(), sel_single_jmi(),
      sel_joint_jmi(), sel_lrfs(), sel_cmi(), sel_igmf(), sel_lsmfs(), sel_mlsmfs(), sel_mfs_mcdm(scale = "none"),
      sel_ml_cfs(), sel_qpmlfs(), sel_spec(), sel_mtl(), sel_best(learner = both[[1L]]),
      sel_random(), sel_none()
    )
    slow <- list(
      sel_group_jmi(), sel_pmu(), sel_jim(), sel_grro(), sel_gmba(step = 0.01, epochs = 10, scale = "zscore"),
      sel_mlrf(scale = "zscore"), sel_relieff_ml(),
      sel_relieff_br(), sel_relieff_lp(), sel_relieff_ppt(), sel_rrelieff_ml(), sel_surf(), sel_multisurf(),
      sel_mssl(scale = "none"), sel_mdfs(scale = "none")
    )
    setup <- function(selectors, learners, k) function(tasks, repeats) list(
      selectors = selectors, learners = learners, resampling = rs_holdout(0.5, repeats), k = k,
      measures = c("hamming_loss", "ranking_loss", "macro_f1", "micro_f1", "average_precision")
    )
    # A row number is an uninformative feature, and a copy of a label reveals it, see check_task(). Factor values become
    # indicators. Large sets are limited to 3,000 rows, and to labels that some of these rows have.
    prepare <- function(task, name) {
      task <- indicator_features(drop_features(task, c("id", "constant", "target_copy")))
      if (!name %in% large) return(task)
      task <- task[with_stream(list("rows", name), sort(sample.int(nrow(task), min(3000L, nrow(task))))), ]
      on <- colSums(as.matrix(targets(task)) != 0)
      subset_targets(task, target_names(task)[on > 0 & on < nrow(task)])
    }
    list(
      small = list(
        tasks = small, repeats = 30, prepare = prepare, arguments = setup(c(fast, slow), both, c(10, 20, 50))
      ),
      large = list(
        tasks = large, repeats = 3, prepare = prepare, arguments = setup(fast, both[1L], c(10, 50))
      ),
      floor = list(
        tasks = c(small, large), repeats = 3, prepare = prepare,
        arguments = setup(list(sel_random()), list(frequency_learner()), 1)
      )
    )
  }
)

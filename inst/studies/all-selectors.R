# Nearly all selectors of labels; not a paper. See README.md here.

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

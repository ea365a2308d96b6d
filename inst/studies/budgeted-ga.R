# Lee, Seo and Kim (2018). See README.md here.

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
# Genbase without its column of row numbers, which have no information on other rows.
no_id <- study("jaccard", list(sel_ga_explore, sel_rga))
no_id$tasks <- "genbase"
no_id$prepare <- function(task, name) drop_features(task, "id")
# In the paper, searches for a front are not limited to ten features.
list(
  hamming = study("hamming_loss"), jaccard = study("jaccard"), ranking = study("ranking_loss"),
  coverage = study("norm_coverage"), sizes = study("jaccard", list(sel_nsga2, sel_mpsofs), k = NULL, prop = 1),
  filter = filter, no_id = no_id
)

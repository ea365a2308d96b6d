# Every selector that serves labels in one benchmark: emotions and medical (of mldr.datasets; without it a simulated
# task) and, with a data folder, yeast; two learners, two halves.
source("bench/common.R")
machine()

tasks <- list()
if (!small && has_peer("mldr.datasets")) {
  for (name in c("emotions", "medical")) {
    utils::data(list = name, package = "mldr.datasets")
    tasks[[name]] <- as_mltask(get(name))
  }
} else {
  tasks$simulated <- simulate_mltask(size(593, 200), 60, 4)
}
if (!is.null(data_folder())) tasks$yeast <- bench_task("yeast")

constructors <- subset(list_selectors(), source != "you" & grepl("label", kinds))$constructor
needs_nothing <- function(name) !any(vapply(formals(get(name)), \(value) identical(value, quote(expr = )), NA))
selectors <- lapply(Filter(needs_nothing, unique(sub("[(].*", "", constructors))), \(name) do.call(name, list()))
set.seed(1)
took <- system.time(bench <- suppressWarnings(benchmark_selectors(
  tasks, selectors, list(lrn_mlknn(), lrn_cc_knn()), rs_holdout(0.5, repeats = size(2, 1)), k = c(5, 10, 20, 40),
  measures = c("hamming_loss", "macro_f1"), progress = FALSE
)))[["elapsed"]]
stopifnot(nrow(failures(bench)) == 0, !anyNA(bench$value))
cat(sprintf("%d selectors on %s: %.1f s\n", length(selectors), paste(names(tasks), collapse = ", "), took))
spent <- subset(timings(bench), stage == "select")
print(round(with(spent, tapply(seconds, list(selector, task), mean)), 4))

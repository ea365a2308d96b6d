# The numbers of the article "What sparse programs compute":
#   Rscript data-raw/sparse-programs.R FOLDER
# FOLDER has what other people's programs returned, a folder for each program with case.json (which program, at which
# commit, with which parameters, on which rows) and files of coefficients. Seconds. Writes
# vignettes/articles/sparse-programs.csv: `program`; `run`, one result of it; `feature`, a number, or the name of a fact
# about the run; and `value`, for a feature the norm of its row of coefficients or its score, larger is better.
folder <- commandArgs(TRUE)[1]
case <- function(name, file) {
  found <- Sys.glob(file.path(folder, paste0("*_", name, "*"), file))
  stopifnot(length(found) == 1)
  if (endsWith(file, ".json")) jsonlite::read_json(found) else utils::read.csv(found)
}
check <- function(name) case(name, "case.json")$check
norms <- function(name, file) sqrt(rowSums(case(name, file)^2))

rows <- list()
run <- function(program, run, value, feature = seq_along(value)) {
  rows[[length(rows) + 1]] <<- data.frame(program, run, feature, value = signif(unname(value), 5))
}
facts <- function(program, name, ...) run(program, name, c(...), names(c(...)))

found <- case("rfs_", "coefficients.csv")
for (gamma in c(1, 10)) for (which in c("as_published", "own")) {
  run("RFS", paste(which, gamma), found$norm[found$gamma == gamma & found$variant == which])
}

said <- case("rfs_", "case.json")$finding_seal
numbers <- as.numeric(regmatches(said, gregexpr("[0-9]{3}[.][0-9]+", said))[[1]])
facts("RFS", "seal", objective = numbers[1], minimum = numbers[2])

found <- case("mifs_", "coefficients.csv")
run("MIFS", "start", norms("mifs_", "start_W.csv"))
run("MIFS", "program", found$norm[found$step == 1e-5])
run("MIFS", "longer steps", found$norm[found$step == 1e-3])
objective <- case("mifs_", "objective.csv")$objective
facts("MIFS", "program", steps = length(objective), first = objective[1], last = objective[length(objective)],
  infimum = check("mifs_")$infimum)

# The steps of that program again, on the same rows of emotions, from its start and from ten others. W, V and B follow
# their gradients (without the factor 2) by 1e-5, until the objective changes by less than 1e-3 of itself.
scaled <- apply(as.matrix(mldr.datasets::emotions$dataset[, 1:72]), 2, \(v) (v - min(v)) / (max(v) - min(v)))
x <- scaled[1:100, ]
y <- as.matrix(mldr.datasets::emotions$dataset[1:100, 73:78])
laplacian <- as.matrix(case("mifs_", "laplacian.csv"))
by_steps <- function(w, v, b, n = length(objective)) {
  for (i in seq_len(n)) {
    left <- v %*% b - y
    to_v <- v - x %*% w + left %*% t(b) + 0.1 * laplacian %*% v
    to_w <- crossprod(x, x %*% w - v) + w / (2 * sqrt(rowSums(w^2)))
    b <- b - 1e-5 * crossprod(v, left)
    v <- v - 1e-5 * to_v
    w <- w - 1e-5 * to_w
  }
  sqrt(rowSums(w^2))
}
starts <- c(w = "start_W.csv", v = "start_V.csv", b = "start_B.csv")
as_matrices <- lapply(starts, \(file) as.matrix(case("mifs_", file)))
stopifnot(max(abs(do.call(by_steps, as_matrices) - found$norm[found$step == 1e-5])) < 1e-4)
set.seed(1)
draw <- \(n, k) matrix(stats::runif(n * k), n)
top <- \(score) order(-score)[1:10]
again <- replicate(10, simplify = FALSE, {
  w <- draw(72, 2)
  list(start = sqrt(rowSums(w^2)), end = by_steps(w, draw(100, 2), draw(2, 6)))
})
pairs <- utils::combn(10, 2, \(p) length(intersect(top(again[[p[1]]]$end), top(again[[p[2]]]$end))))
starts <- vapply(again, \(one) length(intersect(top(one$end), top(one$start))), 0L)
facts("MIFS", "ten starts", common = mean(pairs), most_common = max(pairs), with_start = mean(starts))

found <- case("csfs_", "coefficients.csv")
for (which in unique(found$variant)) run("CSFS", which, found$norm[found$variant == which])
stopifnot(check("csfs_")$seal_minus_ridge < 1e-14)

found <- case("mssl_", "coefficients.csv")
for (which in unique(found$variant)) run("MSSL", which, found$norm[found$variant == which])

found <- case("mdfs_", "coefficients.csv")
for (gamma in c(0.1, 100)) for (which in c("as_published", "converged", "own")) {
  run("MDFS", paste(which, gamma), found$norm[found$gamma == gamma & found$variant == which])
}

found <- case("scmfs_", "coefficients.csv")
run("SCMFS", "start", norms("scmfs_", "start_W.csv"))
for (which in c("iterations_60_floor_0.000977", "iterations_5000_floor_1e-12")) {
  name <- paste(strsplit(which, "_")[[1]][2], "rounds")
  run("SCMFS", name, found$norm[found$variant == which])
  facts("SCMFS", name, unlist(check("scmfs_")[[which]][c("objective", "norm_V", "norm_Q")]))
}
facts("SCMFS", "two starts", top10 = check("scmfs_")$top10_common_to_two_random_starts)

found <- check("grro_")
for (alpha in names(found)) facts("GRRO", alpha, smallest = found[[alpha]]$smallest_eigenvalue_sum)

found <- case("mcls_", "expected.csv")
for (part in c("laplacian_part", "constraint_part", "score")) run("MCLS", part, found[[part]])
rows_alone <- case("mcls_", "case.json")$finding
facts("MCLS", "score", without_edge = rows_alone$rows_without_an_edge_in_the_product_graph, rows = rows_alone$of)

found <- case("mfs_mcdm_", "expected.csv")
for (which in unique(found$variant)) {
  with(found[found$variant == which, ], run("MFS-MCDM", which, score[order(feature)]))
}

found <- case("mgfs_", "expected.csv")
for (which in c("exact", "degree")) with(found[found$variant == which, ], run("MGFS", which, score[order(feature)]))

write.csv(do.call(rbind, rows), "vignettes/articles/sparse-programs.csv", row.names = FALSE, quote = FALSE)

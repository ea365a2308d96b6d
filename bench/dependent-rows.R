# What sift() says of rows that belong together, with their groups and without. First patients whose features and labels
# are noise, the same at every visit. Then machines with sensors that matter, and values that tell machines apart.
#   Rscript bench/dependent-rows.R
# Claims: with groups, noise is never told as a finding, for 20 seeds, and without groups always; with groups the choice
# on machines has at least 7 of the 8 sensors among 10 features, and without it has fewer on average.
source("bench/common.R")
machine()

patients <- function(seed, n = 30, visits = 10, n_features = 12, n_labels = 2) {
  set.seed(seed)
  id <- rep(seq_len(n), each = visits)
  x <- matrix(rnorm(n * n_features), n)[id, ]
  y <- matrix(rbinom(n * n_labels, 1, 0.5), n)[id, ]
  data.frame(patient = paste0("p", id), x = x, y = y)
}

machines <- function(seed, n = 12, hours = 150) {
  set.seed(seed)
  id <- rep(seq_len(n), each = hours)
  rows <- length(id)
  sensor <- matrix(rnorm(rows * 8), rows, dimnames = list(NULL, paste0("sensor", 1:8)))
  y <- sapply(1:3, function(j) {
    on <- ((j - 1) * 3 + 0:2) %% 8 + 1
    as.integer(rowSums(sensor[, on]) + 2 * rnorm(n)[id] + rnorm(rows) > 0)
  })
  colnames(y) <- paste0("alarm", 1:3)
  own <- matrix(rnorm(n * 10), n)[id, ] + rnorm(rows * 10, sd = 0.05)
  colnames(own) <- paste0("calibration", 1:10)
  noise <- matrix(rnorm(rows * 12), rows, dimnames = list(NULL, paste0("noise", 1:12)))
  data.frame(machine = id, sensor, own, noise, y)
}

answer_of <- function(seed, ...) {
  set.seed(100 + seed)
  suppressWarnings(suppressMessages(sift(..., stand_ins = "none")))
}

cat("patients x visits: average precision of the choice and of the floor, p-value of the difference\n")
nothing <- function(answer) any(grepl("There is nothing here", summary(answer), fixed = TRUE))
for (grouped in c(TRUE, FALSE)) {
  found <- t(sapply(seq_len(size(20, 1)), function(seed) {
    data <- patients(seed)
    given <- if (grouped) list(data, group = "patient") else list(data[-1])
    answer <- do.call(answer_of, c(seed, given, list(targets = c("y.1", "y.2"), max_features = 5,
      selectors = list(sel_mim(), sel_mfs(), sel_cmim()))))
    value <- with(answer$quality, c(chosen = mean[what == "chosen"], floor = mean[what == "floor"],
      p = p_value[what == "floor"]))
    c(value, nothing = nothing(answer))
  }))
  cat(sprintf("  %-15s mean %.3f, floor %.3f, smallest p %.2g, \"nothing here\" in %d of %d\n",
    if (grouped) "with groups" else "without groups", mean(found[, "chosen"]), mean(found[, "floor"]),
    min(found[, "p"]), sum(found[, "nothing"]), nrow(found)))
  claim(if (grouped) all(found[, "nothing"] == 1) else all(found[, "nothing"] == 0))
}

cat("machines x hours: what is among ten chosen features\n")
sensors <- sapply(seq_len(size(3, 1)), function(seed) {
  data <- machines(seed, hours = size(150, 20))
  count <- sapply(c(with = TRUE, without = FALSE), function(grouped) {
    given <- if (grouped) list(data, group = "machine") else list(data[-1])
    answer <- do.call(answer_of, c(seed, given, list(targets = paste0("alarm", 1:3), max_features = 10,
      estimate = FALSE)))
    sum(startsWith(selected(answer), "sensor"))
  })
  cat(sprintf("  seed %d: %d of 8 sensors with groups, %d without\n", seed, count["with"], count["without"]))
  count
})
claim(all(sensors["with", ] >= 7) && mean(sensors["without", ]) < mean(sensors["with", ]))

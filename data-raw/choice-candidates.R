# Which selectors and learners should be tried by default: from the values of choice-values.R, leaving one set out.
#   Rscript data-raw/choice-candidates.R <folder with results of choice-values.R>
# Stores what the vignette on choosing a selector and articles show. mlsift need not be installed.
# - inner: the mean over three folds of the first half; final: the value on the other half of the model of the first.
# - A choice takes the best inner value among its selectors, learners and numbers of features; of equals, the fewest.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
vignettes <- file.path(dirname(dirname(normalizePath(script))), "vignettes")
results <- commandArgs(TRUE)[1]

# One row for each set, half, selector, learner and k.
read_values <- function(kind, measure, sign = 1) {
  files <- list.files(results, paste0("^", kind, "-.*rds$"), full.names = TRUE)
  do.call(rbind, lapply(files, function(file) {
    found <- readRDS(file)
    v <- found$values[found$values$measure == measure, ]
    v$half <- sub("\\..*", "", v$split)
    inner <- grepl("fold", v$split)
    key <- c("half", "selector", "learner", "k")
    mean_of <- stats::aggregate(value ~ half + selector + learner + k, v[inner, ], function(x) {
      c(mean(x), stats::sd(x) / sqrt(length(x)), length(x))
    })
    last <- v[!inner, ]
    at <- match(do.call(paste, mean_of[key]), do.call(paste, last[key]))
    out <- data.frame(set = found$name, mean_of[key], inner = sign * mean_of$value[, 1], se = mean_of$value[, 2],
      final = sign * last$value[at])
    out <- out[mean_of$value[, 3] == 3 & !is.na(out$final), ]
    # All features are one candidate of d features, after all others.
    out$k[out$selector == "All"] <- found$features
    out <- out[!duplicated(out[c("half", "selector", "learner", "k")]), ]
    out[order(out$k, out$selector == "All"), ]
  }))
}

read_seconds <- function(kind) {
  files <- list.files(results, paste0("^", kind, "-.*rds$"), full.names = TRUE)
  do.call(rbind, lapply(files, function(file) {
    found <- readRDS(file)
    # What a selection on the training half takes, and a learner's fits and predictions of all numbers of features.
    s <- found$seconds[!grepl("fold", found$seconds$split), ]
    s$stage <- ifelse(s$stage == "select", "select", "learn")
    s <- stats::aggregate(seconds ~ selector + learner + stage, s, function(x) sum(x) / 2)
    cbind(set = found$name, s)
  }))
}

# The choice of each set and half: position of the row of `values` taken.
choose <- function(values, selectors, learners, rule = "best", ks = NULL) {
  among <- which(values$selector %in% selectors & values$learner %in% learners & (is.null(ks) | values$k %in% ks))
  groups <- split(among, paste(values$set, values$half)[among])
  vapply(groups, function(rows) {
    best <- rows[which.max(values$inner[rows])]
    slack <- switch(rule, best = 0, fewest = 0.01, "one-se" = values$se[best])
    near <- rows[values$inner[rows] >= values$inner[best] - slack]
    near <- near[values$k[near] == min(values$k[near])]
    near[which.max(values$inner[near])]
  }, 1L)
}

# The mean over halves of the chosen models, by set.
by_set <- function(values, chosen, column = "final") tapply(values[[column]][chosen], values$set[chosen], mean)

# For quick search of candidate sets: the best of each selector and learner. Rows: sets and halves.
best_of_pairs <- function(values) {
  pairs <- unique(values[c("selector", "learner")])
  keys <- unique(paste(values$set, values$half))
  inner <- final <- matrix(NA, length(keys), nrow(pairs))
  for (p in seq_len(nrow(pairs))) {
    rows <- choose(values, pairs$selector[p], pairs$learner[p])
    inner[match(names(rows), keys), p] <- values$inner[rows]
    final[match(names(rows), keys), p] <- values$final[rows]
  }
  list(pairs = pairs, inner = inner, final = final, set = sub(" half[12]$", "", keys))
}

value_of <- function(best, selectors, learners) {
  at <- which(best$pairs$selector %in% selectors & best$pairs$learner %in% learners)
  inner <- best$inner[, at, drop = FALSE]
  inner[is.na(inner)] <- -Inf
  chosen <- best$final[cbind(seq_len(nrow(inner)), at[max.col(inner, "first")])]
  tapply(chosen, best$set, mean)
}

# All candidate sets of `n` selectors, beside all features: their values by set.
search_sets <- function(best, n, learners, names) {
  tried <- utils::combn(names, n, simplify = FALSE)
  values <- vapply(tried, function(s) value_of(best, c(s, "All"), learners), double(length(unique(best$set))))
  colnames(values) <- vapply(tried, paste, "", collapse = ", ")
  values
}

# For each set the candidate set that is best on the others, and its value there.
leave_one_out <- function(values) {
  pick <- vapply(seq_len(nrow(values)), function(i) which.max(colMeans(values[-i, , drop = FALSE])), 1L)
  list(value = mean(values[cbind(seq_len(nrow(values)), pick)]),
    counts = sort(table(colnames(values)[pick]), decreasing = TRUE),
    top = utils::head(sort(colMeans(values), decreasing = TRUE), 8))
}

# The mean, what it is beside `base`, the standard error of that over sets, and on how many sets it is better or worse.
beside <- function(x, base) {
  x <- x[names(base)]
  data.frame(value = mean(x), gain = mean(x - base), se = stats::sd(x - base) / sqrt(length(x)),
    better = sum(x > base), worse = sum(x < base), most_lost = max(base - x), sets = length(x))
}

# Values by set of the ways to choose, and numbers of features: a list of named vectors.
ways_of <- function(values, ways) {
  chosen <- lapply(ways, function(way) {
    choose(values, way$selectors, way$learners, if (is.null(way$rule)) "best" else way$rule, way$ks)
  })
  list(value = vapply(chosen, function(rows) by_set(values, rows), by_set(values, chosen[[1]])),
    k = vapply(chosen, function(rows) by_set(values, rows, "k"), by_set(values, chosen[[1]])))
}

# The same candidates without each one in turn.
without_one <- function(best, selectors, learners) {
  whole <- value_of(best, selectors, learners)
  rbind(
    do.call(rbind, lapply(selectors, function(s) {
      cbind(without = s, beside(value_of(best, setdiff(selectors, s), learners), whole))
    })),
    do.call(rbind, lapply(learners, function(l) {
      cbind(without = l, beside(value_of(best, selectors, setdiff(learners, l)), whole))
    }))
  )
}

# Values on the test half at the same k, sets x selectors x learners x k; sets with fewer features are left out.
at_equal_k <- function(values, k) {
  part <- values[values$k %in% k | values$selector == "All", ]
  wide <- lapply(stats::setNames(nm = k), function(one) {
    rows <- part[part$k == one | part$selector == "All", ]
    tapply(rows$final, list(rows$set, rows$selector, rows$learner), mean)
  })
  complete(simplify2array(wide))
}

complete <- function(values) values[apply(!is.na(values), 1, all), , , , drop = FALSE]

# Candidate sets of one to five selectors, with all features: the best, and what leaving one set out says.
searched <- function(values, learners, names, limits = c(10, 20, 50, 200)) {
  # With few features other selectors lead than with many, so a set of candidates is judged under four limits.
  parts <- lapply(limits, function(most) {
    best_of_pairs(values[if (most == max(limits)) TRUE else values$k <= most & values$selector != "All", ])
  })
  rows <- lapply(1:5, function(n) {
    found <- Reduce(`+`, lapply(parts, search_sets, n, learners, names)) / length(parts)
    left <- leave_one_out(found)
    data.frame(n = n, best = names(left$top)[1], value = unname(left$top[1]), often = names(left$counts)[1],
      times = left$counts[[1]], left_out = left$value, second = names(left$top)[2], second_value = unname(left$top[2]))
  })
  do.call(rbind, rows)
}

summary_of <- function(kind, measure, sign, learners, selectors, today) {
  values <- read_values(kind, measure, sign)
  values <- values[values$learner != "BRLR", ]
  names <- setdiff(unique(values$selector), "All")
  every <- unique(values$learner)
  best <- best_of_pairs(values)
  some <- c(selectors, "All")
  ways <- c(
    list(today = today, joint = list(selectors = some, learners = learners),
      "all selectors" = list(selectors = c(names, "All"), learners = every),
      "all learners" = list(selectors = some, learners = every),
      "without all features" = list(selectors = selectors, learners = learners),
      fewest = list(selectors = some, learners = learners, rule = "fewest"),
      "one-se" = list(selectors = some, learners = learners, rule = "one-se")),
    stats::setNames(lapply(every, function(l) list(selectors = "All", learners = l)), paste(every, "of all features")),
    stats::setNames(lapply(every, function(l) list(selectors = some, learners = l)), paste(every, "alone"))
  )
  found <- ways_of(values, ways)
  chosen <- choose(values, some, learners)
  single <- vapply(every, function(l) {
    vapply(c(names, "All"), function(s) mean(value_of(best, s, l)), 0)
  }, double(length(names) + 1))
  list(value = sign * found$value, k = found$k, single = sign * single, without = without_one(best, some, learners),
    taken = table(values$selector[chosen], values$learner[chosen]),
    inner = tapply(values$inner[chosen], values$set[chosen], mean))
}

facts_of <- function(kind) {
  files <- list.files(results, paste0("^", kind, "-.*rds$"), full.names = TRUE)
  found <- lapply(files[!grepl("-brlr", files)], readRDS)
  do.call(rbind, lapply(found, function(x) as.data.frame(x[c("name", "rows", "features", "targets")])))
}

# The median over sets of the seconds of one selection, and of a learner's models of all numbers of features.
seconds_of <- function(kind) {
  s <- read_seconds(kind)
  select <- s[s$stage == "select" & !duplicated(s[c("set", "selector", "stage", "learner")]), ]
  learn <- s[s$stage == "learn" & s$selector != "All", ]
  list(select = tapply(select$seconds, list(select$set, select$selector), mean),
    learn = tapply(learn$seconds, list(learn$set, learn$learner), mean))
}

# Stored results ------------------------------------------------------------------------------------------------------

selectors <- c("MTL", "MLSMFS", "SCLS", "mRMR")
learners <- c("Linear regression", "NB")
before <- list(selectors = c("MIM-BR", "ELA+CHI", "EBLS", "MFS", "CMIM", "AMI", "MTL"), learners = "ML-kNN",
  ks = c(5, 10, 20, 50, 100, 200))

labels <- read_values("labels", "average_precision")
with_brlr <- unique(labels$set[labels$learner == "BRLR"])
few <- labels[labels$set %in% with_brlr, ]
brlr_best <- best_of_pairs(few)
brlr_ways <- list(learners, c(learners, "ML-kNN"), c(learners, "BRLR"), "BRLR")
names(brlr_ways) <- vapply(brlr_ways, paste, "", collapse = ", ")
plain <- labels[labels$learner != "BRLR", ]
choice <- list(
  labels = c(list(facts = facts_of("labels"), selectors = selectors, learners = learners,
    equal = at_equal_k(plain, c(10, 50)),
    searched = searched(plain, learners, setdiff(unique(plain$selector), "All")), seconds = seconds_of("labels")),
    summary_of("labels", "average_precision", 1, learners, selectors, before)),
  macro_f1 = summary_of("labels", "macro_f1", 1, learners, selectors, before)[c("value", "k", "single", "without")],
  micro_f1 = summary_of("labels", "micro_f1", 1, learners, selectors, before)[c("value", "k", "single", "without")],
  brlr = list(value = vapply(brlr_ways, function(l) value_of(brlr_best, c(selectors, "All"), l),
    double(length(with_brlr)))),
  classes = c(list(facts = facts_of("classes"), seconds = seconds_of("classes")),
    summary_of("classes", "balanced_accuracy", 1, c("NB", "Linear regression"), c("CMIM", "JMIM", "RF-BR", "MTL"),
      list(selectors = c("MIM-BR", "CMIM", "JMIM", "RF-BR", "MTL"), learners = "NB"))),
  numbers = c(list(facts = facts_of("numbers"), seconds = seconds_of("numbers")),
    summary_of("numbers", "arrmse", -1, c("Linear regression", "kNN regression"),
      c("Correlation", "RReliefF", "Group-JMI-Rand", "MTL"),
      list(selectors = c("Correlation", "RReliefF", "Group-JMI-Rand", "MTL"), learners = "Linear regression")))
)

# What else is in use: values at 10 and 50 features, and the seconds of a selection. Permutation was run on fewer sets.
at_halves <- function(kind, measure) {
  files <- list.files(results, paste0("^", kind, "-.*rds$"), full.names = TRUE)
  rows <- do.call(rbind, lapply(files, function(file) {
    found <- readRDS(file)
    cbind(set = found$name, found$values[found$values$measure == measure, ])
  }))
  tapply(rows$value, rows[c("set", "selector", "learner", "k")], mean)
}
seconds <- read_seconds("(others|permutation)")
seconds <- seconds[seconds$stage == "select", ]
choice$others <- list(value = at_halves("(others|permutation)", "average_precision"),
  macro_f1 = at_halves("(others|permutation)", "macro_f1"),
  seconds = tapply(seconds$seconds, seconds[c("set", "selector")], mean), facts = facts_of("others"))
choice$thresholds <- lapply(stats::setNames(nm = c("macro_f1", "micro_f1")), function(measure) {
  complete(at_halves("thresholds", measure))
})
choice$relief <- complete(at_halves("relief", "average_precision"))

saveRDS(choice, file.path(vignettes, "choice.rds"), compress = "xz")
cat(sprintf("%s: %.0f kB\n", file.path(vignettes, "choice.rds"), file.size(file.path(vignettes, "choice.rds")) / 1024))

halves <- function(task, levels) {
  first <- seq_len(nrow(task)) %% 2 == 0
  add_counts(joint_counts(task[first, ], levels), joint_counts(task[!first, ], levels))
}

test_that("tables hold the counts of the definition", {
  withr::local_seed(1)
  x <- random_codes(40, 5)
  y <- random_labels(40, 4)
  levels <- fixed_levels(coded_task(x, y))
  counts <- joint_counts(coded_task(sparse(x), sparse(y)), levels)
  expect_identical(counts, joint_counts(coded_task(x, y), levels))
  expect_identical(counts$in_target, unname(colSums(y)) + 0)
  expect_gt(min(counts$count), 0)
  slot <- 0
  for (f in 1:5) {
    values <- sort(unique(x[, f]))
    expect_identical(levels$at[[f]], unname(values))
    expect_identical(levels$implied[f] + 1L, unname(which.max(table(x[, f]))))
    for (v in seq_along(values)) {
      slot <- slot + 1
      expect_identical(counts$in_level[slot], sum(x[, f] == values[v]) + 0)
      cells <- seq_len(counts$cell[slot + 1] - counts$cell[slot]) + counts$cell[slot]
      n_fl <- unname(colSums(y[x[, f] == values[v], , drop = FALSE]))
      on <- if (v == levels$implied[f] + 1L) integer() else which(n_fl > 0)
      expect_identical(counts$target[cells], on - 1L)
      expect_identical(counts$count[cells], n_fl[on])
    }
    slot <- slot + 1 # no other values
    expect_identical(counts$in_level[slot], 0)
  }
})

test_that("halves add up to the whole, and scores from tables are those of sel_mim(), bit for bit", {
  withr::local_seed(2)
  for (case in 1:6) {
    n <- c(20, 61, 200)[1 + case %% 3]
    x <- random_codes(n, 6, levels = c(2L, 5L)[1 + case %% 2])
    y <- random_labels(n, c(1, 5)[1 + case %% 2])
    layouts <- list(coded_task(x, y), coded_task(sparse(x), sparse(y)), coded_task(as_factors(x), y))
    for (task in layouts) {
      levels <- fixed_levels(task)
      whole <- joint_counts(task, levels)
      expect_identical(halves(task, levels), whole)
      expect_identical(joint_counts(task, levels, threads = 2L), whole)
      expect_identical(mim_of_counts(whole), scores_of(task, sel_mim()))
      expect_equal(mim_of_counts(whole), unname(oracle_mim_bits(x, y)), tolerance = 1e-10)
    }
  }
})

test_that("intervals between cuts and missing values are levels too", {
  withr::local_seed(3)
  x <- matrix(rnorm(300), 60, dimnames = list(NULL, paste0("f", 1:5)))
  x[sample.int(300, 40)] <- 0
  x[5, 2] <- NA
  y <- random_labels(60, 4)
  for (side in c("left", "right")) {
    discretizer <- disc_equal_width(4, side, na = "level")
    for (task in list(mltask(x, y), mltask(sparse(x), y))) {
      cuts <- fit_cuts(discretizer, task$x, !task$discrete, task, 1L, NULL)
      levels <- fixed_levels(task, cuts, side == "right")
      expect_identical(halves(task, levels), joint_counts(task, levels))
      expect_identical(mim_of_counts(halves(task, levels)), scores_of(task, sel_mim(), discretizer = discretizer))
    }
  }
})

test_that("tables of other levels or labels are not added", {
  withr::local_seed(4)
  x <- random_codes(20, 3)
  y <- random_labels(20, 3)
  counts <- joint_counts(coded_task(x, y))
  expect_error(add_counts(counts, joint_counts(coded_task(x + 1, y))), "same levels and targets")
  expect_error(add_counts(counts, joint_counts(coded_task(x, y[, 1:2]), counts$levels)), "same levels and targets")
})

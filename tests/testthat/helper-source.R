# A task as a source of chunks that end at the rows `ends`.
chunked <- function(task, ends = c(1L, nrow(task) %/% 3L, nrow(task)), as = identity, ...) {
  begins <- c(1L, utils::head(ends, -1L) + 1L)
  chunk_source(
    function(i) if (i <= length(ends)) as(task[begins[i]:ends[i], ]),
    feature_names(task), target_names(task), discrete = task$discrete, ...
  )
}

# The selections from a source are those of a task with the same rows, bit for bit.
expect_source_equals <- function(source, task, selectors, k = 4, ...) for (selector in selectors) {
  found <- sift_features(source, selector, k = k, ...)
  expected <- sift_features(task, selector, k = k, ...)
  expect_identical(as.data.frame(found), as.data.frame(expected), info = selector$name)
  expect_identical(found$score, expected$score, info = selector$name)
}

# The selectors that work on a source, those of one pass first.
one_pass_selectors <- function() list(
  sel_mim(), sel_mim(base = exp(1)), sel_ebls(), sel_ebls(n_labels = 2, which = "smallest"), sel_br_or(),
  sel_br_or(type = "raw", weights = "prior", smoothing = 1)
)

stepwise_selectors <- function(pairs = TRUE) c(list(
  sel_ami(), sel_scls(), sel_d2f(), sel_d2f("code2015"), sel_mdmr(), sel_mrmr(), sel_mrmr("per-target"), sel_jmim(),
  sel_cmim(), sel_njmim(), sel_disr("normalized"), sel_single_jmi(), sel_single_jmi("sqrt"), sel_jim(),
  sel_greedy(redundancy = 0.5, conditional = function(q) 1 / q)
), if (pairs) pair_selectors())

# Those that count pairs of labels: greedy ones and rankers.
pair_selectors <- function() list(sel_pmu(), sel_lrfs(), sel_lsmfs(), sel_mlsmfs(),
  sel_greedy(redundancy = 0.5, label_interaction = function(q) 1 / q))

pair_rankers <- function() list(sel_fimf(), sel_fimf(n_labels = 2, n_features = 3, base = 3))

# The source, which calls before() each time that a database or the parts of a spread source count pairs of features.
before_pairs <- function(source, before) {
  counter <- source$counter
  hooked <- function(count) function(...) until_interrupt({
    before()
    count(...)
  })
  source$counter <- function(...) {
    found <- counter(...)
    joint <- found$joint
    found$joint <- function(levels) {
      how <- joint(levels)
      if (!is.null(how$ones)) list(ones = hooked(how$ones)) else list(parts = function(...) hooked(how$parts(...)))
    }
    found
  }
  source
}

# All chunks of one pass, as one task.
rows_of_source <- function(source) {
  pass <- source$open()
  parts <- list()
  while (!is.null(chunk <- pass())) parts <- c(parts, list(chunk))
  attr(pass, "close")()
  # Chunks of some files are data frames of all columns.
  parts <- lapply(parts, function(part) {
    if (is.data.frame(part)) list(x = part[source$features], y = part[source$targets]) else part
  })
  whole <- function(side) with_values(do.call(rbind, lapply(parts, `[[`, side)))
  list(
    x = whole("x"), y = whole("y"),
    sizes = vapply(parts, function(part) nrow(part$x), 1)
  )
}

# Where only the way to the rows is another, `few` selectors are enough.
expect_same_selections <- function(source, task, few = FALSE) {
  selectors <- list(sel_ebls(), sel_jmim(), sel_mim(), sel_scls())
  for (selector in if (few) first_or_all(selectors, 2) else selectors) {
    found <- suppressMessages(sift_features(source, selector, k = 3))
    expected <- sift_features(task, selector, k = 3)
    expect_identical(as.data.frame(found), as.data.frame(expected))
    expect_identical(found$score, expected$score)
  }
}

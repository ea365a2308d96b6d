small_search <- function(make = sel_rga, ..., seed = 1) {
  searched(make(population = 5, evaluations = 18, inner = search_rows, ...), numbers_task(3, 7), seed)
}

test_that("a history and a front are plain tables", {
  sel <- small_search()
  history <- search_history(sel)
  expect_identical(class(history), "data.frame")
  expect_identical(vapply(history, function(column) class(column)[1], "", USE.NAMES = FALSE),
    c("integer", "numeric", "numeric", "integer", "character", "numeric"))
  expect_true(all(history$seconds >= 0))
  front <- search_front(sel)
  expect_named(front, c("value", "n_features", "features"))
  expect_type(front$features, "list")
  expect_identical(selected(sel), front$features[[1]])
  expect_identical(rownames(front), as.character(seq_len(nrow(front))))
  expect_lte(nrow(front), 6)
})

test_that("a selection says what it found, and is a set", {
  sel <- small_search(max_features = 2)
  expect_snapshot(print(sel), transform = function(lines) sub("[0-9.]+ on the inner", "<value> on the inner", lines))
  expect_true(all(is.na(sel$rank)))
  expect_identical(sel$index, sort(sel$index))
  expect_identical(names(subset_features(numbers_task(3, 7), sel)$discrete), selected(sel))
  expect_true(all(is.na(generics::tidy(sel)$rank)))
})

test_that("ordinary selections have no history", {
  path <- sift_features(numbers_task(3, 7), sel_scls(), k = 2)
  expect_snapshot(error = TRUE, {
    search_history(path)
    search_front(path)
    search_front(head(small_search(), 1))
    search_history(1)
  })
})

test_that("searches are drawn together, each by its name", {
  withr::local_pdf(NULL)
  searches <- list(A = small_search(), small_search(sel_mamfs), small_search(sel_mamfs, seed = 2))
  picture <- plot_searches(searches)
  expect_no_error(ggplot2::ggplot_build(picture))
  expect_identical(levels(picture$data$selector), c("A", "MAMFS", "MAMFS 1"))
  expect_identical(nrow(picture$data), 54L)
  for (i in 1:3) {
    part <- picture$data[as.integer(picture$data$selector) == i, ]
    expect_identical(part$best, search_history(searches[[i]])$best)
    expect_identical(part$evaluation, 1:18)
  }
  expect_match(picture$labels$y, "Hamming loss, lowest so far", fixed = TRUE)
  layers <- function(picture) unname(vapply(picture$layers, function(layer) class(layer$geom)[1], ""))
  expect_setequal(layers(picture), c("GeomPoint", "GeomStep"))
  expect_identical(layers(plot_searches(searches[c(1, 1, 2, 3)])), "GeomStep")
  expect_no_error(ggplot2::ggplot_build(plot_searches(searches[[1]])))
})

test_that("sets without a value are not drawn", {
  withr::local_pdf(NULL)
  task <- numbers_task(7, 5)
  task$x[3, 2] <- NA
  sel <- suppressWarnings(searched(sel_rga(population = 6, evaluations = 12, inner = search_rows), task))
  expect_true(any(is.infinite(values_of(sel))))
  picture <- plot_searches(list(sel))
  expect_true(all(is.finite(picture$data$best)))
  expect_true(all(is.finite(picture$layers[[2]]$data$value)))
  expect_no_warning(ggplot2::ggplot_build(picture))
})

test_that("one search draws its history, or its front", {
  withr::local_pdf(NULL)
  history <- autoplot(small_search())
  expect_identical(history$data$best, search_history(small_search())$best)
  expect_identical(history$labels$subtitle, "18 evaluations of sets of features")
  expect_no_error(ggplot2::ggplot_build(history))
  for (make in list(sel_nsga2, sel_mpsofs)) {
    sel <- small_search(make)
    front <- autoplot(sel)
    expect_identical(front$data, search_front(sel))
    expect_identical(front$layers[[3]]$data, search_front(sel)[1, ])
    expect_no_error(ggplot2::ggplot_build(front))
    expect_no_error(plot(sel))
  }
})

test_that("what is no search, or not by the same measure, is not drawn", {
  one <- small_search()
  other <- small_search(measure = "jaccard")
  path <- sift_features(numbers_task(3, 7), sel_scls(), k = 2)
  expect_snapshot(error = TRUE, {
    plot_searches(list(one, other))
    plot_searches(list(one, path))
    plot_searches(list())
    plot_searches("RGA")
  })
  expect_match(plot_searches(list(other))$labels$y, "1 - Jaccard", fixed = TRUE)
  expect_error(plot_searches(list(other), width = 0), "width", class = "mlsift_error")
  narrow <- plot_searches(list(other), width = 3.5)
  expect_lt(narrow$theme$text$size, plot_searches(list(other))$theme$text$size)
})

test_that("of values that are equal but for rounding, the smallest set comes first", {
  equal <- c(0.1 + 0.2 + 0.1 / 3, 1 / 3)
  expect_lt(equal[2], equal[1])
  expect_identical(value_order(c(equal, 0.3, Inf, 0.3), c(1, 3, 2, 1, 1)), c(5L, 3L, 1L, 2L, 4L))
})

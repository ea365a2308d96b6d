test_that("similarities are what the equation says, between sets and between rows", {
  withr::local_seed(1)
  for (q in c(1, 3, 5)) for (weights in c("count", "none")) {
    y <- random_labels(30, q)
    graph <- label_graph(mltask(random_codes(30, 2), y, kind = "label"), weights)
    expected <- oracle_similarity(y, weights == "count")
    diag(expected) <- 0
    expect_equal(unname(as.matrix(graph)), expected, tolerance = 1e-14)
    expect_identical(graph$sets$rows, tabulate(graph$group))
    expect_false(is.unsorted(-graph$sets$rows))
    expect_identical(graph$sets$size[graph$group], as.integer(rowSums(y)))
    expect_identical(Matrix::diag(graph$similarity), as.numeric(graph$sets$size > 0))
    full <- which.max(rowSums(y))
    expect_identical(graph$sets$set[graph$group[full]], paste(colnames(y)[y[full, ] == 1], collapse = " + "))
    expect_identical(label_graph(mltask(random_codes(30, 2), sparse(y), kind = "label"), weights), graph)
  }
})

test_that("a graph known by hand", {
  y <- rbind(c(1, 1, 0), c(1, 1, 0), c(1, 0, 0), c(0, 0, 1), c(0, 0, 0), c(0, 0, 0))
  task <- mltask(random_codes(6, 2), structure(y, dimnames = list(NULL, c("a", "b", "c"))), name = "six")
  graph <- label_graph(task)
  expect_identical(
    graph$sets, data.frame(set = c("(none)", "a + b", "a", "c"), size = c(0L, 2L, 1L, 1L), rows = c(2L, 2L, 1L, 1L))
  )
  # a is on 3 rows and b on 2.
  expect_equal(as.data.frame(graph), data.frame(from = "a + b", to = "a", similarity = 3 / 5))
  expect_equal(as.data.frame(label_graph(task, "none"))$similarity, 1 / 2)
  expect_identical(graph$group, c(2L, 2L, 3L, 4L, 1L, 1L))
  frequent <- label_graph(task, min_rows = 2)
  expect_identical(frequent$group, c(2L, 2L, NA, NA, 1L, 1L))
  expect_identical(dim(frequent$similarity), c(2L, 2L))
  expect_identical(rownames(as.matrix(frequent)), c("1", "2", "5", "6"))
  expect_snapshot({
    print(graph)
    print(frequent, n = 1)
  })
})

test_that("the pictures are made of any graph", {
  withr::local_seed(2)
  task <- mltask(random_codes(40, 2), random_labels(40, 5), kind = "label", name = "forty")
  picture <- ggplot2::autoplot(label_graph(task), n = 6)
  expect_s3_class(picture, "ggplot")
  expect_identical(nrow(picture$data), 36L)
  one <- mltask(random_codes(4, 2), c(1, 1, 1, 1), kind = "label")
  expect_s3_class(ggplot2::autoplot(label_graph(one)), "ggplot")
  expect_identical(nrow(plot(label_graph(task), n = 2)$data), 4L)
  expect_output(print(label_graph(one)), "1 label set")
})

test_that("what cannot be graphed is refused", {
  task <- mltask(random_codes(6, 2), cbind(a = c(1, 0, 1, 0, 0, 1)))
  graph <- label_graph(task)
  graph$group <- rep(1L, 5001)
  expect_snapshot(error = TRUE, {
    label_graph(1)
    label_graph(task, "counts")
    label_graph(task, min_rows = 4)
    label_graph(mltask(random_codes(6, 2), c(0.1, 2, 3, 4, 5, 6)))
    as.matrix(graph)
    print(graph, n = 0)
  })
  count <- cpp_label_similarities
  local_mocked_bindings(cpp_label_similarities = function(y, by_count, kept, most, threads) {
    count(y, by_count, kept, 1, threads)
  })
  expect_error(label_graph(mltask(random_codes(6, 2), diag(6)[, 1:4])), "min_rows = 2", class = "mlsift_error")
})

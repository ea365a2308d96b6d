test_that("long names lose their middle", {
  expect_identical(shorten_names(c("a", "bb", NA), 9), c("a", "bb", NA))
  expect_identical(shorten_names(c("abcdefghijkl", "x"), 8), c("abc..jkl", "x"))
  same <- c("Mean_Acc1298_Mean_Mem40_Centroid", "Mean_Acc1298_Mean_Mem40_Rolloff")
  expect_identical(shorten_names(same, 20), c("Mean_Acc1.._Centroid", "Mean_Acc1..0_Rolloff"))
  expect_identical(shorten_names(c("abcdefgh1xyz", "abcdefgh2xyz"), 8), c("abc..x~1", "abc..x~2"))
  expect_identical(shorten_names(c(same[1], NA, same), 20)[c(1, 3)], rep("Mean_Acc1.._Centroid", 2))
})

test_that("different names stay different within their width", {
  skip_unless_all()
  withr::local_seed(1)
  words <- c("a", "b", "lang", "\u00e4\u00f6\u00fc", "\u6f22\u5b57", "x1", "Acc1298", strrep("q", 20), "\u00df")
  lists <- list(
    c(strrep("ab", 20), paste0(strrep("ab", 20), "c")), paste0(strrep("ab", 20), 1:120),
    paste0("p", 1:20, strrep("x", 30), rep(c("a", "b"), 10), "end"), colnames(mtcars), colors()[1:300],
    # Shortening the first must not give the second.
    c("abcdefghijklmnop", "abc..nop", "abcQQQnop"), paste0(1:60, strrep(" ", 40), "x")
  )
  mixed <- replicate(6, simplify = FALSE, replicate(40, paste(sample(words, sample(2:9, 1), TRUE),
    collapse = sample(c("_", ".", " ", ""), 1))))
  for (names in c(lists, mixed)) {
    for (letters in c(8, 9, 12, 17, 23, 30)) {
      short <- shorten_names(names, letters)
      expect_identical(match(short, short), match(names, names))
      expect_lte(max(nchar(short)), letters)
      expect_identical(short[nchar(names) <= letters], names[nchar(names) <= letters])
    }
  }
})

test_that("texts are folded by their width", {
  room <- picture_room(3.5, 11)
  width <- function(text) text_width(strsplit(text, "\n")[[1]], room, 0.86)
  for (letter in c("i", "W", "\u00e4")) {
    text <- paste(rep(strrep(letter, 7), 30), collapse = " ")
    folded <- fold_subtitle(text, room)
    expect_lte(max(width(folded)), 3.25)
    # As much on a line as fits, and nothing is lost.
    lines <- strsplit(folded, "\n")[[1]]
    expect_gt(text_width(paste(lines[1], strrep(letter, 7)), room, 0.86), 3.15)
    expect_identical(gsub("\n", " ", folded), text)
  }
  long <- strrep("a_long_name", 12)
  expect_lte(max(width(fold_subtitle(paste("see", long), room))), 3.25)
  expect_identical(gsub("[\n ]", "", fold_subtitle(paste("see", long), room)), paste0("see", long))
  expect_identical(fold_subtitle("", room), "")
  # A number and its percent sign stay together.
  for (n in 45:60) expect_no_match(fold_subtitle(paste(strrep("i ", n), "95 % of them"), room), "95\n%")
  names <- paste0(strrep("W", 10:40), 10:40)
  expect_lte(max(text_width(fit_names(names, 1.4, room), room, 0.8)), 1.4)
  expect_identical(fit_names("short", 1.4, room), "short")
  # Measuring opens no device and begins no page.
  devices <- grDevices::dev.list()
  text_width("a", room, 1)
  expect_identical(grDevices::dev.list(), devices)
})

test_that("pictures fit the width that they are told", {
  skip_unless_all()
  long <- paste0(strrep("long ", 15), 1:4)
  task <- simulate_mltask(60, 4, 3)
  names <- feature_names(task)
  x <- as.matrix(features(task))
  colnames(x) <- long
  task <- mltask(x, as.matrix(targets(task)))
  pictures <- list(
    function(width) ggplot2::autoplot(sift_features(task, sel_mim()), width = width),
    function(width) ggplot2::autoplot(label_scores(task, sel_mim()), width = width),
    function(width) ggplot2::autoplot(label_graph(task), width = width),
    function(width) ggplot2::autoplot(bayes_signed_rank(c(1, 2, 3, 4), c(2, 2, 5, 1), rope = 0.5), width = width),
    function(width) ggplot2::autoplot(tune_selection(task, sel_mim(), lrn_brknn(), k = 1:2, measure = "hamming_loss"),
      width = width)
  )
  for (draw in pictures) {
    # The panel keeps a third of the width, whatever the names.
    for (width in c(3.5, 7)) {
      grobs <- ggplot2::ggplotGrob(draw(width))
      fixed <- sum(grid::convertWidth(grobs$widths, "in", valueOnly = TRUE))
      expect_lt(fixed, 0.75 * width)
    }
    expect_error(draw(-1), "`width`", class = "mlsift_error")
  }
  scores <- label_scores(simulate_mltask(60, 5, 60), sel_mim())
  expect_match(ggplot2::autoplot(scores, width = 3.5)$labels$subtitle, "60 targets, of which 1 in [0-9]+ is named")
  expect_null(ggplot2::autoplot(scores, width = 60)$labels$subtitle)
})

test_that("pictures of benchmarks fit the width that they are told", {
  skip_unless_all()
  bench <- withr::with_seed(1, hand_benchmark(random_values(tasks = 6, selectors = paste("a selector", 1:25))))
  panels <- function(picture) {
    layout <- ggplot2::ggplot_build(picture)$layout$layout
    max(layout$COL)
  }
  expect_identical(panels(ggplot2::autoplot(bench, width = 3.5)), 2L)
  expect_identical(panels(ggplot2::autoplot(bench)), 3L)
  few <- bench[bench$selector %in% paste("a selector", 1:3), ]
  expect_identical(ggplot2::autoplot(few, width = 3.5)$theme$legend.position, "bottom")
  expect_identical(ggplot2::autoplot(few, width = 7)$theme$legend.position, "right")
  for (type in c("curve", "rank")) {
    text <- ggplot2::autoplot(bench, type = type, width = 3.5)$labels$subtitle
    expect_lte(max(text_width(strsplit(text, "\n")[[1]], picture_room(3.5, 11), 0.86)), 3.25)
  }
  expect_error(ggplot2::autoplot(bench, width = "a"), "`width`", class = "mlsift_error")
  expect_error(ggplot2::autoplot(bench, width = 1e10), "at most 1000", class = "mlsift_error")
})

test_that("names beside rows do not overlap in a picture that is too low for them", {
  skip_unless_all()
  task <- simulate_mltask(60, 100, 4)
  selection <- sift_features(task, sel_mim())
  bench <- withr::with_seed(1, hand_benchmark(random_values(tasks = 6, selectors = paste("a selector", 1:25))))
  pictures <- list(
    ggplot2::autoplot(selection, n = 100), ggplot2::autoplot(label_scores(task, sel_mim()), n = 100),
    ggplot2::autoplot(bench, type = "rank"),
    effects_picture(feature_effects(task, feature_names(task)), picture_room(7, 11), 100),
    targets_picture(data.frame(target = paste("target", 1:40), measure = "AUC", chosen = 1:40, all = 1, floor = 0),
      picture_room(7, 11))
  )
  texts_of <- function(grob) {
    if (inherits(grob, "text")) return(list(grob))
    unlist(lapply(c(grob$children, if (inherits(grob, "gtable")) grob$grobs), texts_of), recursive = FALSE)
  }
  for (picture in pictures) {
    grobs <- ggplot2::ggplotGrob(picture)
    names <- unlist(lapply(grobs$grobs[grepl("^axis-l", grobs$layout$name)], texts_of), recursive = FALSE)
    expect_gt(length(names[[1]]$label), 20)
    expect_true(all(vapply(names, `[[`, NA, "check.overlap")))
  }
})

test_that("ticks of numbers of features are at numbers that were tried", {
  for (k in list(1:4, c(3, 20), c(5, 10, 20, 50, 100), 1:15, c(7, 9, 11), 5)) {
    for (position in list(identity, log)) {
      ticks <- tried_breaks(k, position)
      expect_true(all(ticks %in% k) && length(ticks) >= 1)
      expect_false(is.unsorted(ticks, strictly = TRUE))
      # None overprints another.
      expect_true(all(diff(position(ticks)) >= diff(range(position(k))) / 15))
    }
  }
  expect_identical(tried_breaks(1:15), c(5, 10, 15))
  expect_identical(tried_breaks(c(5, 10, 20, 30, 50, 75, 100, 150, 200), log), c(5, 10, 20, 50, 100, 200))
  expect_identical(tried_breaks(c(5, 10, 20, 30, 50, 75, 100, 150, 200, 500), log), c(5, 20, 50, 150, 500))
})

# The places of the texts on the page of the open device, in inches.
text_boxes <- function() {
  grid::grid.force()
  all <- grid::grid.ls(viewports = TRUE, print = FALSE)
  drawn <- all$type %in% c("grobListing", "gTreeListing")
  # All at once, in the order of the list: a search for each by its path takes most of the time of these tests.
  with_parts <- function(grob) c(list(grob), unlist(lapply(grob$children[grob$childrenOrder], with_parts), FALSE))
  grobs <- unlist(lapply(grid::gList(grid::grid.get(".", grep = TRUE, global = TRUE)), with_parts), FALSE)
  expect_identical(unname(vapply(grobs, `[[`, "", "name")), all$name[drawn])
  found <- Map(function(path, grob) {
    if (!inherits(grob, "text") || !any(nzchar(as.character(grob$label)))) return(NULL)
    if (nzchar(path)) grid::seekViewport(sub("^ROOT::", "", path)) else grid::upViewport(0L)
    on.exit(grid::upViewport(0L))
    each <- function(value, i) if (!is.null(value)) rep_len(value, length(grob$label))[i]
    do.call(rbind, lapply(seq_along(grob$label), function(i) {
      one <- grid::textGrob(grob$label[i], each(grob$x, i), each(grob$y, i), grob$just, each(grob$hjust, i),
        each(grob$vjust, i), grob$rot, gp = grob$gp)
      first <- grid::deviceLoc(grid::grobX(one, 180), grid::grobY(one, 270), valueOnly = TRUE)
      last <- grid::deviceLoc(grid::grobX(one, 0), grid::grobY(one, 90), valueOnly = TRUE)
      data.frame(label = as.character(grob$label[i]), left = min(first$x, last$x), right = max(first$x, last$x),
        bottom = min(first$y, last$y), top = max(first$y, last$y))
    }))
  }, all$vpPath[drawn], grobs)
  do.call(rbind, unname(found))
}

# Texts that are cut by the edge of the page or drawn over others.
bad_texts <- function(boxes, width, height, slack = 0.01) {
  cut <- boxes$left < -slack | boxes$right > width + slack | boxes$bottom < -slack | boxes$top > height + slack
  apart <- function(low, high) outer(low, high, function(low, high) low > high - slack)
  over <- !(apart(boxes$left, boxes$right) | t(apart(boxes$left, boxes$right)) | apart(boxes$bottom, boxes$top) |
    t(apart(boxes$bottom, boxes$top)))
  boxes$label[cut | rowSums(over & upper.tri(over)) > 0]
}

# An answer with long names and everything that a picture may have to show.
full_answer <- made_once(function() {
  local_few_draws()
  withr::local_seed(1)
  d <- 30
  task <- simulate_mltask(90, d, 3)
  x <- as.data.frame(features(task))
  names(x) <- paste0("Mean_Acc1298_", rep(c("Mean", "Std"), length.out = d), "_Mem40_", rep(c("Centroid", "MFCC"),
    each = d / 2), "_", seq_len(d))
  task <- mltask(x, as.data.frame(targets(task)))
  task$name <- "a_file_with_a_name_that_has_no_space_at_which_it_could_be_folded_2024.arff"
  answer <- sift(task, learner = list(lrn_nb(), lrn_linear()), selectors = list(sel_mim(), sel_scls()),
    max_features = 20, outer = rs_cv(2), inner = rs_cv(2))
  others <- setdiff(names(x), selected(answer))
  answer$features$stand_ins <- lapply(seq_len(nrow(answer$features)), function(i) utils::head(others, i %% 4))
  answer$features$chance <- 0.4
  answer$quality[-1, "low"] <- -0.0512
  answer$quality[-1, "high"] <- 0.1234
  answer$quality$as_good[3] <- 3
  answer
})

small_iris <- made_once(function() {
  withr::local_seed(1)
  sift(iris, Species, estimate = FALSE, inner = rs_cv(2))
})

test_that("no text of the page is cut or drawn over another", {
  skip_unless_all()
  answer <- full_answer()
  small <- small_iris()
  # Below a minimum, parts are left out in the order that the help gives.
  sizes <- first_or_all(list(c(3.5, 3.2), c(10, 6), c(7, 9), c(7, 3.4), c(3.5, 5), c(7, 7), c(5, 2.5), c(14, 8)), 2)
  parts <- list(1, 1:2, 1:3, 1:2)
  for (x in list(answer, small)) {
    for (size in if (identical(x, small)) first_or_all(list(c(3.5, 5), c(5, 2.5)), 1) else sizes) {
      grDevices::pdf(NULL, size[1], size[2])
      expect_identical(plot(x, base_size = if (size[1] == 10) 16 else 11), x)
      boxes <- text_boxes()
      grDevices::dev.off()
      expect_identical(bad_texts(boxes, size[1], size[2]), character(), info = paste(size, collapse = " x "))
      # Nothing of the title is lost.
      expect_identical(gsub("[\n ]", "", boxes$label[1]), gsub(" ", "", answer_title(x)))
      at <- match(list(size), sizes)
      if (identical(x, small) || at > length(parts)) next
      shown <- vapply(c("Features, best", "^Quality", "^Choice of"), \(title) any(grepl(title, boxes$label)), NA)
      expect_identical(unname(which(shown)), as.integer(parts[[at]]))
      # Of the features, those that have the room.
      if (at == 1L) expect_match(boxes$label, "Features, best first \\([0-9]+ of", all = FALSE)
    }
  }
})

test_that("pictures show what the answer has", {
  answer <- full_answer()
  features <- ggplot2::ggplot_build(ggplot2::autoplot(answer, "features", n = 5))
  range <- features$layout$panel_params[[1]]$x.range
  expect_lt(range[1], 0.01)
  expect_gt(range[2], 0.99)
  expect_lt(diff(range), 1.1)
  expect_equal(features$data[[1]]$xintercept, 0.4)
  expect_match(ggplot2::autoplot(answer, "features")$labels$subtitle, "by chance")
  # Empty texts beside the rows would keep grid from drawing the others.
  beside <- ggplot2::autoplot(answer, "features")$scales$get_scales("y")$secondary.axis
  expect_true(all(startsWith(beside$labels, "or ")))
  expect_identical(beside$breaks, -which(lengths(answer$features$stand_ins) > 0L))
  plain <- answer
  plain$features$chance <- NULL
  expect_no_match(ggplot2::autoplot(plain, "features")$labels$subtitle, "chance")
  rows <- quality_rows(answer, picture_room(7, 11))
  k <- nrow(answer$selection)
  for (mean in c(k, k + 0.5)) {
    answer$quality$k[1] <- mean
    expect_identical(grepl("on average", quality_rows(answer, picture_room(7, 11))$label[1]), mean != k)
  }
  expect_match(rows$label[2], "all 30 features\nchoice [+-]?0.*\\(-0.051 to 0.12\\)")
  expect_match(rows$label[3], "3 of [0-9]+ draws as good")
  expect_identical(rows$lines[1], 1L)
  expect_match(ggplot2::autoplot(answer, "quality")$labels$subtitle, "(higher|lower) is better.*2 outer\\s+splits")
  # Of several learners, each split may choose another.
  expect_gt(length(answer$setup$choice$learner), 1)
  expect_no_match(answer_measure(answer), " of ", fixed = TRUE)
  answer$setup$choice$learner <- answer$setup$choice$learner[1]
  expect_match(answer_measure(answer), paste(" of", answer$tuning$learner_name), fixed = TRUE)
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (type in c("features", "effects", "quality", "choice", "targets")) {
    expect_identical(plot(answer, type, width = 5), answer)
  }
  expect_error(plot(answer, "effectz"), class = "mlsift_error")
  expect_error(plot(answer, base_size = -1), class = "mlsift_error")
  unsure <- small_iris()
  expect_error(plot(unsure, "quality"), "needs an estimate", class = "mlsift_error")
  expect_error(ggplot2::autoplot(unsure, "targets"), "needs an estimate", class = "mlsift_error")
})

test_that("targets are sorted by the choice, at most 40", {
  answer <- small_iris()
  withr::local_seed(1)
  answer$targets <- data.frame(target = paste0("target", 1:60), chosen = c(NA, runif(59)), all = runif(60),
    floor = runif(60), measure = "AUC")
  picture <- ggplot2::autoplot(answer, "targets")
  built <- ggplot2::ggplot_build(picture)$data[[1]]
  best <- order(-answer$targets$chosen)[1:40]
  expect_equal(sort(built$x), sort(unlist(answer$targets[best, 2:4], use.names = FALSE)))
  own <- built[built$shape == 16, ]
  expect_equal(own$x[order(-own$y)], answer$targets$chosen[best])
  expect_match(gsub("\n", " ", picture$labels$subtitle), "the 40 best of 60 targets")
  expect_no_match(ggplot2::autoplot(replace(answer, "targets", list(answer$targets[1:3, ])),
    "targets")$labels$subtitle, "best of")
})

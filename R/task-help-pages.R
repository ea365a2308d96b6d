#' Words and keywords of R's help pages
#'
#' A small real task: how often words occur on help pages of R, and which keywords the pages have. Which words show
#' what a page is about? The page of [stats::lm()] has the keyword `regression` and contains "linear" and "models".
#'
#' Rows belong together: pages of a package were often written by the same person in the same words, and [check_task()]
#' finds some with equal words. `help_pages` has no groups, so [sift()] tests on other pages of the same packages. The
#' example makes each package a group, see [row_groups()]. Then it tests on packages it has not seen, and the values are
#' worse.
#'
#' @format An [mltask] with `r nrow(mlsift::help_pages)` rows, `r ncol(mlsift::help_pages)` features and
#'   `r length(target_names(mlsift::help_pages))` targets.
#' * **Rows** are help pages, in the order of their topics. Row names have package and topic, such as `stats::lm`. Pages
#'   for internal use and pages without any of the words or keywords are left out.
#' * **Features** are words in the title and the description of a page; the value is how often they occur. They are
#'   words on at least 20 pages of at least three packages, in lower case, without words such as "the". The features are
#'   sparse.
#' * **Targets** are labels: keywords of at least 30 pages of at least three packages, with `key_` before their names.
#'   R has a fixed list of keywords: `aplot` is for functions that add to a plot, `dplot` for computations that plots
#'   need, `hplot` for whole plots, `htest` for tests, `manip` for manipulating data and `ts` for time series. A page
#'   can have several. Keywords are not part of the text of a page, so no feature gives them away.
#' @source The help pages of R 4.2.2 and its recommended packages, by the R Core Team and the authors of these packages,
#'   read with [tools::Rd_db()]. Their licences are GPL-2, GPL-3, LGPL-2 or later versions of them, or allow everything,
#'   so `help_pages` may be used under the GPL, version 3. The sources of mlsift have the script that makes it,
#'   `data-raw/help-pages.R`.
#' @family tasks
#' @examples
#' help_pages
#' sift_features(help_pages, sel_cmim(), k = 5)
#'
#' words <- c("plot", "test", "file", "series")
#' as.matrix(help_pages["stats::plot.ts", words])
#' head(sort(colSums(targets(help_pages)), decreasing = TRUE))
#'
#' # Each package a group
#' package <- sub("::.*", "", rownames(help_pages))
#' mltask(features(help_pages), targets(help_pages), group = package)
"help_pages"

# The calls that repeat an answer.

#' The code of a result
#'
#' The calls that repeat the steps of a result, as R code.
#'
#' The code of [sift()] leaves out the features that misled, chooses again, selects and estimates. It sets the state of
#' the random numbers before each step, so the choice, the selection and the values of `"chosen"` on the outer splits
#' are those of the answer, whatever the seed; comments in it say where they are not. The tasks themselves are not in
#' the code, nor are vectors of hundreds of numbers, such as the rows of [rs_custom()]: the code then takes them from
#' the result, which it calls `answer`. That of a benchmark names the argument that they were given as.
#'
#' @param x An answer from [sift()], or a benchmark from [benchmark_selectors()].
#' @return A character vector with one line of code for each element.
#' @family answers
#' @examples
#' set.seed(1)
#' answer <- sift(help_pages, learner = lrn_nb(), selectors = sel_cmim(), max_features = 10,
#'   estimate = FALSE
#' )
#' writeLines(as_code(answer))
#' @export
as_code <- function(x) {
  if (inherits(x, "mlbenchmark")) {
    code <- attr(x, "protocol", exact = TRUE)$call
    if (is.null(code)) abort("{.arg x} must hold the code that made it; this benchmark does not.")
    return(strsplit(code, "\n", fixed = TRUE)[[1L]])
  }
  check_class(x, "mlsift", "Make one with {.fn sift}, or a benchmark with {.fn benchmark_selectors}.")
  parts <- answer_code_parts(x)
  code <- c(
    "library(mlsift)", dropping_code(x),
    paste("selectors <-", parts$selectors), paste("learner <-", parts$learners),
    "", "# The choice", if (is.finite(parts$max_seconds)) "# Without the time limit of the answer it may try more.",
    "# Each step begins with the random numbers that it had in the answer.",
    random_code(list(x$number, "sift", "choice")),
    paste("tuning <-", call_code("tune_selection", c(list("task"), parts$choice, parts$options, parts$wishes))),
    "", "# What it chose",
    # The choice has drawn a number for its splits before.
    random_code(list(x$number, "sift", "choice"), 1L),
    paste("selection <-", selection_code(x, parts)),
    "smaller <- subset_features(task, selection)", estimate_code(x, parts),
    "", "# R's usual generator again", "RNGkind(\"default\", \"default\", \"default\")"
  )
  if (any(grepl("answer$", code, fixed = TRUE))) {
    code <- append(code, "# `answer` is the result that this code repeats: it holds what is too long to write.", 1L)
  }
  unlist(strsplit(code, "\n", fixed = TRUE) |> lapply(function(lines) if (length(lines) == 0L) "" else lines))
}

selection_code <- function(x, parts) {
  tuning <- x$tuning
  all <- takes_all(tuning)
  bins <- bins_targets(tuning$selector, x$setup$options$target_bins) || selector_method(tuning$selector)$whole
  asked <- if (!all) asked_count(tuning$selector, tuning$k, tuning$curve$k[tuning$curve$selector == tuning$name])
  longer <- !all && asked > tuning$k
  k <- if (!all) if (is.null(parts$wishes$groups) || longer) asked else nrow(x$selection)
  code <- call_code("sift_features", c(list("task", parts$selector, k), parts$options[c("discretizer", "impute")],
    list(target_bins = if (bins) parts$options$target_bins), if (all) wishes_of_all(parts$wishes) else parts$wishes))
  if (longer) paste0(code, " |> head(", nrow(x$selection), ")") else code
}

# Sets the state of random numbers that with_stream() has for a key, after some draws.
random_code <- function(key, draws = 0L) {
  state <- with_stream(key, {
    stats::runif(draws)
    random_state()
  })
  paste0("assign(\".Random.seed\", ", deparse1(state), ", globalenv())")
}

# Code, or the field of the answer's setup that holds its value, if it is long.
setup_code <- function(field, code) named_code(code, paste0("answer$setup$", field))

# The code of what several calls share: selectors, learners, measure, the arguments of the choice and its options.
answer_code_parts <- function(x) {
  params <- x$setup$choice
  options <- x$setup$options
  default <- x$setup$default
  measure <- setup_code("choice$measure", value_code(params$measure))
  specs <- function(field) setup_code(paste0("choice$", field), code_list(names(params[[field]]), params[[field]]))
  own <- identical(params$resampling, own_resampling(NULL, x$task, rs_cv(5)))
  rule <- x$tuning[c("rule", "tolerance")]
  rule <- rule[!vapply(names(rule), \(name) is_default(rule[[name]], formals(sel_best)[[name]]), NA)]
  option <- function(field) given_code(options[[field]], paste0("answer$setup$options$", field))
  list(
    max_seconds = params$max_seconds, measure = measure,
    selectors = if (default[["selectors"]]) "default_selectors(task)" else specs("selectors"),
    learners = if (default[["learner"]]) paste0("default_learners(task, ", measure, ")") else specs("learner"),
    selector = named_code(spec_code(x$tuning$selector), "answer$tuning$selector"),
    choice = c(list("selectors", "learner", measure, k = if (!is.null(params$k)) value_code(params$k),
      resampling = if (!own) setup_code("choice$resampling", spec_code(params$resampling))), lapply(rule, value_code)),
    options = list(
      discretizer = if (!is_default(options$discretizer, quote(disc_auto()))) option("discretizer") %||% "NULL",
      target_bins = option("target_bins"), impute = option("impute")
    ),
    wishes = Map(setup_code, paste0("wishes$", names(x$setup$wishes)), lapply(x$setup$wishes, value_code)) |>
      stats::setNames(names(x$setup$wishes))
  )
}

dropping_code <- function(x) {
  excluded <- x$setup$excluded
  c(if (length(excluded) > 0L) paste0("task <- task[, setdiff(feature_names(task), ",
    setup_code("excluded", value_code(excluded)), ")]"),
  if (isTRUE(x$setup$weightless > 0L)) "task <- task[row_weights(task) > 0, ]",
  if (isTRUE(x$setup$without > 0L)) "task <- task[rowSums(!is.na(targets(task))) > 0, ]",
  if (nrow(x$left_out) > 0L) paste0("task <- drop_features(task, ", value_code(misleading), ")"))
}

# What benchmarks have no argument for cannot be repeated by one. `number`: all randomness of the estimate derives from
# it, and a folder has that of its first call.
estimate_code <- function(x, parts) {
  if (nrow(x$quality) == 0L) return(NULL)
  if (length(parts$wishes) > 0L) {
    return(c("", paste0("# Only sift() estimates a choice with ", name_list(names(parts$wishes)), ".")))
  }
  arguments <- c(list("list(task = task)", paste0("list(chosen = ", code_line("sel_best", parts$choice), ")"),
    "list(chosen = lrn_chosen())", setup_code("outer", spec_code(x$setup$outer)), k = x$setup$most,
    measures = parts$measure), parts$options[c("discretizer", "impute", "target_bins")])
  own <- identical(in_draw(x$setup$draw, stats::runif(1)), x$number)
  c("", "# What the choice is worth on other rows",
    if (!own) "# The folder of the answer has other splits: those of the call that began it.",
    if (is.finite(parts$max_seconds)) "# Without the time limit of the answer it may try more, on more splits.",
    random_code(list(x$setup$draw, "sift")), paste("bench <-", call_code("benchmark_selectors", arguments)))
}

# A call on one line. `arguments`: as in call_code().
code_line <- function(name, arguments) {
  gsub(" *\n *", " ", sub("\n *\\)$", ")", sub("\\(\n *", "(", call_code(name, arguments))))
}

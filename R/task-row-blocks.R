# Rows that belong together, and rows that stand for several cases, see check_task().

# Signs that rows belong together, as check_task() lists them; NULL if there are none or the groups are known. `times`:
# rows must repeat others so many times as often as by chance.
row_problems <- function(task, times = 0) {
  if (any(task$rows$weights == 0)) task <- task[task$rows$weights > 0, ]
  n <- nrow(task$x)
  if (n < 20L && is.null(task$rows$weights) || !is.null(task$rows$group)) return(NULL)
  problem <- function(feature, what, detail) data.frame(feature = feature, problem = what, detail = detail)
  first <- cpp_first_equal_rows(task$x)
  repeated <- sum(first != seq_len(n))
  if (3 * repeated >= n && are_cells(task, first)) {
    detail <- paste("Rows seem to be cells of a table of counts:", format_count(repeated), "of", counted(n, "row"),
      "equal an earlier one in all features, and none in the targets too")
    return(problem(NA_character_, "counts", detail))
  }
  if (n < 20L) return(NULL)
  chance <- if (repeated > 0.05 * n) cpp_repeats_by_chance(task$x) else Inf
  blocks <- attr(task$rows, "blocks") %||% found_blocks(task$x)
  rbind(
    if (is.finite(chance) && repeated > times * chance) {
      problem(NA_character_, "repeated_rows", paste0(format_count(repeated), " of ", counted(n, "row"),
        " equal an earlier one, where chance gives about ", format_count(round(chance))))
    },
    if (!is.null(blocks)) problem(blocks$column, "blocks", blocks$detail)
  )
}

# Whether whole weights count cases, so that no two rows are equal. `first`: the first row with the same features.
are_cells <- function(task, first) {
  weights <- task$rows$weights
  if (is.null(weights) || any(weights != round(weights)) || max(weights) < 2) return(FALSE)
  if (task_kind(task) == "numeric") return(FALSE)
  unknown <- task$targets$unknown
  same <- cbind(first, cpp_first_equal_rows(task$targets$values), if (!is.null(unknown)) cpp_first_equal_rows(unknown))
  anyDuplicated(same) == 0L
}

# list(column, detail): the column of `by`, or of the features themselves, within whose values most features do not
# vary; NULL for none.
found_blocks <- function(x, by = NULL) {
  found <- cpp_row_blocks(x, by)
  if (length(found) == 0L) return(NULL)
  list(column = colnames(by %||% x)[found[1L]], detail = paste(format_count(found[3L]), "of", counted(found[4L],
    "feature"), "are constant or nearly so within its", format_count(found[2L]), "values"))
}

# The task with what excluded columns show of its rows, and a message.
with_blocks <- function(task, data, exclude) {
  if (rlang::quo_is_null(exclude) || nrow(task$x) < 20L || !is.null(task$rows$group)) return(task)
  names <- colnames(data) %||% cpp_numbered_names("f", ncol(data))
  at <- excluded_columns(data, names, exclude)
  codes <- lapply(stats::setNames(at, names[at]), function(j) {
    values <- column_values(data, j)
    if (is.character(values)) match(values, unique(values[!is.na(values)]))
    else if (is.factor(values) || inherits(values, "Date")) as.double(values)
    else if (is.numeric(values) && !is.object(values)) values
  })
  blocks <- if (length(given_params(codes)) > 0L) found_blocks(task$x, list2DF(given_params(codes)))
  attr(task$rows, "blocks") <- blocks
  if (!is.null(blocks)) report_together(data.frame(feature = blocks$column, problem = "blocks", detail = blocks$detail))
  task
}

# Says what row_problems() found, and returns it as sentences.
report_together <- function(found) {
  column <- found$feature[found$problem == "blocks"]
  by <- paste0("Rows seem to come in groups by \"", found$feature, "\": ", recycle0 = TRUE)
  said <- paste0(ifelse(found$problem == "blocks", by, ""), found$detail, ".", recycle0 = TRUE)
  group <- if (length(column) > 0L) "{.code group = {deparse1(column)}}" else "{.arg group}"
  advice <- if (any(found$problem == "counts")) {
    paste("A split has each cell on one side, so models are tested on cells that they have not seen. Repeat each row",
      "as often as its weight says, {.code data[rep(seq_len(nrow(data)), weights), ]}, and leave out {.arg weights}.")
  } else paste0("If rows belong together, ", group, " of {.fn mltask} keeps them on one side of a split.")
  for (one in gsub("([{}])", "\\1\\1", said)) inform(c("!" = one, i = advice))
  said
}

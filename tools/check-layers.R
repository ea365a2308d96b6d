# Checks the floors of R/:
#   Rscript tools/check-layers.R
# The name of a file begins with its room, and rooms stand on floors. A function calls functions of its own floor or of
# lower ones, never of higher ones. Prints the calls upward, and names that are defined twice. The exit status is 1 if
# there are any.

floors <- list(
  c("aaa", "util", "mlsift", "RcppExports"), "task", "disc", "source", "resample", "measure", "msr", "learn", "select",
  "sel", "lrn", "assess", "search", "wrapper", "bench", "tune", "compare", "plot", "answer", "report", "bridge",
  "reproduce",
  "zzz"
)
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
setwd(dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE)))))
files <- list.files("R", "[.]R$", full.names = TRUE)
room <- sub("[-.].*", "", basename(files))
floor_of <- rep(seq_along(floors), lengths(floors))
names(floor_of) <- unlist(floors)
if (length(odd <- setdiff(room, names(floor_of))) > 0) stop("The room ", odd[1], " stands on no floor.", call. = FALSE)

# The names that a file defines, and those that it uses, with the definition that uses them.
parsed <- lapply(files, function(file) as.list(parse(file, keep.source = FALSE)))
is_definition <- function(e) is.call(e) && identical(e[[1]], as.name("<-")) && is.name(e[[2]])
defined <- do.call(rbind, Map(function(file, code) {
  names <- vapply(Filter(is_definition, code), function(e) as.character(e[[2]]), "")
  if (length(names) > 0) data.frame(name = names, file = file)
}, files, parsed))
home <- setNames(defined$file, defined$name)
# The last definition would be used everywhere.
twice <- unique(defined$name[duplicated(defined$name)])
cat(sprintf("%s is defined twice: %s\n", twice, vapply(twice, function(name) {
  toString(defined$file[defined$name == name])
}, "")), sep = "")
uses <- do.call(rbind, Map(function(file, code) {
  if (basename(file) == "RcppExports.R") return(NULL)
  do.call(rbind, lapply(code, function(e) {
    wrapped <- eval(call("function", NULL, e), baseenv())
    used <- intersect(codetools::findGlobals(wrapped, merge = TRUE), names(home))
    by <- if (is_definition(e)) as.character(e[[2]]) else "(top level)"
    used <- setdiff(used, by)
    if (length(used) > 0) data.frame(from = file, by = by, used = used, to = home[used], row.names = NULL)
  }))
}, files, parsed))
place <- function(file) floor_of[sub("[-.].*", "", basename(file))]
up <- uses[place(uses$to) > place(uses$from), ]
cat(sprintf("%s: %s() uses %s() of %s\n", up$from, up$by, up$used, up$to), sep = "")
pairs <- unique(data.frame(from = names(place(up$from)), to = names(place(up$to))))
cat(sprintf("Layers: %d files on %d floors, %d calls upward between %d pairs of rooms.\n", length(files),
  length(floors), nrow(up), nrow(pairs)))
quit(status = as.integer(nrow(up) + length(twice) > 0))

# Checks the website:
#   Rscript tools/check-site.R [folder]
# Without a folder, the site is built into a temporary one, which takes some minutes. With one, it is taken as it is.
# - There is no TeX in the text, except where KaTeX renders it, and KaTeX renders all of it.
# - No inline code of R Markdown is left as it is written.
# - Relative links, and those to the address of the site itself, lead to a file, and their anchors to an id.
# - No page is wider than its window, at 400 and at 1280 pixels. Chromium or Chrome measures this.
# - No text of a picture reaches over its edge. Examples and vignettes are run again with the installed mlsift, and draw
#   into PDF files, which say where each text is.
# Prints what it finds. The exit status is 1 if that is anything.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))

build_site <- function(folder) {
  # Nothing that is checked depends on what CRAN says of this package or of others, so a build needs no answer.
  options(httr2_mock = function(req) httr2::response(404))
  utils::assignInNamespace("CRAN_urls", function() data.frame(Package = character(), URL = character()), "downlit")
  pkg <- pkgdown::as_pkgdown(root, override = list(destination = folder))
  pkgdown::check_pkgdown(pkg)
  pkgdown::build_site(pkg, new_process = FALSE, install = FALSE, preview = FALSE)
}

read_page <- function(file) xml2::read_html(file, encoding = "UTF-8")

# The text of a page without code, formulas that are elements of their own, and what is not shown.
page_text <- function(page) {
  hidden <- c("script", "style", "code", "pre", "math", "head", "svg")
  tests <- c(paste0("ancestor::", hidden), "ancestor::*[contains(concat(' ', @class, ' '), ' math ')]")
  nodes <- xml2::xml_find_all(page, sprintf("//text()[not(%s)]", paste(tests, collapse = " or ")))
  paste(xml2::xml_text(nodes), collapse = " ")
}

has_katex <- function(page) length(xml2::xml_find_all(page, "//script[contains(@src, 'katex')]")) > 0

# Where a pattern matches, with the characters around it.
around <- function(text, pattern, width = 25) {
  at <- gregexpr(pattern, text, perl = TRUE)[[1]]
  if (at[1] == -1) return(character())
  trimws(gsub("\\s+", " ", substring(text, at - width, at + width)))
}

tex_problems <- function(page) {
  text <- page_text(page)
  if (has_katex(page)) {
    text <- gsub("(?s)\\\\\\(.*?\\\\\\)|\\\\\\[.*?\\\\\\]|\\$\\$.*?\\$\\$", "", text, perl = TRUE)
  }
  labelled("TeX in the text", around(text, "\\\\[A-Za-z(\\[]|[_^]\\{|\\$\\$"))
}

inline_problems <- function(page) {
  code <- xml2::xml_text(xml2::xml_find_all(page, "//code[not(ancestor::pre)]"))
  left <- c(grep("^(r|\\{r\\})\\s", code, value = TRUE), around(page_text(page), "`(r|\\{r\\}) |```"))
  labelled("inline code is printed", substr(left, 1, 60))
}

labelled <- function(label, found) if (length(found) > 0) paste0(label, ": ", unique(found))

link_targets <- function(page) {
  nodes <- xml2::xml_find_all(page, "//*[self::a or self::link]/@href | //*[self::img or self::script]/@src")
  unique(xml2::xml_text(nodes))
}

# `ids`: of each page, by its file.
link_problems <- function(links, file, folder, site, ids) {
  if (nzchar(site)) {
    own <- startsWith(links, site)
    links[own] <- paste0("/", substring(links[own], nchar(site) + 1))
  }
  links <- links[!grepl("^([a-zA-Z][a-zA-Z0-9+.-]*:|//)", links) & !links %in% c("", "#")]
  path <- vapply(sub("[?#].*", "", links), utils::URLdecode, "", USE.NAMES = FALSE)
  anchor <- vapply(sub("^[^#]*#?", "", links), utils::URLdecode, "", USE.NAMES = FALSE)
  target <- ifelse(startsWith(path, "/"), file.path(folder, substring(path, 2)), file.path(dirname(file), path))
  target[path == ""] <- file
  target <- normalizePath(target, mustWork = FALSE)
  index <- dir.exists(target)
  target[index] <- file.path(target[index], "index.html")
  dead <- !file.exists(target)
  known <- target %in% names(ids)
  lost <- !dead & known & nzchar(anchor) & !mapply(function(id, at) id %in% ids[[at]], anchor, target)
  c(labelled("dead link", links[dead]), labelled("no such anchor", links[as.logical(lost)]))
}

page_ids <- function(page) xml2::xml_text(xml2::xml_find_all(page, "//@id | //a/@name"))

find_browser <- function() {
  found <- Sys.which(c("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"))
  unname(found[nzchar(found)])[1]
}

# A page that shows others one after the other in a frame, and writes one line for each width: its number, the width
# of the window and of the page, formulas that KaTeX refuses, and the outermost elements that stick out.
measure_script <- '
(async () => {
  const out = document.getElementById("out"), lines = [];
  for (const [number, file] of files.entries()) {
    const frame = document.createElement("iframe");
    frame.style.cssText = "border: 0; height: 900px; width: " + widths[0] + "px";
    const loaded = new Promise(resolve => { frame.onload = resolve; setTimeout(resolve, 20000); });
    frame.src = file;
    document.body.append(frame);
    await loaded;
    for (const width of widths) {
      frame.style.width = width + "px";
      const shown = frame.contentDocument, top = shown.documentElement;
      const wide = top.scrollWidth > width ? [...shown.body.querySelectorAll("*")].filter(element =>
        element.getBoundingClientRect().right > width + 1 && !element.closest("pre, table")) : [];
      const names = wide.slice(-2).map(element => element.tagName.toLowerCase() + " \\"" +
        element.textContent.trim().slice(0, 30) + "\\"");
      const refused = shown.querySelectorAll(".katex-error").length;
      const text = names.join(", ").replace(/\\s+/g, " ");
      lines.push(["measured", number, width, top.scrollWidth, refused, text].join("\\t"));
    }
    frame.remove();
  }
  out.textContent = lines.join("\\n");
})();
'

measure_pages <- function(browser, files, widths) {
  wrapper <- tempfile(fileext = ".html")
  on.exit(unlink(wrapper))
  quoted <- function(x) paste0("[", paste(x, collapse = ", "), "]")
  writeLines(c(
    "<!doctype html><meta charset=\"utf-8\"><pre id=\"out\"></pre><script>",
    paste0("const files = ", quoted(dQuote(paste0("file://", vapply(files, utils::URLencode, "")), FALSE)), ";"),
    paste0("const widths = ", quoted(widths), ";"), measure_script, "</script>"
  ), wrapper)
  options <- c("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
    "--allow-file-access-from-files", "--virtual-time-budget=600000", "--dump-dom", paste0("file://", wrapper))
  lines <- system2(browser, options, stdout = TRUE, stderr = FALSE, timeout = 600)
  lines <- sub("</pre>.*", "", sub(".*<pre id=\"out\">", "", lines))
  fields <- strsplit(lines[startsWith(lines, "measured\t")], "\t", fixed = TRUE)
  data.frame(
    file = files[as.integer(vapply(fields, `[`, "", 2)) + 1L],
    window = as.integer(vapply(fields, `[`, "", 3)), width = as.integer(vapply(fields, `[`, "", 4)),
    refused = as.integer(vapply(fields, `[`, "", 5)), elements = vapply(fields, function(x) c(x, "")[6], "")
  )
}

# Named by page.
width_problems <- function(files, widths = c(1280L, 400L)) {
  browser <- find_browser()
  if (is.na(browser)) return(c(site = "widths cannot be measured without Chromium or Chrome"))
  batches <- split(files, (seq_along(files) - 1L) %/% 25L)
  found <- do.call(rbind, lapply(batches, measure_pages, browser = browser, widths = widths))
  wide <- found[found$width > found$window, ]
  refused <- unique(found[found$refused > 0, c("file", "refused")])
  lost <- setdiff(files, found$file)
  c(
    stats::setNames(sprintf("%d pixels wide in a window of %d: %s", wide$width, wide$window, wide$elements), wide$file),
    stats::setNames(sprintf("KaTeX refuses %d formulas", refused$refused), refused$file),
    stats::setNames(rep("cannot be measured", length(lost)), lost)
  )
}

# Texts that are cut at an edge of the picture, or of the part that is drawn in: of a PDF file of R that is not
# compressed and has no kerning.
cut_texts <- function(file) {
  lines <- readLines(file, encoding = "latin1", warn = FALSE)
  number <- "(-?[0-9.]+)"
  numbers <- function(n) paste(rep(number, n), collapse = " ")
  parts <- function(line, pattern) regmatches(line, regexec(pattern, line))[[1]][-1]
  page <- as.numeric(unlist(lapply(lines, parts, paste0("/MediaBox [[]", numbers(4))))[1:4])
  drawn <- page
  found <- character()
  grDevices::pdf(NULL, pointsize = 12)
  on.exit(grDevices::dev.off())
  graphics::plot.new()
  for (line in lines) {
    if (startsWith(line, "Q q")) {
      area <- as.numeric(parts(line, paste0("Q q ", numbers(4), " re W n")))
      drawn <- if (length(area) == 4) c(area[1:2], area[1:2] + area[3:4]) else page
    }
    # The first font has the symbols of points.
    text <- parts(line, paste0("/F([2-6]) 1 Tf ", numbers(6), " Tm +[(](.*)[)] Tj"))
    if (length(text) == 0) next
    matrix <- as.numeric(text[2:7])
    size <- sqrt(sum(matrix[1:2]^2))
    label <- gsub("\\\\([()\\\\])", "\\1", text[8])
    width <- 72 * graphics::strwidth(label, "inches", cex = size / 12, font = as.numeric(text[1]) - 1)
    along <- matrix[1:2] / size * width
    up <- c(-matrix[2], matrix[1])
    x <- matrix[5] + outer(c(0, along[1]), c(-0.2, 0.7) * up[1], `+`)
    y <- matrix[6] + outer(c(0, along[2]), c(-0.2, 0.7) * up[2], `+`)
    if (max(drawn[1] - x, x - drawn[3], drawn[2] - y, y - drawn[4]) > 0.5) found <- c(found, label)
  }
  found
}

# Named by help page or vignette.
picture_problems <- function() {
  work <- tempfile("pictures-")
  dir.create(work)
  plain <- list(compress = FALSE, useKerning = FALSE)
  # A PDF lacks some letters that other devices have.
  quietly <- function(code) suppressMessages(suppressWarnings(code))
  named <- function(name, files) {
    cut <- as.character(labelled("cut in a picture", unlist(lapply(files, cut_texts))))
    stats::setNames(cut, rep(name, length(cut)))
  }
  of_page <- function(page) {
    code <- file.path(work, "code.R")
    unlink(code)
    tools::Rd2ex(page, code)
    if (!file.exists(code)) return(NULL)
    file <- file.path(work, "examples.pdf")
    do.call(grDevices::pdf, c(list(file, 700 / 96, 433 / 96), plain))
    quietly(utils::capture.output(source(code, local = new.env(), print.eval = TRUE)))
    grDevices::dev.off()
    named(basename(page), file)
  }
  of_vignette <- function(file) {
    owd <- setwd(dirname(file))
    on.exit(setwd(owd))
    figures <- paste0("pictures-", basename(file), "/")
    knitr::opts_chunk$restore()
    knitr::opts_chunk$set(dev = "pdf", dev.args = plain, fig.path = figures)
    quietly(knitr::knit(basename(file), tempfile(), quiet = TRUE, envir = new.env(parent = globalenv())))
    named(basename(file), list.files(figures, full.names = TRUE))
  }
  file.copy(file.path(root, "vignettes"), work, recursive = TRUE)
  pages <- list.files(file.path(root, "man"), "[.]Rd$", full.names = TRUE)
  vignettes <- list.files(file.path(work, "vignettes"), "[.]Rmd$", recursive = TRUE, full.names = TRUE)
  loadNamespace("mlsift")
  c(unlist(lapply(pages, of_page)), unlist(lapply(vignettes, of_vignette)))
}

check_site <- function(folder) {
  folder <- normalizePath(folder)
  files <- list.files(folder, "[.]html$", recursive = TRUE, full.names = TRUE)
  files <- files[!grepl("/deps/", files, fixed = TRUE)]
  if (length(files) == 0) stop("There are no pages in ", folder, ".", call. = FALSE)
  site <- sub("^url: *", "", grep("^url: *http", readLines(file.path(root, "_pkgdown.yml")), value = TRUE))
  site <- if (length(site) == 1) sub("/?$", "/", site) else ""
  pages <- stats::setNames(lapply(files, read_page), files)
  ids <- lapply(pages, page_ids)
  problems <- lapply(files, function(file) {
    page <- pages[[file]]
    c(tex_problems(page), inline_problems(page), link_problems(link_targets(page), file, folder, site, ids))
  })
  found <- c(stats::setNames(as.character(unlist(problems)), rep(files, lengths(problems))), width_problems(files))
  found <- c(found, picture_problems())
  cat(sprintf("%d pages.\n", length(files)))
  stats::setNames(found, sub(paste0(folder, "/"), "", names(found), fixed = TRUE))
}

if (sys.nframe() == 0) {
  folder <- commandArgs(TRUE)[1]
  if (is.na(folder)) build_site(folder <- tempfile("site-"))
  found <- check_site(folder)
  cat(sprintf("%s: %s\n", names(found), found), sep = "")
  cat(sprintf("Site: %d problems.\n", length(found)))
  quit(save = "no", status = as.integer(length(found) > 0))
}

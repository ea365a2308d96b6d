# Draws the logo, and from it the icons of the site:
#   Rscript data-raw/logo.R
# Many features fall on a sieve, and a few pass.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
figures <- file.path(root, "man", "figures")
icons <- file.path(root, "pkgdown", "favicon")
dir.create(icons, recursive = TRUE, showWarnings = FALSE)

# `name`: whether the name of the package is written below, which small icons have no room for.
draw <- function(name = TRUE) {
  grid::grid.newpage()
  grid::pushViewport(grid::viewport(xscale = c(-1, 1), yscale = c(-1, 1), width = grid::unit(sqrt(3) / 2, "snpc"),
    height = grid::unit(1, "snpc")))
  points <- function(x, y, color, size) {
    grid::grid.circle(x, y, size, default.units = "native", gp = grid::gpar(fill = color, col = NA))
  }
  turn <- (0:5) * pi / 3 + pi / 2
  grid::grid.polygon(0.97 * cos(turn) / cos(pi / 6), 0.97 * sin(turn), default.units = "native",
    gp = grid::gpar(fill = "#F7FAFC", col = "#0072B2", lwd = if (name) 9 else 14, linejoin = "round"))
  up <- if (name) 0.08 else -0.05
  for (row in 1:3) {
    n <- 6 - row
    points(0.25 * (seq_len(n) - (n + 1) / 2), up + 0.11 + 0.17 * row, "#9AA9B8", 0.05)
  }
  bars <- seq(-0.72, 0.72, length.out = 7)
  grid::grid.segments(bars[-7] + 0.045, up + 0.13, bars[-1] - 0.045, up + 0.13, default.units = "native",
    gp = grid::gpar(col = "#1F2933", lwd = if (name) 7 else 12, lineend = "round"))
  points(c(-0.24, 0.24), up - 0.03, "#0072B2", 0.06)
  points(0, up - 0.19, "#D55E00", 0.06)
  if (name) {
    grid::grid.text("mlsift", 0, -0.42, default.units = "native",
      gp = grid::gpar(fontsize = 58, fontface = "bold", col = "#1F2933", fontfamily = "sans"))
  }
}

picture <- function(file, size, name = FALSE) {
  if (grepl("svg$", file)) grDevices::svg(file, size / 72, size / 72, bg = "transparent")
  else grDevices::png(file, size, size, type = "cairo", bg = "transparent", res = 72 * size / 288)
  draw(name)
  invisible(grDevices::dev.off())
}

# An icon file that holds one PNG picture of at most 255 pixels.
as_ico <- function(png, size, file) {
  bytes <- readBin(png, "raw", file.size(png))
  con <- file(file, "wb")
  on.exit(close(con))
  writeBin(c(0L, 1L, 1L), con, size = 2, endian = "little")
  writeBin(as.raw(c(size, size, 0, 0)), con)
  writeBin(c(1L, 32L), con, size = 2, endian = "little")
  writeBin(c(length(bytes), 22L), con, size = 4, endian = "little")
  writeBin(bytes, con)
}

picture(file.path(figures, "logo.svg"), 288, name = TRUE)
picture(file.path(icons, "favicon.svg"), 288)
picture(file.path(icons, "favicon-96x96.png"), 96)
picture(file.path(icons, "apple-touch-icon.png"), 180)
picture(small <- tempfile(fileext = ".png"), 48)
as_ico(small, 48, file.path(icons, "favicon.ico"))
writeLines('{"name": "mlsift", "icons": [{"src": "favicon-96x96.png", "sizes": "96x96", "type": "image/png"}]}',
  file.path(icons, "site.webmanifest"))

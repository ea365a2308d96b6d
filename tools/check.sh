# What .ci/run, tools/cran.sh and tools/newest.sh share: building and checking the package outside the clone, without a
# network. To be sourced by bash in the root of the clone:
#   build_package folder               builds the tarball in a folder, unless it is there
#   check_package folder [option ...]  builds it, and runs R CMD check with these options; fails for errors and warnings
#   compile_package folder             builds it, and installs it in a library in the folder; fails for warnings
# With the incoming checks of CRAN that look nothing up. Suggested packages that are not installed may be missing.
# Each runs in a subshell, so that settings do not leave it.

build_package() (
  ! compgen -G "$1/mlsift_*.tar.gz" > /dev/null || exit 0
  mkdir -p "$1" &&
    Rscript -e 'source("tools/install.R")' \
      -e 'stopifnot(file.copy(copy_sources("."), commandArgs(TRUE), recursive = TRUE, copy.date = TRUE))' "$1" &&
    cd "$1" &&
    R CMD build mlsift
)

check_package() (
  build_package "$1" && cd "$1" || exit 1
  shift
  # The package has no PDF files, so a missing qpdf is no fault of it.
  command -v qpdf > /dev/null || export R_QPDF=true
  # Who maintains a missing package of Suggests is looked up in a file that not every mirror has: an empty one will do.
  mkdir -p cran/web/packages
  Rscript -e 'saveRDS(data.frame(Package = character(), Maintainer = character()), "cran/web/packages/packages.rds")'
  export R_CRAN_WEB="file://$PWD/cran" _R_CHECK_CRAN_INCOMING_=true _R_CHECK_CRAN_INCOMING_REMOTE_=false
  export _R_CHECK_SYSTEM_CLOCK_=false
  # Packages of Suggests and Enhances need not be there.
  export _R_CHECK_FORCE_SUGGESTS_=false _R_CHECK_PACKAGE_DEPENDS_IGNORE_MISSING_ENHANCES_=true NOT_CRAN=false
  R CMD check "$@" mlsift_*.tar.gz && ! grep -E '^Status: .*(ERROR|WARNING)' mlsift.Rcheck/00check.log
)

compile_package() (
  build_package "$1" && cd "$1" && mkdir -p library || exit 1
  R CMD INSTALL --no-docs --library=library mlsift_*.tar.gz > compile.log 2>&1
  status=$?
  cat compile.log
  [ $status -eq 0 ] && ! grep -qE 'warning:|^Warning' compile.log
)

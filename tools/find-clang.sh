#!/usr/bin/env bash
# Prints the name of clang's C++ compiler: clang++, or the newest clang++-<version>, which is all that Debian has where
# the package clang is not installed. Nothing is printed where there is none, and the exit status is 1.
command -v clang++ > /dev/null && echo clang++ && exit 0
compgen -c clang++ | grep -E '^clang\+\+-[0-9]+$' | sort -t- -k2 -n | tail -n 1 | grep .

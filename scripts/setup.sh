# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by quickstart, check and the benchmarks: installs the Debian packages that are missing.

BUILD_PACKAGES=(gcc make libc6-dev libarchive-dev libcjson-dev libglpk-dev librandom123-dev libsqlite3-dev zlib1g-dev)
# shellcheck disable=SC2034 # for those who source this
CHECK_PACKAGES=("${BUILD_PACKAGES[@]}" libcmocka-dev clang-format universal-ctags shellcheck git
    zstd zip bzip2 gzip groff-base libopenmpi-dev openmpi-bin procps)

is_installed() {
    [[ $(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) == *' installed' ]]
}

# install_packages PACKAGE...: returns when all are there, and does nothing when they were.
install_packages() {
    local missing=() package as_root=()
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    ((${#missing[@]} == 0)) && return
    if ! command -v apt-get >/dev/null; then
        echo "There is no apt-get here. Install what these Debian packages hold, and make: $*" >&2
        exit 1
    fi
    if ((EUID != 0)); then
        if ! command -v sudo >/dev/null; then
            echo "Neither root nor sudo. As root: apt-get install ${missing[*]}" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "Installing ${missing[*]}"
    local log
    log=$(mktemp)
    if ! { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
        tail -n 30 "$log" >&2
        rm -f "$log"
        echo "Could not install ${missing[*]}" >&2
        exit 1
    fi
    rm -f "$log"
}

# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by quickstart, check and the benchmarks: installs the Debian packages that are missing.

BUILD_PACKAGES=(gcc make libc6-dev libarchive-dev libcjson-dev libglpk-dev libmicrohttpd-dev libsqlite3-dev zlib1g-dev)
# shellcheck disable=SC2034 # for those who source this
CHECK_PACKAGES=("${BUILD_PACKAGES[@]}" libcmocka-dev clang-format universal-ctags shellcheck git
    zstd zip bzip2 gzip groff-base libopenmpi-dev openmpi-bin procps curl)
# What ./check --all builds the engine with besides, for other machines and for a browser; all are programs for this machine.
# shellcheck disable=SC2034
ALL_PACKAGES=(clang gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user lld wasi-libc libclang-rt-dev-wasm32)

is_installed() {
    [[ $(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) == *' installed' ]]
}

# What drives a browser: programs, which another package than Debian's may have brought, and a pinned library.
has_browser() {
    command -v chromium >/dev/null && command -v node >/dev/null && [[ -e build/browser/node_modules/playwright-core ]]
}
# install_browser: from the root of the repository; false where it cannot be had.
install_browser() {
    local program missing=()
    has_browser && return
    for program in chromium:chromium node:nodejs npm:npm; do
        command -v "${program%:*}" >/dev/null || missing+=("${program#*:}")
    done
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
    mkdir -p build/browser
    cp tests/browser/package*.json build/browser/
    npm ci --prefix build/browser --no-audit --no-fund >build/browser/npm.log 2>&1
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

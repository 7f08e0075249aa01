# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the tests of falconer serve, after tap.sh: a server, and requests to it.

# The user's own list of engines is not for tests.
export XDG_CONFIG_HOME=$SCRATCH/no-config

# serve FOLDER...: starts one; its process is $server, its address $base, its token $token.
serve() {
    rm -f "$SCRATCH/served"
    # shellcheck disable=SC2154 # of tap.sh
    "${attended[@]}" "$FALCONER" serve "$@" >"$SCRATCH/served" 2>"$SCRATCH/serve.err" </dev/null &
    server=$!
    soon grep -qs '^Open ' "$SCRATCH/served" || return
    base=$(sed -n 's,^Open \(http://[^/]*\)/.*,\1,p' "$SCRATCH/served")
    token=$(sed -n 's,.*token=,,p' "$SCRATCH/served")
    port=${base##*:}
    request -c "$SCRATCH/jar" "$base/?token=$token" >/dev/null
}
stop_serving() { # the exit code is the server's
    kill -INT "$server"
    wait "$server"
}
request() { curl --silent --max-time 300 --noproxy '*' "$@"; }
status() { request --output /dev/null --write-out '%{http_code}' "$@"; }
get() { request -b "$SCRATCH/jar" "$base$1"; } # PATH
post() { # PATH BODY
    request -b "$SCRATCH/jar" -H "X-Falconer-Token: $token" --data-binary "$2" "$base$1"
}
# answers NAME STATUS CURL-ARGUMENT...
answers() {
    local got
    got=$(status "${@:3}")
    [[ $got == "$2" ]]
    result "$1" $?
    [[ $got == "$2" ]] || echo "# answered $got, expected $2"
}
# says NAME PATTERN TEXT
says() {
    # shellcheck disable=SC2053 # a glob is meant
    [[ $3 == $2 ]]
    result "$1" $?
    # shellcheck disable=SC2053
    [[ $3 == $2 ]] || printf '# %s\n' "expected: $2" "${3:0:400}"
}
# raw TEXT: sends bytes as they are (printf's escapes), and shows the first line of what comes back.
raw() {
    local socket line=
    # shellcheck disable=SC2059 # a format is sent
    {
        exec {socket}<>"/dev/tcp/127.0.0.1/$port" &&
            printf "$1" >&"$socket" &&
            IFS= read -r -t 300 line <&"$socket"
        exec {socket}>&-
    } 2>/dev/null
    echo "${line%$'\r'}"
}

# Starts daemons of Debian on loopback, each with an empty data folder, and runs a job of typed calls against each: in Python, and in C
# if there is a program.  scripts/check_services reads this file.  A daemon is a function start_NAME, which sets `service`, and `words`:
# the arguments of the job.
# shellcheck shell=bash disable=SC2154 # of scripts/check_services

start_prometheus() {
    # The hash is that of "secret".
    cat >"$data/web.yml" <<'END'
basic_auth_users: { ada: "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW" }
END
    cat >"$data/prometheus.yml" <<END
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [$PWD/Tests/services/prometheus/rules.yml]
scrape_configs:
  - job_name: self
    basic_auth: { username: ada, password: secret }
    static_configs: [{ targets: ["127.0.0.1:$port"] }]
END
    prometheus --config.file="$data/prometheus.yml" --web.config.file="$data/web.yml" --web.listen-address="127.0.0.1:$port" \
        --storage.tsdb.path="$data/data" --web.enable-admin-api --web.enable-lifecycle --log.level=warn >"$data/log" 2>&1 </dev/null &
    service=$!
    words=("http://127.0.0.1:$port" ada:secret)
}

start_etcd() {
    local peer
    peer=$(free_port)
    etcd --data-dir "$data/data" --listen-client-urls "http://127.0.0.1:$port" --advertise-client-urls "http://127.0.0.1:$port" \
        --listen-peer-urls "http://127.0.0.1:$peer" --initial-advertise-peer-urls "http://127.0.0.1:$peer" \
        --initial-cluster "default=http://127.0.0.1:$peer" --logger zap >"$data/log" 2>&1 </dev/null &
    service=$!
    words=("http://127.0.0.1:$port/v3")
}

start_transmission() {
    mkdir "$data/down"
    transmission-daemon -f -g "$data" -w "$data/down" -a 127.0.0.1 -r 127.0.0.1 -p "$port" -t -u ada -v secret --no-portmap --no-dht \
        --no-lpd --no-utp -P "$(free_port)" --log-error -e "$data/log" >"$data/out" 2>&1 </dev/null &
    service=$!
    words=("http://127.0.0.1:$port" ada:secret "$data/down")
}

start_syncthing() {
    syncthing generate --home="$data/home" --no-default-folder --skip-port-probing >"$data/generated" 2>&1 </dev/null
    python3 - "$data/home/config.xml" "$port" "$(free_port)" <<'END'
import re, sys
path, port, other = sys.argv[1:]
text = open(path).read()
gui = f'<gui enabled="true" tls="false"><address>127.0.0.1:{port}</address><apikey>secret-key</apikey></gui>'
text = re.sub("<gui .*?</gui>", gui, text, flags=re.S)
for name, value in (
    ("globalAnnounceEnabled", "false"), ("localAnnounceEnabled", "false"), ("relaysEnabled", "false"), ("natEnabled", "false"),
    ("crashReportingEnabled", "false"), ("listenAddress", f"tcp://127.0.0.1:{other}"), ("urAccepted", "-1"), ("autoUpgradeIntervalH", "0"),
):
    text = re.sub(f"<{name}>[^<]*<", f"<{name}>{value}<", text)
open(path, "w").write(text)
END
    syncthing serve --home="$data/home" --no-browser --no-restart --no-upgrade >"$data/log" 2>&1 </dev/null &
    service=$!
    words=("http://127.0.0.1:$port" secret-key "$data/folder")
}

start_influxdb() {
    cat >"$data/influxdb.conf" <<END
reporting-disabled = true
bind-address = "127.0.0.1:$(free_port)"
[meta]
  dir = "$data/meta"
[data]
  dir = "$data/data"
  wal-dir = "$data/wal"
[http]
  bind-address = "127.0.0.1:$port"
  auth-enabled = true
  log-enabled = false
[logging]
  level = "error"
END
    influxd -config "$data/influxdb.conf" >"$data/log" 2>&1 </dev/null &
    service=$!
    words=("http://127.0.0.1:$port" ada:secret)
}

start_icinga() {
    local user group options
    user=$(id -un)
    group=$(id -gn)
    mkdir -p "$data/lib/certs" "$data/lib/api/packages" "$data/log" "$data/run/icinga2" "$data/cache" "$data/spool" "$data/etc"
    options=(-D "DataDir=$data/lib" -D "LogDir=$data/log" -D "InitRunDir=$data/run" -D "CacheDir=$data/cache" -D "SpoolDir=$data/spool"
        -D "ConfigDir=$data/etc" -D "RunAsUser=$user" -D "RunAsGroup=$group")
    export ICINGA2_USER=$user ICINGA2_GROUP=$group PATH="$PATH:/usr/sbin"
    cat >"$data/etc/icinga2.conf" <<END
const NodeName = "localhost"
const ZoneName = NodeName
include <itl>
object Endpoint NodeName { host = NodeName }
object Zone ZoneName { endpoints = [ NodeName ] }
object ApiListener "api" { bind_host = "127.0.0.1", bind_port = $port }
object ApiUser "ada" { password = "secret", permissions = [ "*" ] }
object CheckerComponent "checker" { }
END
    {
        icinga2 pki new-ca "${options[@]}"
        icinga2 pki new-cert "${options[@]}" --cn localhost --key "$data/lib/certs/localhost.key" --csr "$data/lib/certs/localhost.csr"
        icinga2 pki sign-csr "${options[@]}" --csr "$data/lib/certs/localhost.csr" --cert "$data/lib/certs/localhost.crt"
        cp "$data/lib/ca/ca.crt" "$data/lib/certs/ca.crt"
    } >"$data/made" 2>&1
    icinga2 daemon "${options[@]}" -c "$data/etc/icinga2.conf" >"$data/log/log" 2>&1 </dev/null &
    service=$!
    scheme=https
    words=("https://localhost:$port" ada:secret "$data/lib/certs/ca.crt")
}

# The arguments of a program in C: the description first, and the user and the password separately.
run_job() { # name, language
    local place=Tests/services/$1/$1
    case $2 in
    Python) python3 "$place.py" "${words[@]}" ;;
    C) "$out/$1" "$place.json" "${words[0]}" ${words[1]:+"${words[1]%%:*}" "${words[1]#*:}"} ;;
    esac
}

check_daemons() { # names
    local name language data port scheme words
    for name in "$@"; do
        for language in Python C; do
            if [ "$language" = C ]; then
                [ -e "Tests/services/$name/$name.c" ] || continue
                gcc -std=c99 -O1 -g -Wall -Wextra -Wpedantic -Werror -Iinclude -o "$out/$name" "Tests/services/$name/$name.c" \
                    -L"$library" -lroutable
            fi
            data=$PWD/$out/$name-data port=$(free_port) scheme=http
            rm -rf "$data"
            mkdir "$data"
            "start_$name"
            wait_for "$name" "$scheme://127.0.0.1:$port/" "$data/log"
            printf '\n========== %s, from %s ==========\n\n' "$name" "$language"
            run_job "$name" "$language" 2>"$out/$name.remarks" | tee "$out/$name-$language.txt"
            stop
            diff "Tests/services/$name/$language.expected" "$out/$name-$language.txt" || {
                echo "$name, $language: expected (<) and got (>) differ" >&2
                return 1
            }
        done
    done
}

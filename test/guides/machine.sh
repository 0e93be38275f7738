# What in-production.md asks a machine for, in a folder of the test, $S: no account is made, and systemd is a few lines.
# $MANAGER, $WS: the programs. $PASSWORD: a file. $CA_PORTS: where they listen.
set -euo pipefail
PATH="$S/usr/local/bin:$PATH"
mkdir -p "$S/usr/local/bin" "$S/etc/systemd/system" "$S/etc/nginx/conf.d" "$S/var/lib" "$S/var/backups" "$S/root" "$S/tmp"

useradd() { :; }
npx() { :; } # test/installed builds, packs and installs
nginx() { :; } # test/reverse-proxy runs the file
npm() {
  local place=$3/node_modules/.bin
  mkdir -p "$place"
  printf '#!/bin/sh\nexec node %s "$@"\n' "$MANAGER" > "$place/watchword-manager"
  printf '#!/bin/sh\nexec node %s "$@"\n' "$WS" > "$place/watchword-ws"
  chmod 755 "$place"/*
}

# Nobody else than us: -o, -g and -u go.
install() {
  local all=()
  while [ $# -gt 0 ]; do
    case $1 in -o | -g) shift 2 ;; *) all+=("$1"); shift ;; esac
  done
  command install "${all[@]}"
}
sudo() {
  if [ "$1" = -u ]; then shift 2; fi
  # Nobody sits at this terminal.
  case "${2:-}" in
    init | reset-admin) "$@" --password-file "$PASSWORD" ;;
    restored) "$@" --yes ;;
    *) "$@" ;;
  esac
}

systemctl() {
  local action=$1 name
  shift
  case $action in
    enable) shift; systemctl start "$@" ;;
    start) for name; do start_unit "$name"; done ;;
    restart) for name; do stop_unit "$name"; start_unit "$name"; done ;;
    stop) for name; do stop_unit "$name"; done ;;
    daemon-reload) ;;
    reload) for name; do reload_unit "$name"; done ;;
    *) return 1 ;;
  esac
}
start_unit() {
  local unit="$S/etc/systemd/system/$1.service"
  : > "$S/tmp/$1.out"
  # shellcheck disable=SC2046
  setpriv --pdeathsig TERM $(sed -n "s#/opt/#$S/opt/#; s#/etc/#$S/etc/#; s#^ExecStart=##p" "$unit") > "$S/tmp/$1.out" 2>&1 &
  echo $! > "$S/tmp/$1.pid"
  for _ in $(seq 300); do
    if grep -q 'listens on' "$S/tmp/$1.out"; then return 0; fi
    kill -0 "$(cat "$S/tmp/$1.pid")" || break
    sleep 0.1
  done
  cat "$S/tmp/$1.out" >&2
  return 1
}
# nginx is none of our units, and is not reloaded.
reload_unit() {
  local out="$S/tmp/$1.out" before
  if [ ! -f "$out" ]; then return 0; fi
  before=$(grep -c 'reloaded' "$out" || true)
  kill -HUP "$(cat "$S/tmp/$1.pid")"
  for _ in $(seq 300); do
    if [ "$(grep -c 'reloaded' "$out")" -gt "$before" ]; then return 0; fi
    sleep 0.1
  done
  cat "$out" >&2
  return 1
}
journalctl() { tail -n 2 "$S/tmp/watchword-manager.out" "$S/tmp/watchword-ws.out"; }
stop_unit() {
  local pid
  pid=$(cat "$S/tmp/$1.pid")
  kill -TERM "$pid"
  wait "$pid"
}

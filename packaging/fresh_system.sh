# shellcheck shell=bash
# Fresh Debian 12 systems in folders, to try things in; sourced by check_fresh_machine and test_package.
# Takes mirrors and package indexes from the settings of this machine.

say() { printf '== %s\n' "$*" >&2; }

# Call this script again with --inside FOLDER, apart from the rest of the machine, and clean up after it.
run_apart() {
    [ "$(id -u)" = 0 ] || { say "Root is needed to make a fresh system."; exit 1; }
    command -v debootstrap > /dev/null || { say "Install debootstrap first."; exit 1; }
    trees=$(mktemp -d)
    trap 'rm -rf "$trees"' EXIT
    # Mounts made and programs started inside end with it: the cleaning up never reaches through a mount.
    unshare --mount --propagation private --pid --fork --kill-child "$0" --inside "$trees"
}

# Make a system with some packages more than the least: make_system TREE PACKAGES
make_system() {
    local mirror
    # shellcheck disable=SC2016 # apt-get fills this in
    mirror=$(apt-get indextargets --format '$(SITE)' 'Codename: bookworm' | head -n 1)
    debootstrap --variant=minbase --include="$2" bookworm "$1" "${mirror:-http://deb.debian.org/debian}" \
        > "$trees/debootstrap.log" || { tail -n 5 "$trees/debootstrap.log" >&2; exit 1; }
}

# Let a tree reach the network the way this machine does.
prepare() {
    local tree=$1 folder
    mount -t proc proc "$tree/proc"
    mount --rbind /dev "$tree/dev"
    # Links in a tree may point out of it: replace them, never write through them.
    cp -L --remove-destination /etc/resolv.conf /etc/hosts "$tree/etc/"
    cp -L --remove-destination /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/certs/"
    cp -r --remove-destination /etc/apt/sources.list* "$tree/etc/apt/"
    apt-config dump | grep -E '^Acquire::(http|https|Check-Valid)' > "$tree/etc/apt/apt.conf.d/00machine" || true
    python3 -m pip config list 2> /dev/null | sed -nE "s/^(global|install)\.([^=]+)='(.*)'$/\2 = \3/p" > "$trees/pip.list" || true
    { echo '[global]'; cat "$trees/pip.list"; } > "$tree/etc/pip.conf"
    for folder in $(pip_folders); do
        mkdir -p "$tree$folder"
        mount --bind "$folder" "$tree$folder"
    done
}

# Folders of this machine from which pip takes packages; the pages of an index link to files beside it.
pip_folders() {
    { cat "$trees/pip.list"; env | grep '^PIP_' || true; } | grep -oE '(file://)?/[^ ]+' | sort -u | while read -r place; do
        case $place in file://*) place=$(dirname "${place#file://}") ;; esac
        if [ -d "$place" ]; then echo "$place"; fi
    done
}

# Run a command in a folder within a tree, with the environment of a newcomer: in_tree TREE FOLDER [chroot options] COMMAND
in_tree() {
    local tree=$1 folder=$2 name settings=()
    shift 2
    for name in $(compgen -e PIP_) $(compgen -e | grep -iE '^(https?|no)_proxy$' || true); do
        settings+=("$name=${!name}")
    done
    local options=()
    while [[ $1 == --* ]]; do options+=("$1"); shift; done
    # shellcheck disable=SC2016 # the inner shell fills this in
    chroot "${options[@]}" "$tree" env -i HOME=/tmp LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "${settings[@]}" \
        sh -c 'cd "$0" && exec "$@"' "$folder" "$@"
}

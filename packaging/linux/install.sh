#!/usr/bin/env bash
# Installs the bundle beside this script for the present user; the copy it leaves there removes it: uninstall.sh
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
base="${XDG_DATA_HOME:-$HOME/.local/share}"
target="$base/anonymizer-gui"
bin="$HOME/.local/bin"
id=org.anonymizer.Anonymizer

remove() {
    rm -rf "$target"
    rm -f "$bin/anonymizer-gui" "$base/applications/$id.desktop" "$base/mime/packages/$id.xml" \
        "$base/metainfo/$id.metainfo.xml" "$base/man/man1/anonymizer-gui.1"
    if [ -d "$base/icons/hicolor" ]; then find "$base/icons/hicolor" -name "$id.*" -delete; fi
}

install() {
    mkdir -p "$target" "$bin"
    cp -a "$here/bundle/." "$target/"
    cp -r "$here/share/." "$base/"
    cp "$here/install.sh" "$target/uninstall.sh"
    ln -s "$target/anonymizer-gui" "$bin/anonymizer-gui"
    # Menus do not look into ~/.local/bin, and software centres not into folders of users.
    sed -i "s|^Exec=anonymizer-gui|Exec=\"$target/anonymizer-gui\"|" "$base/applications/$id.desktop"
    sed -i "s|file:///usr/share|file://$base|" "$base/metainfo/$id.metainfo.xml"
}

# Menus and file types follow at the next log-in where these tools are missing.
refresh() {
    update-desktop-database "$base/applications" > /dev/null 2>&1 || true
    update-mime-database "$base/mime" > /dev/null 2>&1 || true
}

remove
if [ "${0##*/}" = uninstall.sh ]; then
    refresh
    echo "Anonymizer is removed; your projects and settings are still there."
else
    install
    refresh
    echo "Anonymizer is installed. Start it from the menu, or with: $bin/anonymizer-gui"
    echo "To remove it: $target/uninstall.sh"
fi

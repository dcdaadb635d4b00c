"""What of the collected files belongs in the bundle: the used plugins of Qt, and no libraries of the system."""

import re

# Folder of Qt's plugins -> those the program uses, on whatever system.
PLUGINS = {
    "platforms": {"qxcb", "qwayland", "qoffscreen", "qwindows", "qcocoa"},
    "platformthemes": {"qgtk3", "qxdgdesktopportal"},
    "platforminputcontexts": {"composeplatforminputcontextplugin", "ibusplatforminputcontextplugin"},
    "iconengines": {"qsvgicon"},
    "imageformats": {"qsvg"},
    "styles": {"qmodernwindowsstyle", "qmacstyle"},
    "wayland-shell-integration": {"xdg-shell"},
    "wayland-decoration-client": {"adwaita", "bradient"},
}
# What only plugins left out need, Qt's tools and texts, and what pyarrow has for clusters, clouds and compilers.
UNUSED = re.compile(
    r"(Qt6?(EglF[Ss]\w*|Network|OpenGL\w*|Pdf|Qml\w*|Quick\w*|Sql|Test|VirtualKeyboard|WlShellIntegration)\b"
    r"|PySide6/(Qt/)?(qml|translations|libexec)/"
    r"|opengl32sw|d3dcompiler"
    r"|pyarrow/(include|includes|src|tests)/|pyarrow/.*\.(pxd|pxi|pyx|lib)$"
    r"|(lib)?arrow(_python)?_(flight|s3)\b|pyarrow/_(flight|s3fs|gcsfs|azurefs)\.|libarrow_python\w*\.so(\.\d+\.\d+\.\d+)?$"
    r"|mpl-data/(sample_data|plot_directive)|/tests/|__pycache__|resources/.*\.py$)"
)
# Libraries of a Linux system that are not on every desktop, or that Python needs in just this version. All others
# stay outside: drawing, fonts and C++ must be those that the system's drivers and settings were made for.
SYSTEM_LIBRARIES = re.compile(
    r"^lib(python3|crypto|ssl|ffi|sqlite3|z|lzma|bz2|uuid|mpdec|expat|xcb-(cursor|icccm|image|keysyms|render-util|util|xkb)"
    r"|xkbcommon-x11)[.\d-]*\.so"
)
SYSTEM_FOLDERS = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")


def is_kept(target: str, source: str) -> bool:
    """Tell whether the file collected from `source` belongs in the bundle as `target`."""
    target, source = target.replace("\\", "/"), source.replace("\\", "/")
    plugin = re.search(r"plugins/([\w-]+)/(?:lib)?([\w-]+)\.(?:so|dll|dylib)$", target)
    if plugin and "PySide6" in target:
        return plugin[2] in PLUGINS.get(plugin[1], ())
    if UNUSED.search(target):
        return False
    # Libraries of the system lie at the top of the bundle, modules of the Python of the system in a folder.
    is_of_system = "/" not in target and source.startswith(SYSTEM_FOLDERS)
    return not is_of_system or bool(SYSTEM_LIBRARIES.search(target))

# Sourced: `apt_suite COMMAND...` runs apt-get on package lists of their own, those of Debian's release $suite for $arch, kept in $apt. No root is needed,
# and no package counts as installed.

# The archive that this system itself is configured for.
archive=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1)
[ -n "$archive" ] || {
    echo "$(basename "$0" .sh): no Debian archive is configured here" >&2
    exit 1
}

apt_suite() {
    apt-get -qq -o "Dir::State=$apt/state" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache" \
        -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "APT::Sandbox::User=$(id -un)" \
        -o Debug::NoLocking=1 "$@"
}

# apt_suite_update TYPE: fetches the lists of packages (deb) or of sources (deb-src).
apt_suite_update() {
    rm -rf "$apt"
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
    : >"$apt/status"
    echo "$1 [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $suite main" >"$apt/sources.list"
    apt_suite update
}

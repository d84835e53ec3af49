# Sourced: `apt_private COMMAND...` runs apt-get on package lists kept in .tools/apt, which works
# without root and on a machine whose own lists were never fetched. The archives are those
# that the system itself is configured for, their source packages included.

apt_dir=$root/.tools/apt

apt_private() {
    apt-get -qq \
        -o "Dir::State=$apt_dir/state" \
        -o "Dir::State::status=/var/lib/dpkg/status" \
        -o "Dir::Cache=$apt_dir/cache" \
        -o "Dir::Etc::sourcelist=$apt_dir/sources.list" \
        -o "Dir::Etc::sourceparts=$apt_dir/sources.list.d" \
        -o "APT::Sandbox::User=$(id -un)" \
        -o "Debug::NoLocking=1" \
        "$@"
}

# Copies the system's archive list with `deb-src` beside every `deb`, and fetches the package lists.
apt_private_update() {
    command -v apt-get >/dev/null 2>&1 || {
        echo "no apt-get here: this is not a Debian system" >&2
        return 1
    }
    [ -e "$apt_dir/updated" ] && return 0
    rm -rf "$apt_dir"
    mkdir -p "$apt_dir/state/lists/partial" "$apt_dir/cache/archives/partial" \
        "$apt_dir/sources.list.d"
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
        sed -n -e '/^deb /{p;s/^deb /deb-src /p;}' >"$apt_dir/sources.list"
    for source in /etc/apt/sources.list.d/*.sources; do
        [ -e "$source" ] || continue
        sed -e 's/^Types:.*/Types: deb deb-src/' "$source" \
            >"$apt_dir/sources.list.d/$(basename "$source")"
    done
    # One archive out of reach (a third party's) is no reason to stop: the download says what is missing.
    apt_private update 2>"$apt_dir/update.log" || true
    touch "$apt_dir/updated"
}

# apt_fetch COMMAND...: with fresh package lists if it fails with those at hand, which may be old.
apt_fetch() {
    apt_private_update || return 1
    apt_private "$@" && return 0
    rm -f "$apt_dir/updated"
    apt_private_update
    apt_private "$@" && return 0
    cat "$apt_dir/update.log" >&2
    return 1
}

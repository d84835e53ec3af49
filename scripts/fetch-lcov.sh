#!/bin/sh
# fetch-lcov.sh: LCOV of three releases of Debian (12, 13 and the next one), unpacked as .tools/lcov/SUITE. scripts/setup-tools.sh calls it.
# Perl and its modules are those of Debian 13, and run under their own loader and libraries.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
place=$root/.tools/lcov
work=$place.fetching
[ ! -d "$place" ] || exit 0
. "$root/scripts/apt-suite.sh"

rm -rf "$work"
mkdir -p "$work/tree/perl"
apt=$work/apt
arch=$(dpkg --print-architecture)
suite=trixie
apt_suite_update deb
apt_suite install --download-only --no-install-recommends -y perl libcapture-tiny-perl libdatetime-perl libtimedate-perl
for package in "$apt"/cache/archives/*.deb; do
    dpkg-deb -x "$package" "$work/tree/perl"
done
cd "$work"
for suite in trixie bookworm sid; do
    [ "$suite" = trixie ] || apt_suite_update deb
    apt_suite download lcov || {
        echo "fetch-lcov: the archive does not have LCOV of $suite; it is not tested" >&2
        continue
    }
    dpkg-deb -x lcov_*.deb "tree/$suite"
    # Its own number is Debian 13's 2.0, or what a script says that is not installed.
    sed -i "s|^our \$VERSION  *=.*|our \$VERSION = '$(dpkg-deb -f lcov_*.deb Version)';|" "tree/$suite"/usr/share/perl5/lcovutil.pm 2>/dev/null || true
    rm lcov_*.deb
    mkdir -p "tree/$suite/bin"
    for tool in lcov genhtml; do
        cat >"tree/$suite/bin/$tool" <<'END'
#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
lib=$(echo "$here"/../perl/usr/lib/*-linux-gnu)
PERL5LIB=$(echo "$here"/usr/lib/lcov "$here"/usr/share/perl5 "$here"/../perl/usr/share/perl5 "$lib"/perl5/5.* "$lib"/perl/5.* "$here"/../perl/usr/share/perl/5.* "$lib"/perl-base | tr ' ' :)
export PERL5LIB
exec "$lib"/ld-linux-*.so.* --library-path "$lib" "$here"/../perl/usr/bin/perl "$here/usr/bin/${0##*/}" --config-file /dev/null "$@"
END
        chmod +x "tree/$suite/bin/$tool"
    done
done
rm -rf "$place"
mv "$work/tree" "$place"
rm -rf "$work"

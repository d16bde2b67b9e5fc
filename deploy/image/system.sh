#!/bin/sh
# Copies what the service needs of the system into a folder: `sh system.sh /system`. That is Node, the libraries that it
# and its packages load, tini, certificates, and the users root and node. There is no shell and no package manager, so
# nothing of theirs can be exploited; the packages are listed where scanners of images look for them.
set -eu
target=$1
packages='libc6 libgcc-s1 libstdc++6 tini'

mkdir -p "$target/etc/ssl/certs" "$target/usr/local/bin" "$target/var/lib/dpkg/status.d"
# Where runtimes mount what the kernel shows.
mkdir "$target/dev" "$target/proc" "$target/sys"
for folder in bin lib lib64 sbin; do
  mkdir -p "$target/usr/$folder"
  ln -s "usr/$folder" "$target/$folder"
done

for package in $packages; do
  dpkg --status "$package" > "$target/var/lib/dpkg/status.d/$package"
  dpkg --listfiles "$package"
done |
  # Tables of character sets, papers and helpers of debuggers are not needed; copyrights stay.
  grep -E -e '^/(usr/)?(bin|lib|lib64|sbin)/' -e '^/etc/' -e '/copyright$' | grep -v /gconv/ |
  while read -r path; do
    if [ ! -d "$path" ]; then echo "$path"; fi
  done |
  tar --create --file=- --files-from=- --absolute-names |
  tar --extract --file=- --directory="$target" --keep-directory-symlink

cp /etc/nsswitch.conf /etc/os-release /etc/debian_version "$target/etc/"
cp /etc/ssl/certs/ca-certificates.crt "$target/etc/ssl/certs/"
grep -E '^(root|node):' /etc/passwd > "$target/etc/passwd"
grep -E '^(root|node):' /etc/group > "$target/etc/group"
cp "$(command -v node)" "$target/usr/local/bin/node"
mkdir -m 1777 "$target/tmp"

/** Runs a mounted image as a container: with its own process ids and mounts, its user, and a read-only root. */
import { readFileSync } from 'node:fs';
import { imageCommand } from '../deploy/dockerfile.ts';

/** $1 is the root, followed by the command. Writable folders are in memory, as with `--read-only` and `--tmpfs`. */
const ENTER = `
set -eu
root=$1
shift
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o uid=1000,gid=1000 tmpfs "$root/data"
mount -o remount,bind,ro "$root"
exec unshare --root="$root" --wd=/app --setgid=1000 --setuid=1000 "$@"
`;

/** The command that runs the image which is mounted at `root`. */
export const containerCommand = (root: string): [string, ...string[]] => [
  ...(['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', ENTER, 'enter', root] as const),
  ...['tini', '--', ...imageCommand],
];

/** The first process in the container: its id on the host, its name and its user. */
export const firstProcess = (commandPid: number): { pid: number; name: string; uid: number } => {
  const pid = Number(readFileSync(`/proc/${commandPid}/task/${commandPid}/children`, 'utf8'));
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, name = ''] = /^Name:\t(.+)$/m.exec(status)!;
  return { pid, name, uid: Number(/^Uid:\t(\d+)/m.exec(status)![1]) };
};

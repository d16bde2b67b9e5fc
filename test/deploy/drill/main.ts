/** `npm run drill:alerts` makes the faults of all alerts: first those of live.test.ts, then those of drill.ts. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../../bench/command/main.ts';

const { values } = commandLine({
  name: 'npm run drill:alerts',
  about:
    'Makes the faults that deploy/prometheus/alerts.yaml watches for, on stores, gateways and a Prometheus of its own, and waits until their alerts fire. It mounts a small disk, so it runs as root. Ends with another code than 0 when an alert does not fire.',
  options: {
    only: {
      type: 'string',
      value: 'alert',
      text: 'makes only the faults of alerts whose name has this in it, without those of live.test.ts',
    },
  },
  examples: [
    ['', 'makes all faults'],
    ['--only Overloaded', 'fills the render queue'],
  ],
});

/** Of each file; without it tap ends one after half a minute. */
const TIMEOUT_S = 1800;

/** What it mounts is seen by its processes alone, and is gone with the last of them, however that ends. */
const MOUNTS_OF_ITS_OWN = ['unshare', '--mount', '--propagation', 'private'] as const;

/** Runs a file as this one runs. Returns what it ends with. */
const run = (file: string, ...more: readonly string[]): number => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const [command, ...args] = [...MOUNTS_OF_ITS_OWN, process.execPath, ...process.execArgv, path, ...more];
  const env = { ...process.env, TAP_TIMEOUT: String(TIMEOUT_S) };
  const { error, status } = spawnSync(command, args, { env, stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status ?? 1;
};

const { only } = values;
process.exitCode = only === undefined ? run('../live.test.ts') || run('drill.ts') : run('drill.ts', only);

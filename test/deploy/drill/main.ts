/** `npm run drill:alerts` causes the faults of all alerts: first those of live.test.ts, then those of drill.ts. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../support/command.ts';

const { values } = commandLine({
  name: 'npm run drill:alerts',
  about:
    'Causes the faults that deploy/prometheus/alerts.yaml watches for, on its own stores, gateways and Prometheus, and waits until their alerts fire. It mounts a small disk, so it must run as root. Exits with a code other than 0 when an alert does not fire.',
  options: {
    only: {
      type: 'string',
      value: 'alert',
      text: 'causes only the faults of alerts whose name contains this text, without those of live.test.ts',
    },
  },
  examples: [
    ['', 'causes all faults'],
    ['--only Overloaded', 'fills the render queue'],
  ],
});

/** Time limit of each file, instead of tap's half minute. */
const TIMEOUT_S = 1800;

/** Runs the drill in its own mount namespace, so that only its processes see its mounts, which end with them. */
const MOUNTS_OF_ITS_OWN = ['unshare', '--mount', '--propagation', 'private'] as const;

/** Runs a file in the same way as this one. Returns its exit code. */
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

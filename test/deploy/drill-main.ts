/** `npm run drill:alerts` makes the faults of all alerts: first those of live.test.ts, then those of drill.ts. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../bench/command/main.ts';

commandLine({
  name: 'npm run drill:alerts',
  about:
    'Makes the faults that deploy/prometheus/alerts.yaml watches for, on stores, gateways and a Prometheus of its own, and waits until their alerts fire. It mounts a small disk, so it runs as root. Ends with another code than 0 when an alert does not fire.',
  options: {},
  examples: [['', 'makes all faults']],
});

/** Runs a file of this folder as this one runs. Returns what it ends with. */
const run = (file: string): number => {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const { error, status } = spawnSync(process.execPath, [...process.execArgv, path], { stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status ?? 1;
};

process.exitCode = run('live.test.ts') || run('drill.ts');

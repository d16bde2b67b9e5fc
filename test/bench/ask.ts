/**
 * Runs every command with the same arguments in one process, and prints as JSON the output and exit code of each. The
 * exit code is `null` for a command that has not exited once it is loaded, or that started something.
 */

import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/** Commands by the name of their script in `package.json`. */
const COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  attack: () => import('../attack/main.ts'),
  'attack:batches': () => import('../attack/batches/hostile.ts'),
  bench: () => import('../../bench/bench.ts'),
  'bench:export': () => import('../../bench/export/main.ts'),
  'bench:guard': () => import('../../bench/guard/main.ts'),
  'bench:model': () => import('../../bench/model/main.ts'),
  'bench:parts': () => import('../../bench/parts/main.ts'),
  capacity: () => import('../../bench/capacity/main.ts'),
  'drill:alerts': () => import('../deploy/drill/main.ts'),
  'drill:backup': () => import('../drills/backup-main.ts'),
  'drill:migration': () => import('../drills/migration-main.ts'),
  'drill:rollback': () => import('../drills/rollback-main.ts'),
  histories: () => import('../histories/main.ts'),
  isolation: () => import('../isolation/main.ts'),
  'kills:batches': () => import('../attack/batches/kills.ts'),
  'kills:links': () => import('../attack/links/kills.ts'),
  'kills:scans': () => import('../attack/scans/kills.ts'),
  'moving:links': () => import('../attack/links/round-trip.ts'),
  'load:agent': () => import('../../bench/agents/main.ts'),
  notices: () => import('../packages/notices.ts'),
  sbom: () => import('../packages/sbom.ts'),
  screenshots: () => import('../screenshots/main.ts'),
  soak: () => import('../../bench/soak.ts'),
  study: () => import('../study/main.ts'),
  'study:captions': () => import('../study/captions/main.ts'),
  'study:dots': () => import('../study/dots/main.ts'),
  'study:rules': () => import('../study/rules/main.ts'),
  'test:image': () => import('../image/main.ts'),
  'test:mutation': () => import('../mutation/main.ts'),
};

/** Thrown in place of `process.exit`. */
class Ended extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`ended with ${code}`);
    this.code = code;
  }
}

const started: string[] = [];
const refuse = (what: string) => () => {
  started.push(what);
  throw new Error(`started: ${what}`);
};
Object.assign(childProcess, {
  spawn: refuse('a process'),
  spawnSync: refuse('a process'),
  execFile: refuse('a process'),
  execFileSync: refuse('a process'),
  fork: refuse('a process'),
});
Object.assign(net.Server.prototype, { listen: refuse('a server') });
syncBuiltinESMExports();

process.exit = (code) => {
  throw new Ended(Number(code));
};
const write = process.stdout.write.bind(process.stdout);
let said = '';
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (text: string | Uint8Array) => {
    said += String(text);
    return true;
  };
}

const answers: Record<string, { readonly code: number | null; readonly said: string }> = {};
for (const [name, load] of Object.entries(COMMANDS)) {
  said = '';
  process.exitCode = undefined;
  const thrown = await load().catch((error: unknown) => error);
  const code = thrown instanceof Ended ? thrown.code : (process.exitCode ?? null);
  answers[name] = { code: started.length > 0 ? null : Number(code), said };
}
process.exitCode = 0;
write(JSON.stringify(answers));

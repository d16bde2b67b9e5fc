/** Runs an attack, monitors the gateway during it, and checks the gateway afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import type { Client } from './client.ts';
import { createField, type Target } from './field.ts';
import { type Seen, startWatch } from './watch.ts';

/** Values of the gauges of work in progress, by name. */
type Gauges = ReadonlyMap<string, number>;

const ABOUT_WORK =
  /^(tessera_(?:http_requests_in_flight|render_tasks_queued|render_tasks_running|logos_running|logos_waiting|\w*in_flight\w*(?<!_total)|render_threads_stuck))(?:\{[^}]*\})? (\S+)$/gm;

/** Returns the gauges; `null` when the gateway denies access to its metrics. */
const readGauges = async ({ ask }: Client, adminToken: string | null): Promise<Gauges | null> => {
  const answer = await ask({ path: '/metrics', ...(adminToken === null ? {} : { key: adminToken }) });
  if (answer.status !== 200) return null;
  const gauges = new Map<string, number>();
  for (const [, name = '', value] of answer.text.matchAll(ABOUT_WORK)) {
    gauges.set(name, (gauges.get(name) ?? 0) + Number(value));
  }
  return gauges;
};

/** Returns a sentence for each gauge that is higher than before. */
const leftBehind = (before: Gauges, after: Gauges): readonly string[] =>
  [...after].flatMap(([name, value]) => {
    const was = before.get(name) ?? 0;
    return value > was ? [`${name} is ${value}, was ${was}`] : [];
  });

export interface Verdict {
  readonly name: string;
  readonly requests: number;
  /** The highest status; `null` when every connection ended without an answer. */
  readonly worstStatus: number | null;
  readonly slowestHealthMs: number;
  readonly seconds: number;
  /** The failed checks; empty when all passed. */
  readonly faults: readonly string[];
}

/** Time limits under attack on an idle machine: for `/healthz`, and for a picture of a customer. */
const HEALTH_MAX_MS = 1000;
const CUSTOMER_MAX_MS = 5000;
/** How long after an attack its work may still be in progress. */
const AFTERMATH_MS = 15_000;
const ATTACK_MAX_MS = 240_000;

const judgeWatched = (who: string, { asked, slowestMs, refused }: Seen, maxMs: number): readonly string[] => {
  const statuses = Object.entries(refused).map(
    ([status, times]) => `${times} times ${status === '0' ? 'nothing' : status}`,
  );
  return [
    ...(statuses.length > 0 ? [`${who}: ${statuses.join(', ')} in ${asked} calls`] : []),
    ...(slowestMs > maxMs ? [`${who}: waited for ${Math.round(slowestMs)} ms, more than ${maxMs}`] : []),
  ];
};

/** Returns those of three calls that fail: readiness, a single call and a render call. */
const brokenCalls = async ({ ask }: Client, key: string): Promise<readonly string[]> => {
  // Long enough to be refused by a gateway whose memory for bodies is used up.
  const content = `after ${Date.now()}`.padEnd(1000, '.');
  const calls = [
    ['GET /readyz', await ask({ path: '/readyz' })],
    ['POST /api/v1/qr', await ask({ method: 'POST', path: '/api/v1/qr', key, body: { data: content } })],
    [
      'GET /api/v1/render',
      await ask({ path: `/api/v1/render?key=${key}&content=${encodeURIComponent(content)}` }),
    ],
  ] as const;
  return calls
    .filter(([, { status }]) => status !== 200)
    .map(([call, { status }]) => `afterwards ${call}: ${status}`);
};

const waitUntilNothing = async (find: () => Promise<readonly string[]>): Promise<readonly string[]> => {
  const endMs = performance.now() + AFTERMATH_MS;
  for (;;) {
    const found = await find();
    if (found.length === 0 || performance.now() > endMs) return found;
    await sleep(250);
  }
};

/** Runs one attack. Never throws because of the gateway, whose faults are part of the verdict. */
export const runAttack = async (attack: Attack, target: Target, customer: Client): Promise<Verdict> => {
  const before = await readGauges(customer, target.adminToken);
  const field = await createField(target);
  const watch = await startWatch({ url: target.url, key: target.key });
  const startedMs = performance.now();
  const tooLong = sleep(ATTACK_MAX_MS, 'too long', { ref: false });
  const ended = await Promise.race([attack.run(field).catch((error: unknown) => error), tooLong]);
  const seconds = (performance.now() - startedMs) / 1000;
  const watched = await watch.end();
  const { requests, worstStatus, faults } = field.end();

  const after = await waitUntilNothing(async () => {
    const gauges = await readGauges(customer, target.adminToken);
    const left = before === null || gauges === null ? [] : leftBehind(before, gauges);
    return [...(await brokenCalls(customer, target.key)), ...left];
  });
  return {
    name: attack.name,
    requests,
    worstStatus,
    slowestHealthMs: watched.health.slowestMs,
    seconds,
    faults: [
      ...(ended === 'too long' ? [`the attack did not end within ${ATTACK_MAX_MS / 1000} s`] : []),
      ...(ended instanceof Error ? [`the attack failed: ${ended.message}`] : []),
      ...faults,
      ...judgeWatched('the health check', watched.health, target.patience * HEALTH_MAX_MS),
      ...judgeWatched('a customer', watched.customer, target.patience * CUSTOMER_MAX_MS),
      ...after,
    ],
  };
};

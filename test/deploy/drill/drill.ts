/**
 * Causes the faults that deploy/prometheus/alerts.yaml watches for, on real stores, gateways and a real Prometheus,
 * and waits until their alerts fire. live.test.ts causes some of the faults; main.ts runs both. This file mounts a
 * disk, so it must run as root. An argument selects alerts by name.
 */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { alertsOf, RULES } from '../live.ts';
import { MACHINE } from './faults/machine.ts';
import { STORES } from './faults/stores.ts';
import { type Fault, startScene } from './scene.ts';

const [, , only = ''] = process.argv;
const ALL: readonly Fault[] = [...MACHINE, ...STORES];
const faults = ALL.filter(({ alerts }) => alerts.some((alert) => alert.includes(only)));
/** The alerts whose faults live.test.ts causes. */
const LIVE = [
  'TesseraErrorBudgetBurnsFast',
  'TesseraErrorBudgetBurnsSlowly',
  'TesseraBatchesWait',
  'TesseraLinkJobsStandStill',
  'TesseraWebhooksNotSent',
  'TesseraVerificationsStandStill',
];
/** Rates need several scrapes that include every series. */
const ROUNDS_BEFORE = 30;

const secondsSince = (startedMs: number): string => ((performance.now() - startedMs) / 1000).toFixed(0);

t.test('each alert has a fault', async (t) => {
  const made = [...LIVE, ...ALL.flatMap(({ alerts }) => alerts)];
  t.strictSame(made.sort(), [...alertsOf(await readFile(RULES, 'utf8'))].sort());
});

t.test('each fault makes its alerts fire', async (t) => {
  const beganMs = performance.now();
  const scene = await startScene(t);
  const { prometheus, round, roundsUntil, fire } = scene;
  for (let n = 0; n < ROUNDS_BEFORE; n += 1) await round();

  const areSilent = async ({ alerts }: Fault): Promise<boolean> => {
    const firing = await prometheus.firing();
    return !alerts.some((alert) => firing.includes(alert));
  };
  /** Causes a fault and prints how long its alerts took to fire. One that is already firing would prove nothing. */
  const drill = async (fault: Fault): Promise<void> => {
    const { what, alerts, make } = fault;
    t.ok(await roundsUntil(() => areSilent(fault)), `not firing before the fault: ${alerts.join(', ')}`);
    const startedMs = performance.now();
    const end = await make(scene);
    const madeS = secondsSince(startedMs);
    const madeMs = performance.now();
    const did = await roundsUntil(() => fire(...alerts));
    t.ok(did, `${what}: ${alerts.join(', ')}; firing: ${await prometheus.firing()}`);
    t.comment(`${what} | ${alerts.join(', ')} | caused in ${madeS} s, fired after ${secondsSince(madeMs)} s`);
    await end();
  };
  for (const fault of faults) await drill(fault);
  for (const fault of faults) t.ok(await roundsUntil(() => areSilent(fault)), `over: ${fault.what}`);
  t.comment(`all in ${secondsSince(beganMs)} s`);
});

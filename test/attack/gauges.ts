/** Reads how much work a gateway reports. Attacks must leave none of it behind. */
import type { Client } from './client.ts';

/** Values of the gauges about work under way, by name. */
export type Gauges = ReadonlyMap<string, number>;

const ABOUT_WORK =
  /^(tessera_(?:http_requests_in_flight|render_tasks_queued|render_tasks_running|logos_running|logos_waiting|\w*in_flight\w*|render_threads_stuck))(?:\{[^}]*\})? (\S+)$/gm;

/** Returns the gauges; `null` when the gateway does not show us its metrics. */
export const readGauges = async ({ ask }: Client, adminToken: string | null): Promise<Gauges | null> => {
  const answer = await ask({ path: '/metrics', ...(adminToken === null ? {} : { key: adminToken }) });
  if (answer.status !== 200) return null;
  const gauges = new Map<string, number>();
  for (const [, name = '', value] of answer.text.matchAll(ABOUT_WORK)) {
    gauges.set(name, (gauges.get(name) ?? 0) + Number(value));
  }
  return gauges;
};

/** Returns a sentence for each gauge that is higher than before. */
export const leftBehind = (before: Gauges, after: Gauges): readonly string[] =>
  [...after].flatMap(([name, value]) => {
    const was = before.get(name) ?? 0;
    return value > was ? [`${name} is ${value}, was ${was}`] : [];
  });

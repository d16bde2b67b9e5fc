/** What makes a load say nothing about its target: found from outside of the generator's process. */
import { readFileSync } from 'node:fs';
import { ADMIN_TOKEN } from '../../../test/servers/testbed.ts';
import { endedChildrenMs, treeCpuMs } from '../../cpu.ts';
import { figure, percent } from '../../say.ts';
import type { OpenResult } from '../job.ts';

const LITTLE_MAX = 0.01;
const MORE_MAX = 0.1;
/** Time of a mean request that the server does not see: on the network, or waiting to be read by either side. */
const OUTSIDE_MAX_MS = 20;
const GENERATOR_CORES_MAX = 0.8;
const LATE_MAX_MS = 20;
/** A load that sent less than this share of the requested rate is not a load at that rate. */
const SENT_SHARE_MIN = 0.98;
const STOLEN_MAX = 0.02;
const OTHERS_MAX = 0.1;

/** Processor time of this machine so far, in ticks, from /proc/stat: proc(5). Ours is in ms. */
const machineNow = () => {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!;
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, stolen = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const busy = user + nice + system;
  const all = busy + idle + wait + irq + softirq + stolen;
  return { busy, stolen, all, ourMs: treeCpuMs(process.pid) + endedChildrenMs(process.pid) };
};
const MS_A_TICK = 10;

/** Reads a metric without labels of a gateway of this run. */
export const metricOf = async (url: string, name: string): Promise<number> => {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(await answer.text())?.[1]);
};

/** Begins to watch; the returned function ends it. @param url Of a gateway of this run; `null` when there is none. */
export const watch = async (url: string | null) => {
  const inFlightMs = async (): Promise<number | null> =>
    url === null ? null : 1000 * (await metricOf(url, 'tessera_http_requests_in_flight_seconds_total'));
  const [server, before] = [await inFlightMs(), machineNow()];
  return async () => {
    const after = machineNow();
    const serverAfter = await inFlightMs();
    const all = Math.max(1, after.all - before.all);
    const others = after.busy - before.busy - (after.ourMs - before.ourMs) / MS_A_TICK;
    return {
      /** The server's own count of requests in flight, as an area in ms; `null` when it cannot be read. */
      inFlightMs: server === null || serverAfter === null ? null : serverAfter - server,
      /** Share of the processor time of this machine that its host took. */
      stolen: (after.stolen - before.stolen) / all,
      /** The share of processes that are not of this run; `null` when the server, which may be one of them, is not. */
      others: url === null ? null : Math.max(0, others / all),
    };
  };
};

/** What happened beside a load. */
export type Witness = Readonly<Awaited<ReturnType<Awaited<ReturnType<typeof watch>>>>>;

/** Returns what was seen, in a sentence. */
export const describeWitness = (result: OpenResult, { inFlightMs, stolen, others }: Witness): string => {
  const mean = (ms: number | null) => (ms === null ? 'not known' : figure(ms / 1000 / result.seconds));
  const cores = figure(result.generatorCpuMs / 1000 / result.seconds);
  return [
    `requests in flight: ${mean(result.inFlightMs)} by the generator’s count, ${mean(result.timesMs)} by rate × time (Little’s law), ${mean(inFlightMs)} by the server’s count`,
    `the generator used ${cores} of a core and was ${figure(result.lateMs)} ms late (p99)`,
    `other processes used ${others === null ? 'an unknown share' : percent(others)} of the processors, the host ${percent(stolen)}`,
  ].join('; ');
};

/** The area of the requests in flight by Little's law: counted by the generator, from their times, and by the server. */
const littleFaults = ({ inFlightMs, timesMs, seconds }: OpenResult, server: number | null): string[] => {
  const inFlight = (ms: number) => figure(ms / 1000 / seconds);
  if (Math.abs(inFlightMs - timesMs) > LITTLE_MAX * timesMs)
    return [
      `Little’s law fails: ${inFlight(inFlightMs)} requests in flight, their times say ${inFlight(timesMs)}`,
    ];
  return server !== null && server > (1 + MORE_MAX) * inFlightMs + seconds * 1000 * MORE_MAX
    ? [
        `the server had ${inFlight(server)} requests in flight, and ${inFlight(inFlightMs)} were ours: somebody else loads it`,
      ]
    : [];
};

/** Returns why a load says nothing about its target. @param lateMaxMs How late its requests may be sent. */
export const faultsOf = (result: OpenResult, witness: Witness, lateMaxMs: number): string[] => {
  const { generatorCpuMs, seconds, lateMs, sentPerS, askedPerS, dropped } = result;
  const { inFlightMs, stolen, others } = witness;
  const cores = generatorCpuMs / 1000 / seconds;
  const isLate = lateMs > lateMaxMs || (dropped === 0 && sentPerS < SENT_SHARE_MIN * askedPerS);
  return [
    ...littleFaults(result, inFlightMs),
    ...(isLate ? [`the generator was ${figure(lateMs)} ms late`] : []),
    ...(cores > GENERATOR_CORES_MAX ? [`the generator was busy (${figure(cores)} of one core)`] : []),
    ...(stolen > STOLEN_MAX ? [`the host took ${percent(stolen)} of the processors away`] : []),
    ...(others !== null && others > OTHERS_MAX
      ? [`other processes took ${percent(others)} of the processors`]
      : []),
  ];
};

/** The same for a load that should not be too much for its target. */
export const faultsOfSteady = (result: OpenResult, witness: Witness): string[] => {
  const { dropped, sent, inFlightMs } = result;
  const outsideMs = (inFlightMs - (witness.inFlightMs ?? inFlightMs)) / Math.max(1, sent);
  return [
    ...(dropped > 0 ? [`${dropped} of ${dropped + sent} requests were not sent`] : []),
    ...(outsideMs > OUTSIDE_MAX_MS
      ? [`${figure(outsideMs)} ms of a mean request passed outside of the server`]
      : []),
    ...faultsOf(result, witness, LATE_MAX_MS),
  ];
};

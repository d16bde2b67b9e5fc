/** How fast the codes of a batch are made, what one costs, and the memory that it takes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../../test/servers/node-server.ts';
import type { Scope } from '../../test/servers/scope.ts';
import { rssBytes } from '../cpu.ts';
import { figure, say } from '../say.ts';
import { type ByPart, type StorePids, spentMs, usOfEach } from '../spent.ts';
import type { BatchClient, ShownBatch } from './client.ts';
import { watchMemory } from './memory.ts';
import { ndjsonRows } from './rows.ts';

/** What a batch took. */
export interface BatchCost {
  readonly rows: number;
  /** From the first byte of the upload to the end, until it was received, and from its first piece to its end. */
  readonly seconds: number;
  readonly receivedS: number;
  readonly makingS: number;
  readonly codesPerS: number;
  /** Microseconds of processor time for one code, from the first byte to the end. */
  readonly us: ByPart;
  /** The largest memory of the gateway above that of an idle one, in bytes. */
  readonly moreBytes: number;
}

/** A gateway that has just started, with its stores. */
export interface Idle {
  readonly gateway: Server;
  readonly stores: StorePids;
  /** Resident memory before the first request. */
  readonly idleBytes: number;
}

const SETTLE_MS = 3000;
const TELL_EVERY_MS = 10_000;

/** Waits until a gateway that has just started does nothing, and reads its memory. */
export const settle = async (gateway: Server, stores: StorePids): Promise<Idle> => {
  await sleep(SETTLE_MS);
  return { gateway, stores, idleBytes: rssBytes(gateway.pid) };
};

/** Returns a function that prints the progress of a batch now and then. */
export const teller = (name: string) => {
  let nextMs = performance.now() + TELL_EVERY_MS;
  return ({ state, made, rows }: ShownBatch): void => {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + TELL_EVERY_MS;
    say(`${name}: ${state}, ${made} of ${rows} made`);
  };
};

const spanS = (from: string | null, to: string | null): number =>
  (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000;

/** Measures one batch. */
export const measureBatch = async (
  scope: Scope,
  { gateway, stores, idleBytes }: Idle,
  client: BatchClient,
  { run, rows }: { readonly run: string; readonly rows: number },
): Promise<{ readonly id: string; readonly cost: BatchCost }> => {
  const memory = watchMemory(scope, gateway.pid);
  const before = spentMs(gateway.pid, stores);
  const startMs = performance.now();
  const { id } = await client.send(ndjsonRows({ run, rows }));
  const receivedS = (performance.now() - startMs) / 1000;
  const batch = await client.done(id, teller(run));
  const seconds = (performance.now() - startMs) / 1000;
  const after = spentMs(gateway.pid, stores);
  if (batch.made !== rows) throw new Error(`${batch.made} of ${rows} rows were made`);
  const us = usOfEach(before, after, rows);
  const makingS = spanS(batch.started_at, batch.finished_at);
  const moreBytes = memory.takePeak() - idleBytes;
  say(`${run}: ${figure(rows / seconds)} codes/s`);
  return { id, cost: { rows, seconds, receivedS, makingS, codesPerS: rows / seconds, us, moreBytes } };
};

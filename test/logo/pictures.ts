import { PNG } from 'pngjs';
import type { LogoLog } from '../../src/logo/normalise.ts';
import type { LogoOutcome, LogoStage } from '../../src/logo/outcome.ts';

export interface Seen {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Red, green, blue, alpha. */
  readonly at: (x: number, y: number) => number[];
  readonly isRedAnywhere: boolean;
}

/** The pixels of a logo, read by a decoder other than the one that wrote it. */
export const look = (outcome: LogoOutcome): Seen => {
  if (!outcome.ok) throw new Error(`refused: ${outcome.fault.stage}: ${outcome.fault.message}`);
  const { width, height, data } = PNG.sync.read(Buffer.from(outcome.value.logo.png));
  let isRedAnywhere = false;
  for (let at = 0; at < data.length; at += 4) {
    isRedAnywhere ||= data[at]! > 150 && data[at + 1]! < 100 && data[at + 2]! < 100 && data[at + 3]! > 100;
  }
  const at = (x: number, y: number): number[] => [
    ...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4),
  ];
  return { widthPx: width, heightPx: height, at, isRedAnywhere };
};

export const stageOf = (outcome: LogoOutcome): LogoStage | 'ok' => (outcome.ok ? 'ok' : outcome.fault.stage);

export const describeOutcome = (outcome: LogoOutcome): string =>
  outcome.ok
    ? `${outcome.value.logo.widthPx} x ${outcome.value.logo.heightPx}`
    : `${outcome.fault.stage}: ${outcome.fault.message}`;

/** A log that records its entries. */
export const listeningLog = () => {
  const entries: Record<string, unknown>[] = [];
  const keep = (fields: object) => void entries.push({ ...fields });
  const log: LogoLog = { debug: keep, warn: keep };
  return { entries, log };
};

export interface Cost {
  readonly ms: number;
  /** Peak resident set of the process, above its size before. */
  readonly extraBytes: number;
}

/** Runs `job` and returns its cost. */
export const measure = async <T>(job: () => Promise<T>): Promise<{ result: T; cost: Cost }> => {
  const before = process.memoryUsage.rss();
  let highest = before;
  const timer = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, 5);
  const began = performance.now();
  try {
    const result = await job();
    highest = Math.max(highest, process.memoryUsage.rss());
    return { result, cost: { ms: performance.now() - began, extraBytes: highest - before } };
  } finally {
    clearInterval(timer);
  }
};

export const describeCost = ({ ms, extraBytes }: Cost): string =>
  `${ms.toFixed(0)} ms, ${(extraBytes / 1e6).toFixed(0)} MB`;

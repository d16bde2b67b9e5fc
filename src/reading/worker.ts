import { workerData } from 'node:worker_threads';
import { lowerPriority } from '../execution/asked-thread.ts';
import { openZBar, openZXing } from './decoders.ts';
import type { Luma } from './png.ts';
import { type OpenReaders, type Reading, readPicture } from './read.ts';
import { type FoundSymbols, findSymbols } from './symbols.ts';

/** What a reading thread receives when it starts. */
export interface ReadingSettings {
  readonly zxingWasm: Uint8Array<ArrayBuffer>;
  readonly zbarPath: string;
}

/** What the thread answers: the reading, and the time that it took. */
export interface ReadingAnswer {
  readonly reading: Reading;
  readonly readMs: number;
}

/** What it answers about a picture of prints. */
export interface SymbolsAnswer {
  readonly symbols: FoundSymbols;
  readonly readMs: number;
}

/** The lowest priority: any other thread that wants a core gets it. */
const NICE = 19;

lowerPriority(NICE);

const start = async ({ zxingWasm, zbarPath }: ReadingSettings): Promise<OpenReaders> => ({
  zxing: await openZXing(zxingWasm.buffer),
  zbar: await openZBar(zbarPath),
});

let readers: Promise<OpenReaders> | undefined;

const open = (): Promise<OpenReaders> => {
  readers ??= start(workerData as ReadingSettings);
  return readers;
};

/** The entry point of a reading thread: reads one PNG. */
export default async (png: Uint8Array): Promise<ReadingAnswer> => {
  const opened = await open();
  const startedMs = performance.now();
  const reading = await readPicture(opened, png);
  return { reading, readMs: performance.now() - startedMs };
};

/** The other entry point: finds every symbol in a picture of prints. */
export const findAll = async (luma: Luma): Promise<SymbolsAnswer> => {
  const { zxing } = await open();
  const startedMs = performance.now();
  const symbols = await findSymbols(zxing.findAll, luma);
  return { symbols, readMs: performance.now() - startedMs };
};

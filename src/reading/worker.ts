import { workerData } from 'node:worker_threads';
import { lowerPriority } from '../execution/asked-thread.ts';
import { openZBar, openZXing } from './decoders.ts';
import { type OpenReaders, type Reading, readPicture } from './read.ts';

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

/** The lowest priority: any other thread that wants a core gets it. */
const NICE = 19;

lowerPriority(NICE);

const start = async ({ zxingWasm, zbarPath }: ReadingSettings): Promise<OpenReaders> => ({
  zxing: await openZXing(zxingWasm.buffer),
  zbar: await openZBar(zbarPath),
});

let readers: Promise<OpenReaders> | undefined;

/** The entry point of a reading thread: reads one PNG. */
export default async (png: Uint8Array): Promise<ReadingAnswer> => {
  readers ??= start(workerData as ReadingSettings);
  const open = await readers;
  const startedMs = performance.now();
  const reading = await readPicture(open, png);
  return { reading, readMs: performance.now() - startedMs };
};

/** The modules of GS1 DataMatrix: ISO/IEC 16022 (ECC 200) with FNC1 in first position, as Zint makes them. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Grid } from '../design/dots.ts';
import type { Fault } from '../protocol.ts';
import { elementsOf } from '../symbol/gs1.ts';

/** Square symbols only: a number of modules says their size. */
const OPTIONS = {
  format: 'DataMatrix',
  options: 'gs1,forceSquare',
  scale: 1,
  rotate: 0,
  invert: false,
  addHRT: false,
  addQuietZones: false,
};

const open = async () => {
  const path = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm');
  // With the bytes, the package does not fetch them from the network.
  const wasmBinary = new Uint8Array(await readFile(path)).buffer;
  const { prepareZXingModule } = await import('zxing-wasm/writer');
  return prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
};

let opening: Promise<void> | null = null;
let writer: Awaited<ReturnType<typeof open>> | null = null;
let failure: unknown = 'nobody asked for it';

/**
 * Loads the writer, which takes longer than most barcodes. Wait for it before the first `encodeMatrix`, which throws when
 * it could not be loaded. Never rejects.
 */
export const openWriter = (): Promise<void> => {
  opening ??= open().then(
    (opened) => {
      writer = opened;
    },
    (error: unknown) => {
      failure = error;
    },
  );
  return opening;
};

/** Of the largest symbol, without those that correct errors. Each character takes one at most. */
const MOST_CODEWORDS = 1558;

/** Returns the modules of elements with their AIs in brackets; the fault `data` when no symbol holds so many. */
export const encodeMatrix = (elements: string): Grid | Fault => {
  if (writer === null) throw new Error(`the writer of DataMatrix is not loaded: ${failure}`);
  // In square brackets, which no value has.
  const text = elementsOf(elements)
    .map(({ ai, value }) => `[${ai}]${value}`)
    .join('');
  const { error, symbol } = writer.writeBarcodeFromText(text, OPTIONS);
  if (error !== '') {
    // Its rules of GS1 data are no stricter than ours.
    if (text.length <= MOST_CODEWORDS) throw new Error(`Zint refuses ${text}: ${error}`);
    return { field: 'data', message: 'has more than the largest GS1 DataMatrix holds: leave elements out' };
  }
  const { width: size, data } = symbol;
  return { size, cells: Uint8Array.from(data, (value) => (value === 0 ? 1 : 0)) };
};

/** Readers that share no code with ours: two from npm, and those from Debian that are installed. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import jsQR from 'jsqr';
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import type { Grey } from './conditions.ts';

/** The text that each reader finds in each picture, in order; `null` when it finds none. */
export type Readings = Readonly<Record<string, readonly (string | null)[]>>;

/** All readers that are installed on this machine. */
export interface Readers {
  readonly names: readonly string[];
  /** @param moduleCount Modules along one side of the symbol in all of the pictures. */
  read(pictures: readonly Grey[], moduleCount: number): Promise<Readings>;
  close(): void;
}

/** Relative to the project folder, where npm runs scripts. */
const SCRIPT = 'test/study/readers.py';
const ZXING: ReaderOptions = {
  formats: ['QRCode'],
  tryHarder: true,
  maxNumberOfSymbols: 1,
  textMode: 'Plain',
};

const readWithOurs = async (pictures: readonly Grey[]): Promise<Readings> => {
  const [zxing, jsqr]: [(string | null)[], (string | null)[]] = [[], []];
  for (const { widthPx: width, heightPx: height, pixels } of pictures) {
    const words = Uint32Array.from(pixels, (light) => 0xff000000 | (light * 0x010101));
    const data = new Uint8ClampedArray(words.buffer);
    const [found] = await readBarcodes({ data, width, height, colorSpace: 'srgb' }, ZXING);
    zxing.push(found?.text || null);
    jsqr.push(jsQR.default(data, width, height)?.data || null);
  }
  return { 'zxing-wasm': zxing, jsQR: jsqr };
};

const startDebian = async (python: string): Promise<Readers> => {
  const child = spawn(python, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.on('error', () => undefined); // Without an interpreter there is no output, so there are no readers.
  child.stdin.on('error', () => undefined);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const answer = async (): Promise<string | null> => {
    const { value, done } = await lines.next();
    return done ? null : value;
  };
  const names: readonly string[] = JSON.parse((await answer()) ?? '[]');
  const read = async (pictures: readonly Grey[], moduleCount: number): Promise<Readings> => {
    if (names.length === 0) return {};
    const sizes = pictures.map(({ widthPx, heightPx }) => [widthPx, heightPx, moduleCount]);
    child.stdin.write(`${JSON.stringify(sizes)}\n`);
    for (const { pixels } of pictures) child.stdin.write(pixels);
    const line = await answer();
    if (line === null) throw new Error("the process of Debian's readers has ended: see its message above");
    return JSON.parse(line);
  };
  return { names, read, close: () => void child.stdin.end() };
};

/** Starts the readers. @param python A Python interpreter that can import Debian's packages. */
export const startReaders = async (python: string): Promise<Readers> => {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  const wasmBinary = new Uint8Array(await readFile(wasm)).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  const debian = await startDebian(python);
  return {
    ...debian,
    names: ['zxing-wasm', 'jsQR', ...debian.names],
    async read(pictures, moduleCount) {
      const others = debian.read(pictures, moduleCount);
      return { ...(await readWithOurs(pictures)), ...(await others) };
    },
  };
};

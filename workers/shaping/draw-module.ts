/**
 * Functions that WebAssembly can call through a table. A function of JavaScript has no signature, so it is imported by a
 * module that exports it again: WebAssembly Core 2.0, "Binary Format".
 */

import { startModule } from './web-assembly.ts';

/** What HarfBuzz calls for each command of an outline, with its points. */
export type DrawCalls = Readonly<
  Record<'move' | 'line' | 'quadratic' | 'cubic' | 'close', (...points: readonly number[]) => void>
>;

/** How many coordinates each has. */
const COORDINATES = { move: 2, line: 2, quadratic: 4, cubic: 6, close: 0 } as const;
type Name = keyof typeof COORDINATES;
const NAMES = Object.keys(COORDINATES) as Name[];

const [INTEGER, REAL, FUNCTION_TYPE] = [0x7f, 0x7d, 0x60];
const SECTIONS = { types: 1, imports: 2, exports: 7 } as const;
const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const MODULE = 'd';

const textBytes = (text: string): readonly number[] => [text.length, ...Buffer.from(text, 'latin1')];
/** Lengths below 16,384 in one or two bytes (LEB128). */
const section = (id: number, entries: readonly (readonly number[])[]): readonly number[] => {
  const bytes = [entries.length, ...entries.flat()];
  return bytes.length < 128
    ? [id, bytes.length, ...bytes]
    : [id, (bytes.length & 127) | 128, bytes.length >> 7, ...bytes];
};

/** `hb_draw_*_func_t`: functions, data and state, the coordinates, and the user's data. */
const typeOf = (name: Name): readonly number[] => {
  const values = [INTEGER, INTEGER, INTEGER, ...Array<number>(COORDINATES[name]).fill(REAL), INTEGER];
  return [FUNCTION_TYPE, values.length, ...values, 0];
};

const POINTS_FROM = 3;

/** Returns functions with the signatures that HarfBuzz calls. */
export const drawModule = (calls: DrawCalls): Readonly<Record<Name, () => void>> => {
  const bytes = Uint8Array.from([
    ...HEAD,
    ...section(SECTIONS.types, NAMES.map(typeOf)),
    ...section(
      SECTIONS.imports,
      NAMES.map((name, index) => [...textBytes(MODULE), ...textBytes(name), 0, index]),
    ),
    ...section(
      SECTIONS.exports,
      NAMES.map((name, index) => [...textBytes(name), 0, index]),
    ),
  ]);
  const imports = Object.fromEntries(
    NAMES.map((name) => [
      name,
      (...values: readonly number[]) => calls[name](...values.slice(POINTS_FROM, -1)),
    ]),
  );
  return startModule(bytes, { [MODULE]: imports }) as Record<Name, () => void>;
};

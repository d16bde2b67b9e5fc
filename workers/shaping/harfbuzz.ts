/**
 * HarfBuzz, which sets the glyphs of a text: the WebAssembly of the package `harfbuzzjs`, called by its C interface. The
 * wrapper of the package is loaded asynchronously, and by every thread that imports it; this is loaded with the first text
 * that needs it, in some ten milliseconds.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { OutlineCommand } from '../vector/pdf-objects.ts';
import { drawModule } from './draw-module.ts';
import { type Memory, startModule, type Table } from './web-assembly.ts';

type Call = (...values: readonly number[]) => number;

/** The functions of HarfBuzz by their names in C, and the memory that they share with us. */
export type HarfBuzz = Readonly<Record<string, Call>> & {
  readonly memory: Memory;
  readonly __indirect_function_table: Table;
};

const PAGE_BYTES = 65_536;
/** Fonts and texts are bounded, so that only a hostile font needs as much. */
const MEMORY_MAX_BYTES = 192 * 1024 * 1024;

const unexpected = (): never => {
  throw new Error('HarfBuzz ended');
};

let loaded: HarfBuzz | null = null;

/** Returns HarfBuzz, which this thread loads once. */
export const harfBuzz = (): HarfBuzz => {
  loaded ??= load();
  return loaded;
};

const load = (): HarfBuzz => {
  const path = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz.wasm');
  const grow = (bytes: number): number => {
    const missing = bytes - harfBuzz.memory.buffer.byteLength;
    if (bytes > MEMORY_MAX_BYTES) return 0;
    if (missing > 0) harfBuzz.memory.grow(Math.ceil(missing / PAGE_BYTES));
    return 1;
  };
  const harfBuzz = startModule(readFileSync(path), {
    wasi_snapshot_preview1: { proc_exit: unexpected },
    env: {
      _emscripten_runtime_keepalive_clear: () => {},
      _abort_js: unexpected,
      _setitimer_js: () => 0,
      emscripten_resize_heap: grow as (...values: readonly number[]) => number,
    },
  }) as HarfBuzz;
  harfBuzz.__wasm_call_ctors!();
  return harfBuzz;
};

/** Copies bytes into the memory of HarfBuzz, and returns where. @throws {Error} When there is no room. */
export const putBytes = (bytes: Uint8Array): number => {
  const { memory, malloc } = harfBuzz();
  const at = malloc!(bytes.length);
  if (at === 0) throw new Error('HarfBuzz has no memory left');
  new Uint8Array(memory.buffer).set(bytes, at);
  return at;
};

let commands: OutlineCommand[] = [];
let drawing: number | null = null;

/** Returns the functions that HarfBuzz calls for an outline: they write to `commands`. */
const drawFunctions = (): number => {
  drawing ??= makeDrawFunctions();
  return drawing;
};

const makeDrawFunctions = (): number => {
  const harf = harfBuzz();
  const write =
    (command: string) =>
    (...args: readonly number[]): void => {
      commands.push({ command, args });
    };
  const calls = drawModule({
    move: write('moveTo'),
    line: write('lineTo'),
    quadratic: write('quadraticCurveTo'),
    cubic: write('bezierCurveTo'),
    close: write('closePath'),
  });
  const table = harf.__indirect_function_table;
  const functions = harf.hb_draw_funcs_create!();
  for (const [name, call] of Object.entries(calls)) {
    const index = table.grow(1);
    table.set(index, call);
    const setter =
      name === 'close' ? 'hb_draw_funcs_set_close_path_func' : `hb_draw_funcs_set_${name}_to_func`;
    harf[setter]!(functions, index, 0, 0);
  }
  return functions;
};

/** Returns the outline of a glyph in units of its font, with y upwards. @param font Of HarfBuzz. */
export const drawGlyph = (font: number, glyph: number): readonly OutlineCommand[] => {
  const functions = drawFunctions();
  commands = [];
  harfBuzz().hb_font_draw_glyph!(font, glyph, functions, 0);
  const drawn = commands;
  commands = [];
  return drawn;
};

/** WebAssembly as Node has it. The types of Node leave it out, and those of browsers have much more. */

/** A memory that grows by pages of 64 KiB. Views of its buffer are gone when it grows. */
export interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The functions that a module calls by number. */
export interface Table {
  grow(functions: number): number;
  set(index: number, call: () => void): void;
}

type Imports = Readonly<Record<string, Readonly<Record<string, (...values: readonly number[]) => unknown>>>>;

interface WebAssembly {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: Imports) => { readonly exports: object };
}

const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssembly }).WebAssembly;

/** Compiles and starts a module, without a turn of the event loop, and returns what it exports. */
export const startModule = (bytes: Uint8Array, imports: Imports): object =>
  new Instance(new Module(bytes), imports).exports;

/** Section ids and limit flags: WebAssembly Core Specification 2.0, 5.5.2 and 5.3.7. */
const MEMORY_SECTION = 5;
const HEADER_BYTES = 8;
const PAGE_BYTES = 65_536;

/** Unsigned LEB128 (5.2.2). */
const writeUnsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeUnsigned(value >>> 7)];

const readUnsigned = (bytes: Uint8Array, at: number): { value: number; next: number } => {
  let value = 0;
  let next = at;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[next++];
    if (byte === undefined) throw new Error('WebAssembly module ends within a number');
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next };
  }
};

/**
 * Returns the same WebAssembly module with a maximum on its memory. An allocation beyond `maxBytes` fails inside the
 * module, as a trap that JavaScript can catch. Nothing else bounds that memory: Node's `resourceLimits` count only the
 * JavaScript heap.
 *
 * Throws unless the module has a single memory of its own without a maximum.
 *
 * @param maxBytes A multiple of 64 KiB.
 */
export const limitMemory = (module: Uint8Array, maxBytes: number): Uint8Array => {
  let at = HEADER_BYTES;
  while (at < module.length) {
    const { value: length, next: body } = readUnsigned(module, at + 1);
    if (module[at] === MEMORY_SECTION) {
      const minimum = readUnsigned(module, body + 2);
      if (module[body] !== 1 || module[body + 1] !== 0) break;
      const content = [1, 1, ...writeUnsigned(minimum.value), ...writeUnsigned(maxBytes / PAGE_BYTES)];
      const section = [MEMORY_SECTION, ...writeUnsigned(content.length), ...content];
      return Buffer.concat([module.subarray(0, at), Buffer.from(section), module.subarray(body + length)]);
    }
    at = body + length;
  }
  throw new Error('WebAssembly module has no single unbounded memory of its own');
};

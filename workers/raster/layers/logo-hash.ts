import { createHash } from 'node:crypto';
import type { Logo } from '../../protocol.ts';

/** Tasks of one message share the bytes of a logo. */
const hashes = new WeakMap<Uint8Array, string>();

/** Returns the SHA-256 of a logo's content, in base64: no one can make two logos with the same. */
export function logoHashOf({ png }: Logo): string {
  const known = hashes.get(png) ?? createHash('sha256').update(png).digest('base64');
  hashes.set(png, known);
  return known;
}

import { createHash } from 'node:crypto';
import type { Logo } from '../../protocol.ts';

/** The bytes that were hashed last: the parts of a picture ask in turn, and the tasks of a bulk call share them. */
let hashed: Uint8Array | null = null;
let hash = '';

/** Returns the SHA-256 of a logo's content, in base64: no one can make two logos with the same. */
export function logoHashOf({ png }: Logo): string {
  if (png === hashed) return hash;
  hash = createHash('sha256').update(png).digest('base64');
  hashed = png;
  return hash;
}

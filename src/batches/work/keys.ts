/** What tells the rows of a piece apart, as hashes: zero bytes stand for none. */

import { HASH_BYTES, hashText } from '../../duplicates/first-seen.ts';
import { DUPLICATE_KINDS, type DuplicateKind, type RowKeys } from '../../duplicates/rules.ts';
import { keysOfContent } from '../../gs1/check.ts';
import type { Row } from '../rows/row.ts';

/** The hashes of the rows of a piece by kind, in row order; absent: no row has any. */
export type KeyHashes = Readonly<Partial<Record<DuplicateKind, Buffer>>>;

/** Returns what tells a row from others. */
export const keysOfRow = ({ content, destination, design, uniqueValue }: Row): RowKeys => ({
  // Each dynamic row encodes a short link of its own.
  ...(destination === null ? keysOfContent(content, design.symbol.gs1 !== undefined) : {}),
  ...(uniqueValue === null ? {} : { value: uniqueValue }),
});

/** Collects the hashes of a piece. */
export const createKeyHashes = (rows: number) => {
  const hashes: Partial<Record<DuplicateKind, Buffer>> = {};
  return {
    /** @param place Of the row in the piece, from 0. */
    add(place: number, row: Row): void {
      const keys = keysOfRow(row);
      for (const kind of DUPLICATE_KINDS) {
        const key = keys[kind];
        if (key === undefined) continue;
        hashes[kind] ??= Buffer.alloc(rows * HASH_BYTES);
        hashText(key).copy(hashes[kind], place * HASH_BYTES);
      }
    },
    hashes: hashes as KeyHashes,
  };
};

const NONE = Buffer.alloc(HASH_BYTES);

/** Returns the hash of a row; `null`: it has none. */
export const hashAt = (hashes: KeyHashes, kind: DuplicateKind, place: number): Buffer | null => {
  const hash = hashes[kind]?.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES);
  return hash === undefined || hash.equals(NONE) ? null : hash;
};

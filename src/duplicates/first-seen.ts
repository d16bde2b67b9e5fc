/** Finds which of many texts, or rows that are read in their order, occurred before, by a part of their hashes. */
import { createHash } from 'node:crypto';
import { DUPLICATE_KINDS, type DuplicateKind, type PlacedDuplicate, type RowKeys } from './rules.ts';

/** Bytes of a hash: two different texts among a million have the same one with a probability of 1 in 37 million. */
export const HASH_BYTES = 8;

/** Returns the first bytes of the SHA-256 of a text. */
export const hashText = (text: string): Buffer =>
  createHash('sha256').update(text).digest().subarray(0, HASH_BYTES);

const FIRST_SIZE = 1024;
/** Marks a place whose text has occurred again. */
const REPEATED = 0x8000_0000;

/** Remembers hashes with the places where they first occurred, in 24 to 48 bytes each. */
export const createFirstSeen = () => {
  let size = FIRST_SIZE;
  let words = new Uint32Array(2 * size);
  let places = new Uint32Array(size);
  let count = 0;
  const repeated = { contents: 0, codes: 0 };

  /** Returns the slot of a hash, or the free one where it belongs. */
  const slotOf = (a: number, b: number): number => {
    let slot = a & (size - 1);
    while (places[slot] !== 0 && (words[2 * slot] !== a || words[2 * slot + 1] !== b))
      slot = (slot + 1) & (size - 1);
    return slot;
  };

  const put = (slot: number, a: number, b: number, place: number): void => {
    words[2 * slot] = a;
    words[2 * slot + 1] = b;
    places[slot] = place;
  };

  const grow = (): void => {
    const before = { words, places };
    size *= 2;
    words = new Uint32Array(2 * size);
    places = new Uint32Array(size);
    for (const [slot, place] of before.places.entries()) {
      if (place === 0) continue;
      const [a, b] = [before.words[2 * slot]!, before.words[2 * slot + 1]!];
      put(slotOf(a, b), a, b, place);
    }
  };

  return {
    /** Returns the place where a hash occurred first, or `null` and remembers it. @param place From 1, below 2^31. */
    look(hash: Buffer, place: number): number | null {
      if (2 * count >= size) grow();
      const [a, b] = [hash.readUInt32LE(0), hash.readUInt32LE(4)];
      const slot = slotOf(a, b);
      const known = places[slot]!;
      if (known === 0) {
        put(slot, a, b, place);
        count += 1;
        return null;
      }
      const isSecond = known < REPEATED;
      if (isSecond) places[slot] = known + REPEATED;
      repeated.contents += isSecond ? 1 : 0;
      repeated.codes += isSecond ? 2 : 1;
      return isSecond ? known : known - REPEATED;
    },
    /** Returns the place where a hash occurred first; `null`: nowhere. Remembers nothing. */
    find(hash: Buffer): number | null {
      const known = places[slotOf(hash.readUInt32LE(0), hash.readUInt32LE(4))]!;
      if (known === 0) return null;
      return known < REPEATED ? known : known - REPEATED;
    },
    /** How many texts occurred more than once, and how many times together. */
    repeated: repeated as Readonly<typeof repeated>,
  };
};

/** Makes a finder. It takes some 35 MB of memory for a million rows. */
export const createDuplicateFinder = () => {
  const seen = Object.fromEntries(DUPLICATE_KINDS.map((kind) => [kind, createFirstSeen()])) as Readonly<
    Record<DuplicateKind, ReturnType<typeof createFirstSeen>>
  >;
  const fileRows: number[] = [];
  /** Takes the next row, and returns what it repeats, or `null`. @param fileRow Its row in the file. */
  return (fileRow: number, keys: RowKeys): PlacedDuplicate | null => {
    const row = fileRows.push(fileRow);
    let found: PlacedDuplicate | null = null;
    for (const kind of DUPLICATE_KINDS) {
      const key = keys[kind];
      const firstRow = key === undefined ? null : seen[kind].look(hashText(key), row);
      if (firstRow !== null)
        found ??= { row, firstRow, kind, fileRow, firstFileRow: fileRows[firstRow - 1]! };
    }
    return found;
  };
};

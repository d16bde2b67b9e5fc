/** Computes the length and SHA-256 of parts whose pieces are all made. */
import { createHash } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import {
  getPart,
  isPartMade,
  listFragments,
  type PartFragment,
  savePart,
} from '../../db/tables/batches/parts.ts';
import type { ObjectStore } from '../../storage/store.ts';
import { assemblePart, manifestCrc, type Part, type StoredFragment } from '../../zip/part.ts';
import { fragmentKey, MANIFEST, MANIFEST_HEADER } from './files.ts';

/** What parts are made of. */
export interface PartParts {
  readonly sql: Database['sql'];
  readonly store: Pick<ObjectStore, 'read'>;
}

const stored = (batchId: string, fragments: readonly PartFragment[]): StoredFragment[] =>
  fragments.map((fragment) => ({ ...fragment, key: fragmentKey(batchId, fragment.fragment) }));

/** Returns a part as a ZIP. @param crc CRC-32 of its manifest. @param madeAt The time of its manifest. */
export const openPart = async (
  { sql, store }: PartParts,
  batchId: string,
  { number, manifestCrc: crc, madeAt }: { number: number; manifestCrc: number; madeAt: Date },
): Promise<Part> => {
  const fragments = stored(batchId, await listFragments(sql, batchId, number));
  return assemblePart(store, fragments, { name: MANIFEST, header: MANIFEST_HEADER, crc }, madeAt);
};

/** Reads a part once and saves its length and hash. A no-op if they are saved or if no piece of it is made. */
export const closePart = async (parts: PartParts, batchId: string, number: number): Promise<void> => {
  const { sql, store } = parts;
  if ((await getPart(sql, batchId, number)) !== null) return;
  const fragments = await listFragments(sql, batchId, number);
  if (fragments.length === 0) return;
  const crc = await manifestCrc(store, stored(batchId, fragments), MANIFEST_HEADER);
  const madeAt = new Date();
  const part = await openPart(parts, batchId, { number, manifestCrc: crc, madeAt });
  const hash = createHash('sha256');
  for await (const chunk of part.read({ start: 0, end: part.bytes })) hash.update(chunk);
  const codes = fragments.reduce((sum, fragment) => sum + fragment.codes, 0);
  await savePart(sql, batchId, {
    number,
    codes,
    bytes: part.bytes,
    sha256: hash.digest(),
    manifestCrc: crc,
    madeAt,
  });
};

/** Closes a part when all of its pieces are made. */
export const closePartIfMade = async (parts: PartParts, batchId: string, number: number): Promise<void> => {
  if (await isPartMade(parts.sql, batchId, number)) await closePart(parts, batchId, number);
};

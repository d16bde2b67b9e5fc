/** The PDFs of rows as one PDF, a page for each, put together while it is sent. */

import type { Batch } from '../../db/tables/batches/batches.ts';
import { listFragments, type StoredPart } from '../../db/tables/batches/parts.ts';
import { createTimeSlices } from '../../execution/time-limits.ts';
import { eachFile } from '../../zip/each-file.ts';
import type { Store, StoredFragment } from '../../zip/fragments.ts';
import { type PartParts, stored } from './files.ts';
import { createPdfPages } from './pdf-pages.ts';
import { drawProof } from './proof.ts';

/** Longer chunks are cut: they are what a reader that has stopped keeps in memory. */
const CHUNK_BYTES = 65_536;

function* inChunks(bytes: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** Whether a file is a page, by its name. */
export const isPage = (name: string): boolean => name.endsWith('.pdf');

/** What pages are made of. */
export interface PagesSource {
  readonly store: Store;
  /** In row order. */
  readonly fragments: readonly StoredFragment[];
  /** Whether a row has a page, by the name of its file. */
  isFile(name: string): boolean;
  /** What the document is called among all documents. */
  readonly name: string;
  /** Makes the PDF of the first page; `null`: there is none before the rows. */
  readonly first: (() => Promise<Uint8Array>) | null;
}

/** Yields the PDF in slices of time of its own. The same rows give the same bytes. @throws When the store fails. */
export async function* writePages({
  store,
  fragments,
  isFile,
  name,
  first,
}: PagesSource): AsyncGenerator<Buffer, void> {
  const pages = createPdfPages(name);
  if (first !== null) yield* inChunks(pages.add(Buffer.from(await first())));
  const slices = createTimeSlices();
  let isOver = slices.slice();
  for (const fragment of fragments)
    for await (const { bytes } of eachFile(store, fragment, isFile)) {
      yield* inChunks(pages.add(bytes));
      if (!isOver()) continue;
      await slices.next();
      isOver = slices.slice();
    }
  for (const bytes of pages.end()) yield* inChunks(bytes);
}

/**
 * Yields the pages of a part.
 *
 * @param onProof Asks for a proof before the first page, and is called with the time that it took in a thread.
 * @throws When the store fails.
 */
export async function* writePart(
  { sql, store }: PartParts,
  batch: Batch,
  part: StoredPart,
  onProof: ((workedMs: number) => void) | null,
): AsyncGenerator<Buffer, void> {
  const fragments = stored(batch.id, await listFragments(sql, batch.id, part.number));
  const prove = async (): Promise<Uint8Array> => {
    const { bytes, workedMs } = await drawProof({ store, batch, part, fragments, isFile: isPage });
    onProof?.(workedMs);
    return bytes;
  };
  yield* writePages({
    ...{ store, fragments, isFile: isPage, first: onProof === null ? null : prove },
    name: `${batch.id} ${part.number}`,
  });
}

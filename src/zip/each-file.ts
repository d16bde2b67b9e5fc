/** The files of a stored fragment, one after the other, in one pass over it. */
import { readWhole, type Store, type StoredFragment } from './fragments.ts';
import { localBytes } from './records.ts';
import { entriesOf } from './selection.ts';

/** A file of a fragment. */
export interface ReadFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Yields the wanted files in their order. The one at hand is in memory, and a chunk of the store. */
export async function* eachFile(
  store: Store,
  { key, entryBytes, manifestBytes, directoryBytes }: StoredFragment,
  isWanted: (name: string) => boolean,
): AsyncGenerator<ReadFile, void> {
  const start = entryBytes + manifestBytes;
  const directory = await readWhole(store.read(key, { start, end: start + directoryBytes }));
  const entries = entriesOf(directory, entryBytes).filter(({ name }) => isWanted(name));
  let next = 0;
  let from = 0;
  let held: Buffer = Buffer.alloc(0);
  if (entries.length === 0) return;
  for await (const chunk of store.read(key, { start: 0, end: entryBytes })) {
    held = Buffer.concat([held, chunk]);
    for (; next < entries.length && entries[next]!.end <= from + held.length; next += 1) {
      const { name, offset, end } = entries[next]!;
      yield { name, bytes: held.subarray(offset - from + localBytes({ name }), end - from) };
    }
    if (next === entries.length) return;
    const read = from + held.length;
    const needed = Math.min(entries[next]!.offset, read);
    held = held.subarray(needed - from);
    from = needed;
  }
}

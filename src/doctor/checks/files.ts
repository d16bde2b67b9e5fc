/** Files of batches without rows, and rows without files. */
import { access, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Inspected } from '../../db/inspect.ts';
import { findStoreMark } from '../../db/tables/batches/parts.ts';
import { createFolderStore } from '../../storage/folder.ts';
import { isUuid, pluralise } from '../../texts.ts';
import { type Finding, faultsOr, findingsOf } from '../finding.ts';
import { openBucket } from '../stores.ts';

const { ok, warn, fail } = findingsOf('files');

const BATCHES = 1000;
const PIECES = 20;
const FOLDERS = 10_000;
/** A folder may be older than its row by the time of an upload. */
const NEW_MS = 7 * 3_600_000;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Counts stored fragments that rows name, and those of them that are missing. */
const findMissing = async ({ sql }: Inspected, root: string) => {
  const pieces = await sql<{ id: string; fragment: string }[]>`
    select p.batch_id as id, p.fragment
    from (select id from batches where has_files order by expires_at desc limit ${BATCHES}) b
    cross join lateral (
      select batch_id, fragment from batch_pieces
      where batch_id = b.id and fragment is not null order by first_row limit ${PIECES}
    ) p`;
  const missing = new Set<string>();
  for (const { id, fragment } of pieces) {
    if (!(await exists(join(root, id, 'fragments', fragment)))) missing.add(id);
  }
  return { looked: pieces.length, missing: [...missing] };
};

/** Returns the ids that folders below `root` have, except new ones. */
const findOldFolders = async (root: string): Promise<readonly string[]> => {
  const folder = await opendir(root).catch(() => null);
  const old: string[] = [];
  let seen = 0;
  for await (const { name } of folder ?? []) {
    if (!isUuid(name)) continue;
    seen += 1;
    if (seen > FOLDERS) break;
    const found = await stat(join(root, name)).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > NEW_MS) old.push(name);
  }
  return old;
};

/** Returns the folders that belong to no row. */
const findOrphans = async ({ sql }: Inspected, root: string): Promise<readonly string[]> => {
  const batches = await findOldFolders(root);
  const uploads = await findOldFolders(join(root, 'uploads'));
  const rows = await sql<{ id: string }[]>`
    select id from batches where has_files and id = any (${batches}::uuid[])
    union all select id from batch_uploads where id = any (${uploads}::uuid[])`;
  const known = new Set(rows.map(({ id }) => id));
  return [...batches, ...uploads.map((id) => `uploads/${id}`)].filter((path) => !known.has(path.slice(-36)));
};

/** Says when the store is not the one whose mark the database has. */
const checkMark = async ({ sql }: Inspected, place: Config['batches']['store']): Promise<Finding | null> => {
  const wanted = await findStoreMark(sql);
  if (wanted === null) return null;
  const store = 'folder' in place ? createFolderStore(place.folder) : await openBucket(place);
  const found = await store.readMark();
  if (found === wanted) return null;
  return fail(
    `BATCH_STORE is not the store of this installation, so gateways with it take no batches: it has ${found === null ? 'no mark' : `the mark ${found}`}, and not ${wanted}. Correct BATCH_STORE; docs/operations/limits.md says what to do for a store that was lost.`,
  );
};

/** Compares a folder of `BATCH_STORE` with the rows. A bucket is not compared, since listing it costs money. */
export const checkFiles = async (
  database: Inspected,
  { batches: { store } }: Config,
): Promise<readonly Finding[]> => {
  const foreign = await checkMark(database, store);
  if (foreign !== null) return [foreign];
  if (!('folder' in store)) return [ok('Objects of a bucket are not compared with the rows.')];
  const root = store.folder;
  const { looked, missing } = await findMissing(database, root);
  const orphans = await findOrphans(database, root);
  return faultsOr(
    [
      missing.length > 0
        ? fail(
            `${pluralise(missing.length, 'batch', 'batches')} (such as ${missing[0]}) lack files, so their downloads break off: is ${root} the folder of all gateways? Their codes can be drawn again.`,
          )
        : null,
      orphans.length > 0 &&
        warn(
          `${pluralise(orphans.length, 'folder')} in ${root} (such as ${orphans[0]}) belong to no batch: delete them.`,
        ),
    ],
    ok(`${pluralise(looked, 'file')} of batches looked at, all there; no folder without a batch.`),
  );
};

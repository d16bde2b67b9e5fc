/**
 * Keeps tables in the browser, so that one that is not sent yet survives a reload, and one that was refused can be
 * corrected. The columns that a person chose are remembered for files with the same header row.
 */
import type { BatchPreview } from '../../api/shapes.ts';
import { keep, readKept } from '../../ui/kept/stored.ts';
import { FOR_SCREENS, parseChoice } from '../print/choice.ts';
import type { TableDraft } from './draft.ts';

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('tessera', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('tables');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const run = async <T>(act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction('tables', 'readwrite');
      const request = act(transaction.objectStore('tables'));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
};

/** Files above this are asked for again. */
const FILE_MAX_BYTES = 100_000_000;
/** Tables that were sent, of an account. */
const SENT_MAX = 5;

/** The name of the table that is not sent yet; the others have the ids of their batches. */
export const UNSENT = 'unsent';

const keyOf = (accountId: string, name: string): string => `${accountId} ${name}`;

/** A file is written once, and not with each change of what was chosen. */
const fileKey = (accountId: string, name: string): string => `${keyOf(accountId, name)} file`;
const written = new Map<string, File | null>();

/** Returns a table that is kept; `null`: none, or this browser keeps nothing. */
export const loadTable = async (accountId: string, name: string): Promise<TableDraft | null> => {
  try {
    const draft = await run<TableDraft | undefined>((store) => store.get(keyOf(accountId, name)));
    const file = await run<File | undefined>((store) => store.get(fileKey(accountId, name)));
    if (draft === undefined) return null;
    const files = parseChoice(JSON.stringify(draft.settings.files), FOR_SCREENS);
    return { ...draft, settings: { ...draft.settings, files }, file: file ?? null };
  } catch {
    return null;
  }
};

const putFile = async (key: string, file: File | null): Promise<void> => {
  if (written.get(key) === file) return;
  written.set(key, file);
  if (file === null) await run((store) => store.delete(key));
  else await run((store) => store.put(file, key));
};

/** Keeps a table, and forgets those of other accounts. @returns Whether the browser keeps it. */
export const keepTable = async (
  accountId: string,
  name: string,
  { file, ...draft }: TableDraft,
): Promise<boolean> => {
  try {
    const keys = await run((store) => store.getAllKeys());
    for (const key of keys) if (!String(key).startsWith(accountId)) await run((store) => store.delete(key));
    await putFile(fileKey(accountId, name), draft.bytes > FILE_MAX_BYTES ? null : file);
    await run((store) => store.put(draft, keyOf(accountId, name)));
    return true;
  } catch {
    return false;
  }
};

/** Removes a table and its file from the browser. */
export const forgetTable = async (accountId: string, name: string): Promise<void> => {
  try {
    await putFile(fileKey(accountId, name), null);
    await run((store) => store.delete(keyOf(accountId, name)));
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
};

const sentKey = (accountId: string): string => `tessera.sent.${accountId}`;

const readList = <T>(key: string): readonly T[] => JSON.parse(readKept(key) ?? '[]');

/** Keeps a table that was sent, under the id of its batch, and forgets the oldest. */
export const keepSent = async (accountId: string, batchId: string, draft: TableDraft): Promise<void> => {
  await keepTable(accountId, batchId, draft);
  const ids = [batchId, ...readList<string>(sentKey(accountId))];
  for (const id of ids.slice(SENT_MAX)) await forgetTable(accountId, id);
  keep(sentKey(accountId), JSON.stringify(ids.slice(0, SENT_MAX)));
};

/** What a person made of the columns of a header row. */
type Remembered = Pick<TableDraft, 'mapping' | 'content'> & { readonly header: string };

const REMEMBERED_MAX = 20;

const columnsKey = (accountId: string): string => `tessera.columns.${accountId}`;

const headerOf = ({ columns }: BatchPreview): string => JSON.stringify(columns.map(({ name }) => name));

/** Returns what was chosen for a file with the same header row; `null`: there was none. */
export const recallColumns = (
  accountId: string,
  read: BatchPreview,
): Pick<TableDraft, 'mapping' | 'content'> | null =>
  readList<Remembered>(columnsKey(accountId)).find(({ header }) => header === headerOf(read)) ?? null;

/** Remembers what was chosen for the columns of a table. */
export const rememberColumns = (accountId: string, { read, mapping, content }: TableDraft): void => {
  if (read === null) return;
  const header = headerOf(read);
  const others = readList<Remembered>(columnsKey(accountId)).filter((each) => each.header !== header);
  const kept = [{ header, mapping, content }, ...others].slice(0, REMEMBERED_MAX);
  keep(columnsKey(accountId), JSON.stringify(kept));
};

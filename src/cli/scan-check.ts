/** Sends pictures of prints to a gateway one by one, and adds up what they say about a folder. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Call } from '../../clients/typescript/src/call.ts';
import type { Operation } from '../../clients/typescript/src/request.ts';
import { sniff } from '../logo/sniff.ts';
import { usageError } from './terminal.ts';

interface NamedCode {
  readonly id: string;
  readonly name: string | null;
  readonly external_id: string | null;
}

/** A code that was not read, with what its symbol holds. */
interface UnreadCode extends NamedCode {
  readonly content: string;
}

interface ScannedSymbol {
  readonly result: 'read' | 'repeated' | 'wrong' | 'foreign';
  readonly corners: readonly (readonly [xPx: number, yPx: number])[];
  readonly content: string | null;
  readonly code: NamedCode | null;
}

interface Checked {
  readonly codes: number;
  readonly symbols: readonly ScannedSymbol[];
  readonly unread_codes: readonly UnreadCode[];
}

interface Listed extends NamedCode {
  readonly content: string;
  readonly short_url: string | null;
}

/** A symbol that is not the first one of a code of the folder. */
interface OddSymbol extends Omit<ScannedSymbol, 'result'> {
  readonly file: string;
}

/** What the pictures say together. */
export interface ScanReport {
  /** Codes of the folder. */
  readonly codes: number;
  readonly read: number;
  readonly unread: number;
  /** The first `UNREAD_MAX` of them. */
  readonly unread_codes: readonly UnreadCode[];
  readonly repeated: readonly OddSymbol[];
  readonly wrong: readonly OddSymbol[];
  readonly foreign: readonly OddSymbol[];
}

/** A gateway gives up after a minute, and the picture must be sent. */
const TIMEOUT_MS = 180_000;
/** Codes that were not read and are listed. */
export const UNREAD_MAX = 1000;
const PAGE = 100;
const TYPES: readonly string[] = ['png', 'jpeg', 'webp'];

const CHECK: Operation = {
  method: 'POST',
  path: '/api/v1/folders/{id}/scan-check',
  ...{ auth: 'key', safe: true },
};
const LIST: Operation = { method: 'GET', path: '/api/v1/folders/{id}/codes', auth: 'key' };

const send = async (call: Call, folder: string, path: string, file: string): Promise<Checked> => {
  const picture = await readFile(path);
  const type = sniff(picture);
  if (type === null || !TYPES.includes(type)) throw usageError(`${file} is no picture in PNG, JPEG or WebP`);
  const asked = { path: { id: folder }, body: picture, contentType: `image/${type}` };
  const { data } = await call(CHECK, asked, { timeoutMs: TIMEOUT_MS });
  return data as Checked;
};

/** Lists codes that are not among the ids, in the order of the folder, until there are `most`. */
const listOthers = async (
  call: Call,
  folder: string,
  ids: ReadonlySet<string>,
  most: number,
): Promise<readonly UnreadCode[]> => {
  const others: UnreadCode[] = [];
  for (let cursor: string | null | undefined; cursor !== null && others.length < most; ) {
    const { data } = await call(LIST, { path: { id: folder }, query: { limit: PAGE, cursor } });
    const page = data as { readonly data: readonly Listed[]; readonly next_cursor: string | null };
    for (const { id, name, external_id, content, short_url } of page.data)
      if (!ids.has(id)) others.push({ id, name, external_id, content: short_url ?? content });
    cursor = page.next_cursor;
  }
  return others.slice(0, most);
};

/**
 * Checks pictures of prints against a folder.
 *
 * @param files As the user named them; relative ones begin at `cwd`.
 * @param onChecked Called after each, with the number of files so far.
 * @throws {CliFault} for a file that is no picture.
 * @throws {TesseraError} for a call that fails.
 */
export const checkScans = async (
  call: Call,
  folder: string,
  { files, cwd }: { readonly files: readonly string[]; readonly cwd: string },
  onChecked: (files: number) => void,
): Promise<ScanReport> => {
  const read = new Set<string>();
  const [repeated, wrong, foreign]: OddSymbol[][] = [[], [], []] as const;
  /** Codes that a picture lacks between others that it has. Other pictures may have them. */
  const lacking = new Map<string, UnreadCode>();
  let codes = 0;
  for (const [i, file] of files.entries()) {
    const checked = await send(call, folder, resolve(cwd, file), file);
    codes = checked.codes;
    for (const { result, ...symbol } of checked.symbols) {
      const isFirst = result === 'read' && !read.has(symbol.code!.id);
      if (isFirst) read.add(symbol.code!.id);
      else ({ read: repeated, repeated, wrong, foreign })[result]!.push({ file, ...symbol });
    }
    for (const { id, name, external_id, content } of checked.unread_codes)
      lacking.set(id, { id, name, external_id, content });
    onChecked(i + 1);
  }
  const unread = Math.max(0, codes - read.size);
  const known = [...lacking.values()].filter(({ id }) => !read.has(id)).slice(0, UNREAD_MAX);
  const most = Math.min(unread, UNREAD_MAX) - known.length;
  const seen = new Set([...read, ...known.map(({ id }) => id)]);
  return {
    ...{ codes, read: read.size, unread },
    unread_codes: [...known, ...(most > 0 ? await listOthers(call, folder, seen, most) : [])],
    ...{ repeated, wrong, foreign },
  };
};

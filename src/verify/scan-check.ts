/** Reads a scan or a photo of prints, and compares it with the codes of a folder. */
import { SEPARATOR, SYMBOLOGY_IDENTIFIER } from '../../workers/symbol/gs1.ts';
import type { Sql } from '../db/client.ts';
import {
  codesByContent,
  codesBySlug,
  type FolderOf,
  listOthers,
  type NamedCode,
} from '../db/tables/codes/by-text.ts';
import type { StoredCode } from '../db/tables/codes/codes.ts';
import { AppError, fieldError } from '../errors.ts';
import { parseFnc1, writeBrackets } from '../gs1/element-string.ts';
import { createAdmission } from '../limits/admission.ts';
import type { Corners, ZXingSymbol } from '../reading/decoders.ts';
import type { Readers } from '../reading/readers.ts';
import { decodeScan } from '../reading/scan.ts';
import { SYMBOLS_MAX } from '../reading/symbols.ts';
import { heldText } from './verifier.ts';

/**
 * `read`: it is the symbol of a code of the folder. `repeated`: so it is, but others stand for that code already.
 * `wrong`: it cannot be decoded. `foreign`: no code of the folder holds its text.
 */
export const SYMBOL_RESULTS = ['read', 'repeated', 'wrong', 'foreign'] as const;
export type SymbolResult = (typeof SYMBOL_RESULTS)[number];

/** A symbol of a picture. */
export interface CheckedSymbol {
  readonly result: SymbolResult;
  readonly corners: Corners;
  /** What was read; `null`: nothing was. */
  readonly text: string | null;
  /** The code whose symbol it is; `null`: it is of none. */
  readonly code: NamedCode | null;
}

/** What a picture says about a folder. */
export interface ScanReport {
  readonly widthPx: number;
  readonly heightPx: number;
  /** In rows from the top of the picture. */
  readonly symbols: readonly CheckedSymbol[];
  /** The first codes that were not read, with what their symbols hold: those between codes that were read, and then others. */
  readonly unread: readonly (NamedCode & { readonly text: string })[];
}

/** What the check needs. */
interface Parts {
  readonly sql: Sql;
  readonly readers: Pick<Readers, 'findSymbols'>;
  /** Pays for decoding and reading. */
  readonly freeWork: { spend(accountId: string, ms: number): void };
  /** The address of a short link. */
  shortUrl(slug: string, place: string | null): string;
}

/** Checks a picture. */
export type ScanCheck = ReturnType<typeof createScanCheck>;

/** Codes that were not read, of which the report names the first. */
export const UNREAD_LISTED = 100;

/** A picture of `SCAN_MAX_PIXELS` takes some 200 MB while it is read. */
const LIMITS = {
  maxRunning: 2,
  maxRunningPerKey: 1,
  maxWaiting: 32,
  maxWaitingPerKey: 4,
  maxWaitMs: 20_000,
};

/** The contents that an element string may have been sent as. @param message As readers read it. */
const sentForms = (message: string): readonly string[] => {
  const starts = ['', SEPARATOR, SYMBOLOGY_IDENTIFIER, `${SYMBOLOGY_IDENTIFIER}${SEPARATOR}`];
  const { elements } = parseFnc1(`${SEPARATOR}${message}`);
  return [
    writeBrackets(elements),
    ...starts.flatMap((start) => [`${start}${message}`, `${start}${message}${SEPARATOR}`]),
  ];
};

/** The last segment of an address, which may be a slug. */
const SLUG_AT_END = /^https?:\/\/.*\/([0-9A-Za-z_-]+)$/i;

const keyOf = ({ isGs1, text }: Pick<ZXingSymbol, 'isGs1' | 'text'>): string => `${isGs1} ${text}`;

/** Returns the codes of the folder whose symbols hold the texts, by `keyOf`, oldest first. */
const findCodes = async (
  { sql, shortUrl }: Pick<Parts, 'sql' | 'shortUrl'>,
  folder: FolderOf,
  symbols: readonly ZXingSymbol[],
): Promise<ReadonlyMap<string, NamedCode[]>> => {
  const found = new Map<string, NamedCode[]>();
  const add = (key: string, { id, name, externalId }: NamedCode): void => {
    const codes = found.get(key) ?? [];
    found.set(key, codes);
    codes.push({ id, name, externalId });
  };
  /** Keys of what was read, by the contents that it may have been sent as; and how many symbols have each key. */
  const keys = new Map<string, string>();
  const counts = new Map<string, number>();
  const [texts, slugs] = [new Set<string>(), new Set<string>()];
  for (const symbol of symbols) {
    const { text, isGs1 } = symbol;
    if (text === null || text === '') continue;
    counts.set(keyOf(symbol), (counts.get(keyOf(symbol)) ?? 0) + 1);
    for (const content of isGs1 ? sentForms(text) : [text]) keys.set(`${isGs1} ${content}`, keyOf(symbol));
    const slug = isGs1 ? undefined : SLUG_AT_END.exec(text)?.[1];
    if (slug !== undefined) slugs.add(slug);
    if (!isGs1) texts.add(text);
  }
  for (const { slug, firstSlug, place, ...code } of await codesBySlug(sql, folder, [...slugs])) {
    const urls = [shortUrl(slug, place), ...(slug === firstSlug ? [shortUrl(slug, null)] : [])];
    for (const url of new Set(urls)) if (texts.has(url)) add(keyOf({ isGs1: false, text: url }), code);
  }
  const wanted = [...keys].map(([sent, key]) => ({
    content: sent.slice(sent.indexOf(' ') + 1),
    isGs1: sent.startsWith('true'),
    count: counts.get(key)!,
  }));
  for (const { content, isGs1, ...code } of await codesByContent(sql, folder, wanted)) {
    const key = keys.get(`${isGs1} ${content}`);
    if (key !== undefined) add(key, code);
  }
  return found;
};

/** Says of each symbol what it is. Codes that hold the same text are taken in their order, one for each symbol. */
const judgeSymbols = (
  symbols: readonly ZXingSymbol[],
  found: ReadonlyMap<string, readonly NamedCode[]>,
): readonly CheckedSymbol[] => {
  const taken = new Set<string>();
  return symbols.map((symbol) => {
    const { corners, text } = symbol;
    if (text === null) return { result: 'wrong', corners, text, code: null };
    const codes = found.get(keyOf(symbol)) ?? [];
    const next = codes.find(({ id }) => !taken.has(id));
    if (next === undefined)
      return { result: codes.length > 0 ? 'repeated' : 'foreign', corners, text, code: codes.at(-1) ?? null };
    taken.add(next.id);
    return { result: 'read', corners, text, code: next };
  });
};

/** Returns the first codes that were not read. @param read Ids of those that were. */
const listUnread = async (
  sql: Sql,
  folder: FolderOf,
  read: readonly string[],
): Promise<readonly StoredCode[]> => {
  const [first, last] = [read[0], read.at(-1)];
  if (first === undefined || last === undefined) return listOthers(sql, folder, [], UNREAD_LISTED);
  const unread: StoredCode[] = [];
  for (const range of [{ first, last }, { last: first }, { first: last }]) {
    const missing = UNREAD_LISTED - unread.length;
    if (missing > 0) unread.push(...(await listOthers(sql, folder, read, missing, range)));
  }
  return unread;
};

const tooMany = (): AppError =>
  new AppError('overloaded', 'Too many pictures are being read; send one at a time, and try again.', {
    retryAfterS: 2,
  });

/** Creates the check. It costs no units and counts as free work. */
export const createScanCheck = (parts: Parts) => {
  const { sql, readers, freeWork, shortUrl } = parts;
  const line = createAdmission(LIMITS);

  /** @throws {AppError} 400 for a picture that cannot be decoded, 503 when the machine is too busy. */
  const decode = async (accountId: string, picture: Uint8Array) => {
    const startedMs = performance.now();
    const decoded = await decodeScan(picture);
    freeWork.spend(accountId, performance.now() - startedMs);
    if (decoded.ok) return decoded.value;
    if (decoded.fault === null) throw tooMany();
    throw fieldError('body', decoded.fault);
  };

  /** @throws {AppError} 400 for too many symbols, 503 when reading takes too long. */
  const find = async (accountId: string, luma: Awaited<ReturnType<typeof decode>>) => {
    const symbols = await readers.findSymbols(luma, (ms) => freeWork.spend(accountId, ms));
    if (symbols === null) throw fieldError('body', `has more than ${SYMBOLS_MAX} codes: send parts of it`);
    if (symbols !== 'late') return symbols;
    const details = 'The picture took too long to read: scan it at 300 dpi, or send parts of it.';
    throw new AppError('time_limit', details, { retryAfterS: 2 });
  };

  const check = async (folder: FolderOf, picture: Uint8Array): Promise<ScanReport> => {
    const luma = await decode(folder.accountId, picture);
    const { widthPx, heightPx } = luma;
    const found = await find(folder.accountId, luma);
    const symbols = judgeSymbols(found, await findCodes(parts, folder, found));
    const read = symbols.flatMap(({ result, code }) => (result === 'read' ? [code!.id] : []));
    const unread = await listUnread(sql, folder, read.sort());
    return {
      ...{ widthPx, heightPx, symbols },
      unread: unread.map((code) => {
        const { id, name, externalId } = code;
        return { id, name, externalId, text: heldText(code, shortUrl) };
      }),
    };
  };

  /**
   * Reads a picture, and looks its symbols up among the codes of a folder, which must be the account's.
   *
   * @throws {AppError} 400 for what is no such picture, 503 when it cannot be read at the moment.
   */
  return async (folder: FolderOf, picture: Uint8Array): Promise<ScanReport> => {
    const report = await line.run(folder.accountId, () => check(folder, picture));
    if (report === null) throw tooMany();
    return report;
  };
};

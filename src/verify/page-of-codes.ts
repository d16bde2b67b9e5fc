/** Draws and reads a page of a folder's codes. */
import { messageOf } from '../../workers/symbol/gs1.ts';
import { type DrawnPicture, drawPictures } from '../archive/files.ts';
import type { StoredCode } from '../db/tables/codes/codes.ts';
import type { Results } from '../db/tables/verifications.ts';
import type { Redraw } from '../generate/redraw.ts';
import type { Readers } from '../reading/readers.ts';
import { judge, judgeMissing } from './judge.ts';
import { type Entry, entryLine } from './receipt/statement.ts';

/** What reading saved codes needs. */
export interface ReadingParts {
  readonly redraw: Redraw;
  readonly readers: Pick<Readers, 'read'>;
  /** Pays for reading, as `redraw` does for drawing, which waits until there is enough. */
  readonly freeWork: { spend(accountId: string, ms: number): void };
  /** The address of a short link. */
  shortUrl(slug: string): string;
}

/** Pictures that are in memory together: at most about 30 MB. */
const DRAWN_TOGETHER = 16;

const readOne = async (
  { readers, freeWork, shortUrl }: ReadingParts,
  accountId: string,
  code: StoredCode,
  picture: DrawnPicture,
): Promise<Entry> => {
  const { slug, content } = code;
  const known = { id: code.id, ...(code.name === null ? {} : { name: code.name }) };
  // What readers read of an element string has no brackets.
  const said = code.design.symbol.gs1 === 'element-string' ? messageOf(content) : content;
  const expected = slug === null ? said : shortUrl(slug);
  if (!picture.ok) {
    return { ...known, sha256: null, grade: null, ...judgeMissing(expected, 'it can no longer be drawn') };
  }
  const { bytes, grade, warnings } = picture.value;
  const reading = await readers.read(bytes, (ms) => freeWork.spend(accountId, ms));
  const { sha256 } = reading;
  return { ...known, sha256, grade, ...(warnings === '' ? {} : { warnings }), ...judge(reading, [expected]) };
};

const countOf = (entries: readonly Entry[]): Results => {
  const count = (result: Entry['result']) => entries.filter((entry) => entry.result === result).length;
  return { passed: count('passed'), weak: count('weak'), failed: count('failed'), missing: count('missing') };
};

/**
 * Draws the pictures of codes as the archive has them, and reads them. Returns their lines in the receipt, without the
 * last line end.
 *
 * @throws When nothing can be drawn at the moment.
 */
export const readCodes = async (
  parts: ReadingParts,
  accountId: string,
  codes: readonly StoredCode[],
): Promise<{ readonly entries: string; readonly results: Results }> => {
  const entries: Entry[] = [];
  for (let at = 0; at < codes.length; at += DRAWN_TOGETHER) {
    const together = codes.slice(at, at + DRAWN_TOGETHER);
    const pictures = await drawPictures(parts.redraw, accountId, together);
    // Reading waits for drawing, so that what waits to be drawn meanwhile is other work.
    entries.push(
      ...(await Promise.all(together.map((code, i) => readOne(parts, accountId, code, pictures[i]!)))),
    );
  }
  return { entries: entries.map(entryLine).join('\n'), results: countOf(entries) };
};

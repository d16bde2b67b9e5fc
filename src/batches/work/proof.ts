/** The page before the pages of a part: what the job is, to be compared before the rest is printed. */
import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { MM_PER_INCH } from '../../../workers/print/dots.ts';
import type { Mark } from '../../../workers/sheets/protocol.ts';
import { readText } from '../../csv/formula.ts';
import type { Batch } from '../../db/tables/batches/batches.ts';
import { PART_ROWS, type StoredPart } from '../../db/tables/batches/parts.ts';
import { MANIFEST_DELIMITERS } from '../../lists.ts';
import { drawTextPage } from '../../sheets/text-page.ts';
import { eachFile } from '../../zip/each-file.ts';
import { readWhole, type Store, type StoredFragment } from '../../zip/fragments.ts';
import { encodingOf, manifestHeader, manifestName } from './manifest.ts';

/** A5. */
const PAGE = { widthMm: 148, heightMm: 210 } as const;
const TEXT = { xMm: 14, yMm: 14, widthMm: 120, heightMm: 160 } as const;
const BAR = { xMm: 24, yMm: 190, lengthMm: 100, stepMm: 10, endMm: 5, tickMm: 2.5 } as const;
const POINTS_PER_INCH = 72;
/** The longest content is 4,296 characters, and the page has to be read at a glance. */
const CELL_MAX_CHARACTERS = 160;

/** A line of 100 mm with a tick at every centimetre. */
const controlBar = (): readonly Mark[] => {
  const { xMm, yMm, lengthMm, stepMm, endMm, tickMm } = BAR;
  const tick = (atMm: number, heightMm: number): Mark => ({
    ...{ x1Mm: xMm + atMm, x2Mm: xMm + atMm },
    ...{ y1Mm: yMm - heightMm, y2Mm: yMm },
  });
  const ticks = Array.from({ length: lengthMm / stepMm + 1 }, (_, i) =>
    tick(i * stepMm, i * stepMm === 0 || i * stepMm === lengthMm ? endMm : tickMm),
  );
  return [{ x1Mm: xMm, y1Mm: yMm, x2Mm: xMm + lengthMm, y2Mm: yMm }, ...ticks];
};

const mm = (points: number): string => ((points / POINTS_PER_INCH) * MM_PER_INCH).toFixed(2);

/** Returns the sides of a box of a page, in millimetres. */
const sidesOf = (file: Buffer, box: 'MediaBox' | 'TrimBox'): string => {
  const [, corners = ''] = new RegExp(`/${box} \\[([^\\]]*)\\]`).exec(file.toString('latin1')) ?? [];
  const [left, low, right, high] = corners.split(' ').map(Number) as [number, number, number, number];
  return `${mm(right - left)} x ${mm(high - low)} mm`;
};

const sizeOf = async (
  store: Store,
  [first]: readonly StoredFragment[],
  isFile: (name: string) => boolean,
): Promise<string> => {
  for await (const { bytes } of eachFile(store, first!, isFile)) {
    const [trimmed, media] = [sidesOf(bytes, 'TrimBox'), sidesOf(bytes, 'MediaBox')];
    return trimmed === media ? trimmed : `${trimmed}, with bleed ${media}`;
  }
  return 'none';
};

const manifestOf = (store: Store, { key, entryBytes, manifestBytes }: StoredFragment) =>
  store.read(key, { start: entryBytes, end: entryBytes + manifestBytes });

type Proved = Pick<Batch, 'id' | 'folderName' | 'rows' | 'formats' | 'manifest' | 'inputColumns' | 'print'>;

/** Returns the rows of a fragment's manifest lines as people read them. */
const rowsOf = async (store: Store, fragment: StoredFragment, { manifest }: Proved) => {
  const lines = await readWhole(manifestOf(store, fragment));
  const records: string[][] = parse(lines.toString(encodingOf(manifest)), {
    delimiter: MANIFEST_DELIMITERS[manifest.delimiter],
    record_delimiter: '\r\n',
  });
  return records.map(([row, fileRow, ...cells]) => {
    const [externalId, name, content] = cells
      .slice(0, 3)
      .map((cell) => (manifest.use === 'spreadsheets' ? readText(cell) : cell))
      .map((cell) => cell.replace(/\s+/g, ' '))
      .map((cell) => (cell.length > CELL_MAX_CHARACTERS ? `${cell.slice(0, CELL_MAX_CHARACTERS)}…` : cell));
    const known = [externalId, name, content].filter((cell) => cell !== '');
    return `row ${row} (row ${fileRow} of the file): ${known.join(', ')}`;
  });
};

/** The part whose pages follow. */
export interface ProvedPart {
  readonly store: Store;
  readonly batch: Proved;
  readonly part: Pick<StoredPart, 'number' | 'codes' | 'madeAt'>;
  /** At least one of them has a file. */
  readonly fragments: readonly StoredFragment[];
  isFile(name: string): boolean;
}

const linesOf = async ({ store, batch, part, fragments, isFile }: ProvedPart): Promise<readonly string[]> => {
  const made = fragments.filter(({ files }) => files > 0);
  const hash = createHash('sha256').update(manifestHeader(batch));
  for (const fragment of fragments) for await (const chunk of manifestOf(store, fragment)) hash.update(chunk);
  const [first, last] = [(part.number - 1) * PART_ROWS + 1, Math.min(part.number * PART_ROWS, batch.rows)];
  const print: NonNullable<Proved['print']> = batch.print ?? {};
  const parts = Math.max(1, Math.ceil(batch.rows / PART_ROWS));
  return [
    `Proof: ${batch.folderName ?? 'Batch'}`,
    `Batch ${batch.id}`,
    `Part ${part.number} of ${parts}, made ${part.madeAt.toISOString()}`,
    `Rows ${first} to ${last} of ${batch.rows}: ${part.codes} codes on as many pages, ${last - first + 1 - part.codes} rows without a code`,
    '',
    `First: ${(await rowsOf(store, made[0]!, batch)).at(0)}`,
    `Last: ${(await rowsOf(store, made.at(-1)!, batch)).at(-1)}`,
    '',
    `SHA-256 of ${manifestName(batch.manifest)}: ${hash.digest('hex')}`,
    '',
    `Size of the first code: ${await sizeOf(store, made, isFile)}`,
    `Colours: ${print.color ?? 'rgb'}. Resolution: ${print.dpi === undefined ? 'none was asked for' : `${print.dpi} dpi`}.`,
    'Rows with options of their own may differ.',
    '',
    'The line below is 100 mm long, and has a mark at every 10 mm.',
  ];
};

/** Draws the page. Returns the PDF, and the time that it took in a thread. @throws When the store fails. */
export const drawProof = async (
  proved: ProvedPart,
): Promise<{ readonly bytes: Buffer; readonly workedMs: number }> => {
  const text = (await linesOf(proved)).join('\n');
  return drawTextPage({ ...PAGE, title: 'Proof', area: TEXT, text, marks: controlBar() });
};

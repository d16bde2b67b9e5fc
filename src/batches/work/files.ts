/** The files and manifest lines of a piece, and the length and SHA-256 of parts whose pieces are all made. */
import { createHash } from 'node:crypto';
import type { FileFormat } from '../../../workers/lists.ts';
import type { Rendered } from '../../../workers/protocol.ts';
import { csvLines } from '../../csv/write.ts';
import type { Database } from '../../db/database.ts';
import {
  getPart,
  isPartMade,
  listFragments,
  type PartFragment,
  savePart,
} from '../../db/tables/batches/parts.ts';
import type { Piece } from '../../db/tables/batches/pieces.ts';
import { eachInSlices } from '../../execution/time-limits.ts';
import type { ObjectStore } from '../../storage/store.ts';
import {
  assemblePart,
  manifestCrc,
  type NewFile,
  type Part,
  type StoredFragment,
} from '../../zip/fragments.ts';
import { fileWords, nameByNumber } from '../../zip/records.ts';
import { fileRowOf } from '../rows/stored.ts';
import type { Sketch } from './draw.ts';

/** The name of the manifest in each part. */
export const MANIFEST = 'manifest.csv';

const COLUMNS = [
  'row',
  'file_row',
  'external_id',
  'name',
  'content',
  'slug',
  'short_url',
  'file',
  'sha256',
  'grade',
  'warnings',
];

/**
 * Returns the key of a stored fragment. Its name contains a hash of its bytes, so two gateways never write different
 * bytes to one key.
 */
export const fragmentKey = (batchId: string, fragment: string): string => `${batchId}/fragments/${fragment}`;

/** The first line of a manifest. */
export const MANIFEST_HEADER = csvLines([COLUMNS]);

/** Digits of the row's number at the beginning of the name of its file. */
export const ROW_DIGITS = 7;

const wordsOf = (text: string | null): string =>
  fileWords((text ?? '').replace(/\.(png|svg|pdf|eps|webp)$/i, ''));

/**
 * Returns the name of a row's file: the row's number, and words that identify it to people.
 *
 * @param known Candidate texts for the words, the best first. A text in a non-Latin script yields none.
 */
export const fileName = (row: number, known: readonly (string | null)[], format: FileFormat): string => {
  const words = known.map(wordsOf).find((each) => each !== '') ?? '';
  return `${nameByNumber(row, ROW_DIGITS, words)}.${format}`;
};

/** A row with its pictures. */
export interface Finished {
  readonly sketch: Sketch;
  readonly pictures: readonly Rendered[];
}

/** Returns the files of rows, and their manifest lines. */
export const filesOf = async (
  rows: readonly Finished[],
  piece: Pick<Piece, 'formats' | 'firstRow' | 'fileRows'>,
  shortUrl: (slug: string) => string,
): Promise<{ readonly files: readonly NewFile[]; readonly manifest: string }> => {
  const files: NewFile[] = [];
  const lines: (string | number | null)[][] = [];
  await eachInSlices(rows, ({ sketch, pictures }) => {
    const { row } = sketch;
    const slug = sketch.ownSlug?.slug ?? sketch.slug;
    const url = slug === null ? null : shortUrl(slug);
    for (const [place, { bytes, grade, warnings }] of pictures.entries()) {
      const name = fileName(row.row, [row.name, row.file, slug ?? row.content], piece.formats[place]!);
      files.push({ name, bytes });
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const { row: number, externalId, name: ofCode, content } = row;
      const places = [number, fileRowOf(piece, number)];
      lines.push([...places, externalId, ofCode, content, slug, url, name, sha256, grade, warnings]);
    }
  });
  return { files, manifest: lines.length === 0 ? '' : csvLines(lines) };
};

/** What parts are made of. */
export interface PartParts {
  readonly sql: Database['sql'];
  readonly store: Pick<ObjectStore, 'read'>;
}

/** Returns where the fragments of a batch are. */
export const stored = (batchId: string, fragments: readonly PartFragment[]): StoredFragment[] =>
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

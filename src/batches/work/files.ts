/** The files and manifest lines of a piece, and the length and SHA-256 of parts whose pieces are all made. */
import { createHash } from 'node:crypto';
import type { FileFormat } from '../../../workers/lists.ts';
import type { Rendered } from '../../../workers/protocol.ts';
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
import { withLost } from '../../generate/quality/graded.ts';
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
import {
  type ManifestRow,
  type ManifestTerms,
  manifestHeader,
  manifestLines,
  manifestName,
} from './manifest.ts';

/**
 * Returns the key of a stored fragment. Its name contains a hash of its bytes, so two gateways never write different
 * bytes to one key.
 */
export const fragmentKey = (batchId: string, fragment: string): string => `${batchId}/fragments/${fragment}`;

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
  piece: Pick<Piece, 'firstRow' | 'fileRows'> & ManifestTerms,
  shortUrl: (slug: string) => string,
): Promise<{ readonly files: readonly NewFile[]; readonly manifest: Buffer }> => {
  const files: NewFile[] = [];
  const lines: ManifestRow[] = [];
  await eachInSlices(rows, ({ sketch, pictures }) => {
    const { row } = sketch;
    const slug = sketch.ownSlug?.slug ?? sketch.slug;
    const url = slug === null ? null : shortUrl(slug);
    const lost = [...new Set(pictures.flatMap((picture) => picture.lost ?? []))];
    const ofRow = pictures.map(({ bytes, ...told }, place) => {
      const name = fileName(row.row, [row.name, row.file, slug ?? row.content], piece.formats[place]!);
      files.push({ name, bytes });
      const grade = row.barcode === null ? told.grade : null;
      const warnings = withLost(told.warnings, lost);
      return { name, sha256: createHash('sha256').update(bytes).digest('hex'), grade, warnings };
    });
    const { row: number, externalId, name, content, barcode, cells } = row;
    const symbology = barcode?.symbology ?? 'qr';
    const places = [number, fileRowOf(piece, number), externalId, name, content, slug, url, symbology];
    lines.push({ places, files: ofRow, cells });
  });
  return { files, manifest: manifestLines(lines, piece) };
};

/** What making a part takes of its batch. */
export type PartedBatch = ManifestTerms & { readonly id: string };

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
  batch: PartedBatch,
  { number, manifestCrc: crc, madeAt }: { number: number; manifestCrc: number; madeAt: Date },
): Promise<Part> => {
  const fragments = stored(batch.id, await listFragments(sql, batch.id, number));
  const manifest = { name: manifestName(batch.manifest), header: manifestHeader(batch), crc };
  return assemblePart(store, fragments, manifest, madeAt);
};

/** Reads a part once and saves its length and hash. A no-op if they are saved or if no piece of it is made. */
export const closePart = async (parts: PartParts, batch: PartedBatch, number: number): Promise<void> => {
  const { sql, store } = parts;
  if ((await getPart(sql, batch.id, number)) !== null) return;
  const fragments = await listFragments(sql, batch.id, number);
  if (fragments.length === 0) return;
  const crc = await manifestCrc(store, stored(batch.id, fragments), manifestHeader(batch));
  const madeAt = new Date();
  const part = await openPart(parts, batch, { number, manifestCrc: crc, madeAt });
  const hash = createHash('sha256');
  for await (const chunk of part.read({ start: 0, end: part.bytes })) hash.update(chunk);
  const codes = fragments.reduce((sum, fragment) => sum + fragment.codes, 0);
  await savePart(sql, batch.id, {
    number,
    codes,
    bytes: part.bytes,
    sha256: hash.digest(),
    manifestCrc: crc,
    madeAt,
  });
};

/** Closes a part when all of its pieces are made. */
export const closePartIfMade = async (
  parts: PartParts,
  batch: PartedBatch,
  number: number,
): Promise<void> => {
  if (await isPartMade(parts.sql, batch.id, number)) await closePart(parts, batch, number);
};

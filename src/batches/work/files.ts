/** The files and manifest lines of a piece. */

import { createHash } from 'node:crypto';
import type { FileFormat } from '../../../workers/lists.ts';
import type { Rendered } from '../../../workers/protocol.ts';
import { csvLines } from '../../csv/write.ts';
import type { Piece } from '../../db/tables/batches/pieces.ts';
import { eachInSlices } from '../../time-slices.ts';
import type { NewFile } from '../../zip/fragment.ts';
import { fileWords, nameByNumber } from '../../zip/names.ts';
import { fileRowOf } from '../rows/file-rows.ts';
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

const ROW_DIGITS = 7;

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

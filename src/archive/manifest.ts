import { type CodeFile, fileCells, fileColumns } from '../csv/file-columns.ts';
import { csvLines } from '../csv/write.ts';

/** One code of an archive. */
export interface ManifestRow {
  /** Counted from 1, in the order in which the codes were made. */
  readonly index: number;
  readonly content: string;
  readonly slug: string | null;
  readonly shortUrl: string | null;
  /** Its files in the archive; without those that can no longer be drawn. */
  readonly files: readonly CodeFile[];
  /** Grade and warnings of the picture when it was made; those of the files when they have a size on paper. */
  readonly grade: number;
  readonly warnings: string;
}

/** Returns the header of `manifest.csv`. Its columns for files are those of `fileColumns`. */
export const manifestHeader = (formats: readonly string[]): string =>
  csvLines([['index', 'content', 'slug', 'short_url', ...fileColumns(formats), 'grade', 'warnings']]);

/** Returns lines of `manifest.csv`, as `csvLines` writes them. */
export const manifestLines = (formats: readonly string[], rows: readonly ManifestRow[]): string =>
  csvLines(
    rows.map(({ index, content, slug, shortUrl, files, grade, warnings }) => [
      ...[index, content, slug, shortUrl],
      ...fileCells(formats, files),
      ...[grade, warnings],
    ]),
  );

/** Short enough for the file names of every file system; the words are ASCII. */
const WORDS_MAX_CHARACTERS = 60;

/**
 * Returns the name of a code's files without extension: its index, and the words by which people know the code. The
 * index makes names unique and keeps them from being the name of a device or a path.
 */
export const fileName = (index: number, code: { content: string; slug: string | null }): string => {
  const words = (code.slug ?? code.content.slice(0, 500))
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/^https?:\/\//i, '')
    .replace(/[^0-9A-Za-z]+/g, '-')
    .slice(0, WORDS_MAX_CHARACTERS)
    .replace(/^-|-$/g, '');
  return `${String(index).padStart(5, '0')}${words === '' ? '' : `-${words}`}`;
};

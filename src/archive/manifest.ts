import { csvLines } from '../csv/write.ts';

/** One code of an archive. */
export interface ManifestRow {
  /** Counted from 1, in the order in which the codes were made. */
  readonly index: number;
  readonly content: string;
  readonly slug: string | null;
  readonly shortUrl: string | null;
  /** Name of the picture in the archive; `null` for a code that can no longer be drawn. */
  readonly file: string | null;
  /** SHA-256 of the file, hexadecimal. */
  readonly sha256: string | null;
  /** Grade and warnings of the picture when it was made. */
  readonly grade: number;
  readonly warnings: string;
}

/** Returns lines of `manifest.csv`, as `csvLines` writes them; without rows, the header. */
export const manifestLines = (rows: readonly ManifestRow[]): string =>
  csvLines(
    rows.length === 0
      ? [['index', 'content', 'slug', 'short_url', 'file', 'sha256', 'grade', 'warnings']]
      : rows.map(({ index, content, slug, shortUrl, file, sha256, grade, warnings }) => [
          index,
          content,
          slug,
          shortUrl,
          file,
          sha256,
          grade,
          warnings,
        ]),
  );

/** Short enough for the file names of every file system; the words are ASCII. */
const WORDS_MAX_CHARACTERS = 60;

/**
 * Returns the file name of a picture: its index, and the words by which people know the code. The index makes names
 * unique and keeps them from being the name of a device or a path.
 */
export const pictureName = (index: number, code: { content: string; slug: string | null }): string => {
  const words = (code.slug ?? code.content.slice(0, 500))
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/^https?:\/\//i, '')
    .replace(/[^0-9A-Za-z]+/g, '-')
    .slice(0, WORDS_MAX_CHARACTERS)
    .replace(/^-|-$/g, '');
  return `${String(index).padStart(5, '0')}${words === '' ? '' : `-${words}`}.png`;
};

import { csvLines } from '../csv/write.ts';

/** One code of an archive. */
export interface ManifestRow {
  /** From 1, in the order in which the codes were made. */
  readonly index: number;
  readonly content: string;
  readonly slug: string | null;
  readonly shortUrl: string | null;
  /** In the archive; `null` for a code that can't be drawn any more. */
  readonly file: string | null;
  /** Of the file, hexadecimal. */
  readonly sha256: string | null;
}

/** Lines of `manifest.csv`, as `csvLines` writes them. Without rows: the header. */
export const manifestLines = (rows: readonly ManifestRow[]): string =>
  csvLines(
    rows.length === 0
      ? [['index', 'content', 'slug', 'short_url', 'file', 'sha256']]
      : rows.map(({ index, content, slug, shortUrl, file, sha256 }) => [
          index,
          content,
          slug,
          shortUrl,
          file,
          sha256,
        ]),
  );

/** Words of a file name, in ASCII, and of a length that every file system takes. */
const WORDS_MAX_CHARACTERS = 60;

/**
 * The name of a picture: its place, so that names are unique and none is a device's or a path, and what people
 * know the code by.
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

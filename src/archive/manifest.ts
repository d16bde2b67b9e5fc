import { type CodeFile, fileCells, fileColumns } from '../csv/file-columns.ts';
import { csvLines } from '../csv/write.ts';
import { fileWords, nameByNumber } from '../zip/names.ts';

/** One code of an archive. */
export interface ManifestRow {
  /** Counted from 1, in creation order. */
  readonly index: number;
  readonly name: string | null;
  readonly content: string;
  readonly slug: string | null;
  readonly shortUrl: string | null;
  /** Its files in the archive, except those that can no longer be drawn. */
  readonly files: readonly CodeFile[];
  /** Grade and warnings of the picture when it was made, or of the files when they have a print size. */
  readonly grade: number;
  readonly warnings: string;
}

/** Returns the header of `manifest.csv`. Its file columns are those of `fileColumns`. */
export const manifestHeader = (formats: readonly string[]): string =>
  csvLines([['index', 'name', 'content', 'slug', 'short_url', ...fileColumns(formats), 'grade', 'warnings']]);

/** Returns lines of `manifest.csv`, as `csvLines` writes them. */
export const manifestLines = (formats: readonly string[], rows: readonly ManifestRow[]): string =>
  csvLines(
    rows.map(({ index, name, content, slug, shortUrl, files, grade, warnings }) => [
      ...[index, name, content, slug, shortUrl],
      ...fileCells(formats, files),
      ...[grade, warnings],
    ]),
  );

const INDEX_DIGITS = 5;

/** Returns the name of a code's files without extension. @param words Those of `codeWords`. */
export const nameByIndex = (index: number, words: string): string => nameByNumber(index, INDEX_DIGITS, words);

/** What people know a code by. */
type Known = { readonly name?: string | null; readonly content: string; readonly slug: string | null };

/** Returns the words that identify a code to people, safe for file names; none for a name in a non-Latin script. */
export const codeWords = ({ name, content, slug }: Known): string =>
  fileWords(name ?? '') || fileWords(slug ?? content);

/** Returns the name of a code's files without extension: its index and its words. */
export const fileName = (index: number, code: Known): string => nameByIndex(index, codeWords(code));

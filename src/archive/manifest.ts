import { type CodeFile, fileCells, fileColumns } from '../csv/file-columns.ts';
import { csvLines } from '../csv/write.ts';

/** A file that cannot be drawn. */
export interface MissingFile {
  readonly format: string;
  /** The path that it would have. */
  readonly file: string;
  readonly reason: string;
}

/** One code of an archive. */
export interface ManifestRow {
  /** Counted from 1, in creation order. */
  readonly index: number;
  readonly name: string | null;
  readonly content: string;
  readonly slug: string | null;
  readonly shortUrl: string | null;
  readonly files: readonly CodeFile[];
  /** The files that are not in the archive. */
  readonly missing: readonly MissingFile[];
  /** Grade and warnings of the picture when it was made, or of the files when they have a print size. */
  /** `null`: it has no picture. */
  readonly grade: number | null;
  readonly warnings: string;
}

/** Returns the header of `manifest.csv`. Its file columns are those of `fileColumns`. */
export const manifestHeader = (formats: readonly string[]): string =>
  csvLines([
    ['index', 'name', 'content', 'slug', 'short_url', ...fileColumns(formats), 'grade', 'warnings', 'error'],
  ]);

const toError = (formats: readonly string[], missing: readonly MissingFile[]): string =>
  missing.map(({ format, reason }) => (formats.length === 1 ? reason : `${format}: ${reason}`)).join('; ');

/** Returns lines of `manifest.csv`, as `csvLines` writes them. */
export const manifestLines = (formats: readonly string[], rows: readonly ManifestRow[]): string =>
  csvLines(
    rows.map(({ index, name, content, slug, shortUrl, files, missing, grade, warnings }) => [
      index,
      name,
      content,
      slug,
      shortUrl,
      ...fileCells(formats, files),
      grade,
      warnings,
      toError(formats, missing),
    ]),
  );

/** The list of the files that are missing from an archive. Its name comes first wherever files are sorted. */
export const MISSING_NAME = '00000-missing-files.csv';

/** Returns the header of this list. */
export const missingHeader = (): string => csvLines([['index', 'file', 'error']]);

/** Returns the lines of a code in this list. */
export const missingLines = (index: number, missing: readonly MissingFile[]): string =>
  csvLines(missing.map(({ file, reason }) => [index, file, reason]));

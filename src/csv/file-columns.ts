/** The paths of code files in a folder or an archive, and their columns in manifests. */

import Type, { type Static } from 'typebox';

export const CodeFile = Type.Object({
  /** Also the extension of the file. */
  format: Type.String(),
  /** Its path in the folder. */
  file: Type.String(),
  /** SHA-256 of its bytes, hexadecimal. */
  sha256: Type.String(),
});
export type CodeFile = Readonly<Static<typeof CodeFile>>;

/**
 * Returns the path of a file: at the top level if there is one format, in a folder named after the format if there are
 * several.
 */
export const filePath = (name: string, format: string, formats: readonly string[]): string =>
  `${formats.length === 1 ? '' : `${format}/`}${name}.${format}`;

/**
 * Returns the columns of files: `file` and `sha256` for one format; `file_png`, `sha256_png`, and so on for several.
 */
export const fileColumns = (formats: readonly string[]): readonly string[] =>
  formats.length === 1
    ? ['file', 'sha256']
    : formats.flatMap((format) => [`file_${format}`, `sha256_${format}`]);

/** Returns the cells of these columns. Missing files have empty cells. */
export const fileCells = (
  formats: readonly string[],
  files: readonly CodeFile[],
): readonly (string | undefined)[] =>
  formats.flatMap((format) => {
    const found = files.find((file) => file.format === format);
    return [found?.file, found?.sha256];
  });

/** The format of a column of files; '': the only one. Formats are told from other columns by their hashes beside them. */
const formatOf = (column: string, names: ReadonlySet<string>): string | null => {
  if (column === 'file') return '';
  const [, format] = /^file_([a-z]+)$/.exec(column) ?? [];
  return format !== undefined && names.has(`sha256_${format}`) ? format : null;
};

/** Whether one of the columns of a manifest has files. */
export const hasFileColumn = (columns: readonly string[]): boolean => {
  const names = new Set(columns);
  return columns.some((column) => formatOf(column, names) !== null);
};

/** Returns the files listed in a manifest row, in column order. */
export const readFileCells = (cells: Readonly<Record<string, string>>): readonly CodeFile[] => {
  const names = new Set(Object.keys(cells));
  return Object.entries(cells).flatMap(([column, file]) => {
    const format = formatOf(column, names);
    if (format === null || file === '') return [];
    const sha256 = cells[format === '' ? 'sha256' : `sha256_${format}`] ?? '';
    return [
      {
        format: format || (/\.([a-z]+)$/i.exec(file)?.[1] ?? '').toLowerCase(),
        file,
        sha256: sha256.toLowerCase(),
      },
    ];
  });
};

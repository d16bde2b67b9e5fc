/** The paths of code files in a folder or an archive, and their columns in manifests. */

import Type, { type Static } from 'typebox';

/** The schema of one file of a code. */
export const CodeFile = Type.Object({
  /** Also the extension of the file. */
  format: Type.String(),
  /** Its path in the folder. */
  file: Type.String(),
  /** SHA-256 of its bytes, hexadecimal. */
  sha256: Type.String(),
});
/** One file of a code. */
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

/** Returns the files listed in a manifest row, in column order. */
export const readFileCells = (cells: Readonly<Record<string, string>>): readonly CodeFile[] =>
  Object.entries(cells).flatMap(([column, file]) => {
    const [, suffix, format = ''] = /^file(_([a-z]+))?$/.exec(column) ?? [];
    if (!/^file(_|$)/.test(column) || file === '') return [];
    const sha256 = cells[`sha256${suffix ?? ''}`] ?? '';
    return [
      {
        format: format || (/\.([a-z]+)$/i.exec(file)?.[1] ?? '').toLowerCase(),
        file,
        sha256: sha256.toLowerCase(),
      },
    ];
  });

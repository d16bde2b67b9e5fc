/** Where the files of codes lie in a folder or an archive, and what manifests say of them. */

/** One file of a code. */
export interface CodeFile {
  /** Also the extension of the file. */
  readonly format: string;
  /** Its path in the folder. */
  readonly file: string;
  /** Of its bytes, hexadecimal. */
  readonly sha256: string;
}

/**
 * Returns the path of a file: at the top when there is one format, in a folder named like the format when there are
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

/** Returns the cells of these columns. A file that is missing has empty ones. */
export const fileCells = (
  formats: readonly string[],
  files: readonly CodeFile[],
): readonly (string | undefined)[] =>
  formats.flatMap((format) => {
    const found = files.find((file) => file.format === format);
    return [found?.file, found?.sha256];
  });

/** Returns the files that a row of a manifest names, in the order of its columns. */
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

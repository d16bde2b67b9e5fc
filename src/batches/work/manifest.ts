/** How the manifests of batches are written, for the programs that read them. */
import type { FileFormat } from '../../../workers/lists.ts';
import { fileColumns } from '../../csv/file-columns.ts';
import { asText } from '../../csv/formula.ts';
import { delimitedLines, type WrittenRow } from '../../csv/write.ts';
import { MANIFEST_DELIMITERS, type ManifestForm } from '../../lists.ts';

/** What the manifests of a batch are written by. */
export interface ManifestTerms {
  readonly formats: readonly FileFormat[];
  readonly manifest: ManifestForm;
  /** The columns of its file that they carry. */
  readonly inputColumns: readonly string[];
}

/** A file of a row. */
export interface ManifestFile {
  readonly name: string;
  readonly sha256: string;
  /** `null`: it has none, as all files of its row. */
  readonly grade: number | null;
  readonly warnings: string;
}

/** A row with its files, one in each format of its batch. */
export interface ManifestRow {
  /** The cells of `ROW_COLUMNS`. */
  readonly places: WrittenRow;
  readonly files: readonly ManifestFile[];
  /** Its cells in the columns of the file that are carried. */
  readonly cells: readonly string[];
}

const ROW_COLUMNS = ['row', 'file_row', 'external_id', 'name', 'content', 'slug', 'short_url', 'symbology'];
const GRADE_COLUMNS = ['grade', 'warnings'];

/** Whether a line has all files of its row. Carried cells are written once a row, so that a part stays below 4 GiB. */
const isMerged = ({ manifest, inputColumns }: ManifestTerms): boolean =>
  manifest.use !== 'spreadsheets' || inputColumns.length > 0;

/** InDesign places what a column has as pictures if the column's name begins with `@`. */
const pictureColumn = (name: string): string => (/^file(_|$)/.test(name) ? `@${name}` : name);

const ownColumns = (terms: ManifestTerms): readonly string[] => {
  const { formats, manifest } = terms;
  if (!isMerged(terms)) return [...ROW_COLUMNS, 'file', 'sha256', ...GRADE_COLUMNS];
  const files = fileColumns(formats);
  const named = manifest.use === 'indesign' ? files.map(pictureColumn) : files;
  return [...ROW_COLUMNS, ...named, ...GRADE_COLUMNS];
};

/** Returns the names of carried columns. Data merge needs every name once, and none empty. */
const carriedColumns = (own: readonly string[], inputColumns: readonly string[]): readonly string[] => {
  const taken = new Set(own);
  return inputColumns.map((input, index) => {
    let name = input === '' ? `column ${index + 1}` : input;
    while (taken.has(name)) name += ' (input)';
    taken.add(name);
    return name;
  });
};

/** A line break ends a record in data merge and in label software, even within quotes, and a tab may end a cell. */
const onOneLine = (text: string): string => text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ');

const toLines = (rows: readonly WrittenRow[], manifest: ManifestForm): string =>
  delimitedLines(rows, {
    delimiter: MANIFEST_DELIMITERS[manifest.delimiter],
    toText: manifest.use === 'spreadsheets' ? asText : onOneLine,
  });

const BYTE_ORDER_MARK = '\ufeff';

/** Returns the encoding by its name in Node. */
export const encodingOf = ({ encoding }: ManifestForm): 'utf8' | 'utf16le' =>
  encoding === 'utf-16' ? 'utf16le' : 'utf8';

/** Returns the name of the manifest: InDesign takes tabs only in a file that ends with `.txt`. */
export const manifestName = ({ delimiter }: ManifestForm): string =>
  delimiter === 'tab' ? 'manifest.txt' : 'manifest.csv';

/** Returns the beginning of a manifest: its byte order mark, if it has one, and its first line. */
export const manifestHeader = (terms: ManifestTerms): Buffer => {
  const own = ownColumns(terms);
  const line = toLines([[...own, ...carriedColumns(own, terms.inputColumns)]], terms.manifest);
  const mark = terms.manifest.encoding === 'utf-8' ? '' : BYTE_ORDER_MARK;
  return Buffer.from(mark + line, encodingOf(terms.manifest));
};

/** Returns the lines of rows. */
export const manifestLines = (rows: readonly ManifestRow[], terms: ManifestTerms): Buffer => {
  const { manifest } = terms;
  if (rows.length === 0) return Buffer.alloc(0);
  const written = rows.flatMap(({ places, files, cells }): WrittenRow[] => {
    if (!isMerged(terms))
      return files.map(({ name, sha256, grade, warnings }) => [...places, name, sha256, grade, warnings]);
    const lowest = files.reduce((low, file) => ((file.grade ?? 4) < (low.grade ?? 4) ? file : low));
    const ofFiles = files.flatMap(({ name, sha256 }) => [name, sha256]);
    return [[...places, ...ofFiles, lowest.grade, lowest.warnings, ...cells]];
  });
  return Buffer.from(toLines(written, manifest), encodingOf(manifest));
};

/** Reads the number with which each line begins. */
export const rowOfLine = (line: string, { delimiter }: ManifestForm): number =>
  Number(line.slice(0, line.indexOf(MANIFEST_DELIMITERS[delimiter])));

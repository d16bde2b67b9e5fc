/**
 * What a run has saved: a file for each part in the folder of its state, written when all files of the part are on the
 * disk. An interrupted command resumes with the next part.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { CodeFile } from '../../csv/file-columns.ts';
import { readStored } from '../../stored-json.ts';
import { commandError } from '../fault.ts';
import { writeWhole } from './store.ts';

const RowResult = Type.Object({
  row: Type.Integer(),
  /** Its row in the file, where that is known. */
  fileRow: Type.Optional(Type.Integer()),
  /** The caller's own id of the row's code, when it has one. */
  externalId: Type.Optional(Type.String()),
  content: Type.String(),
  /** In the order of the run's formats, when the row was made. */
  files: Type.Optional(Type.Immutable(Type.Array(CodeFile))),
  /** Grade of the files, 0 to 4. */
  grade: Type.Optional(Type.Number()),
  /** Why it is below 4; as `Tessera-Warnings` has them. */
  warnings: Type.Optional(Type.String()),
  /** When the row is dynamic and was made. */
  slug: Type.Optional(Type.String()),
  shortUrl: Type.Optional(Type.String()),
  /** When the row failed. */
  error: Type.Optional(Type.String()),
});
const Rows = Type.Immutable(Type.Array(RowResult));
/** What became of a row. */
export type RowResult = Readonly<Static<typeof RowResult>>;

/** The saved parts of a run. */
export type Saved = ReturnType<typeof createSaved>;

const SUFFIX = '.rows.json';

/** Opens the saved parts of a run. @param folder Exists. */
export const createSaved = (folder: string) => {
  const pathOf = (n: number): string => join(folder, `${n}${SUFFIX}`);
  /** Returns the numbers of the saved parts, in order. */
  const list = async (): Promise<readonly number[]> => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX));
    return names.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b);
  };
  return {
    list,
    /** Adds a part. Resolves when it is on the disk. */
    add: (n: number, rows: readonly RowResult[]): Promise<void> =>
      writeWhole(pathOf(n), JSON.stringify(rows)),
    /** Yields the rows of each part, in order. @throws {CliFault} when a file is damaged. */
    async *read(): AsyncGenerator<readonly RowResult[]> {
      for (const n of await list()) {
        const rows = readStored(Rows, await readFile(pathOf(n), 'utf8'));
        if (rows === null) throw commandError(`${pathOf(n)} is damaged; begin again with a new --out folder`);
        yield rows;
      }
    },
  };
};

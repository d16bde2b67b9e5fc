/** Reads the migrations of a build. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { splitOnline } from './statements.ts';

/** A file of `sql/`; `name` is its file name without `.sql`. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  /** SHA-256 of `text`, hexadecimal. */
  readonly checksum: string;
  /** The version in its `-- needs:` line; `null` without one. */
  readonly needs: string | null;
  /** The statements of a file that begins with `-- transaction: none`; `null`: the file is one transaction. */
  readonly online: readonly string[] | null;
}

/** `sql/` is next to `src/` in the sources, and next to `dist/src/` in a build. */
const SQL_FOLDER = new URL('../../../sql/', import.meta.url);

const NEEDS = /^-- needs: (\d+\.\d+\.\d+)$/m;
const ONLINE = /^-- transaction: none$/m;

const onlineOf = (file: string, text: string): readonly string[] | null => {
  if (!/^-- transaction:/m.test(text)) return null;
  if (ONLINE.exec(text)?.index !== 0) throw new Error(`${file} does not begin with -- transaction: none`);
  const statements = splitOnline(text);
  if (!statements.ok) throw new Error(`${file}: ${statements.fault}`);
  return statements.value;
};

/**
 * Reads the migrations in the order of their numbers.
 *
 * @throws {Error} When two files have the same number, or a file is not named like `0001_name.sql`, has a malformed
 *   `needs` or `transaction` line, or has a statement that cannot run outside of a transaction and be resumed.
 */
export const readMigrations = async (folder: URL = SQL_FOLDER): Promise<readonly Migration[]> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    files.map(async (file) => {
      const number = /^(\d{4})_[a-z_]+\.sql$/.exec(file)?.[1];
      if (number === undefined) throw new Error(`${file} is not named like 0001_name.sql`);
      const text = await readFile(new URL(file, folder), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      const needs = NEEDS.exec(text)?.[1] ?? null;
      if (needs === null && /^-- needs\b/m.test(text))
        throw new Error(`${file} has no line like -- needs: 1.5.0`);
      const name = file.slice(0, -'.sql'.length);
      return { number: Number(number), name, text, checksum, needs, online: onlineOf(file, text) };
    }),
  );
  const twice = migrations.find((migration, i) => migration.number === migrations[i + 1]?.number);
  if (twice) throw new Error(`two migrations have the number of ${twice.name}`);
  return migrations;
};

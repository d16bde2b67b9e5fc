/** Compares the migrations applied to a database with those of a build. */

/** A file of `sql/`; `name` is its file name without `.sql`. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  /** SHA-256 of `text`, hexadecimal. */
  readonly checksum: string;
  /** The version in its `-- needs:` line; `null` without one. */
  readonly needs: string | null;
}

/** A migration applied to a database. */
export interface Applied {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  /** The oldest version compatible with it; `null`: every version that was compatible before. */
  readonly needs: string | null;
}

/** How a database's schema differs from a build's migrations. Each list contains names, in order. */
export interface SchemaState {
  /** Not applied yet. */
  readonly missing: readonly string[];
  /** From a newer version, but compatible with this one. */
  readonly newer: readonly string[];
  /** From a newer version and incompatible, with the version that each needs. */
  readonly tooNew: readonly { readonly name: string; readonly needs: string }[];
  /** Applied from a file whose content has changed since. */
  readonly changed: readonly string[];
}

/** Compares versions such as 1.10.0 by their numbers. */
const isOlder = (version: string, needed: string): boolean =>
  version.localeCompare(needed, 'en', { numeric: true }) < 0;

/** Compares the schema of a database with the migrations of a build. */
export const compareSchema = (
  applied: readonly Applied[],
  known: readonly Migration[],
  version: string,
): SchemaState => {
  const state = {
    missing: known.filter(({ number }) => applied.every((row) => row.number !== number)),
    newer: [] as string[],
    tooNew: [] as SchemaState['tooNew'][number][],
    changed: [] as string[],
  };
  for (const { number, name, checksum, needs } of applied) {
    const migration = known.find((candidate) => candidate.number === number);
    if (migration !== undefined && migration.checksum !== checksum) state.changed.push(migration.name);
    if (migration !== undefined) continue;
    if (needs !== null && isOlder(version, needs)) state.tooNew.push({ name, needs });
    else state.newer.push(name);
  }
  return { ...state, missing: state.missing.map(({ name }) => name) };
};

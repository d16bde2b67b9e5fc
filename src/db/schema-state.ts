/** What a database has of the migrations of a build. */

/** A file of `sql/`; `name` is its file name without `.sql`. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  /** SHA-256 of `text`, hexadecimal. */
  readonly checksum: string;
  /** What its line `-- needs:` says; `null` without one. */
  readonly needs: string | null;
}

/** A migration that a database has. */
export interface Applied {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  /** The oldest version that works with what it changed; `null`: every version works that worked before it. */
  readonly needs: string | null;
}

/** How the schema of a database stands to the migrations of a build. Each list has names, in their order. */
export interface SchemaState {
  /** Not applied yet. */
  readonly missing: readonly string[];
  /** Of a newer version, and no obstacle to this one. */
  readonly newer: readonly string[];
  /** Of a newer version, and an obstacle: what each needs. */
  readonly tooNew: readonly { readonly name: string; readonly needs: string }[];
  /** Applied from a file that has another content now. */
  readonly changed: readonly string[];
}

/** Compares versions such as 1.10.0 by their numbers. */
const isOlder = (version: string, needed: string): boolean =>
  version.localeCompare(needed, 'en', { numeric: true }) < 0;

/** Says how the schema of a database stands to the migrations of a build. */
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

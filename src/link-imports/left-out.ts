/** Counts what an import leaves out: columns of a table, or fields of JSON, that become nothing of a link. */

/** A column that is left out. */
export interface LeftOut {
  /** As the file has it, with a dot before the name of an inner field; `null`: further columns. */
  readonly column: string | null;
  /** How many rows have a value there. */
  readonly rows: number;
}

const COLUMNS_MAX = 200;
const NAME_MAX = 100;

/** Replaces what the database cannot store. */
const storable = (name: string): string => name.replace(/[\p{Cc}\p{Cs}]/gu, '\u{fffd}');

const shortened = (name: string): string =>
  storable(name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name);

/** Counts columns, each once for a row. */
export type LeftOutNotes = ReturnType<typeof createLeftOut>;

/** Returns counts of a file that is not read yet. */
export const createLeftOut = () => {
  const rows = new Map<string, number>();
  let further = 0;
  return {
    /** Notes the columns of a row that have values and are left out. */
    note(names: readonly string[]): void {
      let hasMore = false;
      for (const column of new Set(names.map(shortened)))
        if (rows.has(column) || rows.size < COLUMNS_MAX) rows.set(column, (rows.get(column) ?? 0) + 1);
        else hasMore = true;
      if (hasMore) further += 1;
    },
    list: (): readonly LeftOut[] => [
      ...[...rows].map(([column, count]) => ({ column, rows: count })),
      ...(further > 0 ? [{ column: null, rows: further }] : []),
    ],
  };
};

import { VERSION } from '../../package.ts';
import { inspectDatabase } from '../inspect.ts';
import { type Migration, readMigrations } from './files.ts';
import { checkApplied, compareSchema, readApplied } from './schema.ts';

/** A migration of this build that a database does not have. */
export interface Missing extends Pick<Migration, 'name' | 'needs'> {
  /** Whether it runs outside of a transaction. */
  readonly isOnline: boolean;
}

/**
 * Returns the migrations that a database lacks, in order; `null` when there is no embedded database yet. Changes nothing.
 *
 * @throws {Error} When the database cannot be used by this build. The message is one line for the operator.
 */
export const readMissing = async (
  options: Parameters<typeof inspectDatabase>[0],
): Promise<readonly Missing[] | null> => {
  const database = await inspectDatabase(options);
  if (database === null) return null;
  try {
    const known = await readMigrations();
    const applied = (await readApplied(database.sql)) ?? [];
    checkApplied(applied, known);
    const { missing } = compareSchema(applied, known, VERSION);
    return known
      .filter(({ name }) => missing.includes(name))
      .map(({ name, needs, online }) => ({ name, needs, isOnline: online !== null }));
  } finally {
    await database.close();
  }
};

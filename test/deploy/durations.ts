/** How long a gateway takes at most to begin and to end, as the sources say it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './dockerfile.ts';

const constantOf = (path: string, name: string): number =>
  Number(
    new RegExp(`${name} = ([\\d_]+);`).exec(readFileSync(join(ROOT, path), 'utf8'))![1]!.replaceAll('_', ''),
  );

/** Milliseconds from the end of the grace until a gateway kills itself. */
export const shutdownTimeoutMs = constantOf('src/server.ts', 'SHUTDOWN_TIMEOUT_MS');
/** Milliseconds that a change of the schema may take, before the gateway listens. */
export const migrationTimeoutMs = constantOf('src/db/database.ts', 'MIGRATION_TIMEOUT_MS');

/** Reads the Dockerfile, and time limits from the sources. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the project. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The text of the Dockerfile, with each instruction on one line. */
export const dockerfile = readFileSync(`${ROOT}Dockerfile`, 'utf8').replaceAll('\\\n', ' ').split('\n');

/** Returns the arguments of all instructions of a kind, in order. */
export const instructions = (kind: string): string[] =>
  dockerfile.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1).trim());

/** The environment that the image sets. */
export const imageEnv: Readonly<Record<string, string>> = Object.fromEntries(
  instructions('ENV')
    .flatMap((pairs) => pairs.split(' '))
    .map((pair) => pair.split('=') as [string, string]),
);

/** The command that a container runs under its init process. */
export const imageCommand: readonly string[] = JSON.parse(instructions('CMD')[0]!);

/** Time limits of a gateway's start and shutdown, read from the sources. */
const constantOf = (path: string, name: string): number =>
  Number(
    new RegExp(`${name} = ([\\d_]+);`).exec(readFileSync(`${ROOT}${path}`, 'utf8'))![1]!.replaceAll('_', ''),
  );

/** Milliseconds from the end of the grace period until a gateway kills itself. */
export const shutdownTimeoutMs = constantOf('src/server.ts', 'SHUTDOWN_TIMEOUT_MS');
/** Milliseconds that a migration of the schema may take before the gateway listens. */
export const migrationTimeoutMs = constantOf('src/db/database.ts', 'MIGRATION_TIMEOUT_MS');

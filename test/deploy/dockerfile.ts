/** Reads the Dockerfile, and bounds that the sources have. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the project. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Its instructions, each in one line. */
export const dockerfile = readFileSync(`${ROOT}Dockerfile`, 'utf8').replaceAll('\\\n', ' ').split('\n');

/** The arguments of all instructions of a kind, in their order. */
export const instructions = (kind: string): string[] =>
  dockerfile.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1).trim());

/** The environment that the image sets. */
export const imageEnv: Readonly<Record<string, string>> = Object.fromEntries(
  instructions('ENV')
    .flatMap((pairs) => pairs.split(' '))
    .map((pair) => pair.split('=') as [string, string]),
);

/** What a container runs under its init. */
export const imageCommand: readonly string[] = JSON.parse(instructions('CMD')[0]!);

/** How long a gateway takes at most to begin and to end, as the sources say it. */
const constantOf = (path: string, name: string): number =>
  Number(
    new RegExp(`${name} = ([\\d_]+);`).exec(readFileSync(`${ROOT}${path}`, 'utf8'))![1]!.replaceAll('_', ''),
  );

/** Milliseconds from the end of the grace until a gateway kills itself. */
export const shutdownTimeoutMs = constantOf('src/server.ts', 'SHUTDOWN_TIMEOUT_MS');
/** Milliseconds that a change of the schema may take, before the gateway listens. */
export const migrationTimeoutMs = constantOf('src/db/database.ts', 'MIGRATION_TIMEOUT_MS');

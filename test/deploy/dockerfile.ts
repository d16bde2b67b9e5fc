/** Reads the Dockerfile. */
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

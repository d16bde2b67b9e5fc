import { closeSync, openSync, readSync } from 'node:fs';

/** The variables that may stand in a file of their own, as orchestrators mount secrets. */
export const SECRETS = [
  'DATABASE_URL',
  'LISTEN_DATABASE_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'CLICKHOUSE_URL',
  'ADMIN_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

/** Longer than any of the values may be. */
const MAX_BYTES = 4096;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads only the beginning of a file, because a device may be endless. */
const readStart = (path: string): string => {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    const length = readSync(file, bytes);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
};

/**
 * Returns the values of the secrets that a file named by `<NAME>_FILE` has, without the newline at its end, and one
 * fault for each file that cannot be used. No fault reveals what is in a file.
 *
 * @param names The variables to read.
 */
export const readSecrets = (
  env: Environment,
  names: readonly (typeof SECRETS)[number][] = SECRETS,
): { readonly values: Environment; readonly faults: readonly string[] } => {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of names) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    const refuse = (fault: string): void =>
      void faults.push(`${name}_FILE: ${fault}, for example ${name}_FILE=/run/secrets/${name.toLowerCase()}`);
    if (env[name]) {
      refuse(`must not be given together with ${name}`);
      continue;
    }
    try {
      values[name] = readStart(path).replace(/\r?\n$/, '');
      if (values[name].length > MAX_BYTES) refuse(`must name a file of at most ${MAX_BYTES} bytes`);
      if (values[name] === '') refuse('must name a file that is not empty');
    } catch (error) {
      refuse(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { values, faults };
};

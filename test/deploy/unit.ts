/** Reads the unit of systemd. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './dockerfile.ts';

/** The file. */
export const UNIT = join(ROOT, 'deploy/systemd/tessera.service');

const lines = readFileSync(UNIT, 'utf8').split('\n');

/** The values of a setting, in their order. */
export const valuesOf = (setting: string): string[] =>
  lines.filter((line) => line.startsWith(`${setting}=`)).map((line) => line.slice(setting.length + 1));

/** The command and its arguments. */
export const unitCommand = valuesOf('ExecStart')[0]!.split(' ') as [string, ...string[]];

/** Credentials by their names: the files that they are read from. */
export const credentials: Readonly<Record<string, string>> = Object.fromEntries(
  valuesOf('LoadCredential').map((credential) => credential.split(':')),
);

/** Returns the environment of the service, with what stands for its folders of state and of credentials. */
export const unitEnv = (folders: { readonly state: string; readonly credentials: string }) =>
  Object.fromEntries(
    valuesOf('Environment')
      .flatMap((pairs) => pairs.split(' '))
      .map((pair) => pair.replace('%S', folders.state).replace('%d', folders.credentials).split('=')),
  ) as Record<string, string>;

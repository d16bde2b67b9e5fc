/** Reads the systemd unit. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './dockerfile.ts';

/** The path of the unit file. */
export const UNIT = join(ROOT, 'deploy/systemd/tessera.service');

const lines = readFileSync(UNIT, 'utf8').split('\n');

/** Returns the values of a setting, in order. */
export const valuesOf = (setting: string): string[] =>
  lines.filter((line) => line.startsWith(`${setting}=`)).map((line) => line.slice(setting.length + 1));

/** The command and its arguments. */
export const unitCommand = valuesOf('ExecStart')[0]!.split(' ') as [string, ...string[]];

/** The source files of the credentials, by name. */
export const credentials: Readonly<Record<string, string>> = Object.fromEntries(
  valuesOf('LoadCredential').map((credential) => credential.split(':')),
);

/** Returns the environment of the service, with replacements for its state and credentials folders. */
export const unitEnv = (folders: { readonly state: string; readonly credentials: string }) =>
  Object.fromEntries(
    valuesOf('Environment')
      .flatMap((pairs) => pairs.split(' '))
      .map((pair) => pair.replace('%S', folders.state).replace('%d', folders.credentials).split('=')),
  ) as Record<string, string>;

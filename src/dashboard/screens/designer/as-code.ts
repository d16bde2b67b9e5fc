/** A design as the request that makes it. */
import type { Draft } from './draft.ts';

/** Longer strings are a picture's bytes, which nobody reads. */
const SHOWN_CHARACTERS = 120;

export interface AsCode {
  /** Below `/api/v1`. */
  readonly path: string;
  readonly json: string;
  /** The same, with long strings shortened. */
  readonly shown: string;
}

const shorten = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('data:') && value.length > SHOWN_CHARACTERS
    ? `${value.slice(0, 40)}… (${value.length} characters)`
    : value;

/** Dynamic codes are made by the bulk call alone. */
export const asCode = ({ request, dynamic }: Draft, folderName: string): AsCode => {
  const body = dynamic ? { folderName, items: [{ ...request, dynamic: true }] } : request;
  return {
    path: dynamic ? 'qr/bulk' : 'qr',
    json: JSON.stringify(body, null, 2),
    shown: JSON.stringify(body, shorten, 2),
  };
};

/** One word for a POSIX shell, whatever is in it. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** `service`: the address up to `/api/v1/`. The key is read from the environment, so that it stays out of histories. */
export const toCurl = (service: string, path: string, json: string): string =>
  [
    `curl -sS ${quote(`${service}${path}`)}`,
    '-H "Authorization: Bearer $TESSERA_KEY"',
    "-H 'Content-Type: application/json'",
    `-d ${quote(json)}`,
  ].join(' \\\n  ');

/** What people paste elsewhere: the image of a code for a web page, and the request that makes a code. */
import type { Draft } from './designer/draft.ts';

/** What an embedded picture shows. `dark` and `light` are CSS colours. */
export interface Picture {
  readonly content: string;
  readonly widthPx: number;
  readonly dark: string;
  readonly light: string;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const attribute = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

/** Returns the address of a picture that a key draws. @param service Address of the service, up to `/api/v1/`. */
export const keyedUrl = (
  service: string,
  key: string,
  { content, widthPx, dark, light }: Picture,
): string => {
  const query = new URLSearchParams({ key, content, width: String(widthPx), dark, light });
  return `${service}render?${query}`;
};

/** Returns markup to paste. No content can break out of its attribute. */
export const writeImageTag = (
  url: string,
  { widthPx, heightPx = widthPx, content }: Pick<Picture, 'widthPx' | 'content'> & { heightPx?: number },
): string =>
  `<img src="${attribute(url)}" width="${widthPx}" height="${heightPx}" alt="QR code: ${attribute(content)}">`;

/** Returns the width that the service draws for a number that somebody wrote; 300 for none. */
export const toWidthPx = (written: number): number =>
  Math.min(2000, Math.max(50, Math.round(written || 300)));

/** Longer data URIs are shortened, since nobody reads the bytes of a picture. */
const SHOWN_CHARACTERS = 120;

interface AsCode {
  /** Below `/api/v1/`. */
  readonly path: string;
  readonly json: string;
  /** The same JSON with long data URIs shortened. */
  readonly shown: string;
}

const shorten = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('data:') && value.length > SHOWN_CHARACTERS
    ? `${value.slice(0, 40)}… (${value.length} characters)`
    : value;

/** Returns the request for a design. A dynamic code is saved, because it has a short link. */
export const asCode = ({ request, dynamic }: Draft, folderName: string): AsCode => {
  const body = dynamic ? { ...request, dynamic, folder_name: folderName } : request;
  return {
    path: dynamic ? 'codes' : 'qr',
    json: JSON.stringify(body, null, 2),
    shown: JSON.stringify(body, shorten, 2),
  };
};

/** One word for a POSIX shell, whatever the text contains. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Returns the command for a request. It reads the key from the environment, so that the key stays out of shell
 * histories.
 *
 * @param service Address of the service, up to `/api/v1/`.
 */
export const toCurl = (service: string, path: string, json: string): string =>
  [
    `curl -sS ${quote(`${service}${path}`)}`,
    '-H "Authorization: Bearer $TESSERA_KEY"',
    "-H 'Content-Type: application/json'",
    `-d ${quote(json)}`,
  ].join(' \\\n  ');

/** Answers that are files: their names, media types and headers. */
import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';
import { type FileFormat, FORMATS, namesOf } from '../../../workers/lists.ts';
import { AppError } from '../../errors.ts';
import { toFileStem } from '../../texts.ts';

/** File systems take names of at most 255 bytes with their extension. */
const NAME_MAX_BYTES = 200;
/** Characters that compatibility forms bring back: of U+FF02, the quotation mark. */
const UNSAFE = /[/\\:*?"<>|]/g;

/** Encodes a text as in RFC 8187, 3.2.1. `encodeURIComponent` leaves four characters that are not `attr-char`. */
const encodeExtended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Returns a `Content-Disposition` (RFC 6266) with a name that a person wrote. It has the name in ASCII for old clients,
 * and in full, as `toFileStem` makes it.
 *
 * @param type `attachment`: browsers save the answer. `inline`: they show it, and use the name when it is saved.
 */
export const formatDisposition = (type: 'attachment' | 'inline', name: string, extension: string): string => {
  const safe = toFileStem(name, NAME_MAX_BYTES);
  const ascii = safe
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(UNSAFE, '_')
    .replace(/[^\x20-\x7e]|%/g, '_');
  return `${type}; filename="${ascii}.${extension}"; filename*=UTF-8''${encodeExtended(`${safe}.${extension}`)}`;
};

/** Returns the `Content-Disposition` of a file to save. */
export const formatAttachment = (name: string, extension: string): string =>
  formatDisposition('attachment', name, extension);

/** Sends the headers of a download that must not be cached. @param type Its media type. */
export const sendFileHeaders = (
  reply: FastifyReply,
  type: string,
  name: string,
  extension: string,
): FastifyReply =>
  reply
    .type(type)
    .header('content-disposition', formatAttachment(name, extension))
    .header('cache-control', 'private, no-store');

/** No real client sends longer ones, and parsing takes time. */
const ACCEPT_MAX_CHARACTERS = 1000;

/**
 * Returns the media type that the header `Accept` prefers: the first of `types` when it accepts all alike.
 *
 * @throws {AppError} 406 when it accepts none.
 */
export const acceptedType = (accept: string | undefined, types: readonly string[]): string => {
  const isSane = accept === undefined || accept.length <= ACCEPT_MAX_CHARACTERS;
  const type = isSane ? new Negotiator({ headers: { accept } }).mediaType([...types]) : undefined;
  if (type !== undefined) return type;
  throw new AppError('not_acceptable', `Accept: must allow one of ${types.join(', ')}.`);
};

/** Returns a PNG as a base64 data URL (RFC 2397). The bytes are not copied before they are encoded. */
export const toDataUrl = (png: Uint8Array): string =>
  `data:image/png;base64,${Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString('base64')}`;

/** An SVG that is opened by itself is a page. This allows its styles and embedded pictures, and no scripts. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; img-src data:";

/** A name that every client takes as it is. */
const PLAIN_NAME = /^[\w-]{1,100}$/;

/** Media types of all formats. */
export const PICTURE_TYPES = Object.values(FORMATS).map(({ mediaType }) => mediaType);

const formatOf = (type: string): FileFormat | undefined =>
  namesOf(FORMATS).find((each) => FORMATS[each].mediaType === type);

/**
 * Returns the format that the header `Accept` prefers: PNG when it accepts all alike.
 *
 * @throws {AppError} 406 when it accepts none.
 */
export const formatFor = (accept: string | undefined): FileFormat =>
  formatOf(acceptedType(accept, PICTURE_TYPES))!;

/** Returns the same for a call that may answer with JSON, which it does when all are accepted alike. */
export const answerFor = (accept: string | undefined): FileFormat | 'json' =>
  formatOf(acceptedType(accept, ['application/json', ...PICTURE_TYPES])) ?? 'json';

/** Sends a file with its media type and name. @param name Without extension. */
export const sendPicture = (
  reply: FastifyReply,
  { format, name, bytes }: { readonly format: FileFormat; readonly name: string; readonly bytes: Uint8Array },
): FastifyReply => {
  if (format === 'svg') reply.header('content-security-policy', SVG_POLICY);
  return reply
    .type(FORMATS[format].mediaType)
    .header(
      'content-disposition',
      PLAIN_NAME.test(name) && toFileStem(name, NAME_MAX_BYTES) === name
        ? `inline; filename="${name}.${format}"`
        : formatDisposition('inline', name, format),
    )
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
};

import type { FastifyReply } from 'fastify';
import { type FileFormat, FORMATS, namesOf } from '../../../workers/lists.ts';
import { acceptedType } from './accepted-type.ts';
import { formatDisposition } from './attachment.ts';

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
      PLAIN_NAME.test(name)
        ? `inline; filename="${name}.${format}"`
        : formatDisposition('inline', name, format),
    )
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
};

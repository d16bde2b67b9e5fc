/** The headers of answers that are files to save. */
import type { FastifyReply } from 'fastify';

/** Characters that are special in a header or a file system. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;

/** Encodes a text as in RFC 8187, 3.2.1. `encodeURIComponent` leaves four characters that are not `attr-char`. */
const encodeExtended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Returns a `Content-Disposition` (RFC 6266) with a name that a person wrote. It has the name in ASCII for old clients,
 * and in full. Unsafe characters become `_`, and 100 characters are kept.
 *
 * @param type `attachment`: browsers save the answer. `inline`: they show it, and use the name when it is saved.
 */
export const formatDisposition = (type: 'attachment' | 'inline', name: string, extension: string): string => {
  const safe = name.replace(UNSAFE, '_').slice(0, 100).toWellFormed();
  // The compatibility forms of some wide characters are unsafe again: of U+FF02, the quotation mark.
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

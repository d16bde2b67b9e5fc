/** Characters that mean something to a header or a file system. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;

/** Encodes a text as in RFC 8187, 3.2.1. `encodeURIComponent` leaves four characters that are no `attr-char`. */
const encodeExtended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Returns a `Content-Disposition` (RFC 6266) with a name that a person wrote. It has the name in ASCII for old clients,
 * and in full. Unsafe characters become `_`, and 100 characters are kept.
 *
 * @param type `attachment`: browsers save the answer. `inline`: they show it, and have the name when somebody saves it.
 */
export const disposition = (type: 'attachment' | 'inline', name: string, extension: string): string => {
  const safe = name.replace(UNSAFE, '_').slice(0, 100).toWellFormed();
  const ascii = safe
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|%/g, '_');
  return `${type}; filename="${ascii}.${extension}"; filename*=UTF-8''${encodeExtended(`${safe}.${extension}`)}`;
};

/** Returns the `Content-Disposition` of a file to save. */
export const attachment = (name: string, extension: string): string =>
  disposition('attachment', name, extension);

/** What a header or a file system could take for something else than a part of a name. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;

/** RFC 8187, 3.2.1: `encodeURIComponent` leaves these four, which are no `attr-char`. */
const encodeExtended = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * `Content-Disposition` (RFC 6266) that saves an answer under a name that people wrote: in ASCII for old
 * clients, and as it is.
 */
export const attachment = (name: string, extension: string): string => {
  const safe = name.replace(UNSAFE, '_').slice(0, 100).toWellFormed();
  const ascii = safe
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|%/g, '_');
  return `attachment; filename="${ascii}.${extension}"; filename*=UTF-8''${encodeExtended(`${safe}.${extension}`)}`;
};

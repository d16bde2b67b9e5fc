/** A pattern of LIKE and ILIKE for what has `text` in it somewhere, its wildcards taken as they stand. */
export const containing = (text: string): string =>
  // Postgres's text can't hold U+0000; `searchable` has a space in its place.
  `%${text.replaceAll('\0', ' ').replace(/[\\%_]/g, '\\$&')}%`;

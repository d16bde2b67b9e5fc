/** What a key may do, in the words of its reader. */
export const SCOPES = [
  ['generate', 'Make codes', 'single and bulk calls'],
  ['render', 'Draw pictures', 'the image address, also in pages and mails'],
  ['manage', 'Manage', 'folders, codes, links, keys, and this dashboard'],
] as const;

export type Scope = (typeof SCOPES)[number][0];

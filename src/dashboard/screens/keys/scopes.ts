/** What a key may do: the scope, its name, and what it allows. */
export const SCOPES = [
  ['generate', 'Make codes', 'single codes, bulk calls and batches'],
  ['render', 'Draw pictures', 'the image address, for web pages and emails'],
  ['manage', 'Manage', 'folders, codes, links, keys, and this dashboard'],
] as const;

/** The name of a scope in the API. */
export type Scope = (typeof SCOPES)[number][0];

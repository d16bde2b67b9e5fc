/** What a key may do: the scope, its name, and what it allows. */
export const SCOPES = [
  ['generate', 'Create codes', 'single codes, imports and batches'],
  ['render', 'Embed pictures', 'pictures in web pages and emails, by their address'],
  ['manage', 'Manage', 'folders, codes, links, keys, and this dashboard'],
] as const;

/** The name of a scope in the API. */
export type Scope = (typeof SCOPES)[number][0];

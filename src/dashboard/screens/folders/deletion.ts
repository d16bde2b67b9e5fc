import { api, ask } from '../../api/client.ts';
import type { LinksSummary } from '../../api/shapes.ts';

/** A folder, or codes, and what people call them. */
export type Deletable = { readonly what: string } & (
  | { readonly kind: 'folder'; readonly id: string }
  | { readonly kind: 'codes'; readonly ids: readonly string[] }
);

/** Moves a folder, or codes, to the bin. */
export const deleteThem = async (thing: Deletable): Promise<void> => {
  if (thing.kind === 'folder')
    await ask(api.DELETE('/api/v1/folders/{id}', { params: { path: { id: thing.id } } }));
  else await ask(api.POST('/api/v1/codes/delete', { body: { ids: [...thing.ids] } }));
};

/** Brings back from the bin what `deleteThem` moved there. */
export const restoreThem = async (thing: Deletable): Promise<void> => {
  if (thing.kind === 'folder') await restore('folders', thing.id);
  else await ask(api.POST('/api/v1/codes/restore', { body: { ids: [...thing.ids] } }));
};

/** Restores a folder or code from the bin. */
export const restore = (kind: 'folders' | 'codes', id: string): Promise<{ readonly id: string }> =>
  kind === 'folders'
    ? ask(api.POST('/api/v1/folders/{id}/restore', { params: { path: { id } } }))
    : ask(api.POST('/api/v1/codes/{id}/restore', { params: { path: { id } } }));

/** Returns what is known of the short links that a deletion would stop. */
export const linksOf = (thing: Deletable): Promise<LinksSummary> =>
  thing.kind === 'folder'
    ? ask(api.GET('/api/v1/folders/{id}/links-summary', { params: { path: { id: thing.id } } }))
    : ask(api.POST('/api/v1/codes/links-summary', { body: { ids: [...thing.ids] } }));

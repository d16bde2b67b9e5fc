/** The calls about items of the resolver. */
import { api, asFault, ifMatch } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { ItemLink, ResolverItem } from '../../api/shapes.ts';
import { useToast } from '../../ui/toasts.tsx';

/** Replaces the links of an item. @throws {Fault} */
export const saveLinks = (item: ResolverItem, links: ItemLink[]) =>
  change(
    api.PATCH('/api/v1/resolver/items/{id}', {
      params: { path: { id: item.id }, header: ifMatch(item) },
      body: { links },
    }),
  );

/** Undoes a change of many items, and says whether that worked. */
export const useUndo = () => {
  const toast = useToast();
  return (id: string): void => {
    change(api.POST('/api/v1/resolver/changes/{id}/undo', { params: { path: { id } } })).then(
      () => toast({ text: 'Undone. Every item has the links that it had before.' }),
      (error: unknown) => toast({ text: `The change could not be undone. ${asFault(error).message}` }),
    );
  };
};

import { api, ask } from '../../api/client.ts';
import { useToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';

type Kind = 'folders' | 'codes';

const deleteIt = (kind: Kind, id: string) =>
  kind === 'folders'
    ? ask(api.DELETE('/api/v1/folders/{id}', { params: { path: { id } } }))
    : ask(api.DELETE('/api/v1/codes/{id}', { params: { path: { id } } }));

/** Brings back what lies in the bin. */
export const restore = (kind: Kind, id: string): Promise<{ readonly id: string }> =>
  kind === 'folders'
    ? ask(api.POST('/api/v1/folders/{id}/restore', { params: { path: { id } } }))
    : ask(api.POST('/api/v1/codes/{id}/restore', { params: { path: { id } } }));

/** Deletes into the bin and offers the way back. @param changed The list is to be read again. */
export const useDeletion = (changed: () => void) => {
  const toast = useToast();
  const { run, fault, busy } = useAction();
  const remove = (kind: Kind, id: string, what: string): Promise<void> =>
    run(async () => {
      await deleteIt(kind, id);
      changed();
      // The button that had the focus goes with what it deleted.
      document.querySelector('h1')?.focus();
      const undo = () =>
        void run(async () => {
          await restore(kind, id);
          toast({ text: `${what}: back.` });
          changed();
        });
      toast({ text: `${what}: in the bin for 30 days.`, action: { label: 'Undo', run: undo } });
    });
  return { remove, fault, busy };
};

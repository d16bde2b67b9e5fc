import { api, ask } from '../../api/client.ts';
import { useToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';

type Kind = 'folders' | 'codes';

const deleteIt = (kind: Kind, id: string) =>
  kind === 'folders'
    ? ask(api.DELETE('/api/v1/folders/{id}', { params: { path: { id } } }))
    : ask(api.DELETE('/api/v1/codes/{id}', { params: { path: { id } } }));

/** Restores a folder or code from the bin. */
export const restore = (kind: Kind, id: string): Promise<{ readonly id: string }> =>
  kind === 'folders'
    ? ask(api.POST('/api/v1/folders/{id}/restore', { params: { path: { id } } }))
    : ask(api.POST('/api/v1/codes/{id}/restore', { params: { path: { id } } }));

/**
 * Moves folders and codes to the bin and offers to undo that.
 *
 * @param changed Called when the list must be read again.
 */
export const useDeletion = (changed: () => void) => {
  const toast = useToast();
  const { run, fault, busy } = useAction();
  const remove = (kind: Kind, id: string, what: string): Promise<void> =>
    run(async () => {
      await deleteIt(kind, id);
      changed();
      // The button that had the focus disappears with its folder or code.
      document.querySelector('h1')?.focus();
      const undo = () =>
        void run(async () => {
          await restore(kind, id);
          toast({ text: `${what}: restored.` });
          changed();
        });
      toast({ text: `${what}: moved to the bin for 30 days.`, action: { label: 'Undo', run: undo } });
    });
  return { remove, fault, busy };
};

import { api, ask } from '../../api/client.ts';
import { Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useWatch } from '../../ui/use-watch.ts';
import { Outcome } from './outcome.tsx';

/** Lets a person have all codes of a folder read, and shows how far that is and the last receipt. */
export const Proof = ({ folderId }: { readonly folderId: string }) => {
  const path = { id: folderId };
  const last = useWatch(
    (signal) =>
      ask(api.GET('/api/v1/folders/{id}/verifications', { params: { path, query: { limit: 1 } }, signal })),
    [folderId],
    ({ data }) => data[0]?.state !== 'running',
  );
  const { busy, fault, run } = useAction();
  const verification = last.data?.data[0];
  const begin = (): Promise<void> =>
    run(async () => {
      await ask(api.POST('/api/v1/folders/{id}/verifications', { params: { path } }));
      last.reload();
    });
  return (
    <section class="row" aria-label="Proof by reading">
      <button type="button" onClick={() => void begin()} disabled={busy || verification?.state === 'running'}>
        Verify all codes
      </button>
      {fault && <Failure fault={fault} />}
      {verification && <Outcome verification={verification} />}
    </section>
  );
};

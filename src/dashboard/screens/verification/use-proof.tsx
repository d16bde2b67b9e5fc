import { api, ask } from '../../api/client.ts';
import { Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useWatch } from '../../ui/use-watch.ts';
import { Outcome } from './outcome.tsx';

/**
 * Lets a person have all codes of a folder read. `verify` begins that, unless it `isBusy`. `proof` must be shown: it
 * says how far the last verification is, or what came of it with its receipt, and what failed.
 */
export const useProof = (folderId: string) => {
  const path = { id: folderId };
  const last = useWatch(
    (signal) =>
      ask(api.GET('/api/v1/folders/{id}/verifications', { params: { path, query: { limit: 1 } }, signal })),
    [folderId],
    ({ data }) => data[0]?.state !== 'running',
  );
  const { busy, fault, run } = useAction();
  const verification = last.data?.data[0];
  const verify = (): void =>
    void run(async () => {
      await ask(api.POST('/api/v1/folders/{id}/verifications', { params: { path } }));
      last.reload();
    });
  const proof = (fault || verification) && (
    <section class="row" aria-label="Proof by reading">
      {fault && <Failure fault={fault} />}
      {verification && <Outcome verification={verification} />}
    </section>
  );
  return { verify, proof, isBusy: busy || verification?.state === 'running' };
};

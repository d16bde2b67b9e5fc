import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { count } from '../../ui/format.ts';
import { Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useLoad } from '../../ui/use-load.ts';
import { useWatch } from '../../ui/use-watch.ts';
import { Outcome } from './outcome.tsx';

/** Shows a verification until it has ended. */
const Following = ({ id }: { readonly id: string }) => {
  const path = { vid: id };
  const { data, fault } = useWatch(
    (signal) => ask(api.GET('/api/v1/code-verifications/{vid}', { params: { path }, signal })),
    [id],
    ({ state }) => state !== 'running',
  );
  return (
    <div class="outcome">
      {fault && <Failure fault={fault} />}
      {data && <Outcome verification={data} />}
      {data?.state === 'running' && (
        <p class="muted small">It goes on when you close this. The receipt then waits here for you.</p>
      )}
    </div>
  );
};

/** Shows the verifications of earlier choices, when there are any. */
const Earlier = () => {
  const { data } = useLoad(
    (signal) => ask(api.GET('/api/v1/code-verifications', { params: { query: { limit: 10 } }, signal })),
    [],
  );
  if (data === null || data.data.length === 0) return null;
  return (
    <details>
      <summary>Earlier receipts</summary>
      <ul class="outcomes">
        {data.data.map((verification) => (
          <li key={verification.id} class="outcome">
            <Outcome verification={verification} />
          </li>
        ))}
      </ul>
    </details>
  );
};

/** Lets a person have chosen codes read, shows how far that is and then the receipt. @param ids At most 1,000. */
export const VerifyDialog = ({
  ids,
  onClose,
}: {
  readonly ids: readonly string[];
  readonly onClose: () => void;
}) => {
  const [begun, setBegun] = useState<string | null>(null);
  const { busy, fault, run } = useAction();
  const begin = (): Promise<void> =>
    run(async () => {
      const { id } = await ask(api.POST('/api/v1/code-verifications', { body: { ids: [...ids] } }));
      setBegun(id);
    });
  return (
    <Dialog title={`Verify ${count(ids.length, 'code')}`} onClose={onClose}>
      <p>
        Two independent readers read every picture, also blurred and small. A signed receipt says what they
        read. It costs nothing.
      </p>
      {begun === null ? <Earlier /> : <Following id={begun} />}
      {fault && <Failure fault={fault} />}
      <div class="row">
        {begun === null && (
          <button type="button" class="primary" disabled={busy} onClick={() => void begin()}>
            Verify
          </button>
        )}
        <button type="button" class="quiet" onClick={onClose}>
          {begun === null ? 'Cancel' : 'Close'}
        </button>
      </div>
    </Dialog>
  );
};

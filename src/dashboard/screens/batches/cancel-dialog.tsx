import { api, ask } from '../../api/client.ts';
import type { Batch } from '../../api/shapes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { count } from '../../ui/format.ts';
import { Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';

/** Asks whether a batch is to be cancelled, says what that costs, and cancels it. */
export const CancelDialog = ({
  batch: { id, rows, made, failed },
  onCancelled,
  onClose,
}: {
  readonly batch: Batch;
  readonly onCancelled: () => void;
  readonly onClose: () => void;
}) => {
  const { busy, fault, run } = useAction();
  const cancel = (): Promise<void> =>
    run(async () => {
      await ask(api.POST('/api/v1/batches/{id}/cancel', { params: { path: { id } } }));
      onCancelled();
      onClose();
    });
  return (
    <Dialog title="Cancel this batch?" onClose={onClose}>
      <p>
        {made > 0
          ? `The ${count(made, 'code')} made so far stay in their folder and are paid.`
          : 'No code is made yet.'}{' '}
        Those under way are still made; the rest of the {count(rows - made - failed, 'open row')} costs
        nothing. A cancelled batch cannot be continued.
      </p>
      {fault && <Failure fault={fault} />}
      <div class="row end">
        <button type="button" onClick={onClose}>
          Keep it running
        </button>
        <button type="button" class="danger solid" disabled={busy} onClick={() => void cancel()}>
          Cancel the batch
        </button>
      </div>
    </Dialog>
  );
};

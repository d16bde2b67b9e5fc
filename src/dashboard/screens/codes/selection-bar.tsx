import { askRaw } from '../../api/client.ts';
import { number } from '../../ui/format.ts';
import { Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { saveBlob } from '../download/save-file.ts';

/** What one call takes. */
const MAX = 1000;

/** Shows what can be done with the chosen codes. */
export const SelectionBar = ({
  ids,
  onMove,
  onDelete,
  onClear,
}: {
  /** At least one. */
  readonly ids: readonly string[];
  readonly onMove: () => void;
  readonly onDelete: () => void;
  readonly onClear: () => void;
}) => {
  const { run, busy, fault } = useAction();
  const download = (): Promise<void> =>
    run(async () => {
      const answer = await askRaw('api/v1/codes/archive', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ids }),
      });
      saveBlob('codes.zip', await answer.blob());
    });
  const isTooMany = ids.length > MAX;
  return (
    <section class="selection" aria-label="Selected codes">
      {fault && <Failure fault={fault} />}
      <p role="status">
        <strong>{number(ids.length)}</strong> selected{isTooMany && `: ${number(MAX)} at most at once`}
      </p>
      <div class="row">
        <button type="button" disabled={isTooMany} onClick={onMove}>
          Move
        </button>
        <button type="button" disabled={isTooMany || busy} onClick={() => void download()}>
          {busy ? 'Preparing …' : 'Download'}
        </button>
        <button type="button" class="danger" disabled={isTooMany} onClick={onDelete}>
          Delete
        </button>
        <button type="button" class="quiet" onClick={onClear}>
          Clear
        </button>
      </div>
    </section>
  );
};

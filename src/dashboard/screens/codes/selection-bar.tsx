import { askRaw } from '../../api/client.ts';
import type { Code } from '../../api/shapes.ts';
import { number } from '../../ui/format.ts';
import { Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { saveBlob } from '../download/save-file.ts';
import type { CodeActions } from './actions.ts';

/** What one call takes. */
const MAX = 1000;

/** Shows what can be done with the chosen codes. */
export const SelectionBar = ({
  chosen,
  actions,
  onClear,
}: {
  /** At least one. */
  readonly chosen: readonly Code[];
  readonly actions: CodeActions;
  readonly onClear: () => void;
}) => {
  const { run, busy, fault } = useAction();
  const download = (): Promise<void> =>
    run(async () => {
      const answer = await askRaw('api/v1/codes/archive', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ids: chosen.map(({ id }) => id) }),
      });
      saveBlob('codes.zip', await answer.blob());
    });
  const isTooMany = chosen.length > MAX;
  return (
    <section class="selection" aria-label="Selected codes">
      {fault && <Failure fault={fault} />}
      <div class="row">
        <p role="status">
          <strong>{number(chosen.length)}</strong> selected
          {isTooMany && `: ${number(MAX)} at most at once`}
        </p>
        <button type="button" class="quiet" onClick={onClear}>
          Clear
        </button>
      </div>
      <div class="row actions">
        <button type="button" disabled={isTooMany} onClick={() => actions.move(chosen)}>
          Move
        </button>
        <button type="button" disabled={isTooMany || busy} onClick={() => void download()}>
          {busy ? 'Preparing …' : 'Download'}
        </button>
        <button type="button" disabled={isTooMany} onClick={() => actions.verify(chosen)}>
          Verify
        </button>
        {chosen.some(({ slug }) => slug !== null) && (
          <button type="button" disabled={isTooMany} onClick={() => actions.editLinks(chosen)}>
            Edit links
          </button>
        )}
        <button type="button" class="danger" disabled={isTooMany} onClick={() => actions.remove(chosen)}>
          Delete
        </button>
      </div>
    </section>
  );
};

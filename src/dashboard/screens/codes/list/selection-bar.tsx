/** What can be done with the codes that are selected. */
import { postJson, saveBlob } from '../../../api/client.ts';
import type { Code } from '../../../api/shapes.ts';
import { Button, Danger, Quiet, useAction } from '../../../ui/buttons.tsx';
import { formatNumber } from '../../../ui/format.ts';
import { Failure } from '../../../ui/states.tsx';
import type { CodeActions } from './parts.tsx';

/** What one call takes. */
const MAX = 1000;

interface SelectionBarProps {
  /** At least one. */
  readonly chosen: readonly Code[];
  readonly actions: CodeActions;
  readonly onClear: () => void;
}

export const SelectionBar = ({ chosen, actions, onClear }: SelectionBarProps) => {
  const { run, busy, fault } = useAction();
  const download = (): Promise<void> =>
    run(async () => {
      const answer = await postJson('api/v1/codes/archive', { ids: chosen.map(({ id }) => id) });
      saveBlob('codes.zip', await answer.blob());
    });
  const isTooMany = chosen.length > MAX;
  return (
    <section class="selection" aria-label="Selected codes">
      {fault && <Failure fault={fault} />}
      <div class="row">
        <p role="status">
          <strong>{formatNumber(chosen.length)}</strong> selected
          {isTooMany && `: ${formatNumber(MAX)} at most`}
        </p>
        <Quiet onClick={onClear}>Clear</Quiet>
      </div>
      <div class="row actions">
        <Button disabled={isTooMany} onClick={() => actions.ask('folder', chosen)}>
          Move
        </Button>
        <Button disabled={isTooMany} onClick={() => actions.ask('tags', chosen)}>
          Tags
        </Button>
        <Button disabled={isTooMany || busy} onClick={() => void download()}>
          {busy ? 'Preparing …' : 'Download'}
        </Button>
        <Button disabled={isTooMany} onClick={() => actions.ask('proof', chosen)}>
          Verify
        </Button>
        {chosen.some(({ slug }) => slug !== null) && (
          <Button disabled={isTooMany} onClick={() => actions.ask('links', chosen)}>
            Edit links
          </Button>
        )}
        <Danger disabled={isTooMany} onClick={() => actions.remove(chosen)}>
          Delete
        </Danger>
      </div>
    </section>
  );
};

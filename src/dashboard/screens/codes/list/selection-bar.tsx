/** What can be done with the codes that are selected. */
import { useLocation } from 'preact-iso';
import type { Code } from '../../../api/shapes.ts';
import { Button, Danger, Quiet } from '../../../ui/buttons.tsx';
import { formatNumber } from '../../../ui/format.ts';
import { labelsOf } from '../../labels/source.ts';
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
  const { route } = useLocation();
  const isTooMany = chosen.length > MAX;
  return (
    <section class="selection" aria-label="Selected codes">
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
        <Button disabled={isTooMany} onClick={() => actions.ask('files', chosen)}>
          Download
        </Button>
        <Button disabled={isTooMany} onClick={() => route(labelsOf(chosen))}>
          Labels
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

/** What can be done with the codes that are selected. */
import { useLocation } from 'preact-iso';
import type { Code } from '../../../api/shapes.ts';
import { Button, Danger, Quiet } from '../../../ui/buttons.tsx';
import { formatNumber } from '../../../ui/format.ts';
import { say, sayWith } from '../../../words/say.ts';
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
    <section class="selection" aria-label={say('Selected codes')}>
      <div class="row">
        <p role="status">
          {sayWith('{n} selected', { n: <strong>{formatNumber(chosen.length)}</strong> })}
          {isTooMany && `: ${say('{max} at most', { max: MAX })}`}
        </p>
        <Quiet onClick={onClear}>{say('Clear')}</Quiet>
      </div>
      <div class="row actions">
        <Button disabled={isTooMany} onClick={() => actions.ask('folder', chosen)}>
          {say('Move')}
        </Button>
        <Button disabled={isTooMany} onClick={() => actions.ask('tags', chosen)}>
          {say('Tags')}
        </Button>
        <Button disabled={isTooMany} onClick={() => actions.ask('files', chosen)}>
          {say('Download')}
        </Button>
        <Button disabled={isTooMany} onClick={() => route(labelsOf(chosen))}>
          {say('Labels')}
        </Button>
        <Button disabled={isTooMany} onClick={() => actions.ask('proof', chosen)}>
          {say('Verify')}
        </Button>
        {chosen.some(({ slug }) => slug !== null) && (
          <Button disabled={isTooMany} onClick={() => actions.ask('links', chosen)}>
            {say('Edit links')}
          </Button>
        )}
        <Danger disabled={isTooMany} onClick={() => actions.remove(chosen)}>
          {say('Delete')}
        </Danger>
      </div>
    </section>
  );
};

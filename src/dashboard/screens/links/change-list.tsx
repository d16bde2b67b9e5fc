import type { ComponentChildren } from 'preact';
import type { LinkChange } from '../../api/shapes.ts';
import { moment } from '../../ui/format.ts';
import { More } from '../../ui/lists/more.tsx';
import type { Pages } from '../../ui/lists/paged.ts';
import { Failure, Loaded } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';

interface Change {
  readonly at: string;
  readonly key: LinkChange['key'];
}

/** Lists earlier states, the present one first. Earlier ones have a button that brings them back. */
export const ChangeList = <T extends Change>({
  title,
  pages,
  show,
  onReturn,
}: {
  readonly title: string;
  readonly pages: Pages<T>;
  readonly show: (change: T) => ComponentChildren;
  readonly onReturn: (change: T) => Promise<void>;
}) => {
  const { run, fault, busy } = useAction();
  return (
    <details>
      <summary>{title}</summary>
      <div class="stack">
        {fault && <Failure fault={fault} />}
        <Loaded load={pages.first} what="the history">
          {() => (
            <ol class="history">
              {pages.items.map((change, index) => (
                <li key={`${change.at}${index}`}>
                  <span class="change">
                    {show(change)}
                    <span class="muted small">
                      {moment(change.at)}, by{' '}
                      {change.key === null ? 'the operator' : `the key “${change.key.name}”`}
                    </span>
                  </span>
                  {index === 0 ? (
                    <span class="chip good">current</span>
                  ) : (
                    <button type="button" disabled={busy} onClick={() => void run(() => onReturn(change))}>
                      Use it again
                    </button>
                  )}
                </li>
              ))}
            </ol>
          )}
        </Loaded>
        <More pages={pages} />
      </div>
    </details>
  );
};

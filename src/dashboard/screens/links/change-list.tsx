import type { ComponentChildren } from 'preact';
import type { Pages } from '../../api/query.ts';
import type { LinkChange } from '../../api/shapes.ts';
import { Button, useAction } from '../../ui/buttons.tsx';
import { formatMoment } from '../../ui/format.ts';
import { More } from '../../ui/lists.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';

interface Change {
  readonly at: string;
  readonly key: LinkChange['key'];
}

interface ChangeListProps<T extends Change> {
  readonly title: string;
  readonly pages: Pages & { readonly items: readonly T[] };
  readonly show: (change: T) => ComponentChildren;
  readonly onReturn: (change: T) => Promise<void>;
}

/** Lists earlier states, the present one first. Earlier ones have a button that brings them back. */
export const ChangeList = <T extends Change>({ title, pages, show, onReturn }: ChangeListProps<T>) => {
  const { run, fault, busy } = useAction();
  return (
    <details>
      <summary>{title}</summary>
      <div class="stack">
        {fault && <Failure fault={fault} />}
        <Loaded load={pages} what="the history">
          {() => (
            <ol class="history">
              {pages.items.map((change, index) => (
                <li key={`${change.at}${index}`}>
                  <span class="change">
                    {show(change)}
                    <span class="muted small">
                      {formatMoment(change.at)}, by{' '}
                      {change.key === null ? 'the operator' : `the key “${change.key.name}”`}
                    </span>
                  </span>
                  {index === 0 ? (
                    <span class="chip good">current</span>
                  ) : (
                    <Button disabled={busy} onClick={() => void run(() => onReturn(change))}>
                      Use it again
                    </Button>
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

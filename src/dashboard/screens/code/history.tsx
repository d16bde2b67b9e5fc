import { api, ask } from '../../api/client.ts';
import { moment } from '../../ui/format.ts';
import { More } from '../../ui/lists/more.tsx';
import { usePages } from '../../ui/lists/paged.ts';
import { Failure, Loaded } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';

/**
 * Shows every destination that a link has had, the current one first. Earlier ones have a button that restores them.
 */
export const History = ({
  slug,
  changedAt,
  onReturn,
}: {
  readonly slug: string;
  readonly changedAt: string;
  readonly onReturn: (destination: string) => Promise<void>;
}) => {
  const { run, fault, busy } = useAction();
  const pages = usePages(
    (cursor, signal) =>
      ask(
        api.GET('/api/v1/links/{slug}/history', {
          params: { path: { slug }, query: { limit: 10, ...(cursor && { cursor }) } },
          signal: signal ?? null,
        }),
      ),
    [slug, changedAt],
  );
  return (
    <details>
      <summary>Earlier destinations</summary>
      <div class="stack">
        {fault && <Failure fault={fault} />}
        <Loaded load={pages.first} what="the history">
          {() => (
            <ol class="history">
              {pages.items.map(({ destination, at, key }, index) => (
                <li key={`${at}${index}`}>
                  <span>
                    <span class="wrap">{destination}</span>
                    <br />
                    <span class="muted small">
                      {moment(at)}, by {key === null ? 'the operator' : `the key “${key.name}”`}
                    </span>
                  </span>
                  {index === 0 ? (
                    <span class="chip good">current</span>
                  ) : (
                    <button
                      type="button"
                      disabled={busy}
                      onClick={() => void run(() => onReturn(destination))}
                    >
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

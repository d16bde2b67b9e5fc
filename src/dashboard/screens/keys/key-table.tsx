import { useState } from 'preact/hooks';
import type { Key } from '../../api/shapes.ts';
import { count, day, moment } from '../../ui/format.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { SCOPES } from './scopes.ts';

const nameOf = (scope: string): string => SCOPES.find(([known]) => known === scope)?.[1] ?? scope;

/** Shows the active keys, each with a button that revokes it. */
export const KeyTable = ({
  keys,
  revoke,
  warning,
  onRevoked,
}: {
  readonly keys: readonly Key[];
  readonly revoke: (id: string) => Promise<unknown>;
  /** What else revoking does, for the dialog that asks. */
  readonly warning?: string;
  readonly onRevoked: () => void;
}) => {
  const [doomed, setDoomed] = useState<Key | null>(null);
  return (
    <>
      <ul class="keys">
        {keys.map((key) => (
          <li key={key.id}>
            <div>
              <strong>{key.name}</strong> <code>{key.prefix}…</code>
              <p class="muted">
                Created {day(key.created_at)},{' '}
                {key.last_used_at === null ? 'never used' : `last used ${moment(key.last_used_at)}`}
              </p>
            </div>
            <p class="scopes">
              {key.scopes.map((scope) => (
                <span class="chip" key={scope}>
                  {nameOf(scope)}
                </span>
              ))}
              {key.rate_limit_per_second !== null && (
                <span class="chip">{count(key.rate_limit_per_second, 'request')} a second</span>
              )}
            </p>
            <button
              type="button"
              class="danger"
              aria-label={`Revoke ${key.name}`}
              onClick={() => setDoomed(key)}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
      {doomed !== null && (
        <RevokeDialog
          doomed={doomed}
          revoke={revoke}
          warning={warning}
          onClose={() => setDoomed(null)}
          onRevoked={() => {
            setDoomed(null);
            onRevoked();
          }}
        />
      )}
    </>
  );
};

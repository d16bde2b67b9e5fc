import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { useSession } from '../../session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { SCOPES, type Scope } from './scopes.ts';
import { SecretShown } from './secret-shown.tsx';

/** Makes a key in a dialog, and shows its secret once. */
export const NewKey = ({
  onMade,
  onClose,
}: {
  readonly onMade: () => void;
  readonly onClose: () => void;
}) => {
  const session = useSession();
  const mayGrant = (scope: Scope) => session.scopes.includes(scope);
  const [name, setName] = useState('');
  const [perSecond, setPerSecond] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>((['generate', 'render'] as const).filter(mayGrant));
  const { busy, fault, run } = useAction();
  const [secret, setSecret] = useState<string | null>(null);

  const make = async (): Promise<void> => {
    const limit = perSecond === '' ? {} : { rateLimitPerSecond: Number(perSecond) };
    const body = { name: name.trim(), scopes: [...scopes], ...limit };
    const { key } = await ask(api.POST('/api/v1/keys', { body }));
    setSecret(key);
    onMade();
  };
  const toggle = (scope: Scope, on: boolean) =>
    setScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope));

  if (secret !== null) return <SecretShown what="key" secret={secret} onDone={onClose} />;
  return (
    <Dialog title="New key" onClose={onClose}>
      <form
        class="stack new-key"
        onSubmit={(event) => {
          event.preventDefault();
          void run(make);
        }}
      >
        <div class="field">
          <label for="key-name">
            Name <span class="muted">who or what uses it</span>
          </label>
          <input
            id="key-name"
            type="text"
            maxLength={200}
            required
            autocomplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </div>
        <fieldset class="choice">
          <legend>What it may do</legend>
          {SCOPES.map(([scope, title, meaning]) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                disabled={!mayGrant(scope)}
                onChange={(event) => toggle(scope, event.currentTarget.checked)}
              />
              <span>
                {title}{' '}
                <span class="muted">
                  {mayGrant(scope) ? meaning : 'your own key does not have this scope'}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        <div class="field">
          <label for="key-rate">
            Requests a second <span class="muted">empty: as many as the account may send</span>
          </label>
          <input
            id="key-rate"
            type="number"
            min={1}
            max={1_000_000}
            step={1}
            value={perSecond}
            onInput={(event) => setPerSecond(event.currentTarget.value)}
          />
        </div>
        {fault !== null && <Failure fault={fault} />}
        <div class="row">
          <button type="submit" class="primary" disabled={busy || name.trim() === '' || scopes.length === 0}>
            {busy ? 'Creating …' : 'Create key'}
          </button>
          <button type="button" class="quiet" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
};

import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { UnitsField } from '../../ui/forms/units-field.tsx';
import { Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { SCOPES, type Scope } from '../keys/scopes.ts';

/** Asks what a new key of an account may do, and makes it. `onMade` gets its secret. */
export const NewAccountKey = ({
  accountId,
  onClose,
  onMade,
}: {
  readonly accountId: string;
  readonly onClose: () => void;
  readonly onMade: (secret: string) => void;
}) => {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPES.map(([scope]) => scope));
  const [perSecond, setPerSecond] = useState('');
  const { busy, fault, run } = useAction();
  const make = async (): Promise<void> => {
    const limit = perSecond === '' ? {} : { rateLimitPerSecond: Number(perSecond) };
    const body = { name: name.trim(), scopes: [...scopes], ...limit };
    const params = { path: { id: accountId } };
    onMade((await ask(api.POST('/admin/v1/accounts/{id}/keys', { params, body }))).key);
  };
  const toggle = (scope: Scope, on: boolean) =>
    setScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope));
  return (
    <Dialog title="New key" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run(make);
        }}
      >
        <label>
          <span>
            Name <span class="muted">who or what uses it</span>
          </span>
          <input
            value={name}
            required
            maxLength={200}
            autocomplete="off"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <fieldset class="choice">
          <legend>What it may do</legend>
          {SCOPES.map(([scope, title, meaning]) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={(event) => toggle(scope, event.currentTarget.checked)}
              />
              <span>
                {title} <span class="muted">{meaning}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <UnitsField
          id="new-key-rate"
          label="Requests a second"
          hint="empty: as many as the account may send"
          min={1}
          value={perSecond}
          onValue={setPerSecond}
        />
        {fault !== null && <Failure fault={fault} />}
        <div class="row">
          <button type="submit" class="primary" disabled={busy || name.trim() === '' || scopes.length === 0}>
            Create key
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
};

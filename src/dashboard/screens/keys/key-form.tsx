import { useState } from 'preact/hooks';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { UnitsField } from '../../ui/forms/units-field.tsx';
import { useAction } from '../../ui/use-action.ts';
import { SCOPES, type Scope } from './scopes.ts';

/** What somebody wants of a key, as the service takes it. */
export interface WantedKey {
  readonly name: string;
  readonly scopes: Scope[];
  readonly rateLimitPerSecond?: number;
}

/** Asks in a dialog what a new key is called and may do. `create` makes it. */
export const KeyForm = ({
  first,
  mayGrant = () => true,
  create,
  onClose,
}: {
  /** The scopes that are chosen at first. */
  readonly first: readonly Scope[];
  readonly mayGrant?: (scope: Scope) => boolean;
  readonly create: (wanted: WantedKey) => Promise<void>;
  readonly onClose: () => void;
}) => {
  const [name, setName] = useState('');
  const [perSecond, setPerSecond] = useState('');
  const [scopes, setScopes] = useState(first);
  const { busy, fault, run } = useAction();
  const toggle = (scope: Scope, on: boolean) =>
    setScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope));
  const limit = perSecond === '' ? {} : { rateLimitPerSecond: Number(perSecond) };
  return (
    <FormDialog
      title="New key"
      action="Create key"
      isReady={!busy && name.trim() !== '' && scopes.length > 0}
      fault={fault}
      onSubmit={() => void run(() => create({ name: name.trim(), scopes: [...scopes], ...limit }))}
      onClose={onClose}
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
              disabled={!mayGrant(scope)}
              onChange={(event) => toggle(scope, event.currentTarget.checked)}
            />
            <span>
              {title}{' '}
              <span class="muted">{mayGrant(scope) ? meaning : 'your own key does not have this scope'}</span>
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
    </FormDialog>
  );
};

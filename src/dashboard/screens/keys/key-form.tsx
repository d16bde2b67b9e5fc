import { useState } from 'preact/hooks';
import { refresh } from '../../api/query.ts';
import { NameInput, UnitsInput } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form.tsx';
import { SCOPES, type Scope } from './key-table.tsx';
import { SecretShown } from './secret-shown.tsx';

/** What somebody wants of a key, as the service takes it. */
interface WantedKey {
  readonly name: string;
  readonly scopes: Scope[];
  readonly rate_limit_per_second?: number;
}

interface KeyFormProps {
  /** The scopes that are chosen at first. */
  readonly first: readonly Scope[];
  readonly mayGrant?: (scope: Scope) => boolean;
  /** Creates the key and returns its secret. */
  readonly create: (wanted: WantedKey) => Promise<{ readonly key: string }>;
  readonly onClose: () => void;
}

/** Asks in a dialog what a new key is called and may do, has it made, and shows its secret once. */
export const KeyForm = ({ first, mayGrant = () => true, create, onClose }: KeyFormProps) => {
  const [name, setName] = useState('');
  const [perSecond, setPerSecond] = useState('');
  const [scopes, setScopes] = useState(first);
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretShown what="key" secret={secret} onDone={onClose} />;
  const toggle = (scope: Scope, on: boolean) =>
    setScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope));
  const limit = perSecond === '' ? {} : { rate_limit_per_second: Number(perSecond) };
  const submit = async (): Promise<void> => {
    const { key } = await create({ name: name.trim(), scopes: [...scopes], ...limit });
    setSecret(key);
    refresh();
  };
  return (
    <FormDialog
      title="New key"
      action="Create key"
      isReady={name.trim() !== '' && scopes.length > 0}
      submit={submit}
      staysOpen
      onClose={onClose}
    >
      {() => (
        <>
          <NameInput hint="who or what uses it" value={name} required onText={setName} />
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
          <UnitsInput
            label="Requests a second"
            hint="empty: as many as the account may send"
            min={1}
            value={perSecond}
            onText={setPerSecond}
          />
        </>
      )}
    </FormDialog>
  );
};

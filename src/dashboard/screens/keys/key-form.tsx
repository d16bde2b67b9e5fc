import { useState } from 'preact/hooks';
import { refresh } from '../../api/query.ts';
import { CheckInput, NameInput } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { type Bounds, BoundsInputs, changedBounds, UNBOUNDED } from './bounds.tsx';
import { SCOPES, type Scope } from './key-table.tsx';
import { SecretShown } from './secrets.tsx';

/** What somebody wants of a key, as the service takes it. */
interface WantedKey extends Bounds {
  readonly name: string;
  readonly scopes: Scope[];
  readonly sandbox?: true;
  readonly load_tests?: true;
}

interface KeyFormProps {
  /** The scopes that are chosen at first. */
  readonly first: readonly Scope[];
  readonly mayGrant?: (scope: Scope) => boolean;
  /** Whether the key may be one for load tests; absent: yes. */
  readonly mayLoadTest?: boolean;
  /** Creates the key and returns its secret. */
  readonly create: (wanted: WantedKey) => Promise<{ readonly key: string }>;
  readonly onClose: () => void;
}

/** Asks in a dialog what a new key is called and may do, has it made, and shows its secret once. */
export const KeyForm = ({
  first,
  mayGrant = () => true,
  mayLoadTest = true,
  create,
  onClose,
}: KeyFormProps) => {
  const [name, setName] = useState('');
  const [bounds, setBounds] = useState(UNBOUNDED);
  const [isSandbox, setSandbox] = useState(false);
  const [loadTests, setLoadTests] = useState(false);
  const [scopes, setScopes] = useState(first);
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretShown what="key" secret={secret} onDone={onClose} />;
  const toggle = (scope: Scope, on: boolean) =>
    setScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope));
  const mayHave = (scope: Scope): boolean => mayGrant(scope) && !(isSandbox && scope === 'manage');
  const chosen = scopes.filter(mayHave);
  const reasonAgainst = (scope: Scope): string =>
    mayGrant(scope) ? 'a sandbox key does not have this scope' : 'your own key does not have this scope';
  const submit = async (): Promise<void> => {
    const units = isSandbox ? UNBOUNDED.units : bounds.units;
    const { key } = await create({
      name: name.trim(),
      scopes: chosen,
      ...changedBounds({ ...bounds, units }, UNBOUNDED),
      ...(isSandbox && { sandbox: true }),
      ...(loadTests && { load_tests: true }),
    });
    setSecret(key);
    refresh();
  };
  return (
    <FormDialog
      title="New key"
      action="Create key"
      isReady={name.trim() !== '' && chosen.length > 0}
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
                  checked={chosen.includes(scope)}
                  disabled={!mayHave(scope)}
                  onChange={(event) => toggle(scope, event.currentTarget.checked)}
                />
                <span>
                  {title} <span class="muted">{mayHave(scope) ? meaning : reasonAgainst(scope)}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <CheckInput
            label="Sandbox"
            hint="For trying things out: pictures say TEST, and nothing is charged or saved."
            isOn={isSandbox}
            onToggle={setSandbox}
          />
          {mayLoadTest && (
            <CheckInput
              label="Load tests"
              hint="Its calls may say that they belong to a load test, which keeps them apart in reports."
              isOn={loadTests}
              onToggle={setLoadTests}
            />
          )}
          <BoundsInputs draft={bounds} onDraft={setBounds} isSandbox={isSandbox} />
        </>
      )}
    </FormDialog>
  );
};

/** The dialogs that make and change a key. */
import { useState } from 'preact/hooks';
import { refresh } from '../../api/query.ts';
import type { Key } from '../../api/shapes.ts';
import { useToast } from '../../ui/buttons.tsx';
import { CheckInput, Input, NameInput, UnitsInput } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { toInputTime } from '../../ui/format.ts';
import { useDraft } from '../../ui/kept/drafts.ts';
import { say } from '../../words/say.ts';
import { SecretShown } from './secrets.tsx';

export type KeyChange = Bounds & { readonly name?: string };

/** What a key may do: the scope, its name, and what it allows. */
export const SCOPES = [
  ['generate', say('Create codes'), say('single codes, bulk calls and batches')],
  ['render', say('Embed pictures'), say('pictures in web pages and emails, by their address')],
  ['manage', say('Manage'), say('folders, codes, links, keys, and this dashboard')],
] as const;

export type Scope = (typeof SCOPES)[number][0];

/** Returns the last moment of a day in the reader's time zone; a date input writes `YYYY-MM-DD`. */
export const endOfDay = (date: string): Date => new Date(`${date}T23:59:59`);

const dayOf = (at: Date): string => toInputTime(at).slice(0, 10);

/** What is typed; empty stands for no bound. */
type BoundsDraft = Readonly<Record<'perSecond' | 'units' | 'lastDay', string>>;

const UNBOUNDED: BoundsDraft = { perSecond: '', units: '', lastDay: '' };

/** Returns the bounds of a key as they are typed. */
const draftOf = (key: Key): BoundsDraft => ({
  perSecond: key.rate_limit_per_second === null ? '' : String(key.rate_limit_per_second),
  units: key.monthly_quota === null ? '' : String(key.monthly_quota),
  lastDay: key.expires_at === null ? '' : dayOf(new Date(key.expires_at)),
});

interface Bounds {
  readonly rate_limit_per_second?: number | null;
  readonly monthly_quota?: number | null;
  readonly expires_at?: string | null;
}

const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text));

/** Returns the bounds that differ from what they were before. */
const changedBounds = (draft: BoundsDraft, before: BoundsDraft): Bounds => ({
  ...(draft.perSecond === before.perSecond ? {} : { rate_limit_per_second: numberOrNull(draft.perSecond) }),
  ...(draft.units === before.units ? {} : { monthly_quota: numberOrNull(draft.units) }),
  ...(draft.lastDay === before.lastDay
    ? {}
    : { expires_at: draft.lastDay === '' ? null : endOfDay(draft.lastDay).toISOString() }),
});

interface LastDayProps {
  readonly hint: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** Takes the last day on which something works. */
export const LastDayInput = (props: LastDayProps) => (
  <Input type="date" label={say('Last day')} min={dayOf(new Date())} {...props} />
);

interface BoundsInputsProps {
  readonly draft: BoundsDraft;
  readonly onDraft: (draft: BoundsDraft) => void;
  /** A sandbox key pays nothing, and so has no quota. */
  readonly isSandbox: boolean;
}

const BoundsInputs = ({ draft, onDraft, isSandbox }: BoundsInputsProps) => {
  const set = (name: keyof BoundsDraft) => (text: string) => onDraft({ ...draft, [name]: text });
  return (
    <>
      <UnitsInput
        label={say('Requests a second')}
        hint={say('empty: the limit of the account')}
        min={1}
        value={draft.perSecond}
        onText={set('perSecond')}
      />
      {!isSandbox && (
        <UnitsInput
          label={say('Units a month')}
          hint={say('empty: the quota of the account')}
          value={draft.units}
          onText={set('units')}
        />
      )}
      <LastDayInput hint={say('empty: it never expires')} value={draft.lastDay} onText={set('lastDay')} />
    </>
  );
};

interface KeyRequest extends Bounds {
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
  readonly create: (wanted: KeyRequest) => Promise<{ readonly key: string }>;
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
  const [{ name, bounds, isSandbox, loadTests, scopes }, enter, draft] = useDraft('new key', {
    name: '',
    bounds: UNBOUNDED,
    isSandbox: false,
    loadTests: false,
    scopes: first,
  });
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretShown what={say('key')} secret={secret} onDone={onClose} />;
  const toggle = (scope: Scope, on: boolean) =>
    enter({ scopes: on ? [...scopes, scope] : scopes.filter((other) => other !== scope) });
  const mayHave = (scope: Scope): boolean => mayGrant(scope) && !(isSandbox && scope === 'manage');
  const chosen = scopes.filter(mayHave);
  const reasonAgainst = (scope: Scope): string =>
    mayGrant(scope) ? say('a sandbox key may not do this') : say('your own key may not do this');
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
      title={say('New key')}
      action={say('Create key')}
      isReady={name.trim() !== '' && chosen.length > 0}
      submit={submit}
      draft={draft}
      staysOpen
      onClose={onClose}
    >
      {() => (
        <>
          <NameInput
            hint={say('who or what uses it')}
            value={name}
            required
            onText={(typed) => enter({ name: typed })}
          />
          <fieldset class="choice">
            <legend>{say('What it may do')}</legend>
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
            label={say('Sandbox')}
            hint={say('For trying things out: pictures say TEST, and nothing is charged or saved.')}
            isOn={isSandbox}
            onToggle={(isOn) => enter({ isSandbox: isOn })}
          />
          {mayLoadTest && (
            <CheckInput
              label={say('Load tests')}
              hint={say(
                'Its calls may say that they belong to a load test, which keeps them apart in reports.',
              )}
              isOn={loadTests}
              onToggle={(isOn) => enter({ loadTests: isOn })}
            />
          )}
          <BoundsInputs draft={bounds} onDraft={(next) => enter({ bounds: next })} isSandbox={isSandbox} />
        </>
      )}
    </FormDialog>
  );
};

interface EditKeyProps {
  readonly edited: Key;
  readonly save: (id: string, change: KeyChange) => Promise<unknown>;
  readonly onClose: () => void;
}

export const EditKey = ({ edited, save, onClose }: EditKeyProps) => {
  const toast = useToast();
  const before = draftOf(edited);
  const [{ name, ...bounds }, enter, draft] = useDraft(`key ${edited.id}`, {
    name: edited.name,
    ...before,
  });
  const change: KeyChange = {
    ...(name.trim() === edited.name ? {} : { name: name.trim() }),
    ...changedBounds(bounds, before),
  };
  const submit = async (): Promise<void> => {
    await save(edited.id, change);
    toast({ text: say('Saved. It applies within a second.') });
    refresh();
  };
  return (
    <FormDialog
      title={say('Edit “{name}”', { name: edited.name })}
      action={say('Save')}
      isReady={name.trim() !== '' && Object.keys(change).length > 0}
      submit={submit}
      draft={draft}
      onClose={onClose}
    >
      {(aria) => (
        <>
          <NameInput value={name} required onText={(typed) => enter({ name: typed })} {...aria} />
          <BoundsInputs draft={bounds} onDraft={enter} isSandbox={edited.sandbox} />
        </>
      )}
    </FormDialog>
  );
};

/** The keys of an account, with what changes, replaces and revokes them. */
import { useState } from 'preact/hooks';
import { refresh } from '../../api/query.ts';
import type { Key } from '../../api/shapes.ts';
import { Danger, Quiet, useToast } from '../../ui/buttons.tsx';
import { CheckInput, type Options, SelectInput } from '../../ui/fields.tsx';
import { FormDialog, Question } from '../../ui/form.tsx';
import { count, formatDay, formatMoment } from '../../ui/format.ts';
import { useAddressed } from '../../ui/kept/address.ts';
import { Search } from '../../ui/lists.tsx';
import { Empty } from '../../ui/states.tsx';
import { say, sayWith } from '../../words/say.ts';
import { EditKey, endOfDay, type KeyChange, LastDayInput, SCOPES } from './key-form.tsx';
import { SecretShown } from './secrets.tsx';

/** How a key is replaced. */
export interface KeyRotation {
  readonly overlap_hours: number;
  readonly expires_at?: string;
}

/** The calls that change keys: those of an account, or of the operator. */
export interface KeyCalls {
  readonly save: (id: string, change: KeyChange) => Promise<unknown>;
  readonly rotate: (id: string, rotation: KeyRotation) => Promise<{ readonly key: string }>;
  /** @param withMade Whether the keys that it made are revoked with it. */
  readonly revoke: (id: string, withMade: boolean) => Promise<unknown>;
}

const nameOf = (scope: string): string => SCOPES.find(([known]) => known === scope)?.[1] ?? scope;

const isOver = (at: string): boolean => Date.parse(at) <= Date.now();

/** Says when a key stops, and whether another one has taken its place. */
const End = ({ of: { expires_at: at, replaced_by: successor } }: { readonly of: Key }) => {
  if (at === null) return null;
  if (successor === null)
    return (
      <span class="chip">
        {isOver(at)
          ? say('Expired {moment}', { moment: formatMoment(at) })
          : say('Expires {moment}', { moment: formatMoment(at) })}
      </span>
    );
  return (
    <span class="chip warn">
      {isOver(at) ? say('Replaced') : say('Replaced, works until {moment}', { moment: formatMoment(at) })}
    </span>
  );
};

const Chips = ({ of: key }: { readonly of: Key }) => (
  <>
    {key.sandbox && <span class="chip">{say('Sandbox')}</span>}
    {key.load_tests && <span class="chip">{say('Load tests')}</span>}
    {key.rate_limit_per_second !== null && (
      <span class="chip">
        {say('{requests} a second', { requests: count(key.rate_limit_per_second, 'request', 'requests') })}
      </span>
    )}
    {key.monthly_quota !== null && (
      <span class="chip">
        {say('{usageCount} of {units} this month', {
          usageCount: key.usage_count,
          units: count(key.monthly_quota, 'unit', 'units'),
        })}
      </span>
    )}
    <End of={key} />
  </>
);

/** Says which key made a key; nothing of one that the operator made. */
const Maker = ({ of: { made_by: id }, among }: { readonly of: Key; readonly among: readonly Key[] }) => {
  if (id === null) return null;
  const maker = among.find((key) => key.id === id);
  if (maker === undefined) return say(', made with a key that is revoked');
  return sayWith(', made with “{name}” {code}', { name: maker.name, code: <code>{maker.prefix}…</code> });
};

interface OneKeyProps {
  readonly of: Key;
  /** Whether the session that shows it was started with it. */
  readonly isInUse: boolean;
  readonly calls: KeyCalls;
  readonly onClose: () => void;
}

const SIGNED_OUT = say('You signed in with this key, so you will be signed out when it stops.');

/** Asks before a key is revoked, and whether the keys that it made are revoked with it. */
const Revocation = ({ of: revoked, isInUse, calls, onClose }: OneKeyProps) => {
  const toast = useToast();
  const [withMade, setWithMade] = useState(false);
  const { id, name, prefix, made_count: made } = revoked;
  const revokeNow = async (): Promise<void> => {
    await calls.revoke(id, withMade);
    toast({
      text: withMade
        ? say('“{name}” and the keys made with it are revoked.', { name })
        : say('“{name}” is revoked.', { name }),
    });
    refresh();
  };
  return (
    <Question
      title={say('Revoke “{name}”?', { name })}
      yes={withMade ? say('Revoke keys') : say('Revoke key')}
      no={say('Keep key')}
      act={revokeNow}
      onClose={onClose}
    >
      <p>
        {sayWith(
          'Every request with {code} will be refused, including pictures in web pages and emails, also those that its signing secrets signed. This cannot be undone.',
          { code: <code>{prefix}…</code> },
        )}{' '}
        {isInUse && SIGNED_OUT}
      </p>
      {made > 0 && (
        <CheckInput
          label={say('Also revoke the {keys} made with it', { keys: count(made, 'key', 'keys') })}
          hint={say(
            'If not, whoever has such a key can go on using it, within the limits that this key has now.',
          )}
          isOn={withMade}
          onToggle={setWithMade}
        />
      )}
    </Question>
  );
};

const OVERLAPS: Options<string> = [
  ['0', say('It stops at once')],
  ['1', say('For an hour')],
  ['24', say('For a day')],
  ['168', say('For a week')],
  ['720', say('For 30 days')],
];

/** Replaces a key by one that can do the same, and shows its secret once. */
const Rotation = ({ of: { id, name, prefix, expires_at: at }, isInUse, calls, onClose }: OneKeyProps) => {
  const [hours, setHours] = useState('24');
  const [lastDay, setLastDay] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretShown what={say('key')} secret={secret} onDone={onClose} />;
  const hasEnded = at !== null && isOver(at);
  const submit = async (): Promise<void> => {
    const rotation = {
      overlap_hours: Number(hours),
      ...(hasEnded && { expires_at: endOfDay(lastDay).toISOString() }),
    };
    const { key } = await calls.rotate(id, rotation);
    setSecret(key);
    // A session that ends shows the secret no more, so the list waits until it is copied.
    if (!(isInUse && hours === '0')) refresh();
  };
  return (
    <FormDialog
      title={say('Replace “{name}”', { name })}
      action={say('Make the new key')}
      isReady={!hasEnded || lastDay !== ''}
      submit={submit}
      staysOpen
      onClose={onClose}
    >
      {() => (
        <>
          <p>
            {sayWith(
              'The new key has the same name, limits and permissions, and signed pictures keep working. Give it to your programs while {code} still works.',
              { code: <code>{prefix}…</code> },
            )}{' '}
            {isInUse && SIGNED_OUT}
          </p>
          {hasEnded ? (
            <LastDayInput
              hint={say('of the new key; the old one has expired')}
              value={lastDay}
              onText={setLastDay}
            />
          ) : (
            <SelectInput
              label={say('The old key works on')}
              value={hours}
              options={OVERLAPS}
              onChoose={setHours}
            />
          )}
        </>
      )}
    </FormDialog>
  );
};

/** With fewer keys than these, all are seen at once. */
const MANY = 9;

const ORDERS = [
  ['newest', say('Newest first')],
  ['recent', say('Last used first')],
  ['unused', say('Longest unused first')],
  ['units', say('Most units first')],
  ['name', say('By name')],
] as const satisfies Options<string>;
type Order = (typeof ORDERS)[number][0];

const usedMs = ({ last_used_at: at }: Key): number => (at === null ? 0 : Date.parse(at));

/** The keys come newest first. */
const sorted = (keys: readonly Key[], order: Order): readonly Key[] => {
  if (order === 'recent') return keys.toSorted((a, b) => usedMs(b) - usedMs(a));
  if (order === 'unused') return keys.toSorted((a, b) => usedMs(a) - usedMs(b));
  if (order === 'units') return keys.toSorted((a, b) => b.usage_count - a.usage_count);
  return order === 'name' ? keys.toSorted((a, b) => a.name.localeCompare(b.name)) : keys;
};

const isFound = ({ name, prefix, id }: Key, text: string): boolean =>
  [name, prefix, id].some((each) => each.toLowerCase().includes(text.toLowerCase()));

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly calls: KeyCalls;
  /** The key with which the session was started; absent: that is none of an account. */
  readonly inUse?: string;
}

/** Shows the active keys, each with buttons that change, replace and revoke it; many can be searched and sorted. */
export const KeyTable = ({ keys, calls, inUse }: KeyTableProps) => {
  const [dialog, setDialog] = useState<{ readonly what: 'edit' | 'rotate' | 'revoke'; readonly of: Key }>();
  const [{ key: text, order }, choose] = useAddressed(
    { key: '', order: 'newest' as Order },
    { order: ORDERS },
  );
  const shown = sorted(keys, order).filter((key) => isFound(key, text));
  const close = () => setDialog(undefined);
  const one = dialog && { of: dialog.of, isInUse: dialog.of.id === inUse, calls, onClose: close };
  return (
    <>
      {keys.length >= MANY && (
        <div class="toolbar">
          <Search
            label={say('Find by name or beginning')}
            searched={text}
            onSearch={(key) => choose({ key }, 'typed')}
          />
          <SelectInput
            look="narrow"
            label={say('Order')}
            isLabelHidden
            value={order}
            options={ORDERS}
            onChoose={(chosen) => choose({ order: chosen })}
          />
        </div>
      )}
      {shown.length === 0 && <Empty title={say('No key fits “{text}”.', { text })} />}
      <ul class="rows">
        {shown.map((key) => (
          <li key={key.id}>
            <div>
              <strong>{key.name}</strong> <code>{key.prefix}…</code>{' '}
              {key.id === inUse && <span class="chip good">{say('You are signed in with it')}</span>}
              <p class="muted">
                {say('Created {day}', { day: formatDay(key.created_at) })},{' '}
                {key.last_used_at === null
                  ? say('never used')
                  : say('last used {moment}', { moment: formatMoment(key.last_used_at) })}
                <Maker of={key} among={keys} />
              </p>
            </div>
            <p class="row">
              {key.scopes.map((scope) => (
                <span class="chip" key={scope}>
                  {nameOf(scope)}
                </span>
              ))}
              <Chips of={key} />
            </p>
            <div class="row">
              <Quiet
                aria-label={say('Edit {name}', { name: key.name })}
                onClick={() => setDialog({ what: 'edit', of: key })}
              >
                {say('Edit')}
              </Quiet>
              {key.replaced_by === null && (
                <Quiet
                  aria-label={say('Replace {name}', { name: key.name })}
                  onClick={() => setDialog({ what: 'rotate', of: key })}
                >
                  {say('Replace')}
                </Quiet>
              )}
              <Danger
                aria-label={say('Revoke {name}', { name: key.name })}
                onClick={() => setDialog({ what: 'revoke', of: key })}
              >
                {say('Revoke')}
              </Danger>
            </div>
          </li>
        ))}
      </ul>
      {dialog?.what === 'edit' && <EditKey edited={dialog.of} save={calls.save} onClose={close} />}
      {one && dialog?.what === 'rotate' && <Rotation {...one} />}
      {one && dialog?.what === 'revoke' && <Revocation {...one} />}
    </>
  );
};

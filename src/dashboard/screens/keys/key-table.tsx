import { useState } from 'preact/hooks';
import { refresh } from '../../api/query.ts';
import type { Key } from '../../api/shapes.ts';
import { Danger, Quiet, useToast } from '../../ui/buttons.tsx';
import { Question } from '../../ui/dialog.tsx';
import { CheckInput, NameInput } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { count, formatDay, formatMoment, formatNumber } from '../../ui/format.ts';
import { type Bounds, BoundsInputs, changedBounds, draftOf } from './bounds.tsx';

/** What changes about a key. */
export type KeyChange = Bounds & { readonly name?: string };

interface EditKeyProps {
  readonly edited: Key;
  readonly save: (id: string, change: KeyChange) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Changes the name and the bounds of a key in a dialog. */
const EditKey = ({ edited, save, onClose }: EditKeyProps) => {
  const toast = useToast();
  const before = draftOf(edited);
  const [name, setName] = useState(edited.name);
  const [draft, setDraft] = useState(before);
  const change: KeyChange = {
    ...(name.trim() === edited.name ? {} : { name: name.trim() }),
    ...changedBounds(draft, before),
  };
  const submit = async (): Promise<void> => {
    await save(edited.id, change);
    toast({ text: 'Saved. It applies within a second.' });
    refresh();
  };
  return (
    <FormDialog
      title={`Edit “${edited.name}”`}
      action="Save"
      isReady={name.trim() !== '' && Object.keys(change).length > 0}
      submit={submit}
      onClose={onClose}
    >
      {(aria) => (
        <>
          <NameInput value={name} required onText={setName} {...aria} />
          <BoundsInputs draft={draft} onDraft={setDraft} isSandbox={edited.sandbox} />
        </>
      )}
    </FormDialog>
  );
};

/** What a key may do: the scope, its name, and what it allows. */
export const SCOPES = [
  ['generate', 'Create codes', 'single codes, imports and batches'],
  ['render', 'Embed pictures', 'pictures in web pages and emails, by their address'],
  ['manage', 'Manage', 'folders, codes, links, keys, and this dashboard'],
] as const;

/** The name of a scope in the API. */
export type Scope = (typeof SCOPES)[number][0];

const nameOf = (scope: string): string => SCOPES.find(([known]) => known === scope)?.[1] ?? scope;

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly save: (id: string, change: KeyChange) => Promise<unknown>;
  /** @param withMade Whether the keys that it made are revoked with it. */
  readonly revoke: (id: string, withMade: boolean) => Promise<unknown>;
  /** What else revoking does, for the dialog that asks. */
  readonly warning?: string;
}

/** Shows the bounds of a key, and whether it is a sandbox key or one for load tests. */
const Chips = ({ of: key }: { readonly of: Key }) => (
  <>
    {key.sandbox && <span class="chip">Sandbox</span>}
    {key.load_tests && <span class="chip">Load tests</span>}
    {key.rate_limit_per_second !== null && (
      <span class="chip">{count(key.rate_limit_per_second, 'request')} a second</span>
    )}
    {key.monthly_quota !== null && (
      <span class="chip">
        {formatNumber(key.usage_count)} of {count(key.monthly_quota, 'unit')} this month
      </span>
    )}
    {key.expires_at !== null && (
      <span class="chip">
        {Date.parse(key.expires_at) > Date.now() ? 'expires' : 'expired'} {formatMoment(key.expires_at)}
      </span>
    )}
  </>
);

/** Says which key made a key; nothing of one that the operator made. */
const Maker = ({ of: { made_by: id }, among }: { readonly of: Key; readonly among: readonly Key[] }) => {
  if (id === null) return null;
  const maker = among.find((key) => key.id === id);
  if (maker === undefined) return <>, made with a key that is revoked</>;
  return (
    <>
      , made with {maker.name} <code>{maker.prefix}…</code>
    </>
  );
};

interface RevocationProps extends Pick<KeyTableProps, 'revoke' | 'warning'> {
  readonly doomed: Key;
  readonly onClose: () => void;
}

/** Asks before a key is revoked, and whether the keys that it made are revoked with it. */
const Revocation = ({ doomed, revoke, warning, onClose }: RevocationProps) => {
  const toast = useToast();
  const [withMade, setWithMade] = useState(false);
  const { id, name, prefix, made_count: made } = doomed;
  const revokeNow = async (): Promise<void> => {
    await revoke(id, withMade);
    toast({
      text: withMade ? `“${name}” and the keys made with it are revoked.` : `“${name}” is revoked.`,
    });
    refresh();
  };
  return (
    <Question
      title={`Revoke “${name}”?`}
      yes={withMade ? 'Revoke keys' : 'Revoke key'}
      no="Keep key"
      act={revokeNow}
      onClose={onClose}
    >
      <p>
        Every request with <code>{prefix}…</code> will be refused, including pictures in web pages and emails,
        also those that its signing secrets signed. This cannot be undone. {warning}
      </p>
      {made > 0 && (
        <CheckInput
          label={`Also revoke the ${count(made, 'key')} made with it`}
          hint="Otherwise whoever has such a key goes on, within the limits that this key has now."
          isOn={withMade}
          onToggle={setWithMade}
        />
      )}
    </Question>
  );
};

/**
 * Shows the active keys, each with a button that changes it, and one that revokes it after a question, because that
 * cannot be undone.
 */
export const KeyTable = ({ keys, save, revoke, warning }: KeyTableProps) => {
  const [doomed, setDoomed] = useState<Key | null>(null);
  const [edited, setEdited] = useState<Key | null>(null);
  return (
    <>
      <ul class="keys">
        {keys.map((key) => (
          <li key={key.id}>
            <div>
              <strong>{key.name}</strong> <code>{key.prefix}…</code>
              <p class="muted">
                Created {formatDay(key.created_at)},{' '}
                {key.last_used_at === null ? 'never used' : `last used ${formatMoment(key.last_used_at)}`}
                <Maker of={key} among={keys} />
              </p>
            </div>
            <p class="scopes">
              {key.scopes.map((scope) => (
                <span class="chip" key={scope}>
                  {nameOf(scope)}
                </span>
              ))}
              <Chips of={key} />
            </p>
            <div class="row">
              <Quiet aria-label={`Edit ${key.name}`} onClick={() => setEdited(key)}>
                Edit
              </Quiet>
              <Danger aria-label={`Revoke ${key.name}`} onClick={() => setDoomed(key)}>
                Revoke
              </Danger>
            </div>
          </li>
        ))}
      </ul>
      {edited !== null && <EditKey edited={edited} save={save} onClose={() => setEdited(null)} />}
      {doomed !== null && (
        <Revocation
          doomed={doomed}
          revoke={revoke}
          {...(warning !== undefined && { warning })}
          onClose={() => setDoomed(null)}
        />
      )}
    </>
  );
};

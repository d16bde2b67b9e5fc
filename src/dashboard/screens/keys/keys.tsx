import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { getAll, refresh, useRead } from '../../api/query.ts';
import type { Key } from '../../api/shapes.ts';
import { useAskedForNew } from '../../ui/asked.ts';
import { Danger, Primary, Quiet, useToast } from '../../ui/buttons.tsx';
import { CheckInput } from '../../ui/fields.tsx';
import { Question } from '../../ui/form.tsx';
import { count, formatDay, formatMoment, formatNumber } from '../../ui/format.ts';
import { useSession } from '../../ui/hooks.ts';
import { Card, Page, Tabs } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { EditKey, type KeyChange, KeyForm, SCOPES, type Scope } from './key-form.tsx';

const nameOf = (scope: string): string => SCOPES.find(([known]) => known === scope)?.[1] ?? scope;

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly save: (id: string, change: KeyChange) => Promise<unknown>;
  /** @param withMade Whether the keys that it made are revoked with it. */
  readonly revoke: (id: string, withMade: boolean) => Promise<unknown>;
  /** What else revoking does, for the dialog that asks. */
  readonly warning?: string;
}

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
  readonly revoked: Key;
  readonly onClose: () => void;
}

/** Asks before a key is revoked, and whether the keys that it made are revoked with it. */
const Revocation = ({ revoked, revoke, warning, onClose }: RevocationProps) => {
  const toast = useToast();
  const [withMade, setWithMade] = useState(false);
  const { id, name, prefix, made_count: made } = revoked;
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
  const [revoked, setRevoked] = useState<Key | null>(null);
  const [edited, setEdited] = useState<Key | null>(null);
  return (
    <>
      <ul class="rows">
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
            <p class="row">
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
              <Danger aria-label={`Revoke ${key.name}`} onClick={() => setRevoked(key)}>
                Revoke
              </Danger>
            </div>
          </li>
        ))}
      </ul>
      {edited !== null && <EditKey edited={edited} save={save} onClose={() => setEdited(null)} />}
      {revoked !== null && (
        <Revocation
          revoked={revoked}
          revoke={revoke}
          {...(warning !== undefined && { warning })}
          onClose={() => setRevoked(null)}
        />
      )}
    </>
  );
};

/** Bounds the loop; nobody reads more than a thousand keys. */
const PAGES_MAX = 10;

const save = (id: string, body: KeyChange) =>
  ask(api.PATCH('/api/v1/keys/{id}', { params: { path: { id } }, body }));
const revoke = (id: string, withMade: boolean) => {
  const query = withMade ? { with_made: true } : {};
  return ask(api.DELETE('/api/v1/keys/{id}', { params: { path: { id }, query } }));
};

/** Shows the active keys of the account, changes them, and creates new ones. */
export default function Keys(_: { readonly path: string }) {
  const session = useSession();
  const mayGrant = (scope: Scope) => session.scopes.includes(scope);
  const keys = useRead(['keys'], (signal) =>
    getAll('/api/v1/keys', { query: { limit: 100 } }, PAGES_MAX, signal),
  );
  const [isMaking, setMaking] = useState(false);
  useAskedForNew(() => setMaking(true));
  return (
    <Page title="Keys" actions={<Primary onClick={() => setMaking(true)}>New key</Primary>}>
      <Tabs of="keys" />
      <Card title="Active keys">
        <Loaded load={keys} what="your keys">
          {(held) =>
            held.length === 0 ? (
              <Empty title="No keys yet.">
                <p>Programs use a key to call the service.</p>
              </Empty>
            ) : (
              <KeyTable
                keys={held}
                save={save}
                revoke={revoke}
                warning="If you signed in with a key that is revoked, you will be signed out."
              />
            )
          }
        </Loaded>
      </Card>
      {isMaking && (
        <KeyForm
          first={(['generate', 'render'] as const).filter(mayGrant)}
          mayGrant={mayGrant}
          mayLoadTest={session.load_tests}
          create={(body) => ask(api.POST('/api/v1/keys', { body }))}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  );
}

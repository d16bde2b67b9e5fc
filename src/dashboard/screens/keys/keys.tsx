import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { getAll, useRead } from '../../api/query.ts';
import { Primary } from '../../ui/buttons.tsx';
import { useSession } from '../../ui/hooks.ts';
import { useAskedForNew } from '../../ui/kept/asked.ts';
import { Card, Page, Tabs } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { KeyForm, type Scope } from './key-form.tsx';
import { type KeyCalls, KeyTable } from './key-table.tsx';

/** Bounds the loop; nobody reads more than a thousand keys. */
const PAGES_MAX = 10;

const CALLS: KeyCalls = {
  save: (id, body) => ask(api.PATCH('/api/v1/keys/{id}', { params: { path: { id } }, body })),
  rotate: (id, body) => ask(api.POST('/api/v1/keys/{id}/rotate', { params: { path: { id } }, body })),
  revoke: (id, withMade) => {
    const query = withMade ? { with_made: true } : {};
    return ask(api.DELETE('/api/v1/keys/{id}', { params: { path: { id }, query } }));
  },
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
    <Page title={say('Keys')} actions={<Primary onClick={() => setMaking(true)}>{say('New key')}</Primary>}>
      <Tabs of="keys" />
      <Card title={say('Active keys')}>
        <Loaded load={keys} what={say('your keys')}>
          {(held) =>
            held.length === 0 ? (
              <Empty title={say('No keys yet.')}>
                <p>{say('Programs use a key to call the service.')}</p>
              </Empty>
            ) : (
              <KeyTable keys={held} calls={CALLS} inUse={session.key_id} />
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

import { useState } from 'preact/hooks';
import { api, ask } from '../api/client.ts';
import type { Key } from '../api/shapes.ts';
import { Card, Page } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { KeyTable } from './keys/key-table.tsx';
import { NewKey } from './keys/new-key.tsx';
import { KeyTabs } from './keys/tabs.tsx';

const PAGE = 100;
/** Bounds the loop; nobody reads more than a thousand keys. */
const MAX_PAGES = 10;

const loadKeys = async (signal: AbortSignal): Promise<readonly Key[]> => {
  const keys: Key[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query: { limit: number; cursor?: string } =
      cursor === null ? { limit: PAGE } : { limit: PAGE, cursor };
    const { data, next_cursor } = await ask(api.GET('/api/v1/keys', { params: { query }, signal }));
    keys.push(...data);
    cursor = next_cursor;
    if (cursor === null) break;
  }
  return keys;
};

const revoke = (id: string) => ask(api.DELETE('/api/v1/keys/{id}', { params: { path: { id } } }));

/** Shows the active keys of the account, and makes further ones. */
export default function Keys(_: { readonly path: string }) {
  const keys = useLoad(loadKeys, []);
  const [isMaking, setMaking] = useState(false);
  return (
    <Page
      title="Keys"
      actions={
        <button type="button" class="primary" onClick={() => setMaking(true)}>
          New key
        </button>
      }
    >
      <KeyTabs at="keys" />
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
                revoke={revoke}
                warning="If you signed in with this key, you will be signed out."
                onRevoked={keys.reload}
              />
            )
          }
        </Loaded>
      </Card>
      {isMaking && <NewKey onMade={keys.reload} onClose={() => setMaking(false)} />}
    </Page>
  );
}

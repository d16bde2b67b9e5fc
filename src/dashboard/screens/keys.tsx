import { api, ask } from '../api/client.ts';
import type { Key, SigningSecret } from '../api/shapes.ts';
import { Card, Page } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { EmbedPane } from './keys/embed.tsx';
import { KeyTable } from './keys/key-table.tsx';
import { NewKey } from './keys/new-key.tsx';
import { SigningSecrets } from './keys/signing-secrets.tsx';

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

const loadSecrets = async (signal: AbortSignal): Promise<readonly SigningSecret[]> =>
  (await ask(api.GET('/api/v1/signing-secrets', { signal }))).data;

const revoke = (id: string) => ask(api.DELETE('/api/v1/keys/{id}', { params: { path: { id } } }));

/** Shows the active keys and signing secrets of the account, and forms that make further ones and use them. */
export default function Keys(_: { readonly path: string }) {
  const keys = useLoad(loadKeys, []);
  const secrets = useLoad(loadSecrets, []);
  return (
    <Page title="Keys">
      <Card title="Active keys">
        <Loaded load={keys} what="your keys">
          {(held) =>
            held.length === 0 ? (
              <Empty title="No keys yet.">
                <p>Create one below. Programs use it to call the service.</p>
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
      <div class="pair">
        <NewKey onMade={keys.reload} />
        <EmbedPane secrets={secrets.data} onKey={keys.reload} onSecret={secrets.reload} />
      </div>
      <Card title="Signing secrets">
        <p class="muted">They sign the addresses of embedded pictures, here and on your own server.</p>
        <Loaded load={secrets} what="your signing secrets">
          {(held) => <SigningSecrets secrets={held} onChanged={secrets.reload} />}
        </Loaded>
      </Card>
    </Page>
  );
}

import { api, ask } from '../api/client.ts';
import type { Key } from '../api/shapes.ts';
import { Card, Page } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { EmbedPane } from './keys/embed.tsx';
import { KeyTable } from './keys/key-table.tsx';
import { NewKey } from './keys/new-key.tsx';

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

/** Shows the active keys of the account, and forms that make further ones. */
export default function Keys(_: { readonly path: string }) {
  const keys = useLoad(loadKeys, []);
  return (
    <Page title="Keys">
      <Card title="Active keys">
        <Loaded load={keys} what="your keys">
          {(held) =>
            held.length === 0 ? (
              <Empty title="There are no active keys.">
                <p>Make one below. Programs use it to call the service.</p>
              </Empty>
            ) : (
              <KeyTable keys={held} onRevoked={keys.reload} />
            )
          }
        </Loaded>
      </Card>
      <div class="pair">
        <NewKey onMade={keys.reload} />
        <EmbedPane onMade={keys.reload} />
      </div>
    </Page>
  );
}

import { api, ask } from '../api/client.ts';
import type { Key } from '../api/shapes.ts';
import { Card, Page } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { EmbedPane } from './keys/embed.tsx';
import { KeyTable } from './keys/key-table.tsx';
import { NewKey } from './keys/new-key.tsx';

const PAGE = 100;
/** Nobody reads more keys than that. */
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

export default function Keys(_: { readonly path: string }) {
  const keys = useLoad(loadKeys, []);
  return (
    <Page title="Keys">
      <Card title="Keys in force">
        <Loaded load={keys} what="your keys">
          {(held) =>
            held.length === 0 ? (
              <Empty title="There is no key in force.">
                <p>Make one below: programs call the service with it.</p>
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

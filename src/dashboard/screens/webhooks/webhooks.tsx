import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { getAll, useRead } from '../../api/query.ts';
import type { Webhook } from '../../api/shapes.ts';
import { toScreenPath } from '../../base.ts';
import { Primary } from '../../ui/buttons.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { KeyTabs } from '../tabs.tsx';
import { WebhookForm } from './form.tsx';
import { EventChips, WebhookState } from './words.tsx';

/** Bounds the loop; an account has ten webhooks unless its operator allows more. */
const PAGES_MAX = 10;

const Row = ({ webhook }: { readonly webhook: Webhook }) => (
  <li>
    <div>
      <a class="wrap name" href={toScreenPath(`/keys/webhooks/${webhook.id}`)}>
        {webhook.url}
      </a>
    </div>
    <p class="scopes">
      <EventChips events={webhook.events} />
    </p>
    <WebhookState webhook={webhook} />
  </li>
);

/** Shows the webhooks of the account, and makes new ones. */
export default function Webhooks(_: { readonly path: string }) {
  const webhooks = useRead(['webhooks'], (signal) =>
    getAll('/api/v1/webhooks', { query: { limit: 100 } }, PAGES_MAX, signal),
  );
  const [isMaking, setMaking] = useState(false);
  return (
    <Page title="Webhooks" actions={<Primary onClick={() => setMaking(true)}>New webhook</Primary>}>
      <KeyTabs at="webhooks" />
      <Card title="Your webhooks">
        <Loaded load={webhooks} what="your webhooks">
          {(held) =>
            held.length === 0 ? (
              <Empty title="No webhooks yet.">
                <p>Tessera can tell your program what happens here by sending events to its address.</p>
              </Empty>
            ) : (
              <ul class="keys">
                {held.map((webhook) => (
                  <Row key={webhook.id} webhook={webhook} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      {isMaking && (
        <WebhookForm
          title="New webhook"
          action="Create webhook"
          save={async (body) => (await ask(api.POST('/api/v1/webhooks', { body }))).secret}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  );
}

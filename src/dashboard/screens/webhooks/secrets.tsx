import { useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { change, useGet } from '../../api/query.ts';
import type { WebhookSecret } from '../../api/shapes.ts';
import { Button, Danger } from '../../ui/buttons.tsx';
import { moment } from '../../ui/format.ts';
import { Question } from '../../ui/question.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { SecretShown } from '../keys/secret-shown.tsx';

/** As many as the service allows. */
const SECRETS_MAX = 2;

interface RowsProps {
  readonly secrets: readonly WebhookSecret[];
  readonly onDoom: (secret: WebhookSecret) => void;
}

const Rows = ({ secrets, onDoom }: RowsProps) => (
  <ul class="keys">
    {secrets.map((secret) => (
      <li key={secret.id}>
        <div>
          <code>{secret.id.slice(0, 8)}…</code>
          <p class="muted">Created {moment(secret.created_at)}</p>
        </div>
        {secrets.length > 1 && (
          <Danger aria-label={`Delete the secret ${secret.id.slice(0, 8)}`} onClick={() => onDoom(secret)}>
            Delete
          </Danger>
        )}
      </li>
    ))}
  </ul>
);

/** Lists the secrets of a webhook, makes another one, and deletes the one that it replaces. */
export const WebhookSecrets = ({ id }: { readonly id: string }) => {
  const secrets = useGet('/api/v1/webhooks/{id}/secrets', { path: { id } });
  const [made, setMade] = useState<string | null>(null);
  const [doomed, setDoomed] = useState<WebhookSecret | null>(null);
  const { busy, fault, run } = useAction();
  const make = async (): Promise<void> => {
    const { secret } = await change(api.POST('/api/v1/webhooks/{id}/secrets', { params: { path: { id } } }));
    setMade(secret);
  };
  const end = ({ id: secret }: WebhookSecret) =>
    change(api.DELETE('/api/v1/webhooks/{id}/secrets/{secret}', { params: { path: { id, secret } } }));
  return (
    <Loaded load={secrets} what="the secrets">
      {({ data }) => (
        <>
          <Rows secrets={data} onDoom={setDoomed} />
          <div class="row">
            <Button disabled={busy || data.length >= SECRETS_MAX} onClick={() => void run(make)}>
              Create another secret
            </Button>
            <span class="muted">
              While there are two, deliveries are signed by both. Delete the old one once your program has the
              new one.
            </span>
          </div>
          {fault !== null && <Failure fault={fault} />}
          {made !== null && <SecretShown what="webhook secret" secret={made} onDone={() => setMade(null)} />}
          {doomed !== null && (
            <Question
              title="Delete this secret?"
              yes="Delete the secret"
              no="Keep the secret"
              act={() => end(doomed)}
              onClose={() => setDoomed(null)}
            >
              <p>
                No further delivery is signed by <code>{doomed.id.slice(0, 8)}…</code>. A program that knows
                only this secret will refuse them. This cannot be undone.
              </p>
            </Question>
          )}
        </>
      )}
    </Loaded>
  );
};

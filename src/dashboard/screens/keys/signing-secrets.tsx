import { useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { SigningSecret } from '../../api/shapes.ts';
import { Button, Danger } from '../../ui/buttons.tsx';
import { moment } from '../../ui/format.ts';
import { Question } from '../../ui/question.tsx';
import { Empty, Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { SecretShown } from './secret-shown.tsx';

/** As many as the service allows. */
const SECRETS_MAX = 2;

/** Lists the signing secrets, makes another one, and deletes them. */
export const SigningSecrets = ({ secrets }: { readonly secrets: readonly SigningSecret[] }) => {
  const [made, setMade] = useState<string | null>(null);
  const [doomed, setDoomed] = useState<SigningSecret | null>(null);
  const { busy, fault, run } = useAction();
  const make = async (): Promise<void> => {
    const { secret } = await change(api.POST('/api/v1/signing-secrets'));
    setMade(secret);
  };
  return (
    <>
      {secrets.length === 0 ? (
        <Empty title="No signing secrets yet." />
      ) : (
        <ul class="keys">
          {secrets.map((secret) => (
            <li key={secret.id}>
              <div>
                <code>{secret.id.slice(0, 8)}…</code>
                <p class="muted">Created {moment(secret.created_at)}</p>
              </div>
              <Danger
                aria-label={`Delete the signing secret ${secret.id.slice(0, 8)}`}
                onClick={() => setDoomed(secret)}
              >
                Delete
              </Danger>
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <Button disabled={busy || secrets.length >= SECRETS_MAX} onClick={() => void run(make)}>
          Create signing secret
        </Button>
        <span class="muted">
          Two at a time, so that one can replace the other. The newest one signs here.
        </span>
      </div>
      {fault !== null && <Failure fault={fault} />}
      {made !== null && <SecretShown what="signing secret" secret={made} onDone={() => setMade(null)} />}
      {doomed !== null && (
        <Question
          title="Delete this signing secret?"
          yes="Delete the secret"
          no="Keep the secret"
          act={() =>
            change(api.DELETE('/api/v1/signing-secrets/{id}', { params: { path: { id: doomed.id } } }))
          }
          onClose={() => setDoomed(null)}
        >
          <p>
            Every picture whose address <code>{doomed.id.slice(0, 8)}…</code> has signed stops, in web pages
            and emails. This cannot be undone.
          </p>
        </Question>
      )}
    </>
  );
};

import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import type { SigningSecret } from '../../api/shapes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { moment } from '../../ui/format.ts';
import { Empty, Failure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { SecretShown } from './secret-shown.tsx';

/** As many as the service allows. */
const SECRETS_MAX = 2;

/** Asks before a secret is deleted, because its pictures stop everywhere. */
const DeleteDialog = ({
  doomed,
  onClose,
  onDeleted,
}: {
  readonly doomed: SigningSecret;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}) => {
  const { busy, fault, run } = useAction();
  const remove = async (): Promise<void> => {
    await ask(api.DELETE('/api/v1/signing-secrets/{id}', { params: { path: { id: doomed.id } } }));
    onDeleted();
  };
  return (
    <Dialog title="Delete this signing secret?" onClose={onClose}>
      <p>
        Every picture whose address <code>{doomed.id.slice(0, 8)}…</code> has signed stops, in web pages and
        emails. This cannot be undone.
      </p>
      {fault !== null && <Failure fault={fault} />}
      <div class="row">
        <button type="button" class="danger" disabled={busy} onClick={() => void run(remove)}>
          Delete the secret
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Keep the secret
        </button>
      </div>
    </Dialog>
  );
};

/** Lists the signing secrets, makes another one, and deletes them. */
export const SigningSecrets = ({
  secrets,
  onChanged,
}: {
  readonly secrets: readonly SigningSecret[];
  readonly onChanged: () => void;
}) => {
  const [made, setMade] = useState<string | null>(null);
  const [doomed, setDoomed] = useState<SigningSecret | null>(null);
  const { busy, fault, run } = useAction();
  const make = async (): Promise<void> => {
    const { secret } = await ask(api.POST('/api/v1/signing-secrets'));
    setMade(secret);
    onChanged();
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
              <button
                type="button"
                class="danger"
                aria-label={`Delete the signing secret ${secret.id.slice(0, 8)}`}
                onClick={() => setDoomed(secret)}
              >
                Delete
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <button type="button" disabled={busy || secrets.length >= SECRETS_MAX} onClick={() => void run(make)}>
          Create signing secret
        </button>
        <span class="muted">
          Two at a time, so that one can replace the other. The newest one signs here.
        </span>
      </div>
      {fault !== null && <Failure fault={fault} />}
      {made !== null && <SecretShown what="signing secret" secret={made} onDone={() => setMade(null)} />}
      {doomed !== null && (
        <DeleteDialog
          doomed={doomed}
          onClose={() => setDoomed(null)}
          onDeleted={() => {
            setDoomed(null);
            onChanged();
          }}
        />
      )}
    </>
  );
};

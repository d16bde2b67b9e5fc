import { useState } from 'preact/hooks';
import { api, ask, type Fault } from '../../api/client.ts';
import type { Key } from '../../api/shapes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { asFault } from '../../ui/use-load.ts';

/** Asks before a key is revoked, because that cannot be undone. */
export const RevokeDialog = ({
  doomed,
  onClose,
  onRevoked,
}: {
  readonly doomed: Key;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}) => {
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Fault | null>(null);
  const revoke = async (): Promise<void> => {
    setBusy(true);
    try {
      await ask(api.DELETE('/api/v1/keys/{id}', { params: { path: { id: doomed.id } } }));
      toast({ text: `“${doomed.name}” is revoked.` });
      onRevoked();
    } catch (error) {
      setFault(asFault(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Revoke “${doomed.name}”?`} onClose={onClose}>
      <p>
        Every request with <code>{doomed.prefix}…</code> will be refused, including pictures in web pages and
        emails. This cannot be undone. If you signed in with this key, you will be signed out.
      </p>
      {fault !== null && <Failure fault={fault} />}
      <div class="row">
        <button type="button" class="danger" disabled={busy} onClick={() => void revoke()}>
          Revoke the key
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Keep the key
        </button>
      </div>
    </Dialog>
  );
};

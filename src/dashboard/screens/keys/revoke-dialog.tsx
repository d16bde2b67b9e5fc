import type { Key } from '../../api/shapes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';

/** Asks before a key is revoked, because that cannot be undone. */
export const RevokeDialog = ({
  doomed,
  revoke,
  warning,
  onClose,
  onRevoked,
}: {
  readonly doomed: Key;
  readonly revoke: (id: string) => Promise<unknown>;
  /** What else revoking does. */
  readonly warning: string | undefined;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}) => {
  const toast = useToast();
  const { busy, fault, run } = useAction();
  const revokeNow = async (): Promise<void> => {
    await revoke(doomed.id);
    toast({ text: `“${doomed.name}” is revoked.` });
    onRevoked();
  };
  return (
    <Dialog title={`Revoke “${doomed.name}”?`} onClose={onClose}>
      <p>
        Every request with <code>{doomed.prefix}…</code> will be refused, including pictures in web pages and
        emails. This cannot be undone. {warning}
      </p>
      {fault !== null && <Failure fault={fault} />}
      <div class="row">
        <button type="button" class="danger" disabled={busy} onClick={() => void run(revokeNow)}>
          Revoke key
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Keep key
        </button>
      </div>
    </Dialog>
  );
};

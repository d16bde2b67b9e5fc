import { CopyButton } from '../../ui/copy-button.tsx';

/** A new key, which nobody can show again. */
export const KeyShown = ({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) => (
  <div class="secret" role="status">
    <p>
      <strong>Copy it now: it is shown this once.</strong>
    </p>
    <code>{secret}</code>
    <div class="row">
      <CopyButton text={secret} label="Copy the key" />
      <button type="button" class="quiet" onClick={onDone}>
        Done, hide it
      </button>
    </div>
  </div>
);

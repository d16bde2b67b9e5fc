import { CopyButton } from '../../ui/copy-button.tsx';

/** Shows the secret of a new key, which cannot be shown again. */
export const KeyShown = ({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) => (
  <div class="secret" role="status">
    <p>
      <strong>Copy the key now. It is shown only this once.</strong>
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

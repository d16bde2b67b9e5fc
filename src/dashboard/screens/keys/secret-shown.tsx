import { CopyButton } from '../../ui/copy-button.tsx';

/** Shows a new secret, which cannot be shown again. */
export const SecretShown = ({
  what,
  advice,
  secret,
  onDone,
}: {
  readonly what: 'key' | 'signing secret';
  /** What it is for. */
  readonly advice?: string;
  readonly secret: string;
  readonly onDone: () => void;
}) => (
  <div class="secret" role="status">
    <p>
      <strong>Copy the {what} now. It is shown only this once.</strong>
      {advice !== undefined && ` ${advice}`}
    </p>
    <code>{secret}</code>
    <div class="row">
      <CopyButton text={secret} label={`Copy the ${what}`} />
      <button type="button" class="quiet" onClick={onDone}>
        Done, hide it
      </button>
    </div>
  </div>
);

import { useState } from 'preact/hooks';
import { Dialog } from '../../ui/dialog.tsx';
import { useAction } from '../../ui/use-action.ts';
import { shortUrl } from '../codes/names.ts';

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');

/** Asks for another slug and passes it to `save`. When `save` rejects, the dialog stays open and shows why. */
export const SlugDialog = ({
  slug,
  save,
  onClose,
}: {
  readonly slug: string;
  readonly save: (slug: string) => Promise<void>;
  readonly onClose: () => void;
}) => {
  const [text, setText] = useState(slug);
  const { busy, fault, run, clear } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      await save(text);
      onClose();
    });
  };
  return (
    <Dialog title="Change the short address" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <label>
          Last part of the address
          <input
            value={text}
            required
            minLength={3}
            maxLength={64}
            pattern="[0-9A-Za-z][0-9A-Za-z_\-]*[0-9A-Za-z]"
            title="Letters, digits, hyphens and underscores, with a letter or digit at both ends"
            autocomplete="off"
            spellcheck={false}
            aria-invalid={fault !== null}
            aria-describedby="slug-fault slug-help"
            onInput={(event) => {
              clear();
              setText(event.currentTarget.value);
            }}
          />
        </label>
        <p class="new-address wrap">{withoutScheme(shortUrl(text))}</p>
        <p id="slug-fault" class="fault" role="alert">
          {fault && (fault.details || fault.message)}
        </p>
        <p id="slug-help" class="note">
          The picture of the code changes: download it again before you print. Codes that are printed already
          stay right, because the present address continues to lead here.
        </p>
        <div class="row">
          <button type="submit" class="primary" disabled={busy || text === slug}>
            Change
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
};

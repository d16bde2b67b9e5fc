import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { useAction } from './use-action.ts';

/** Asks for a name and passes it to `save`. When `save` rejects, the dialog stays open and shows why. */
export const NameDialog = ({
  title,
  name,
  action,
  mayBeEmpty = false,
  save,
  onClose,
}: {
  readonly title: string;
  readonly name: string;
  readonly action: string;
  readonly mayBeEmpty?: boolean;
  readonly save: (name: string) => Promise<void>;
  readonly onClose: () => void;
}) => {
  const [text, setText] = useState(name);
  const { busy, fault, run } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      await save(text);
      onClose();
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <label>
          Name
          <input
            value={text}
            required={!mayBeEmpty}
            maxLength={200}
            aria-invalid={fault !== null}
            aria-describedby="name-fault"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <p id="name-fault" class="fault" role="alert">
          {fault?.message}
        </p>
        <div class="row">
          <button type="submit" class="primary" disabled={busy}>
            {action}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
};

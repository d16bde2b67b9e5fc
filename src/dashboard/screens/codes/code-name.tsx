import { useEffect, useRef, useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import type { Code } from '../../api/shapes.ts';
import { useAction } from '../../ui/use-action.ts';

const Form = ({
  code,
  onRenamed,
  onClose,
}: {
  readonly code: Code;
  readonly onRenamed: () => void;
  readonly onClose: () => void;
}) => {
  const [text, setText] = useState(code.name ?? '');
  const { run, busy, fault } = useAction();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      const name = text.trim() === '' ? null : text;
      await ask(api.PATCH('/api/v1/codes/{id}', { params: { path: { id: code.id } }, body: { name } }));
      onRenamed();
      onClose();
    });
  };
  return (
    <form class="name-form" onSubmit={submit}>
      <input
        ref={input}
        aria-label="Name"
        value={text}
        maxLength={200}
        placeholder="Name of this code"
        aria-invalid={fault !== null}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <button type="submit" class="primary" disabled={busy}>
        Save
      </button>
      <button type="button" class="quiet" onClick={onClose}>
        Cancel
      </button>
      <p class="fault" role="alert">
        {fault?.message}
      </p>
    </form>
  );
};

/** Renames a code where its name stands. */
export const CodeName = ({ code, onRenamed }: { readonly code: Code; readonly onRenamed: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    setTimeout(() => button.current?.focus());
  };
  if (isOpen) return <Form code={code} onRenamed={onRenamed} onClose={close} />;
  return (
    <button ref={button} type="button" class="quiet" onClick={() => setOpen(true)}>
      {code.name === null ? 'Add a name' : 'Rename'}
    </button>
  );
};

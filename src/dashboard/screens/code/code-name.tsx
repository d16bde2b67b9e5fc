import { useEffect, useRef, useState } from 'preact/hooks';
import type { Code } from '../../api/shapes.ts';
import { Quiet, Submit } from '../../ui/buttons.tsx';
import { FieldFailure } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { renameCode } from '../codes/names.ts';

const Form = ({ code, onClose }: { readonly code: Code; readonly onClose: () => void }) => {
  const [text, setText] = useState(code.name ?? '');
  const { run, busy, fault } = useAction();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => {
      await renameCode(code, text);
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
      <Submit disabled={busy}>Save</Submit>
      <Quiet onClick={onClose}>Cancel</Quiet>
      <FieldFailure fault={fault} />
    </form>
  );
};

/** Renames a code in place. */
export const CodeName = ({ code }: { readonly code: Code }) => {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    setTimeout(() => button.current?.focus());
  };
  if (isOpen) return <Form code={code} onClose={close} />;
  return (
    <button ref={button} type="button" class="quiet" onClick={() => setOpen(true)}>
      {code.name === null ? 'Add a name' : 'Rename'}
    </button>
  );
};

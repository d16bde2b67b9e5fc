import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, Submit } from '../buttons.tsx';
import { Dialog } from '../dialog.tsx';
import { FieldFailure } from '../states.tsx';
import { useAction } from '../use-action.ts';
import { NameInput } from './field.tsx';

/** Connects the inputs of a form with what is wrong with what was typed. */
interface Aria {
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
}

interface FormProps {
  /** Prefix of the ids of its parts. */
  readonly id: string;
  /** Label of the submit button. */
  readonly action: string;
  readonly isReady?: boolean;
  /** What the page finds wrong before it asks. */
  readonly problem?: string | null;
  readonly submit: () => Promise<unknown>;
  /** Stands beside the button. */
  readonly beside?: ComponentChildren;
  /** Stands below the buttons; inputs are described by it. */
  readonly help?: ComponentChildren;
  readonly children: (aria: Aria) => ComponentChildren;
}

/** A form that makes or changes something of what is typed, and says why that failed until something else is typed. */
export const Form = ({
  id,
  action,
  isReady = true,
  problem = null,
  submit,
  beside,
  help,
  children,
}: FormProps) => {
  const { busy, fault, run, clear } = useAction();
  const isFaulty = problem !== null || fault !== null;
  return (
    <form
      class="stack"
      onInput={clear}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && problem === null) void run(submit);
      }}
    >
      {children({
        'aria-invalid': isFaulty,
        'aria-describedby': help ? `${id}-fault ${id}-help` : `${id}-fault`,
      })}
      <FieldFailure id={`${id}-fault`} problem={problem} fault={fault} />
      <div class="row">
        <Submit disabled={busy || !isReady || problem !== null}>{action}</Submit>
        {beside}
      </div>
      {help && (
        <p id={`${id}-help`} class="muted small">
          {help}
        </p>
      )}
    </form>
  );
};

interface FormDialogProps extends Omit<FormProps, 'id' | 'beside'> {
  readonly title: string;
  readonly staysOpen?: boolean;
  readonly onClose: () => void;
}

/** A dialog with a form, which closes when what it does is done, unless it `staysOpen`. Escape and Cancel close it, too. */
export const FormDialog = ({ title, staysOpen = false, submit, onClose, ...form }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <Form
      {...form}
      id="dialog"
      submit={async () => {
        await submit();
        if (!staysOpen) onClose();
      }}
      beside={<Button onClick={onClose}>Cancel</Button>}
    />
  </Dialog>
);

interface NameDialogProps {
  readonly title: string;
  readonly name: string;
  readonly action: string;
  readonly mayBeEmpty?: boolean;
  readonly save: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for a name and passes it to `save`. When `save` rejects, the dialog stays open and shows why. */
export const NameDialog = ({ title, name, action, mayBeEmpty = false, save, onClose }: NameDialogProps) => {
  const [text, setText] = useState(name);
  return (
    <FormDialog {...{ title, action, onClose }} submit={() => save(text)}>
      {(aria) => <NameInput value={text} required={!mayBeEmpty} onText={setText} {...aria} />}
    </FormDialog>
  );
};

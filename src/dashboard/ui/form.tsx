/** Dialogs and forms. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Fault, messageAt } from '../api/client.ts';
import { Taken } from '../api/send.ts';
import { say } from '../words/say.ts';
import { Button, Danger, Quiet, Submit, useAction } from './buttons.tsx';
import { NameInput } from './fields.tsx';
import { type Draft, useDraft } from './kept/drafts.ts';
import { Failure, FieldFailure } from './states.tsx';

interface DialogProps {
  readonly title: string;
  readonly isHeld?: boolean;
  /** A class, with which only screen readers get the title. */
  readonly look?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/**
 * Shows a modal dialog as long as it is rendered, and then restores the focus. Escape and a click on the backdrop
 * call `onClose`. While it `isHeld`, the dialog stays open after that.
 */
export const Dialog = ({ title, isHeld = false, look = '', onClose, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      // Only a dialog that is closed returns the focus to what opened it.
      isGone.current = true;
      dialog?.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog by itself
    <dialog
      ref={element}
      class={look}
      aria-label={title}
      onClose={() => {
        if (isGone.current) return;
        // Browsers let people insist on closing a dialog.
        if (isHeld) element.current?.showModal();
        onClose();
      }}
      onCancel={(event) => {
        if (!isHeld) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <div class="dialog-body">
        {look === '' && <h2>{title}</h2>}
        {children}
      </div>
    </dialog>
  );
};

interface QuestionProps {
  readonly title: string;
  /** Label of the button that confirms. */
  readonly yes: string;
  readonly no?: string;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks before something is done that somebody may regret, and closes when it is done. */
export const Question = ({ title, yes, no = say('Cancel'), act, onClose, children }: QuestionProps) => {
  const { busy, fault, run } = useAction();
  const doIt = async (): Promise<void> => {
    await act();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {fault && <Failure fault={fault} />}
      <div class="row">
        <Danger disabled={busy} onClick={() => void run(doIt)}>
          {yes}
        </Danger>
        <Quiet onClick={onClose}>{no}</Quiet>
      </div>
    </Dialog>
  );
};

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
  /** The fields beside which the children say what is wrong, as faults name them. */
  readonly fields?: readonly string[];
  readonly submit: () => Promise<unknown>;
  /** Is thrown away when the form is sent. */
  readonly draft?: Draft;
  /** Stands beside the button. */
  readonly beside?: ComponentChildren;
  /** Stands below the buttons; inputs are described by it. */
  readonly help?: ComponentChildren;
  readonly children: (aria: Aria, fault: Fault | null) => ComponentChildren;
}

/** Says that a form has what a person has typed earlier, and offers to begin anew. */
export const DraftNote = ({ draft: { isOlder, drop } }: { readonly draft: Draft }) =>
  isOlder && (
    <p class="notice" role="status">
      {say('This is what you typed earlier and have not saved.')}{' '}
      <Quiet onClick={drop}>{say('Start anew')}</Quiet>
    </p>
  );

/** A form that makes or changes something of what is typed, and says why that failed until something else is typed. */
export const Form = ({
  id,
  action,
  isReady = true,
  problem = null,
  fields = [],
  submit,
  draft,
  beside,
  help,
  children,
}: FormProps) => {
  const { busy, fault, run, clear } = useAction();
  const send = async (): Promise<void> => {
    try {
      await submit();
      draft?.sent();
    } catch (error) {
      if (error instanceof Taken) draft?.drop();
      throw error;
    }
  };
  const isFaulty = problem !== null || fault !== null;
  const isAtField = fields.some((field) => messageAt(fault, field) !== null);
  return (
    <form
      class="stack"
      onInput={clear}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && problem === null) void run(send);
      }}
    >
      {draft && <DraftNote draft={draft} />}
      {children(
        {
          'aria-invalid': isFaulty,
          'aria-describedby': help ? `${id}-fault ${id}-help` : `${id}-fault`,
        },
        fault,
      )}
      <FieldFailure id={`${id}-fault`} problem={problem} fault={isAtField ? null : fault} />
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

/**
 * A dialog with a form, which closes when what it does is done, unless it `staysOpen`. Cancel closes it, too, and throws
 * the draft away; Escape keeps the draft.
 */
export const FormDialog = ({ title, staysOpen = false, submit, onClose, ...form }: FormDialogProps) => {
  const cancel = (): void => {
    form.draft?.drop();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        {...form}
        id="dialog"
        submit={async () => {
          try {
            await submit();
          } catch (error) {
            if (!(error instanceof Taken)) throw error;
          }
          if (!staysOpen) onClose();
        }}
        beside={<Button onClick={cancel}>{say('Cancel')}</Button>}
      />
    </Dialog>
  );
};

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
  const [{ text }, change, draft] = useDraft(`${title} ${name}`, { text: name });
  return (
    <FormDialog title={title} action={action} draft={draft} onClose={onClose} submit={() => save(text)}>
      {(aria) => (
        <NameInput
          value={text}
          required={!mayBeEmpty}
          onText={(typed) => change({ text: typed })}
          {...aria}
        />
      )}
    </FormDialog>
  );
};

interface DropZoneProps {
  readonly id: string;
  /** What the file is, for example `a CSV file`. */
  readonly label: string;
  readonly accept: string;
  readonly hint: ComponentChildren;
  readonly onFile: (file: File) => void;
}

/** Takes a file, which a person drops or chooses. */
export const DropZone = ({ id, label, accept, hint, onFile }: DropZoneProps) => {
  const [over, setOver] = useState(false);
  const take = (file: File | undefined): void => {
    if (file !== undefined) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a second way beside the input inside
    <div
      class={`drop ${over ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files[0]);
      }}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 16V4m0 0L7 9m5-5 5 5M4 16v4h16v-4" />
      </svg>
      <p>
        <strong>{say('Drop {label} here', { label })}</strong>
      </p>
      <p class="muted small">{hint}</p>
      <label class="button file-button" for={id}>
        {say('Choose a file')}
        <input
          id={id}
          class="hidden"
          type="file"
          accept={accept}
          onChange={(event) => take(event.currentTarget.files?.[0])}
        />
      </label>
    </div>
  );
};

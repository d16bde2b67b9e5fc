import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { parseUrl, trimUrl } from '../../texts.ts';
import { Button, Submit, useAction } from './buttons.tsx';
import { Dialog } from './dialog.tsx';
import { NameInput, UrlInput } from './fields.tsx';
import { FieldFailure } from './states.tsx';

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

/** Returns what the page can find wrong with a destination before it asks the service; `null` when it finds nothing. */
export const faultOfUrl = (text: string): string | null => {
  const url = parseUrl(trimUrl(text));
  if (url === null) return 'Enter the whole address, for example https://example.com/menu';
  const { protocol, username, password } = url;
  if (!/^https?:$/.test(protocol)) return 'Enter an http or https address: not every phone opens others.';
  if (username !== '' || password !== '') return 'Leave the user name and password out of the address.';
  return null;
};

/**
 * The text of a saved address that a person edits. `saved` is what is saved as far as the page knows, which learns it
 * from the service only some time after `noteSaved`. What the person has typed meanwhile is never replaced.
 */
const useEdited = (url: string) => {
  const [text, setText] = useState(url);
  const [saved, setSaved] = useState(url);
  const [shown, setShown] = useState(url);
  if (shown !== url) {
    setShown(url);
    setSaved(url);
    if (text === saved) setText(url);
  }
  return { text, setText, saved, noteSaved: setSaved };
};

/**
 * A form that changes one address. `id` prefixes the ids of its parts; `actions` stand beside the buttons, and
 * `help`, which says what a change does, below.
 */
export const AddressForm = ({
  id,
  label,
  url,
  mayBeEmpty = false,
  placeholder,
  actions,
  help,
  onSave,
}: {
  readonly id: string;
  readonly label: string;
  /** The saved address; empty for none. */
  readonly url: string;
  readonly mayBeEmpty?: boolean;
  readonly placeholder?: string;
  readonly actions?: ComponentChildren;
  readonly help: string;
  readonly onSave: (url: string) => Promise<void>;
}) => {
  const { text, setText, saved, noteSaved } = useEdited(url);
  const isChanged = text !== saved;
  const beside = (
    <>
      {isChanged && <Button onClick={() => setText(saved)}>Cancel</Button>}
      {actions}
    </>
  );
  return (
    <Form
      {...{ id, help, beside }}
      action="Save"
      isReady={isChanged}
      problem={isChanged && !(mayBeEmpty && text === '') ? faultOfUrl(text) : null}
      submit={() => onSave(text).then(() => noteSaved(text))}
    >
      {(aria) => <UrlInput {...{ label, placeholder }} value={text} onText={setText} {...aria} />}
    </Form>
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
        <strong>Drop {label} here</strong>
      </p>
      <p class="muted small">{hint}</p>
      <label class="button file-button" for={id}>
        Choose a file
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

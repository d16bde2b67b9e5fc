import type { ComponentChildren } from 'preact';
import { useAction } from '../use-action.ts';
import { useDraft } from './use-draft.ts';

/** Returns what the page can find wrong with a destination before it asks the service; `null` when it finds nothing. */
export const faultOfUrl = (text: string): string | null => {
  if (!URL.canParse(text)) return 'Enter the whole address, for example https://example.com/menu';
  const { protocol, username, password } = new URL(text);
  if (!/^https?:$/.test(protocol)) return 'Enter an http or https address: not every phone opens others.';
  if (username !== '' || password !== '') return 'Leave the user name and password out of the address.';
  return null;
};

/**
 * A form that changes one address. `id` stands before the ids of its parts; `actions` stand beside the buttons, and
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
  const [text, setText] = useDraft(url);
  const { busy, fault, run, clear } = useAction();
  const changed = text !== url;
  const problem = changed && !(mayBeEmpty && text === '') ? faultOfUrl(text) : null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (problem === null) void run(() => onSave(text));
  };
  return (
    <form class="stack" onSubmit={submit}>
      <label>
        {label}
        <input
          value={text}
          inputMode="url"
          maxLength={4296}
          placeholder={placeholder}
          aria-invalid={problem !== null || fault !== null}
          aria-describedby={`${id}-fault ${id}-help`}
          onInput={(event) => {
            clear();
            setText(event.currentTarget.value);
          }}
        />
      </label>
      <p id={`${id}-fault`} class="fault" role="alert">
        {problem ?? (fault && (fault.details || fault.message))}
      </p>
      <div class="row">
        <button type="submit" class="primary" disabled={!changed || problem !== null || busy}>
          Save
        </button>
        {changed && (
          <button type="button" onClick={() => setText(url)}>
            Cancel
          </button>
        )}
        {actions}
      </div>
      <p id={`${id}-help`} class="muted small">
        {help}
      </p>
    </form>
  );
};

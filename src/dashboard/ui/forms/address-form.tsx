import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { parseUrl, trimUrl } from '../../../parse-url.ts';
import { Button } from '../buttons.tsx';
import { UrlInput } from './field.tsx';
import { Form } from './form.tsx';

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

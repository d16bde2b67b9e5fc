import type { ComponentChildren } from 'preact';
import { parseUrl, trimUrl } from '../../../parse-url.ts';
import { Button } from '../buttons.tsx';
import { UrlInput, useDraft } from './field.tsx';
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
  const [text, setText] = useDraft(url);
  const isChanged = text !== url;
  const beside = (
    <>
      {isChanged && <Button onClick={() => setText(url)}>Cancel</Button>}
      {actions}
    </>
  );
  return (
    <Form
      {...{ id, help, beside }}
      action="Save"
      isReady={isChanged}
      problem={isChanged && !(mayBeEmpty && text === '') ? faultOfUrl(text) : null}
      submit={() => onSave(text)}
    >
      {(aria) => <UrlInput {...{ label, placeholder }} value={text} onText={setText} {...aria} />}
    </Form>
  );
};

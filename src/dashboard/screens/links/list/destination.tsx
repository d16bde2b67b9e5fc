/** Where a short link leads, changed in its line: Enter saves, and Escape leaves it. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Link } from '../../../api/shapes.ts';
import { Quiet, Submit, useAction } from '../../../ui/buttons.tsx';
import { CONTENT_MAX_LENGTH } from '../../../ui/fields.tsx';
import { FieldFailure } from '../../../ui/states.tsx';
import { say } from '../../../words/say.ts';
import { useSaveDestination } from '../save-link.ts';
import { faultOfUrl } from '../texts.ts';

interface DestinationProps {
  readonly link: Link;
  /** What the list calls the link. */
  readonly name: string;
}

interface EditorProps extends DestinationProps {
  readonly onEnd: () => void;
}

const Editor = ({ link, name, onEnd }: EditorProps) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(link.destination);
  const { busy, fault, run, clear } = useAction();
  const save = useSaveDestination();
  const problem = text === link.destination ? null : faultOfUrl(text);
  // Before the next key, which belongs to the field.
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const end = async (): Promise<void> => {
    if (text !== link.destination) await save(link, text);
    onEnd();
  };
  return (
    <form
      class="edit-in-line"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null) void run(end);
      }}
      onKeyDown={(event) => event.key === 'Escape' && onEnd()}
    >
      <input
        ref={input}
        type="text"
        inputMode="url"
        autocomplete="off"
        aria-label={say('Destination of {name}', { name })}
        aria-invalid={problem !== null || fault !== null}
        aria-describedby={`${id}-fault`}
        maxLength={CONTENT_MAX_LENGTH}
        value={text}
        onInput={(event) => {
          clear();
          setText(event.currentTarget.value);
        }}
      />
      <Submit disabled={busy || problem !== null}>{say('Save')}</Submit>
      <Quiet onClick={onEnd}>{say('Cancel')}</Quiet>
      <FieldFailure id={`${id}-fault`} problem={problem} fault={fault} />
    </form>
  );
};

export const Destination = ({ link, name }: DestinationProps) => {
  const [isEdited, setEdited] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    if (wasEdited.current && !isEdited) button.current?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  if (isEdited) return <Editor link={link} name={name} onEnd={() => setEdited(false)} />;
  return (
    <button
      ref={button}
      type="button"
      class="quiet clip"
      title={`${link.destination}\n${say('Change')}`}
      aria-label={say('Change the destination of {name}: {destination}', {
        name,
        destination: link.destination,
      })}
      onClick={() => setEdited(true)}
    >
      {link.destination.replace(/^https?:\/\/(www\.)?/, '')}
    </button>
  );
};

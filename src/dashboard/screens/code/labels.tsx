import { useEffect, useRef, useState } from 'preact/hooks';
import { api, ifMatch } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { Code } from '../../api/shapes.ts';
import { toScreenPath } from '../../base.ts';
import { Button, Quiet, Submit, useAction } from '../../ui/buttons.tsx';
import { Area, Input } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { FieldFailure } from '../../ui/states.tsx';
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

/** Returns the tags of a text with one tag per line. */
const toTags = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const LabelsDialog = ({ code, onClose }: { readonly code: Code; readonly onClose: () => void }) => {
  const [tags, setTags] = useState(code.tags.join('\n'));
  const [own, setOwn] = useState(code.external_id ?? '');
  const save = () => {
    const params = { path: { id: code.id }, header: ifMatch(code) };
    const body = { tags: toTags(tags), external_id: own === '' ? null : own };
    return change(api.PATCH('/api/v1/codes/{id}', { params, body }));
  };
  return (
    <FormDialog title="Tags and your id" action="Save" submit={save} onClose={onClose}>
      {(aria) => (
        <>
          <Area label="Tags" hint="one per line, up to 20" rows={5} value={tags} onText={setTags} {...aria} />
          <Input label="Your id" hint="optional" maxLength={200} value={own} onText={setOwn} {...aria} />
        </>
      )}
    </FormDialog>
  );
};

/** Shows the tags of a code and the id that the account has for it, and changes them. */
export const Labels = ({ code }: { readonly code: Code }) => {
  const [isOpen, setOpen] = useState(false);
  const { tags, external_id: ownId } = code;
  return (
    <div class="setting">
      <div>
        <h3>Tags and your id</h3>
        {tags.length === 0 && ownId === null && <p class="muted">None.</p>}
        {tags.length > 0 && (
          <p class="tags">
            {tags.map((tag) => (
              <a key={tag} class="chip" href={toScreenPath(`/codes?tag=${encodeURIComponent(tag)}`)}>
                {tag}
              </a>
            ))}
          </p>
        )}
        {ownId !== null && <p class="wrap">Your id: {ownId}</p>}
      </div>
      <Button onClick={() => setOpen(true)}>
        Change<span class="hidden"> tags and your id</span>
      </Button>
      {isOpen && <LabelsDialog code={code} onClose={() => setOpen(false)} />}
    </div>
  );
};

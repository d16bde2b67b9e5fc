import { useState } from 'preact/hooks';
import { api, ifMatch } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { Code } from '../../api/shapes.ts';
import { toScreenPath } from '../../base.ts';
import { Button } from '../../ui/buttons.tsx';
import { Area, Input } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form.tsx';

/** Returns the tags of a text with one tag per line. */
const toTags = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const LabelsDialog = ({ code, onClose }: { readonly code: Code; readonly onClose: () => void }) => {
  const [tags, setTags] = useState(code.tags.join('\n'));
  const [ownId, setOwnId] = useState(code.external_id ?? '');
  const save = () => {
    const params = { path: { id: code.id }, header: ifMatch(code) };
    const body = { tags: toTags(tags), external_id: ownId === '' ? null : ownId };
    return change(api.PATCH('/api/v1/codes/{id}', { params, body }));
  };
  return (
    <FormDialog title="Tags and own id" action="Save" submit={save} onClose={onClose}>
      {(aria) => (
        <>
          <Area label="Tags" hint="one a line, 20 at most" rows={5} value={tags} onText={setTags} {...aria} />
          <Input label="Own id" hint="optional" maxLength={200} value={ownId} onText={setOwnId} {...aria} />
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
        <h3>Tags and own id</h3>
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
        {ownId !== null && <p class="wrap">Own id: {ownId}</p>}
      </div>
      <Button onClick={() => setOpen(true)}>
        Change<span class="hidden"> tags and own id</span>
      </Button>
      {isOpen && <LabelsDialog code={code} onClose={() => setOpen(false)} />}
    </div>
  );
};

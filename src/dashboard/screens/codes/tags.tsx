/** Tags of codes, and the ids that the account has for them. */
import { useState } from 'preact/hooks';
import { api, ifMatch, toScreenPath } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { Code } from '../../api/shapes.ts';
import { Button, useToast } from '../../ui/buttons.tsx';
import { Area, Input, Pills } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { useDraft } from '../../ui/kept/drafts.ts';
import { Setting } from '../../ui/page.tsx';
import { tagsOf } from '../../ui/rows/tags.tsx';
import { say } from '../../words/say.ts';

/** Returns the tags of a text with one tag per line. */
export const toTags = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const LabelsDialog = ({ code, onClose }: { readonly code: Code; readonly onClose: () => void }) => {
  const [{ tags, own }, enter, draft] = useDraft(`labels of ${code.id}`, {
    tags: code.tags.join('\n'),
    own: code.external_id ?? '',
  });
  const save = () => {
    const params = { path: { id: code.id }, header: ifMatch(code) };
    const body = { tags: toTags(tags), external_id: own === '' ? null : own };
    return change(api.PATCH('/api/v1/codes/{id}', { params, body }));
  };
  return (
    <FormDialog
      title={say('Tags and your id')}
      action={say('Save')}
      draft={draft}
      submit={save}
      onClose={onClose}
    >
      {(aria) => (
        <>
          <Area
            label={say('Tags')}
            hint={say('one per line, up to 20')}
            rows={5}
            value={tags}
            onText={(typed) => enter({ tags: typed })}
            {...aria}
          />
          <Input
            label={say('Your id')}
            hint="optional"
            maxLength={200}
            value={own}
            onText={(typed) => enter({ own: typed })}
            {...aria}
          />
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
    <>
      <Setting
        title={say('Tags and your id')}
        actions={
          <Button about={say('tags and your id')} onClick={() => setOpen(true)}>
            {say('Change')}
          </Button>
        }
      >
        {tags.length === 0 && ownId === null && <p class="muted">{say('None.')}</p>}
        {tags.length > 0 && (
          <p class="tags">
            {tags.map((tag) => (
              <a key={tag} class="chip" href={toScreenPath(`/codes?tag=${encodeURIComponent(tag)}`)}>
                {tag}
              </a>
            ))}
          </p>
        )}
        {ownId !== null && <p class="wrap">{say('Your id: {ownId}', { ownId })}</p>}
      </Setting>
      {isOpen && <LabelsDialog code={code} onClose={() => setOpen(false)} />}
    </>
  );
};

interface TagsDialogProps {
  /** Codes, or the codes of links. */
  readonly rows: readonly Pick<Code, 'id' | 'tags'>[];
  /** Returns a number of them in words. */
  readonly what: (n: number) => string;
  readonly onTagged: () => void;
  readonly onClose: () => void;
}

/** Adds tags to codes, and removes some that they have. */
export const TagsDialog = ({ rows, what, onTagged, onClose }: TagsDialogProps) => {
  const toast = useToast();
  const [{ added, remove }, enter, draft] = useDraft<{ added: string; remove: readonly string[] }>(
    `tags of ${rows.length} with ${rows[0]?.id}`,
    { added: '', remove: [] },
  );
  const known = tagsOf(rows);
  const add = toTags(added);
  const save = async (): Promise<void> => {
    const ids = rows.map(({ id }) => id);
    const { changed } = await change(
      api.POST('/api/v1/codes/tags', { body: { ids, add, remove: [...remove] } }),
    );
    toast({
      text:
        changed === 0
          ? say('The tags were so already.')
          : say('Tags of {what} changed.', { what: what(changed) }),
    });
    onTagged();
  };
  return (
    <FormDialog
      title={say('Tags of {what}', { what: what(rows.length) })}
      action={say('Save')}
      isReady={add.length + remove.length > 0}
      submit={save}
      draft={draft}
      onClose={onClose}
    >
      {(aria) => (
        <>
          <Area
            label={say('Add')}
            hint={say('one per line')}
            rows={3}
            value={added}
            onText={(text) => enter({ added: text })}
            {...aria}
          />
          {known.length > 0 && (
            <Pills
              legend={say('Remove')}
              options={known.map((tag) => [tag, tag] as const)}
              chosen={remove}
              onChoose={(tags) => enter({ remove: tags })}
            />
          )}
        </>
      )}
    </FormDialog>
  );
};

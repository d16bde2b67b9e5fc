import { useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { ItemLink, ResolverItem } from '../../api/shapes.ts';
import { count } from '../../ui/format.ts';
import { Segments } from '../../ui/forms/choice.tsx';
import { CheckInput, Input } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useUndo } from './calls.ts';
import { faultOfTexts, LinkFields } from './link-fields.tsx';
import { BEGINNING, toLink, toTexts } from './link-texts.ts';

interface NewItemProps {
  readonly onMade: (item: ResolverItem) => void;
  readonly onClose: () => void;
}

/** Asks for the numbers of an item and its first link, and makes it. */
export const NewItem = ({ onMade, onClose }: NewItemProps) => {
  const [key, setKey] = useState('');
  const [texts, setTexts] = useState(BEGINNING);
  return (
    <FormDialog
      title="New item"
      action="Make the item"
      problem={faultOfTexts(texts)}
      submit={async () => {
        const body = { key: key.trim(), links: [toLink(texts, true)] };
        onMade(await change(api.POST('/api/v1/resolver/items', { body })));
      }}
      help="This is its default link. More links, for other languages for example, are added on its page."
      onClose={onClose}
    >
      {(aria) => (
        <>
          <Input
            label="Numbers"
            hint="as in (01)09521321000018"
            required
            spellcheck={false}
            value={key}
            onText={setKey}
            {...aria}
          />
          <LinkFields texts={texts} onTexts={setTexts} />
        </>
      )}
    </FormDialog>
  );
};

interface LinkDialogProps {
  /** `null`: a new link. */
  readonly link: ItemLink | null;
  readonly save: (link: ItemLink) => Promise<void>;
  readonly onClose: () => void;
}

/** Takes a link of an item. */
export const LinkDialog = ({ link, save, onClose }: LinkDialogProps) => {
  const [texts, setTexts] = useState(link === null ? BEGINNING : toTexts(link));
  const [isDefault, setDefault] = useState(link?.is_default ?? false);
  return (
    <FormDialog
      title={link === null ? 'Add a link' : 'Edit the link'}
      action="Save"
      problem={faultOfTexts(texts)}
      submit={() => save(toLink(texts, isDefault))}
      onClose={onClose}
    >
      {() => (
        <>
          <LinkFields texts={texts} onTexts={setTexts} />
          {link?.is_default !== true && (
            <CheckInput
              label="Default"
              hint="Visitors come here unless another link suits them better."
              isOn={isDefault}
              onToggle={setDefault}
            />
          )}
        </>
      )}
    </FormDialog>
  );
};

interface ChangeManyProps {
  /** The prefix of the items' numbers. */
  readonly itemKey: string;
  readonly onClose: () => void;
}

/** Sets or removes links of one type at all items with this prefix, all or nothing. It offers to undo that. */
export const ChangeMany = ({ itemKey, onClose }: ChangeManyProps) => {
  const [what, setWhat] = useState<'set' | 'remove'>('set');
  const [texts, setTexts] = useState(BEGINNING);
  const toast = useToast();
  const undo = useUndo();
  const submit = async (): Promise<void> => {
    const wanted = what === 'set' ? { set: [toLink(texts, false)] } : { remove: [texts.rel.trim()] };
    const body = { key: itemKey, change: wanted };
    const { change_id, changed } = await change(api.PATCH('/api/v1/resolver/items', { body }));
    toast({
      text: `Saved. ${count(changed, 'item')} changed.`,
      ...(change_id !== null && { action: { label: 'Undo', run: () => undo(change_id) } }),
    });
  };
  return (
    <FormDialog
      title={`Change all items of ${itemKey}`}
      action="Save"
      problem={what === 'set' ? faultOfTexts(texts) : null}
      submit={submit}
      onClose={onClose}
    >
      {(aria) => (
        <>
          <Segments
            label="What to change"
            value={what}
            options={[
              ['set', 'Set a link'],
              ['remove', 'Remove a link'],
            ]}
            onChoose={setWhat}
          />
          {what === 'set' ? (
            <LinkFields texts={texts} onTexts={setTexts} />
          ) : (
            <Input
              label="Link type"
              required
              value={texts.rel}
              onText={(rel) => setTexts({ ...texts, rel })}
              {...aria}
            />
          )}
        </>
      )}
    </FormDialog>
  );
};

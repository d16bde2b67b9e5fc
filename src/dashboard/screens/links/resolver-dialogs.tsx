/** The dialogs about links of the resolver, and the calls that they make. */
import { useId, useState } from 'preact/hooks';
import { LINK_TYPES } from '../../../resolver/link-types.ts';
import { api, ifMatch } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { ItemLink, ResolverItem } from '../../api/shapes.ts';
import { useUndoable } from '../../ui/buttons.tsx';
import { CheckInput, Input, Segments, UrlInput } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { BEGINNING, faultOfUrl, type LinkTexts, toLink, toLinkTexts } from './texts.ts';

/** Returns what is wrong with the fields before the service is asked; `null`: nothing, or nothing was entered. */
const faultOfTexts = ({ href }: LinkTexts): string | null => (href === '' ? null : faultOfUrl(href));

interface LinkFieldsProps {
  readonly texts: LinkTexts;
  readonly onTexts: (texts: LinkTexts) => void;
}

/** Takes what a link of an item is about, where it leads, and for whom it is. */
const LinkFields = ({ texts, onTexts }: LinkFieldsProps) => {
  const list = useId();
  const typed = (name: keyof LinkTexts) => ({
    value: texts[name],
    spellcheck: false,
    onText: (text: string) => onTexts({ ...texts, [name]: text }),
  });
  return (
    <>
      <Input label="What it is about" hint="a GS1 link type" list={list} required {...typed('rel')} />
      <datalist id={list}>
        {LINK_TYPES.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <UrlInput label="Leads to" required placeholder="https://example.com/product" {...typed('href')} />
      <Input label="Title" required {...typed('title')} />
      <details>
        <summary>Only for some visitors</summary>
        <div class="stack">
          <Input label="Languages" hint="as in en, de-CH" {...typed('hreflang')} />
          <Input label="Media type" hint="as in text/html" {...typed('type')} />
          <Input label="Contexts" hint="your own words" {...typed('context')} />
        </div>
      </details>
    </>
  );
};

/** Replaces the links of an item. @throws {Fault} */
export const saveLinks = (item: ResolverItem, links: ItemLink[]) =>
  change(
    api.PATCH('/api/v1/resolver/items/{id}', {
      params: { path: { id: item.id }, header: ifMatch(item) },
      body: { links },
    }),
  );

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

export const LinkDialog = ({ link, save, onClose }: LinkDialogProps) => {
  const [texts, setTexts] = useState(link === null ? BEGINNING : toLinkTexts(link));
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
  const tell = useUndoable<string>('Every item has the links that it had before.', (id) =>
    change(api.POST('/api/v1/resolver/changes/{id}/undo', { params: { path: { id } } })),
  );
  const submit = async (): Promise<void> => {
    const wanted = what === 'set' ? { set: [toLink(texts, false)] } : { remove: [texts.rel.trim()] };
    const body = { key: itemKey, change: wanted };
    const { change_id, changed } = await change(api.PATCH('/api/v1/resolver/items', { body }));
    tell(`Saved. ${count(changed, 'item')} changed.`, change_id);
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

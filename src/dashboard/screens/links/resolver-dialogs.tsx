/** The dialogs about links of the resolver, and the calls that they make. */
import { bracketsOf, readKey } from '../../../resolver/key.ts';
import { api, type Fault, ifMatch, messageAt } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { ItemLink, ResolverItem } from '../../api/shapes.ts';
import { useUndoable } from '../../ui/buttons.tsx';
import { CheckInput, Input, Segments, UrlInput } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { useSettled } from '../../ui/hooks.ts';
import { useDraft } from '../../ui/kept/drafts.ts';
import { say, sayWith } from '../../words/say.ts';
import { LinkTypeInput } from './link-types.tsx';
import { BEGINNING, faultOfUrl, type LinkTexts, toLink, toLinkTexts } from './texts.ts';

/** Returns what is wrong with the fields before the service is asked; `null`: nothing, or nothing was entered. */
const faultOfTexts = ({ href }: LinkTexts): string | null => (href === '' ? null : faultOfUrl(href));

interface LinkFieldsProps {
  readonly texts: LinkTexts;
  readonly fault: Fault | null;
  /** The field of the request that has the link. */
  readonly path: string;
  readonly onTexts: (texts: LinkTexts) => void;
}

const LINK_FIELDS = ['rel', 'href', 'title', 'hreflang', 'type', 'context'] as const;

/** Returns the fields of a link in a request, which `LinkFields` says what is wrong with. */
const fieldsOf = (path: string): readonly string[] => LINK_FIELDS.map((name) => `${path}.${name}`);

/** Takes what a link of an item is about, where it leads, and for whom it is. */
const LinkFields = ({ texts, fault, path, onTexts }: LinkFieldsProps) => {
  const at = (name: keyof LinkTexts) => messageAt(fault, `${path}.${name}`);
  const typed = (name: keyof LinkTexts) => ({
    value: texts[name],
    fault: at(name),
    spellcheck: false,
    onText: (text: string) => onTexts({ ...texts, [name]: text }),
  });
  return (
    <>
      <LinkTypeInput rel={texts.rel} fault={at('rel')} onRel={(rel) => onTexts({ ...texts, rel })} />
      <UrlInput
        label={say('Leads to')}
        required
        placeholder="https://example.com/product"
        {...typed('href')}
      />
      <Input label={say('Title')} required {...typed('title')} />
      <details>
        <summary>{say('Only for some visitors')}</summary>
        <div class="stack">
          <Input label={say('Languages')} hint={say('as in en, de-CH')} {...typed('hreflang')} />
          <Input label={say('Media type')} hint={say('as in text/html')} {...typed('type')} />
          <Input label={say('Contexts')} hint={say('your own words')} {...typed('context')} />
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

interface KeyInputProps {
  readonly text: string;
  readonly fault: string | null;
  readonly onText: (text: string) => void;
}

interface NewItemProps {
  /** The numbers that are known already; '' for none. */
  readonly first: string;
  readonly onMade: (item: ResolverItem) => void;
  readonly onClose: () => void;
}

/** Until then, a number is not wrong but unfinished. */
const PAUSE_MS = 600;

/** Takes what names an item, and says how it is understood, or what is wrong with it. */
const KeyInput = ({ text, fault, onText }: KeyInputProps) => {
  const read = text.trim() === '' ? null : readKey(text.trim());
  const isSettled = useSettled(text, PAUSE_MS) === text;
  return (
    <>
      <Input
        label={say('Numbers')}
        hint={say('a GTIN, or as in (01)09521321000018(10)L7')}
        required
        spellcheck={false}
        value={text}
        fault={
          fault ?? (read?.ok === false && isSettled ? say('This {fault}.', { fault: read.fault }) : null)
        }
        onText={onText}
      />
      {read?.ok && (
        <p class="muted small" role="status">
          {sayWith('The item is {code}.', { code: <code>{bracketsOf(read.value.path)}</code> })}
        </p>
      )}
    </>
  );
};

/** Asks for the numbers of an item and its first link, and makes it. */
export const NewItem = ({ first, onMade, onClose }: NewItemProps) => {
  const [{ key, texts }, enter, draft] = useDraft(`new item ${first}`, {
    key: first,
    texts: BEGINNING,
  });
  return (
    <FormDialog
      title={say('New item')}
      action={say('Make the item')}
      problem={faultOfTexts(texts)}
      fields={['key', ...fieldsOf('links.0')]}
      staysOpen
      submit={async () => {
        const body = { key: key.trim(), links: [toLink(texts, true)] };
        onMade(await change(api.POST('/api/v1/resolver/items', { body })));
      }}
      draft={draft}
      help={say(
        'This is its default link. More links, for other languages for example, are added on its page.',
      )}
      onClose={onClose}
    >
      {(_, fault) => (
        <>
          <KeyInput text={key} fault={messageAt(fault, 'key')} onText={(text) => enter({ key: text })} />
          <LinkFields
            texts={texts}
            fault={fault}
            path="links.0"
            onTexts={(changed) => enter({ texts: changed })}
          />
        </>
      )}
    </FormDialog>
  );
};

interface LinkDialogProps {
  /** The item that has the link. */
  readonly of: string;
  /** `null`: a new link. */
  readonly link: ItemLink | null;
  /** Its place among the links of the item. */
  readonly at: number;
  readonly save: (link: ItemLink) => Promise<void>;
  readonly onClose: () => void;
}

export const LinkDialog = ({ of, link, at, save, onClose }: LinkDialogProps) => {
  const path = `links.${at}`;
  const [{ texts, isDefault }, enter, draft] = useDraft(`${path} of ${of}`, {
    texts: link === null ? BEGINNING : toLinkTexts(link),
    isDefault: link?.is_default ?? false,
  });
  return (
    <FormDialog
      title={link === null ? say('Add a link') : say('Edit the link')}
      action={say('Save')}
      problem={faultOfTexts(texts)}
      fields={fieldsOf(path)}
      submit={() => save(toLink(texts, isDefault))}
      draft={draft}
      onClose={onClose}
    >
      {(_, fault) => (
        <>
          <LinkFields
            texts={texts}
            fault={fault}
            path={path}
            onTexts={(changed) => enter({ texts: changed })}
          />
          {link?.is_default !== true && (
            <CheckInput
              label={say('Default')}
              hint={say('Visitors come here unless another link suits them better.')}
              isOn={isDefault}
              onToggle={(isOn) => enter({ isDefault: isOn })}
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

interface ManyTexts {
  readonly what: 'set' | 'remove';
  readonly texts: LinkTexts;
}

/** Sets or removes links of one type at all items with this prefix, all or nothing. It offers to undo that. */
export const ChangeMany = ({ itemKey, onClose }: ChangeManyProps) => {
  const [{ what, texts }, enter, draft] = useDraft<ManyTexts>(`change of ${itemKey}`, {
    what: 'set',
    texts: BEGINNING,
  });
  const setTexts = (changed: LinkTexts) => enter({ texts: changed });
  const tell = useUndoable<string>(say('Every item has the links that it had before.'), (id) =>
    change(api.POST('/api/v1/resolver/changes/{id}/undo', { params: { path: { id } } })),
  );
  const submit = async (): Promise<void> => {
    const wanted = what === 'set' ? { set: [toLink(texts, false)] } : { remove: [texts.rel.trim()] };
    const body = { key: itemKey, change: wanted };
    const { change_id, changed } = await change(api.PATCH('/api/v1/resolver/items', { body }));
    tell(say('Saved. {items} changed.', { items: count(changed, 'item', 'items') }), change_id);
  };
  return (
    <FormDialog
      title={say('Change all items of {itemKey}', { itemKey })}
      action={say('Save')}
      problem={what === 'set' ? faultOfTexts(texts) : null}
      fields={[...fieldsOf('change.set.0'), 'change.remove']}
      submit={submit}
      draft={draft}
      onClose={onClose}
    >
      {(_, fault) => (
        <>
          <Segments
            label={say('What to change')}
            value={what}
            options={[
              ['set', say('Set a link')],
              ['remove', say('Remove a link')],
            ]}
            onChoose={(chosen) => enter({ what: chosen })}
          />
          {what === 'set' ? (
            <LinkFields texts={texts} fault={fault} path="change.set.0" onTexts={setTexts} />
          ) : (
            <LinkTypeInput
              rel={texts.rel}
              fault={messageAt(fault, 'change.remove')}
              onRel={(rel) => setTexts({ ...texts, rel })}
            />
          )}
        </>
      )}
    </FormDialog>
  );
};

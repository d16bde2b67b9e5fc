import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask, toScreenPath } from '../../api/client.ts';
import { useGet, usePages } from '../../api/query.ts';
import type { ItemLink, ResolverItem } from '../../api/shapes.ts';
import { Button, CopyButton, Danger, PrimaryLink, Quiet, useAction, useToast } from '../../ui/buttons.tsx';
import { Question } from '../../ui/form.tsx';
import { Above, Card, Dots, Page } from '../../ui/page.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { ItemScans } from '../scans/report.tsx';
import { wordsOf } from './link-words.ts';
import { LinkDialog, saveLinks } from './resolver-dialogs.tsx';
import { ChangeList } from './settings.tsx';
import { withLink } from './texts.ts';

/** Says for whom a link is; nothing when it is for everybody. */
const forWhom = ({ hreflang, type, context }: ItemLink): string =>
  [...hreflang, ...(type === null ? [] : [type]), ...context].join(', ');

interface LinkRowProps {
  readonly link: ItemLink;
  readonly isBusy: boolean;
  readonly onEdit: () => void;
  readonly onDefault: () => void;
  readonly onRemove: () => void;
}

const LinkRow = ({ link, isBusy, onEdit, onDefault, onRemove }: LinkRowProps) => {
  const { rel, href, title, is_default } = link;
  const about = `“${title}”`;
  return (
    <li class="setting">
      <div>
        <h3>
          {title} {is_default && <span class="chip good">{say('Default')}</span>}
        </h3>
        <a class="wrap" href={href} target="_blank" rel="noreferrer noopener">
          {href}
        </a>
        <Dots facts={[wordsOf(rel), wordsOf(rel) !== rel && rel, forWhom(link)]} />
      </div>
      <div class="row">
        {!is_default && (
          <Quiet about={about} disabled={isBusy} onClick={onDefault}>
            {say('Make default')}
          </Quiet>
        )}
        <Button about={about} disabled={isBusy} onClick={onEdit}>
          {say('Edit')}
        </Button>
        <Danger about={about} disabled={isBusy} onClick={onRemove}>
          {say('Remove')}
        </Danger>
      </div>
    </li>
  );
};

/** Shows the links of an item, changes them, and shows what they were before. */
const ItemLinks = ({ item }: { readonly item: ResolverItem }) => {
  const { links, url } = item;
  const toast = useToast();
  const { busy, fault, run } = useAction();
  /** The place of the link that is edited; their number for a new one. */
  const [edited, edit] = useState<number | null>(null);
  const save = async (next: ItemLink[]): Promise<void> => {
    await saveLinks(item, next);
    toast({ text: say('Saved. Visitors are led there within a second.') });
  };
  const set = (at: number, link: ItemLink | null) => save(withLink(links, at, link));
  const history = usePages('/api/v1/resolver/items/{id}/history', {
    path: { id: item.id },
    query: { limit: 10 },
  });
  return (
    <Card
      title={say('Links')}
      actions={<Button onClick={() => edit(links.length)}>{say('Add a link')}</Button>}
    >
      <div class="row">
        <span class="wrap">{url}</span>
        <CopyButton text={url} label={say('Copy')} about={say('the address')} />
      </div>
      <ul class="stack">
        {links.map((link, at) => (
          <LinkRow
            key={at}
            link={link}
            isBusy={busy}
            onEdit={() => edit(at)}
            onDefault={() => void run(() => set(at, { ...link, is_default: true }))}
            onRemove={() => void run(() => set(at, null))}
          />
        ))}
      </ul>
      {fault !== null && <Failure fault={fault} />}
      <ChangeList
        title={say('History')}
        pages={history}
        show={(past) =>
          past.links.map(({ rel, href }, at) => (
            <span key={at} class="wrap small">
              {wordsOf(rel)}: {href}
            </span>
          ))
        }
        onReturn={(past) => save([...past.links])}
      />
      {edited !== null && (
        <LinkDialog
          of={item.id}
          link={links[edited] ?? null}
          at={edited}
          save={(link) => set(edited, link)}
          onClose={() => edit(null)}
        />
      )}
    </Card>
  );
};

/** Opens the designer with a Digital Link. */
const designPath = (url: string): string => toScreenPath(`/design?gs1=${encodeURIComponent(url)}`);

const LIST = '/links/resolver';

const Delete = ({ item: { id, key } }: { readonly item: ResolverItem }) => {
  const { route } = useLocation();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Danger onClick={() => setAsking(true)}>{say('Delete')}</Danger>
      {isAsking && (
        <Question
          title={say('Delete {key}?', { key })}
          yes={say('Delete the item')}
          no={say('Keep the item')}
          act={async () => {
            // Not `change`, which would refetch what no longer exists.
            await ask(api.DELETE('/api/v1/resolver/items/{id}', { params: { path: { id } } }));
            route(toScreenPath(LIST));
          }}
          onClose={() => setAsking(false)}
        >
          <p>{say('Its address then leads where the item above it leads, or nowhere.')}</p>
        </Question>
      )}
    </>
  );
};

/** Shows one item of the resolver: its links, their history and its scans. */
export default function ResolverItemScreen({ id = '' }: { readonly id?: string; readonly path: string }) {
  const item = useGet('/api/v1/resolver/items/{id}', { path: { id } });
  return (
    <Page
      title={item.data?.key ?? say('Item')}
      above={<Above path={LIST} name={say('Resolver')} />}
      actions={
        item.data && (
          <>
            <PrimaryLink href={designPath(item.data.url)}>{say('Make the code')}</PrimaryLink>
            <Delete item={item.data} />
          </>
        )
      }
    >
      <Loaded load={item} what={say('the item')}>
        {(data) => (
          <>
            <ItemLinks item={data} />
            <ItemScans id={id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

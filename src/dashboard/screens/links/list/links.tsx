/** The short links of the account: found, changed in place, and changed many at once. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { toScreenPath } from '../../../api/client.ts';
import { refresh, usePages } from '../../../api/query.ts';
import { ButtonLink, linkTo, Primary } from '../../../ui/buttons.tsx';
import { useAddressed } from '../../../ui/kept/address.ts';
import { useAskedForNew } from '../../../ui/kept/asked.ts';
import { PagedTable } from '../../../ui/lists.tsx';
import { Page, Tabs } from '../../../ui/page.tsx';
import { useSelection } from '../../../ui/rows/selection.tsx';
import { tagsOf } from '../../../ui/rows/tags.tsx';
import { Empty } from '../../../ui/states.tsx';
import { say, sayWith } from '../../../words/say.ts';
import { useDeletion } from '../../codes/edit.tsx';
import { useRuleSets } from '../rules/link-rules.tsx';
import { isFiltered, NONE, queryOf, SORTS, STATUSES, Toolbar } from './filters.tsx';
import { type Chosen, ManyLinks } from './many.tsx';
import { NewLink } from './new-link.tsx';
import { Row } from './row.tsx';

const PAGE = 50;

const COLUMNS = [
  say('Short link'),
  say('Destination'),
  say('Tags'),
  say('Folder'),
  say('Status'),
  say('Scans'),
  say('Rules'),
] as const;

const Begin = ({ onNew }: { readonly onNew: () => void }) => (
  <>
    <ButtonLink href={toScreenPath('/links/jobs/new')}>{say('Import links')}</ButtonLink>
    <Primary onClick={onNew}>{say('New link')}</Primary>
  </>
);

const NoLinks = ({ begin }: { readonly begin: ComponentChildren }) => (
  <Empty title={say('No short links yet.')} icon="links" actions={begin}>
    <p>{say('A short link leads where you say, and you can change that after its code is printed.')}</p>
  </Empty>
);

/** Says that nothing was found. @param isOver Whether all links were looked at. */
const NoneFound = ({ isOver }: { readonly isOver: boolean }) =>
  isOver ? (
    <Empty title={say('No link fits what you ask for.')}>
      <p>
        {sayWith(
          'The search looks at short addresses, destinations, names, tags and your ids. <link>Show all links</link>, or look in the <link2>bin</link2>.',
          { link: linkTo('/links'), link2: linkTo('/bin') },
        )}
      </p>
    </Empty>
  ) : (
    <Empty title={say('Nothing was found in a second.')}>
      <p>{say('“Show more” goes on searching.')}</p>
    </Empty>
  );

export default function Links(_: { readonly path: string }) {
  const [asked, chooseNow] = useAddressed(NONE, { sort: SORTS, status: STATUSES });
  const [isAll, setAll] = useState(false);
  const [isMaking, setMaking] = useState(false);
  useAskedForNew(() => setMaking(true));
  const choose: typeof chooseNow = (changed, how) => {
    setAll(false);
    chooseNow(changed, how);
  };
  const query = queryOf(asked);
  const pages = usePages('/api/v1/links', { query: { ...query, limit: PAGE } });
  const { data: sets = [] } = useRuleSets();
  const links = pages.items;
  const selection = useSelection(
    JSON.stringify(query),
    () => links,
    ({ code_id: id }) => id,
  );
  // As they are now: a change has new versions of them.
  const rows = links.filter(selection.has);
  const clear = (): void => {
    setAll(false);
    selection.chooseAll(false);
  };
  const { remove, question } = useDeletion(() => {
    clear();
    refresh();
  });
  const chosen: Chosen =
    isAll && rows.length === links.length && pages.hasNextPage ? { matching: query } : { links: rows };
  const hasNone = pages.data !== undefined && links.length === 0 && !pages.hasNextPage && !isFiltered(asked);
  const begin = <Begin onNew={() => setMaking(true)} />;
  return (
    <Page title={say('Links')} actions={!hasNone && begin}>
      <Tabs of="links" />
      {!hasNone && (
        <Toolbar
          asked={asked}
          choose={choose}
          tags={tagsOf(links)}
          sets={sets}
          selection={selection}
          shown={links.length}
        />
      )}
      {question}
      <PagedTable
        pages={pages}
        what={say('the links')}
        columns={COLUMNS}
        look="links"
        empty={hasNone ? <NoLinks begin={begin} /> : <NoneFound isOver={!pages.hasNextPage} />}
        row={(link) => (
          <Row
            key={link.code_id}
            link={link}
            sets={sets}
            selection={selection}
            onTag={(tag) => choose({ tag })}
            onDelete={() => void remove({ kind: 'codes', ids: [link.code_id], what: `“${link.slug}”` })}
          />
        )}
      />
      {rows.length > 0 && (
        <ManyLinks
          chosen={chosen}
          onAll={rows.length === links.length && pages.hasNextPage && !isAll ? () => setAll(true) : null}
          onDelete={(codes) => void remove(codes)}
          onClear={clear}
        />
      )}
      {isMaking && <NewLink onClose={() => setMaking(false)} />}
    </Page>
  );
}

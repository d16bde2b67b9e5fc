/** The short links of the account: found, changed in place, and changed many at once. */
import { useState } from 'preact/hooks';
import { toScreenPath } from '../../../api/client.ts';
import { refresh, usePages } from '../../../api/query.ts';
import { linkTo, PrimaryLink } from '../../../ui/buttons.tsx';
import { useAddressed } from '../../../ui/kept/address.ts';
import { Head, More } from '../../../ui/lists.tsx';
import { Card, Page, Tabs } from '../../../ui/page.tsx';
import { useSelection } from '../../../ui/rows/selection.tsx';
import { tagsOf } from '../../../ui/rows/tags.tsx';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { say, sayWith } from '../../../words/say.ts';
import { useDeletion } from '../../codes/edit.tsx';
import { useRuleSets } from '../rules/link-rules.tsx';
import { NONE, queryOf, SORTS, STATUSES, Toolbar } from './filters.tsx';
import { type Chosen, ManyLinks } from './many.tsx';
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

export default function Links(_: { readonly path: string }) {
  const [asked, chooseNow] = useAddressed(NONE, { sort: SORTS, status: STATUSES });
  const [isAll, setAll] = useState(false);
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
  const isFiltered = Object.entries(asked).some(([name, value]) => name !== 'sort' && value !== '');
  return (
    <Page
      title={say('Links')}
      actions={<PrimaryLink href={toScreenPath('/links/jobs/new')}>{say('Import links')}</PrimaryLink>}
    >
      <Tabs of="links" />
      <Toolbar
        asked={asked}
        choose={choose}
        tags={tagsOf(links)}
        sets={sets}
        selection={selection}
        shown={links.length}
      />
      {question}
      <Loaded load={pages} what={say('the links')}>
        {() =>
          links.length > 0 ? (
            <Card class="links">
              <table class="table">
                <Head columns={COLUMNS} hasActions />
                <tbody>
                  {links.map((link) => (
                    <Row
                      key={link.code_id}
                      link={link}
                      sets={sets}
                      selection={selection}
                      onTag={(tag) => choose({ tag })}
                      onDelete={() =>
                        void remove({ kind: 'codes', ids: [link.code_id], what: `“${link.slug}”` })
                      }
                    />
                  ))}
                </tbody>
              </table>
            </Card>
          ) : pages.hasNextPage ? (
            <Empty title={say('Nothing was found in a second.')}>
              <p>{say('“Show more” goes on searching.')}</p>
            </Empty>
          ) : isFiltered ? (
            <Empty title={say('No link fits what you ask for.')}>
              <p>
                {sayWith(
                  'The search looks at short addresses, destinations, names, tags and your ids. <link>Show all links</link>, or look in the <link2>bin</link2>.',
                  { link: linkTo('/links'), link2: linkTo('/bin') },
                )}
              </p>
            </Empty>
          ) : (
            <Empty title={say('No short links yet.')}>
              <p>
                {sayWith(
                  '<link>Design a dynamic code</link>, or <link2>bring links from another service</link2>.',
                  { link: linkTo('/design'), link2: linkTo('/links/jobs/new') },
                )}
              </p>
            </Empty>
          )
        }
      </Loaded>
      <More pages={pages} />
      {rows.length > 0 && (
        <ManyLinks
          chosen={chosen}
          onAll={rows.length === links.length && pages.hasNextPage && !isAll ? () => setAll(true) : null}
          onDelete={(codes) => void remove(codes)}
          onClear={clear}
        />
      )}
    </Page>
  );
}

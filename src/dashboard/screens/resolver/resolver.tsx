import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { usePages } from '../../api/query.ts';
import type { ResolverItem } from '../../api/shapes.ts';
import { BASE, toScreenPath } from '../../base.ts';
import { useSession } from '../../session.ts';
import { Button, ButtonLink, Primary } from '../../ui/buttons.tsx';
import { formatNumber } from '../../ui/format.ts';
import { PagedTable } from '../../ui/lists/paged-table.tsx';
import { Search } from '../../ui/lists/search.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { LinkTabs } from '../links/tabs.tsx';
import { ChangeMany, NewItem } from './dialogs.tsx';
import { ImportItems } from './import-dialog.tsx';

const SHOWN = 25;

const Row = ({ item: { id, key, links, scans } }: { readonly item: ResolverItem }) => (
  <tr>
    <td>
      <a class="wrap name" href={toScreenPath(`/links/resolver/${id}`)}>
        {key}
      </a>
    </td>
    <td class="wrap muted">{(links.find(({ is_default }) => is_default) ?? links[0])?.href}</td>
    <td class="number" data-name="Links:">
      {formatNumber(links.length)}
    </td>
    <td class="number" data-name="Scans:">
      {formatNumber(scans.people)}
    </td>
  </tr>
);

const Off = () => (
  <Empty title="This installation has no resolver.">
    <p>
      A resolver answers at the addresses in GS1 Digital Links, and leads each visitor to the right page. The
      operator of this service switches it on with the variable <code>RESOLVER=on</code>.
    </p>
  </Empty>
);

/** The actions above the list, each of which opens a dialog. */
type Asked = 'new' | 'import' | 'many';

/** Lists the items of the resolver, found by the beginning of their numbers. */
const Items = ({
  asked,
  ask,
}: {
  readonly asked: Asked | null;
  readonly ask: (what: Asked | null) => void;
}) => {
  const { route } = useLocation();
  const [key, setKey] = useState('');
  const pages = usePages('/api/v1/resolver/items', { query: { limit: SHOWN, ...(key && { key }) } });
  const close = () => ask(null);
  return (
    <>
      <div class="toolbar">
        <Search label="Find by GTIN or another number" onSearch={setKey} />
        {key !== '' && pages.items.length > 0 && (
          <Button onClick={() => ask('many')}>Change all of these</Button>
        )}
      </div>
      <PagedTable
        pages={pages}
        what="the items"
        columns={['Item', 'Leads to', 'Links', 'Scans']}
        hasActions={false}
        empty={
          key === '' ? (
            <Empty title="No items yet.">
              <p>
                Make one for each product, or import a file. Their codes are Digital Links to this address.
              </p>
            </Empty>
          ) : (
            <Empty title={`No item has the number ${key}.`} />
          )
        }
        row={(item) => <Row key={item.id} item={item} />}
      />
      {asked === 'new' && (
        <NewItem onMade={({ id }) => route(toScreenPath(`/links/resolver/${id}`))} onClose={close} />
      )}
      {asked === 'import' && <ImportItems onClose={close} />}
      {asked === 'many' && <ChangeMany itemKey={key} onClose={close} />}
    </>
  );
};

/** Shows the items of the GS1 resolver with the links of each, or how it is switched on. */
export default function Resolver(_: { readonly path: string }) {
  const isOn = useSession().resolver_url !== null;
  const [asked, ask] = useState<Asked | null>(null);
  return (
    <Page
      title="Resolver"
      actions={
        isOn && (
          <>
            <ButtonLink href={`${BASE}api/v1/resolver/items.csv`} download="items.csv">
              Export
            </ButtonLink>
            <Button onClick={() => ask('import')}>Import</Button>
            <Primary onClick={() => ask('new')}>New item</Primary>
          </>
        )
      }
    >
      <LinkTabs at="resolver" />
      {isOn ? <Items asked={asked} ask={ask} /> : <Off />}
    </Page>
  );
}

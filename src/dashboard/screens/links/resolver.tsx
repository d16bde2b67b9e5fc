import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { askRaw, BASE, toScreenPath } from '../../api/client.ts';
import { refresh, usePages } from '../../api/query.ts';
import type { ItemsImported, ResolverItem } from '../../api/shapes.ts';
import { Button, ButtonLink, Primary, useAction, useToast } from '../../ui/buttons.tsx';
import { Dialog, DropZone } from '../../ui/form.tsx';
import { count, formatNumber } from '../../ui/format.ts';
import { useSession } from '../../ui/hooks.ts';
import { useAddressed } from '../../ui/kept/address.ts';
import { useAskedForNew } from '../../ui/kept/asked.ts';
import { PagedTable, Search } from '../../ui/lists.tsx';
import { Page, Tabs } from '../../ui/page.tsx';
import { Empty, FieldFailure } from '../../ui/states.tsx';
import { say, sayWith } from '../../words/say.ts';
import { EncodingChoice, isOfEncoding } from '../table/file/encoding.tsx';
import { ChangeMany, NewItem } from './resolver-dialogs.tsx';

/** Sends a file of links. @param isTrial Whether it is only checked. @throws {Fault} It names the wrong rows. */
const send = async (file: File, encoding: string | null, isTrial: boolean): Promise<ItemsImported> => {
  const answer = await askRaw(`api/v1/resolver/items/import${isTrial ? '?dry_run=true' : ''}`, {
    method: 'POST',
    headers: { 'content-type': encoding === null ? 'text/csv' : `text/csv; charset=${encoding}` },
    body: file,
  });
  return (await answer.json()) as ItemsImported;
};

const inWords = ({ rows, created, changed, empty_rows: emptyRows }: ItemsImported): string =>
  [
    count(rows, 'link', 'links'),
    count(created, 'new item', 'new items'),
    count(changed, 'changed item', 'changed items'),
    ...(emptyRows === 0
      ? []
      : [say('{rows} left out', { rows: count(emptyRows, 'empty row', 'empty rows') })]),
  ].join(', ');

/** Takes a CSV file of links, checks all of it, says what it does, and imports it when a person agrees. */
const ImportItems = ({ onClose }: { readonly onClose: () => void }) => {
  const [file, setFile] = useState<File | null>(null);
  const [encoding, setEncoding] = useState<string | null>(null);
  const [found, setFound] = useState<ItemsImported | null>(null);
  const { busy, fault, run } = useAction();
  const toast = useToast();
  const take = (chosen: File, said: string | null = null) => {
    setFile(chosen);
    setEncoding(said);
    setFound(null);
    void run(async () => setFound(await send(chosen, said, true)));
  };
  const bring = async (): Promise<void> => {
    if (file === null) return;
    toast({ text: say('Imported: {counts}.', { counts: inWords(await send(file, encoding, false)) }) });
    refresh();
    onClose();
  };
  return (
    <Dialog title={say('Import links')} onClose={onClose}>
      <DropZone
        id="items-file"
        label={say('a CSV file')}
        accept=".csv,text/csv"
        hint={sayWith(
          'A link per row: <code>key</code> or <code>gtin</code>, <code>lot</code>, <code>serial</code>; then <code>rel</code>, <code>href</code> and <code>title</code>. An export has all columns.',
          { code: (name) => <code>{name}</code> },
        )}
        onFile={(chosen) => take(chosen)}
      />
      <p role="status">
        {file !== null && <strong class="wrap">{file.name}</strong>} {busy && say('Checking …')}
        {found !== null && say('{counts}. Nothing has changed yet.', { counts: inWords(found) })}
      </p>
      {isOfEncoding(fault) && file !== null && (
        <EncodingChoice key={fault.details} fault={fault} onChoose={(said) => take(file, said)} />
      )}
      {fault !== null && fault.faults.length > 1 ? (
        <div class="fault" role="alert">
          <ul>
            {fault.faults.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </div>
      ) : (
        <FieldFailure fault={fault} />
      )}
      <div class="row">
        <Primary disabled={busy || found === null} onClick={() => void run(bring)}>
          {say('Import')}
        </Primary>
        <Button onClick={onClose}>{say('Cancel')}</Button>
      </div>
    </Dialog>
  );
};

const SHOWN = 25;

const Row = ({ item: { id, key, links, scans } }: { readonly item: ResolverItem }) => (
  <tr>
    <td>
      <a class="wrap name" href={toScreenPath(`/links/resolver/${id}`)}>
        {key}
      </a>
    </td>
    <td class="wrap muted">{(links.find(({ is_default }) => is_default) ?? links[0])?.href}</td>
    <td class="number" data-name={say('Links:')}>
      {formatNumber(links.length)}
    </td>
    <td class="number" data-name={say('Scans:')}>
      {formatNumber(scans.people)}
    </td>
  </tr>
);

const Off = () => (
  <Empty title={say('This installation has no resolver.')}>
    <p>
      {sayWith(
        'A resolver answers at the addresses in GS1 Digital Links, and leads each visitor to the right page. The operator of this service switches it on with the variable {code}.',
        { code: <code>RESOLVER=on</code> },
      )}
    </p>
  </Empty>
);

/** The actions above the list, each of which opens a dialog. */
type DialogName = 'new' | 'import' | 'many';

/** Lists the items of the resolver, found by the beginning of their numbers. */
const Items = ({
  dialog,
  setDialog,
}: {
  readonly dialog: DialogName | null;
  readonly setDialog: (what: DialogName | null) => void;
}) => {
  const { route } = useLocation();
  /** `item` are the numbers of an item that another screen asks to make. */
  const [{ key, item: first }, choose] = useAddressed({ key: '', item: '' });
  const pages = usePages('/api/v1/resolver/items', { query: { limit: SHOWN, ...(key && { key }) } });
  const close = () => setDialog(null);
  const hasNone = key === '' && pages.data !== undefined && pages.items.length === 0;
  return (
    <>
      {!hasNone && (
        <div class="toolbar">
          <Search
            label={say('Find by GTIN or another number')}
            searched={key}
            onSearch={(text) => choose({ key: text }, 'typed')}
          />
          {key !== '' && pages.items.length > 0 && (
            <Button onClick={() => setDialog('many')}>{say('Change all of these')}</Button>
          )}
        </div>
      )}
      <PagedTable
        pages={pages}
        what={say('the items')}
        columns={[say('Item'), say('Leads to'), say('Links'), say('Scans')]}
        hasActions={false}
        empty={
          hasNone ? (
            <Empty title={say('No items yet.')}>
              <p>
                {say(
                  'Make one for each product, or import a file. Their codes are Digital Links to this address.',
                )}
              </p>
            </Empty>
          ) : (
            <Empty title={say('No item has the number {key}.', { key })} />
          )
        }
        row={(item) => <Row key={item.id} item={item} />}
      />
      {(dialog === 'new' || first !== '') && (
        <NewItem
          first={first}
          onMade={({ id }) => route(toScreenPath(`/links/resolver/${id}`))}
          onClose={() => {
            close();
            // The address asks for it only once.
            if (first !== '') choose({ item: '' }, 'typed');
          }}
        />
      )}
      {dialog === 'import' && <ImportItems onClose={close} />}
      {dialog === 'many' && <ChangeMany itemKey={key} onClose={close} />}
    </>
  );
};

/** Shows the items of the GS1 resolver with the links of each, or how it is switched on. */
export default function Resolver(_: { readonly path: string }) {
  const isOn = useSession().resolver_url !== null;
  const [dialog, setDialog] = useState<DialogName | null>(null);
  useAskedForNew(() => setDialog('new'));
  return (
    <Page
      title={say('Resolver')}
      actions={
        isOn && (
          <>
            <ButtonLink href={`${BASE}api/v1/resolver/items.csv`} download="items.csv">
              {say('Export')}
            </ButtonLink>
            <Button onClick={() => setDialog('import')}>{say('Import')}</Button>
            <Primary onClick={() => setDialog('new')}>{say('New item')}</Primary>
          </>
        )
      }
    >
      <Tabs of="links" />
      {isOn ? <Items dialog={dialog} setDialog={setDialog} /> : <Off />}
    </Page>
  );
}

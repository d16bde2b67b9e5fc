import { usePages } from '../api/query.ts';
import type { BinItem } from '../api/shapes.ts';
import { Button, linkTo, useAction, useToast } from '../ui/buttons.tsx';
import { count, formatDay } from '../ui/format.ts';
import { PagedTable } from '../ui/lists.tsx';
import { Page, Tabs } from '../ui/page.tsx';
import { Empty, Failure } from '../ui/states.tsx';
import { say, sayWith } from '../words/say.ts';
import { restore } from './codes/edit.tsx';

const about = (item: BinItem): string =>
  item.kind === 'folder'
    ? say('Folder, {codes}', { codes: count(item.code_count ?? 0, 'code', 'codes') })
    : say('Code');

/** Shows deleted folders and codes, which can be restored. */
export default function Bin(_: { readonly path: string }) {
  const toast = useToast();
  const { run, fault, busy } = useAction();
  const pages = usePages('/api/v1/bin', { query: { limit: 50 } });
  const bringBack = (item: BinItem) =>
    void run(async () => {
      await restore(item.kind === 'folder' ? 'folders' : 'codes', item.id);
      toast({ text: say('“{name}” is restored.', { name: item.name }) });
    });
  return (
    <Page title={say('Bin')}>
      <Tabs of="codes" />
      <p class="muted">
        {sayWith(
          'Deleted folders and codes stay here for 30 days. The short links of deleted codes stop working at once; people who scan them are sent to the <link>address for codes that lead nowhere</link>.',
          { link: linkTo('/links/settings') },
        )}
      </p>
      {fault && <Failure fault={fault} />}
      <PagedTable
        pages={pages}
        what={say('the bin')}
        columns={[say('Name'), say('Type'), say('Deleted'), say('Kept until')]}
        empty={<Empty title={say('The bin is empty.')} icon="bin" />}
        row={(item) => (
          <tr key={item.id}>
            <td class="wrap">{item.name}</td>
            <td>{about(item)}</td>
            <td class="spare">{formatDay(item.deleted_at)}</td>
            <td data-name={say('Kept until')}>{formatDay(item.expires_at)}</td>
            <td class="end">
              <div class="row">
                <Button about={item.name} disabled={busy} onClick={() => bringBack(item)}>
                  {say('Restore')}
                </Button>
              </div>
            </td>
          </tr>
        )}
      />
    </Page>
  );
}

import { api } from '../../api/client.ts';
import { change, useGet, usePages } from '../../api/query.ts';
import { useToast } from '../../ui/buttons.tsx';
import { AddressForm } from '../../ui/form.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { LinkTabs } from '../tabs.tsx';
import { ChangeList } from './change-list.tsx';

const HELP =
  'People who scan a deleted code are sent here, and so are those who scan a code before its start or after its end, unless it has an address for that. If this is empty, they see a page that says that the code leads nowhere. These visits are not counted as scans.';

/** Shows what holds for all short links of the account: where codes without a destination lead, now and earlier. */
export default function Links(_: { readonly path: string }) {
  const toast = useToast();
  const account = useGet('/api/v1/account', {});
  const pages = usePages('/api/v1/account/dead-link-history', { query: { limit: 10 } });
  const save = async (url: string | null): Promise<void> => {
    await change(api.PATCH('/api/v1/account', { body: { dead_link_url: url || null } }));
    toast({ text: `Saved. These codes lead ${url ? 'there' : 'nowhere'} now.` });
  };
  return (
    <Page title="Short links">
      <LinkTabs at="links" />
      <p class="muted">Settings for the short links of all your dynamic codes.</p>
      <Card title="When a code leads nowhere">
        <Loaded load={account} what="the address">
          {({ dead_link_url }) => (
            <>
              <AddressForm
                id="dead-links"
                label="Address for deleted and ended codes"
                url={dead_link_url ?? ''}
                mayBeEmpty
                placeholder="https://example.com/no-longer-valid"
                help={HELP}
                onSave={save}
              />
              <ChangeList
                title="Earlier addresses"
                pages={pages}
                show={(past) => <span class="wrap">{past.dead_link_url ?? 'No address'}</span>}
                onReturn={(past) => save(past.dead_link_url)}
              />
            </>
          )}
        </Loaded>
      </Card>
    </Page>
  );
}

import { api, ask } from '../../api/client.ts';
import { AddressForm } from '../../ui/forms/address-form.tsx';
import { usePages } from '../../ui/lists/paged.ts';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { ChangeList } from './change-list.tsx';

const HELP =
  'Whoever scans a code that you deleted, or one outside its start and end without an address for that, is sent here. If it is empty, they see a page that says that the code leads nowhere. These visits are not counted as scans.';

const History = ({
  url,
  onReturn,
}: {
  readonly url: string | null;
  readonly onReturn: (url: string) => Promise<void>;
}) => {
  const pages = usePages(
    (cursor, signal) =>
      ask(
        api.GET('/api/v1/account/dead-link-history', {
          params: { query: { limit: 10, ...(cursor && { cursor }) } },
          signal: signal ?? null,
        }),
      ),
    [url],
  );
  return (
    <ChangeList
      title="Earlier addresses"
      pages={pages}
      show={({ dead_link_url }) => <span class="wrap">{dead_link_url ?? 'No address'}</span>}
      onReturn={({ dead_link_url }) => onReturn(dead_link_url ?? '')}
    />
  );
};

/** Shows and changes where codes lead that lead nowhere else, with the earlier addresses. */
export const DeadLinks = () => {
  const toast = useToast();
  const account = useLoad((signal) => ask(api.GET('/api/v1/account', { signal })), []);
  const save = async (url: string): Promise<void> => {
    await ask(api.PATCH('/api/v1/account', { body: { deadLinkUrl: url === '' ? null : url } }));
    toast({
      text: url === '' ? 'Saved. These codes lead nowhere now.' : 'Saved. These codes lead there now.',
    });
    account.reload();
  };
  return (
    <Card title="When a code leads nowhere">
      <Loaded load={account} what="the address">
        {(data) => (
          <>
            <AddressForm
              id="dead-links"
              label="Address for deleted and ended codes"
              url={data.dead_link_url ?? ''}
              mayBeEmpty
              placeholder="https://example.com/no-longer-valid"
              help={HELP}
              onSave={save}
            />
            <History url={data.dead_link_url} onReturn={save} />
          </>
        )}
      </Loaded>
    </Card>
  );
};

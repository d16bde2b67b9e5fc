import { api, ask } from '../../api/client.ts';
import { AddressForm } from '../../ui/forms/address-form.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useLoad } from '../../ui/use-load.ts';

const HELP =
  'Anyone who scans a dynamic code that you deleted is sent to this address. If it is empty, they see a page that says that the code leads nowhere. A change takes effect within a second. These scans are not counted.';

/** Shows and changes where the short links of deleted codes lead. */
export const DeadLinks = () => {
  const toast = useToast();
  const account = useLoad((signal) => ask(api.GET('/api/v1/account', { signal })), []);
  const save = async (url: string): Promise<void> => {
    await ask(api.PATCH('/api/v1/account', { body: { deadLinkUrl: url === '' ? null : url } }));
    toast({
      text: url === '' ? 'Saved. Deleted codes lead nowhere now.' : 'Saved. Deleted codes lead there now.',
    });
    account.reload();
  };
  return (
    <Card title="When a deleted code is scanned">
      <Loaded load={account} what="the address">
        {(data) => (
          <AddressForm
            id="dead-links"
            label="Address for deleted codes"
            url={data.dead_link_url ?? ''}
            mayBeEmpty
            placeholder="https://example.com/no-longer-valid"
            help={HELP}
            onSave={save}
          />
        )}
      </Loaded>
    </Card>
  );
};

import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import { Button } from '../../ui/buttons.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import type { KeyChange } from '../keys/edit-key.tsx';
import { KeyForm } from '../keys/key-form.tsx';
import { KeyTable, SCOPES } from '../keys/key-table.tsx';

const save = (id: string, body: KeyChange) =>
  ask(api.PATCH('/admin/v1/keys/{id}', { params: { path: { id } }, body }));
const revoke = (id: string, withMade: boolean) => {
  const query = withMade ? { with_made: true } : {};
  return ask(api.DELETE('/admin/v1/keys/{id}', { params: { path: { id }, query } }));
};

/** Shows the active keys of an account, makes further ones, changes and revokes them. */
export const AccountKeys = ({ accountId }: { readonly accountId: string }) => {
  const [isMaking, setMaking] = useState(false);
  const params = { path: { id: accountId } };
  const keys = useGet('/admin/v1/accounts/{id}/keys', params);
  return (
    <Card title="Keys" actions={<Button onClick={() => setMaking(true)}>New key</Button>}>
      <Loaded load={keys} what="the keys">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No keys yet.">
              <p>People of this account sign in with a key, and programs use one to call the service.</p>
            </Empty>
          ) : (
            <KeyTable keys={data} save={save} revoke={revoke} />
          )
        }
      </Loaded>
      {isMaking && (
        <KeyForm
          first={SCOPES.map(([scope]) => scope)}
          create={(body) => ask(api.POST('/admin/v1/accounts/{id}/keys', { params, body }))}
          onClose={() => setMaking(false)}
        />
      )}
    </Card>
  );
};

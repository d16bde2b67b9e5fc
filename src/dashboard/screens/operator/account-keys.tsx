import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { Card } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { KeyTable } from '../keys/key-table.tsx';
import { SecretShown } from '../keys/secret-shown.tsx';
import { NewAccountKey } from './new-account-key.tsx';

const revoke = (id: string) => ask(api.DELETE('/admin/v1/keys/{id}', { params: { path: { id } } }));

/** Shows the active keys of an account, makes further ones and revokes them. */
export const AccountKeys = ({ accountId }: { readonly accountId: string }) => {
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const keys = useLoad(
    (signal) => ask(api.GET('/admin/v1/accounts/{id}/keys', { params: { path: { id: accountId } }, signal })),
    [accountId],
  );
  return (
    <Card
      title="Keys"
      actions={
        <button type="button" onClick={() => setMaking(true)}>
          New key
        </button>
      }
    >
      <Loaded load={keys} what="the keys">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No keys yet.">
              <p>With a key the people of this account sign in, and their programs call the service.</p>
            </Empty>
          ) : (
            <KeyTable keys={data} revoke={revoke} onRevoked={keys.reload} />
          )
        }
      </Loaded>
      {isMaking && (
        <NewAccountKey
          accountId={accountId}
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setSecret(key);
            keys.reload();
          }}
        />
      )}
      {secret !== null && <SecretShown what="key" secret={secret} onDone={() => setSecret(null)} />}
    </Card>
  );
};

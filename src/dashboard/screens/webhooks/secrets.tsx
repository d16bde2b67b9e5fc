import { api } from '../../api/client.ts';
import { change, useGet } from '../../api/query.ts';
import { Loaded } from '../../ui/states.tsx';
import { SecretList } from '../keys/secret-list.tsx';

/** Lists the secrets of a webhook, makes another one, and deletes the one that it replaces. */
export const WebhookSecrets = ({ id }: { readonly id: string }) => {
  const secrets = useGet('/api/v1/webhooks/{id}/secrets', { path: { id } });
  const makeSecret = async (): Promise<string> =>
    (await change(api.POST('/api/v1/webhooks/{id}/secrets', { params: { path: { id } } }))).secret;
  return (
    <Loaded load={secrets} what="the secrets">
      {({ data }) => (
        <SecretList
          secrets={data}
          name="secret"
          fullName="webhook secret"
          make="Create another secret"
          hint="While there are two, deliveries are signed by both. Delete the old one once your program has the new one."
          keptMin={1}
          consequence={(shown) => (
            <>
              Deliveries will no longer be signed by {shown}. A program that knows only this secret will
              refuse them.
            </>
          )}
          onMake={makeSecret}
          onDelete={(secret) =>
            change(api.DELETE('/api/v1/webhooks/{id}/secrets/{secret}', { params: { path: { id, secret } } }))
          }
        />
      )}
    </Loaded>
  );
};

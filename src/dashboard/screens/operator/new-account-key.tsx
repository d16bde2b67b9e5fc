import { api, ask } from '../../api/client.ts';
import { KeyForm } from '../keys/key-form.tsx';
import { SCOPES } from '../keys/scopes.ts';

/** Asks what a new key of an account may do, and makes it. `onMade` gets its secret. */
export const NewAccountKey = ({
  accountId,
  onClose,
  onMade,
}: {
  readonly accountId: string;
  readonly onClose: () => void;
  readonly onMade: (secret: string) => void;
}) => (
  <KeyForm
    first={SCOPES.map(([scope]) => scope)}
    create={async (body) => {
      const params = { path: { id: accountId } };
      onMade((await ask(api.POST('/admin/v1/accounts/{id}/keys', { params, body }))).key);
    }}
    onClose={onClose}
  />
);

import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { useSession } from '../../session.ts';
import { KeyForm } from './key-form.tsx';
import type { Scope } from './scopes.ts';
import { SecretShown } from './secret-shown.tsx';

/** Makes a key in a dialog, and shows its secret once. */
export const NewKey = ({
  onMade,
  onClose,
}: {
  readonly onMade: () => void;
  readonly onClose: () => void;
}) => {
  const session = useSession();
  const mayGrant = (scope: Scope) => session.scopes.includes(scope);
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretShown what="key" secret={secret} onDone={onClose} />;
  return (
    <KeyForm
      first={(['generate', 'render'] as const).filter(mayGrant)}
      mayGrant={mayGrant}
      create={async (body) => {
        setSecret((await ask(api.POST('/api/v1/keys', { body }))).key);
        onMade();
      }}
      onClose={onClose}
    />
  );
};

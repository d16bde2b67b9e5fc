import { api } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { SigningSecret } from '../../api/shapes.ts';
import { Empty } from '../../ui/states.tsx';
import { SecretList } from './secret-list.tsx';

/** Lists the signing secrets, makes another one, and deletes them. */
export const SigningSecrets = ({ secrets }: { readonly secrets: readonly SigningSecret[] }) => (
  <>
    {secrets.length === 0 && <Empty title="No signing secrets yet." />}
    <SecretList
      secrets={secrets}
      name="signing secret"
      fullName="signing secret"
      make="Create signing secret"
      hint="You can have two, so that one can replace the other. The newest one signs here."
      keptMin={0}
      consequence={(shown) => (
        <>Every picture whose address {shown} has signed stops working, in web pages and emails.</>
      )}
      onMake={async () => (await change(api.POST('/api/v1/signing-secrets'))).secret}
      onDelete={(id) => change(api.DELETE('/api/v1/signing-secrets/{id}', { params: { path: { id } } }))}
    />
  </>
);

import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { change, useGet } from '../../api/query.ts';
import type { Account } from '../../api/shapes.ts';
import { Button } from '../../ui/buttons.tsx';
import { NameDialog } from '../../ui/form.tsx';
import { formatDay } from '../../ui/format.ts';
import { Above, Card, Main, Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { UsageChart, UsagePicture, type UsageQuestion } from '../home/usage.tsx';
import { KeyForm } from '../keys/key-form.tsx';
import { type KeyChange, KeyTable, SCOPES } from '../keys/key-table.tsx';
import { CreditsForm, PlanForm } from './forms.tsx';

const save = (id: string, body: KeyChange) =>
  ask(api.PATCH('/admin/v1/keys/{id}', { params: { path: { id } }, body }));
const revoke = (id: string, withMade: boolean) => {
  const query = withMade ? { with_made: true } : {};
  return ask(api.DELETE('/admin/v1/keys/{id}', { params: { path: { id }, query } }));
};

/** Shows the active keys of an account, makes further ones, changes and revokes them. */
const AccountKeys = ({ accountId }: { readonly accountId: string }) => {
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

const ThisMonth = ({ account }: { readonly account: Account }) => (
  <Card title="This month">
    <UsagePicture month={{ ...account, ...account.usage }} />
    <p class="muted small">
      Created on {formatDay(account.created_at)}. New units on {formatDay(account.usage.resets_at)}. Id:{' '}
      <code>{account.id}</code>
    </p>
  </Card>
);

const Shown = ({ account }: { readonly account: Account }) => {
  const { id } = account;
  const [isNaming, setNaming] = useState(false);
  const rename = (name: string) =>
    change(api.PATCH('/admin/v1/accounts/{id}', { params: { path: { id } }, body: { name: name.trim() } }));
  const read = (query: UsageQuestion, signal: AbortSignal) =>
    ask(api.GET('/admin/v1/accounts/{id}/usage', { params: { path: { id }, query }, signal }));
  return (
    <Page
      title={account.name}
      above={<Above path="/operator" name="Accounts" />}
      actions={<Button onClick={() => setNaming(true)}>Rename</Button>}
    >
      <ThisMonth account={account} />
      <div class="grid level">
        <PlanForm key={`${account.plan} ${account.monthly_quota}`} account={account} />
        <CreditsForm account={account} />
      </div>
      <AccountKeys accountId={id} />
      <UsageChart of={id} read={read} />
      {isNaming && (
        <NameDialog
          title="Rename the account"
          name={account.name}
          action="Save"
          save={rename}
          onClose={() => setNaming(false)}
        />
      )}
    </Page>
  );
};

/** Shows one account: its month, plan, credits, keys and usage, with forms that change them. */
export const AccountScreen = ({ id = '' }: { readonly path: string; readonly id?: string }) => {
  const account = useGet('/admin/v1/accounts/{id}', { path: { id } });
  if (account.data) return <Shown account={account.data} />;
  return (
    <Main>
      <Loaded load={account} what="the account">
        {() => null}
      </Loaded>
    </Main>
  );
};

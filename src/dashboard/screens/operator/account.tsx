import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { change, useGet } from '../../api/query.ts';
import type { Account } from '../../api/shapes.ts';
import { Button } from '../../ui/buttons.tsx';
import { formatDay } from '../../ui/format.ts';
import { NameDialog } from '../../ui/forms/form.tsx';
import { Above, Card, Main, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { UsagePicture } from '../home/usage.tsx';
import { UsageChart, type UsageQuestion } from '../home/usage-chart.tsx';
import { AccountKeys } from './account-keys.tsx';
import { CreditsForm, PlanForm } from './forms.tsx';

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

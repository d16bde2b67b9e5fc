import { useCallback, useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import type { Account } from '../../api/shapes.ts';
import { day } from '../../ui/format.ts';
import { NameDialog } from '../../ui/name-dialog.tsx';
import { Above, Card, Main, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { UsagePicture } from '../home/usage.tsx';
import { UsageChart, type UsageQuestion } from '../home/usage-chart.tsx';
import { AccountKeys } from './account-keys.tsx';
import { CreditsForm } from './credits-form.tsx';
import { PlanForm } from './plan-form.tsx';

const ThisMonth = ({ account }: { readonly account: Account }) => (
  <Card title="This month">
    <UsagePicture month={{ ...account, ...account.usage }} />
    <p class="muted small">
      Made on {day(account.created_at)}. New units come on {day(account.usage.resets_at)}. Id{' '}
      <code>{account.id}</code>
    </p>
  </Card>
);

const Shown = ({ account, onChanged }: { readonly account: Account; readonly onChanged: () => void }) => {
  const { id } = account;
  const [isNaming, setNaming] = useState(false);
  const rename = async (name: string): Promise<void> => {
    await ask(
      api.PATCH('/admin/v1/accounts/{id}', { params: { path: { id } }, body: { name: name.trim() } }),
    );
    onChanged();
  };
  const read = useCallback(
    (query: UsageQuestion, signal: AbortSignal) =>
      ask(api.GET('/admin/v1/accounts/{id}/usage', { params: { path: { id }, query }, signal })),
    [id],
  );
  return (
    <Page
      title={account.name}
      above={<Above path="/operator" name="Accounts" />}
      actions={
        <button type="button" onClick={() => setNaming(true)}>
          Rename
        </button>
      }
    >
      <ThisMonth account={account} />
      <div class="grid level">
        <PlanForm key={`${account.plan} ${account.monthly_quota}`} account={account} onSaved={onChanged} />
        <CreditsForm account={account} onAdded={onChanged} />
      </div>
      <AccountKeys accountId={id} />
      <UsageChart read={read} />
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
  const account = useLoad(
    (signal) => ask(api.GET('/admin/v1/accounts/{id}', { params: { path: { id } }, signal })),
    [id],
  );
  if (account.data !== null) return <Shown account={account.data} onChanged={account.reload} />;
  return (
    <Main>
      <Loaded load={account} what="the account">
        {() => null}
      </Loaded>
    </Main>
  );
};

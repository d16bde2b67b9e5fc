/** An account as its operator sees it, and the forms that make and change it. */
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { api, ask } from '../api/client.ts';
import { change, useGet } from '../api/query.ts';
import type { Account, OperatorSession } from '../api/shapes.ts';
import { Button, useToast } from '../ui/buttons.tsx';
import { NameInput, type Options, SelectInput, UnitsInput } from '../ui/fields.tsx';
import { Form, FormDialog, NameDialog } from '../ui/form.tsx';
import { count, formatDay, formatNumber } from '../ui/format.ts';
import { useDraft } from '../ui/kept/drafts.ts';
import { Above, Card, Main, Page } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { say, sayWith } from '../words/say.ts';
import { KeyForm, SCOPES } from './keys/key-form.tsx';
import { type KeyCalls, KeyTable } from './keys/key-table.tsx';
import { UsageChart, UsagePicture, type UsageQuestion } from './usage.tsx';

type Plan = Account['plan'];
export const PLANS: Options<Plan> = [
  ['free', say('Free')],
  ['pro', say('Pro')],
];

/** Units a month by plan, of accounts without a quota of their own. */
export const PlanQuotas = createContext<OperatorSession['plan_quotas']>({ free: 0, pro: 0 });

interface PlanFieldsProps {
  readonly plan: Plan;
  /** '': that of the plan. */
  readonly quota: string;
  readonly onEnter: (typed: { readonly plan?: Plan; readonly quota?: string }) => void;
}

/** Takes a plan, and how many units a month if they differ from those of the plan. */
const PlanFields = ({ plan, quota, onEnter }: PlanFieldsProps) => {
  const ofPlan = useContext(PlanQuotas)[plan];
  return (
    <>
      <SelectInput
        look="narrow"
        label={say('Plan')}
        value={plan}
        options={PLANS}
        onChoose={(chosen) => onEnter({ plan: chosen })}
      />
      <UnitsInput
        label={say('Units a month')}
        hint={say('empty: those of the plan')}
        placeholder={formatNumber(ofPlan)}
        value={quota}
        onText={(typed) => onEnter({ quota: typed })}
      />
    </>
  );
};

const ownQuota = ({ has_own_quota: isOwn, monthly_quota: quota }: Account): string =>
  isOwn ? String(quota) : '';

/** Changes the plan of an account, and how many units a month it has. */
const PlanForm = ({ account }: { readonly account: Account }) => {
  const toast = useToast();
  const begun = { plan: account.plan, quota: ownQuota(account) };
  const [{ plan, quota }, enter, draft] = useDraft(`plan of ${account.id}`, begun);
  const save = async (): Promise<void> => {
    const body = { plan, monthly_quota: quota === '' ? null : Number(quota) };
    await change(api.PATCH('/admin/v1/accounts/{id}', { params: { path: { id: account.id } }, body }));
    toast({ text: say('Saved. It applies within a second.') });
  };
  return (
    <Card title={say('Plan')}>
      <Form
        id="plan"
        action={say('Save')}
        isReady={plan !== account.plan || quota !== ownQuota(account)}
        submit={save}
        draft={draft}
        help={say('Bulk calls and batches need the Pro plan.')}
      >
        {() => <PlanFields plan={plan} quota={quota} onEnter={enter} />}
      </Form>
    </Card>
  );
};

const CreditsForm = ({ account: { id } }: { readonly account: Account }) => {
  const toast = useToast();
  const [amount, setAmount] = useState('');
  const [reference, setReference] = useState('');
  const add = async (): Promise<void> => {
    const body = {
      amount: Number(amount),
      ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
    };
    const call = api.POST('/admin/v1/accounts/{id}/credits', { params: { path: { id } }, body });
    const { credits } = await change(call);
    toast({ text: say('The account has {credits} now.', { credits: count(credits, 'credit', 'credits') }) });
    setAmount('');
    setReference('');
  };
  return (
    <Card title={say('Credits')}>
      <Form id="credits" action={say('Add credits')} isReady={amount !== ''} submit={add}>
        {() => (
          <>
            <UnitsInput label={say('Credits to add')} min={1} required value={amount} onText={setAmount} />
            <NameInput
              label={say('Reference')}
              hint={say('such as an invoice number; each reference adds credits only once')}
              value={reference}
              onText={setReference}
            />
          </>
        )}
      </Form>
    </Card>
  );
};

interface NewAccountProps {
  readonly onClose: () => void;
  readonly onMade: (id: string) => void;
}

interface AccountTexts {
  readonly name: string;
  readonly plan: Plan;
  readonly quota: string;
  readonly credits: string;
}

/** Asks for a new account and makes it. `onMade` gets its id. */
export const NewAccount = ({ onClose, onMade }: NewAccountProps) => {
  const [{ name, plan, quota, credits }, enter, draft] = useDraft<AccountTexts>('new account', {
    name: '',
    plan: 'pro',
    quota: '',
    credits: '',
  });
  const make = async (): Promise<void> => {
    const body = {
      name: name.trim(),
      plan,
      ...(quota === '' ? {} : { monthly_quota: Number(quota) }),
      ...(credits === '' ? {} : { credits: Number(credits) }),
    };
    onMade((await change(api.POST('/admin/v1/accounts', { body }))).id);
  };
  return (
    <FormDialog
      title={say('New account')}
      action={say('Create account')}
      isReady={name.trim() !== ''}
      submit={make}
      draft={draft}
      onClose={onClose}
    >
      {(aria) => (
        <>
          <NameInput value={name} required onText={(typed) => enter({ name: typed })} {...aria} />
          <PlanFields plan={plan} quota={quota} onEnter={enter} />
          <UnitsInput
            label={say('Credits')}
            hint={say('used when the month’s units are gone')}
            value={credits}
            onText={(typed) => enter({ credits: typed })}
          />
        </>
      )}
    </FormDialog>
  );
};

const CALLS: KeyCalls = {
  save: (id, body) => ask(api.PATCH('/admin/v1/keys/{id}', { params: { path: { id } }, body })),
  rotate: (id, body) => ask(api.POST('/admin/v1/keys/{id}/rotate', { params: { path: { id } }, body })),
  revoke: (id, withMade) => {
    const query = withMade ? { with_made: true } : {};
    return ask(api.DELETE('/admin/v1/keys/{id}', { params: { path: { id }, query } }));
  },
};

/** Shows the active keys of an account, makes further ones, changes and revokes them. */
const AccountKeys = ({ accountId }: { readonly accountId: string }) => {
  const [isMaking, setMaking] = useState(false);
  const params = { path: { id: accountId } };
  const keys = useGet('/admin/v1/accounts/{id}/keys', params);
  return (
    <Card title={say('Keys')} actions={<Button onClick={() => setMaking(true)}>{say('New key')}</Button>}>
      <Loaded load={keys} what={say('the keys')}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={say('No keys yet.')}>
              <p>
                {say('People of this account sign in with a key, and programs use one to call the service.')}
              </p>
            </Empty>
          ) : (
            <KeyTable keys={data} calls={CALLS} />
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
  <Card title={say('This month')}>
    <UsagePicture month={{ ...account, ...account.usage }} />
    <p class="muted small">
      {sayWith('Created on {created}. New units on {next}. Id: {id}', {
        created: formatDay(account.created_at),
        next: formatDay(account.usage.resets_at),
        id: <code>{account.id}</code>,
      })}
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
      above={<Above path="/operator" name={say('Accounts')} />}
      actions={<Button onClick={() => setNaming(true)}>{say('Rename')}</Button>}
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
          title={say('Rename the account')}
          name={account.name}
          action={say('Save')}
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
      <Loaded load={account} what={say('the account')}>
        {() => null}
      </Loaded>
    </Main>
  );
};

/** The forms that change an account or make one. */
import { useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { Account } from '../../api/shapes.ts';
import { useToast } from '../../ui/buttons.tsx';
import { Choice, NameInput, type Options, UnitsInput } from '../../ui/fields.tsx';
import { Form, FormDialog } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';

type Plan = Account['plan'];
/** The plans and their names. */
export const PLANS: Options<Plan> = [
  ['free', 'Free'],
  ['pro', 'Pro'],
];

const QUOTA = { label: 'Units a month', hint: 'empty: the quota of the plan' } as const;

const ownQuota = ({ has_own_quota: isOwn, monthly_quota: quota }: Account): string =>
  isOwn ? String(quota) : '';

/** Changes the plan of an account, and how many units a month it has. */
export const PlanForm = ({ account }: { readonly account: Account }) => {
  const toast = useToast();
  const [plan, setPlan] = useState<Plan>(account.plan);
  const [quota, setQuota] = useState(ownQuota(account));
  const save = async (): Promise<void> => {
    const body = { plan, monthly_quota: quota === '' ? null : Number(quota) };
    await change(api.PATCH('/admin/v1/accounts/{id}', { params: { path: { id: account.id } }, body }));
    toast({ text: 'Saved. It applies within a second.' });
  };
  return (
    <Card title="Plan">
      <Form
        id="plan"
        action="Save"
        isReady={plan !== account.plan || quota !== ownQuota(account)}
        submit={save}
        help="Bulk calls and batches need the Pro plan."
      >
        {() => (
          <>
            <Choice label="Plan" value={plan} options={PLANS} onChoose={setPlan} />
            <UnitsInput {...QUOTA} value={quota} onText={setQuota} />
          </>
        )}
      </Form>
    </Card>
  );
};

/** Adds credits to an account. */
export const CreditsForm = ({ account: { id } }: { readonly account: Account }) => {
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
    toast({ text: `The account has ${count(credits, 'credit')} now.` });
    setAmount('');
    setReference('');
  };
  return (
    <Card title="Credits">
      <Form id="credits" action="Add credits" isReady={amount !== ''} submit={add}>
        {() => (
          <>
            <UnitsInput label="Credits to add" min={1} required value={amount} onText={setAmount} />
            <NameInput
              label="Reference"
              hint="such as an invoice number; each reference adds credits only once"
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

/** Asks for a new account and makes it. `onMade` gets its id. */
export const NewAccount = ({ onClose, onMade }: NewAccountProps) => {
  const [name, setName] = useState('');
  const [plan, setPlan] = useState<Plan>('pro');
  const [quota, setQuota] = useState('');
  const [credits, setCredits] = useState('');
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
      title="New account"
      action="Create account"
      isReady={name.trim() !== ''}
      submit={make}
      onClose={onClose}
    >
      {(aria) => (
        <>
          <NameInput value={name} required onText={setName} {...aria} />
          <Choice label="Plan" value={plan} options={PLANS} onChoose={setPlan} />
          <UnitsInput {...QUOTA} value={quota} onText={setQuota} />
          <UnitsInput
            label="Credits"
            hint="used when the month’s units are gone"
            value={credits}
            onText={setCredits}
          />
        </>
      )}
    </FormDialog>
  );
};

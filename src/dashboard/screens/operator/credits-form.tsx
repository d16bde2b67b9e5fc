import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import type { Account } from '../../api/shapes.ts';
import { count } from '../../ui/format.ts';
import { UnitsField } from '../../ui/forms/units-field.tsx';
import { Card } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';

/** Adds credits to an account. */
export const CreditsForm = ({
  account,
  onAdded,
}: {
  readonly account: Account;
  readonly onAdded: () => void;
}) => {
  const toast = useToast();
  const [amount, setAmount] = useState('');
  const [reference, setReference] = useState('');
  const { busy, fault, run } = useAction();
  const add = async (): Promise<void> => {
    const body = {
      amount: Number(amount),
      ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
    };
    const { credits } = await ask(
      api.POST('/admin/v1/accounts/{id}/credits', { params: { path: { id: account.id } }, body }),
    );
    toast({ text: `The account has ${count(credits, 'credit')} now.` });
    setAmount('');
    setReference('');
    onAdded();
  };
  return (
    <Card title="Credits">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run(add);
        }}
      >
        <UnitsField id="amount" label="Credits to add" min={1} required value={amount} onValue={setAmount} />
        <label>
          <span>
            Reference <span class="muted">such as an invoice; the same one adds credits only once</span>
          </span>
          <input
            value={reference}
            maxLength={200}
            autocomplete="off"
            onInput={(event) => setReference(event.currentTarget.value)}
          />
        </label>
        {fault !== null && <Failure fault={fault} />}
        <div class="row">
          <button type="submit" class="primary" disabled={busy || amount === ''}>
            Add credits
          </button>
        </div>
      </form>
    </Card>
  );
};

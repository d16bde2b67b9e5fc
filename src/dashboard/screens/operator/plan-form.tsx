import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import type { Account } from '../../api/shapes.ts';
import { Choice } from '../../ui/forms/choice.tsx';
import { UnitsField } from '../../ui/forms/units-field.tsx';
import { Card } from '../../ui/page.tsx';
import { Failure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { PLAN_OPTIONS, type Plan } from './plans.ts';

const ownQuota = ({ has_own_quota: isOwn, monthly_quota: quota }: Account): string =>
  isOwn ? String(quota) : '';

/** Changes the plan of an account, and how many units a month it has. */
export const PlanForm = ({
  account,
  onSaved,
}: {
  readonly account: Account;
  readonly onSaved: () => void;
}) => {
  const toast = useToast();
  const [plan, setPlan] = useState<Plan>(account.plan);
  const [quota, setQuota] = useState(ownQuota(account));
  const { busy, fault, run } = useAction();
  const isChanged = plan !== account.plan || quota !== ownQuota(account);
  const save = async (): Promise<void> => {
    const body = { plan, monthlyQuota: quota === '' ? null : Number(quota) };
    await ask(api.PATCH('/admin/v1/accounts/{id}', { params: { path: { id: account.id } }, body }));
    toast({ text: 'Saved. It applies within a second.' });
    onSaved();
  };
  return (
    <Card title="Plan">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run(save);
        }}
      >
        <Choice label="Plan" value={plan} options={PLAN_OPTIONS} onChoose={setPlan} />
        <UnitsField
          id="quota"
          label="Units a month"
          hint="empty: as many as the plan has"
          value={quota}
          onValue={setQuota}
        />
        <p class="muted small">Bulk calls, folders, dynamic codes and batches need the Pro plan.</p>
        {fault !== null && <Failure fault={fault} />}
        <div class="row">
          <button type="submit" class="primary" disabled={busy || !isChanged}>
            Save
          </button>
        </div>
      </form>
    </Card>
  );
};

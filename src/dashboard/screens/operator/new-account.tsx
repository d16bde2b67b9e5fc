import { useState } from 'preact/hooks';
import { api, ask } from '../../api/client.ts';
import { Choice } from '../../ui/forms/choice.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { UnitsField } from '../../ui/forms/units-field.tsx';
import { useAction } from '../../ui/use-action.ts';
import { PLAN_OPTIONS, type Plan } from './plans.ts';

/** Asks for a new account and makes it. `onMade` gets its id. */
export const NewAccount = ({
  onClose,
  onMade,
}: {
  readonly onClose: () => void;
  readonly onMade: (id: string) => void;
}) => {
  const [name, setName] = useState('');
  const [plan, setPlan] = useState<Plan>('pro');
  const [quota, setQuota] = useState('');
  const [credits, setCredits] = useState('');
  const { busy, fault, run } = useAction();
  const make = async (): Promise<void> => {
    const body = {
      ...{ name: name.trim(), plan },
      ...(quota === '' ? {} : { monthlyQuota: Number(quota) }),
      ...(credits === '' ? {} : { credits: Number(credits) }),
    };
    onMade((await ask(api.POST('/admin/v1/accounts', { body }))).id);
  };
  return (
    <FormDialog
      title="New account"
      action="Create account"
      isReady={!busy && name.trim() !== ''}
      fault={fault}
      onSubmit={() => void run(make)}
      onClose={onClose}
    >
      <label>
        Name
        <input
          value={name}
          required
          maxLength={200}
          autocomplete="off"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <Choice label="Plan" value={plan} options={PLAN_OPTIONS} onChoose={setPlan} />
      <UnitsField
        id="new-quota"
        label="Units a month"
        hint="empty: as many as the plan has"
        value={quota}
        onValue={setQuota}
      />
      <UnitsField
        id="new-credits"
        label="Credits"
        hint="used when the month’s units are gone"
        value={credits}
        onValue={setCredits}
      />
    </FormDialog>
  );
};

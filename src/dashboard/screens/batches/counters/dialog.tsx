import { useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { change } from '../../../api/query.ts';
import type { Counter } from '../../../api/shapes.ts';
import { Input, NameInput } from '../../../ui/forms/field.tsx';
import { FormDialog } from '../../../ui/forms/form.tsx';

interface CounterDialogProps {
  /** `null`: a new one. */
  readonly counter: Counter | null;
  readonly onClose: () => void;
}

/** Makes a counter, or raises one. The service refuses to lower it. */
export const CounterDialog = ({ counter, onClose }: CounterDialogProps) => {
  const [name, setName] = useState(counter?.name ?? '');
  const [next, setNext] = useState(String(counter?.next ?? 1));
  return (
    <FormDialog
      title={counter === null ? 'New counter' : `Raise “${counter.name}”`}
      action={counter === null ? 'Make the counter' : 'Raise'}
      submit={() =>
        change(
          api.PUT('/api/v1/counters/{name}', { params: { path: { name } }, body: { next: Number(next) } }),
        )
      }
      help="A number is never given twice, so a counter can be raised but not lowered."
      onClose={onClose}
    >
      {(aria) => (
        <>
          {counter === null && (
            <NameInput
              hint="letters, digits, “.”, “_” and “-”"
              required
              maxLength={64}
              value={name}
              onText={setName}
              {...aria}
            />
          )}
          <Input
            label="Next number"
            type="number"
            min={0}
            step={1}
            required
            value={next}
            onText={setNext}
            {...aria}
          />
        </>
      )}
    </FormDialog>
  );
};

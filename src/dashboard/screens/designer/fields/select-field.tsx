import { useField } from '../context.ts';
import { Field } from './field.tsx';

/** Takes a choice of the request. The first choice removes the field. */
export const SelectField = ({
  path,
  label,
  none,
  choices,
}: {
  readonly path: string;
  readonly label: string;
  /** Says what an absent field means. */
  readonly none: string;
  readonly choices: readonly string[];
}) => {
  const field = useField(path);
  return (
    <Field field={field} label={label}>
      <select
        id={field.id}
        value={(field.value as string | undefined) ?? ''}
        onChange={(event) => field.set(event.currentTarget.value || undefined)}
        {...field.aria}
      >
        <option value="">{none}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </Field>
  );
};

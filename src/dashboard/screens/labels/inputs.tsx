/** The inputs of the form: each changes one field of the draft and shows what is wrong with it. */
import { Field } from '../designer/fields/field.tsx';
import type { Draft } from './draft.ts';

/** What an input needs of the form. */
export interface Form {
  readonly draft: Draft;
  readonly change: (next: Partial<Draft>) => void;
  /** What is wrong, by the field of the request. */
  readonly fault: { readonly field: string; readonly message: string } | null;
}

type NameOf<T> = { [K in keyof Draft]: Draft[K] extends T ? K : never }[keyof Draft];

const fieldFor = (form: Form, name: string, path: string) => {
  const id = `labels-${name}`;
  const fault = form.fault?.field === path ? form.fault.message : null;
  const aria = fault === null ? {} : { 'aria-invalid': true as const, 'aria-describedby': `${id}-fault` };
  return { id, fault, aria };
};

/** Takes a number. */
export const NumberInput = ({
  form,
  name,
  path = name,
  label,
  step = 1,
  min = 0,
  placeholder,
}: {
  readonly form: Form;
  readonly name: NameOf<number | null>;
  readonly path?: string;
  readonly label: string;
  readonly step?: number;
  readonly min?: number;
  /** What holds while it is empty. */
  readonly placeholder?: string;
}) => {
  const field = fieldFor(form, name, path);
  return (
    <Field field={field} label={label}>
      <input
        id={field.id}
        type="number"
        min={min}
        step={step}
        placeholder={placeholder}
        value={form.draft[name] ?? ''}
        onInput={({ currentTarget: { value } }) =>
          form.change({ [name]: value === '' ? null : Number(value) })
        }
        {...field.aria}
      />
    </Field>
  );
};

/** Takes a choice. */
export const SelectInput = ({
  form,
  name,
  path = name,
  label,
  choices,
}: {
  readonly form: Form;
  readonly name: NameOf<string>;
  readonly path?: string;
  readonly label: string;
  readonly choices: readonly (readonly [value: string, name: string])[];
}) => {
  const field = fieldFor(form, name, path);
  return (
    <Field field={field} label={label}>
      <select
        id={field.id}
        value={form.draft[name]}
        onChange={({ currentTarget: { value } }) => form.change({ [name]: value })}
        {...field.aria}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
};

/** Takes the text of the caption. */
export const CaptionInput = ({ form }: { readonly form: Form }) => {
  const field = fieldFor(form, 'caption', 'label.caption');
  return (
    <Field field={field} label="Caption" hint="with {content}, {slug}, {file} and {index}">
      <textarea
        id={field.id}
        rows={2}
        maxLength={500}
        value={form.draft.caption}
        onInput={({ currentTarget: { value } }) => form.change({ caption: value })}
        {...field.aria}
      />
    </Field>
  );
};

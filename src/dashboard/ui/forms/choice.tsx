/** Inputs that take one value of a list. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { ariaOf, Field, type LabelProps, splitProps } from './field.tsx';

/** An entry of a list from which a person chooses. */
export type Options<T extends string> = readonly (readonly [value: T, name: string])[];

interface SelectProps<T extends string>
  extends Omit<JSX.SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'label'> {
  readonly options: Options<T>;
  readonly onChoose: (value: T) => void;
}

/** Takes one value of a list. */
export const Select = <T extends string>({ options, onChoose, ...select }: SelectProps<T>) => (
  <select onChange={(event) => onChoose(event.currentTarget.value as T)} {...select}>
    {options.map(([value, name]) => (
      <option key={value} value={value}>
        {name}
      </option>
    ))}
  </select>
);

/** Takes one value of a list, in a field. */
export const SelectInput = <T extends string>(props: LabelProps & SelectProps<T>) => {
  const id = useId();
  const { field, own } = splitProps(props);
  return (
    <Field id={id} {...field}>
      <Select id={id} {...ariaOf(id, field.fault)} {...own} />
    </Field>
  );
};

/** A labelled list from which one value is chosen. `isLabelHidden`: only screen readers get the label. */
export const Choice = <T extends string>({
  label,
  isLabelHidden = false,
  ...select
}: Parameters<typeof Select<T>>[0] & { readonly label: string; readonly isLabelHidden?: boolean }) => {
  const id = useId();
  return (
    <label class="choice" for={id}>
      <span class={isLabelHidden ? 'hidden' : ''}>{label}</span>
      <Select id={id} {...select} />
    </label>
  );
};

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly look?: string;
  readonly value: T;
  readonly options: Options<T>;
  readonly onChoose: (value: T) => void;
}

/** A row of words, one of which is chosen: a radio group. */
export const Segments = <T extends string>({ label, look = 'segments', ...choice }: SegmentsProps<T>) => {
  const { value, options, onChoose } = choice;
  const group = useId();
  return (
    <fieldset class={look}>
      <legend class="hidden">{label}</legend>
      {options.map(([option, name]) => (
        <label key={option}>
          <input
            class="hidden"
            type="radio"
            name={group}
            checked={option === value}
            onChange={() => onChoose(option)}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
};

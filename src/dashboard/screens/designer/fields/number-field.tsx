import { useEffect, useState } from 'preact/hooks';
import { useField } from '../context.ts';
import { Field } from './field.tsx';

/** Takes a number of the request. An empty input removes it. */
export const NumberField = ({
  path,
  label,
  hint,
  min,
  max,
  step = 1,
  placeholder,
}: {
  readonly path: string;
  readonly label: string;
  readonly hint?: string;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  /** The value that applies when the input is empty. */
  readonly placeholder?: string;
}) => {
  const field = useField(path);
  // While someone types, the text may not be a number yet, for example `0.`. The input keeps it as it was typed.
  const [text, setText] = useState('');
  const written = field.value === undefined ? '' : String(field.value);
  useEffect(() => {
    if (text === '' || Number(text) !== field.value) setText(written);
  }, [written]);
  const type = (typed: string) => {
    setText(typed);
    field.set(typed.trim() === '' || Number.isNaN(Number(typed)) ? undefined : Number(typed));
  };
  return (
    <Field field={field} label={label} {...(hint === undefined ? {} : { hint })}>
      <input
        id={field.id}
        type="number"
        min={min}
        max={max}
        step={step}
        placeholder={placeholder}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        {...field.aria}
      />
    </Field>
  );
};

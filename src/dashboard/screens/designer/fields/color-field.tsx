import { toHex } from '../colors/css-color.ts';
import { useField } from '../context.ts';
import { Field } from './field.tsx';

/** Takes a colour, from a picker or as the text of any CSS colour. */
export const ColorField = ({
  path,
  label,
  fallback,
  placeholder = fallback,
}: {
  readonly path: string;
  readonly label: string;
  /** The colour that is drawn when the field is empty, `#rrggbb`. */
  readonly fallback: string;
  readonly placeholder?: string;
}) => {
  const field = useField(path);
  const text = (field.value as string | undefined) ?? '';
  return (
    <Field field={field} label={label}>
      <div class="color">
        <input
          type="color"
          aria-label={`${label}, picker`}
          value={toHex(text, fallback)}
          onInput={(event) => field.set(event.currentTarget.value)}
        />
        <input
          id={field.id}
          type="text"
          maxLength={64}
          spellcheck={false}
          autocomplete="off"
          placeholder={placeholder}
          value={text}
          onInput={(event) => field.set(event.currentTarget.value || undefined)}
          {...field.aria}
        />
      </div>
    </Field>
  );
};

import { useField } from '../context.ts';
import { Field } from './field.tsx';

/** Takes the content of the code, and whether its destination can be changed after printing. */
export const ContentField = ({
  dynamic,
  onDynamic,
}: {
  readonly dynamic: boolean;
  readonly onDynamic: (dynamic: boolean) => void;
}) => {
  const field = useField('data');
  return (
    <section class="card">
      <Field field={field} label="Content" hint="address or text">
        <textarea
          id={field.id}
          rows={2}
          maxLength={4296}
          spellcheck={false}
          value={String(field.value)}
          onInput={(event) => field.set(event.currentTarget.value)}
          {...field.aria}
        />
      </Field>
      <div class="field check">
        <input
          id="dynamic"
          type="checkbox"
          checked={dynamic}
          aria-describedby="dynamic-hint"
          onChange={(event) => onDynamic(event.currentTarget.checked)}
        />
        <label for="dynamic">Dynamic</label>
        <p id="dynamic-hint" class="muted">
          The code contains a short link: you can change its destination after printing, and scans are
          counted.
        </p>
      </div>
    </section>
  );
};

import { useField } from '../context.ts';

interface CheckFieldProps {
  readonly path: string;
  readonly label: string;
  /** What the field is when the request leaves it out. */
  readonly absent?: boolean;
}

/** Shows a switch. Only what differs from `absent` is written into the request. */
export const CheckField = ({ path, label, absent = true }: CheckFieldProps) => {
  const { id, value, set } = useField(path);
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        checked={(value ?? absent) === true}
        onChange={(event) => {
          const { checked } = event.currentTarget;
          set(checked === absent ? undefined : checked);
        }}
      />
      <label for={id}>{label}</label>
    </div>
  );
};

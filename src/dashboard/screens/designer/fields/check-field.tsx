import { useField } from '../context.ts';

/** Shows a switch that is on by default. Only `false` is written into the request. */
export const CheckField = ({ path, label }: { readonly path: string; readonly label: string }) => {
  const { id, value, set } = useField(path);
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        checked={value !== false}
        onChange={(event) => set(event.currentTarget.checked ? undefined : false)}
      />
      <label for={id}>{label}</label>
    </div>
  );
};

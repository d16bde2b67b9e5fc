/** A whole number of units, as a person writes it; empty stands for none. */
export const UnitsField = ({
  id,
  label,
  hint,
  min = 0,
  required = false,
  value,
  onValue,
}: {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly min?: number;
  readonly required?: boolean;
  readonly value: string;
  readonly onValue: (value: string) => void;
}) => (
  <div class="field">
    <label for={id}>
      {label} {hint !== undefined && <span class="muted">{hint}</span>}
    </label>
    <input
      id={id}
      type="number"
      inputMode="numeric"
      min={min}
      max={1_000_000_000_000}
      step={1}
      required={required}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  </div>
);

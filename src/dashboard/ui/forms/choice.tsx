/** A labelled list of which one value is chosen. */
export const Choice = <T extends string>({
  label,
  isLabelHidden = false,
  value,
  options,
  onChoose,
}: {
  readonly label: string;
  /** Whether only screen readers get the label, because the options say it all. */
  readonly isLabelHidden?: boolean;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly name: string }[];
  readonly onChoose: (value: T) => void;
}) => (
  <label class="choice">
    <span class={isLabelHidden ? 'hidden' : ''}>{label}</span>
    <select value={value} onChange={(event) => onChoose(event.currentTarget.value as T)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </select>
  </label>
);

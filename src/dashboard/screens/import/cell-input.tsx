import { useEffect, useState } from 'preact/hooks';

/** A cell that is handed on when it is left, so that a row does not vanish while it is being put right. */
export const CellInput = ({
  name,
  value,
  faultId,
  onValue,
}: {
  readonly name: string;
  readonly value: string;
  /** Of what says what is wrong with this very cell. */
  readonly faultId: string | null;
  readonly onValue: (value: string) => void;
}) => {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <label>
      <span class="muted">{name}</span>
      <input
        type="text"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => onValue(event.currentTarget.value)}
        {...(faultId === null ? {} : { 'aria-invalid': true as const, 'aria-describedby': faultId })}
      />
    </label>
  );
};

import { useDraft } from '../../../ui/forms/use-draft.ts';

/**
 * Takes a cell, and reports its value when the person leaves it. Otherwise the row of the cell would vanish from the
 * list as soon as it is right.
 */
export const CellInput = ({
  name,
  value,
  faultId,
  onValue,
}: {
  readonly name: string;
  readonly value: string;
  /** Id of the element that says what is wrong with this cell; `null` when nothing is. */
  readonly faultId: string | null;
  readonly onValue: (value: string) => void;
}) => {
  const [text, setText] = useDraft(value);
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

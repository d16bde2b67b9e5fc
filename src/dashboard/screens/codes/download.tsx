/** What tills need of the files of a batch. */
import { CheckInput } from '../../ui/fields.tsx';
import type { TillChoice } from './file-choice.ts';

interface TillFieldsProps {
  readonly choice: TillChoice;
  readonly onChange: (choice: TillChoice) => void;
}

/** Asks whether tills must read a printed GS1 code, and whether its numbers are printed below it. */
export const TillFields = ({ choice: { till, text }, onChange }: TillFieldsProps) => (
  <>
    <CheckInput
      label="For tills"
      hint="Refuses codes that tills might fail to read."
      isOn={till}
      onToggle={(isOn) => onChange({ till: isOn, text })}
    />
    <CheckInput
      label="Numbers below the code"
      hint="In readable form, (01)…"
      isOn={text}
      onToggle={(isOn) => onChange({ till, text: isOn })}
    />
  </>
);

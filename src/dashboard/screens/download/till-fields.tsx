import { CheckInput } from '../../ui/forms/field.tsx';
import type { TillChoice } from './till.ts';

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

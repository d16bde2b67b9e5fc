import { useId } from 'preact/hooks';
import type { KindField } from './kinds.ts';

const MAX_CHARACTERS = 4296;

/** Hints for the keyboards of phones. */
const KEYBOARDS = { url: 'url', email: 'email', tel: 'tel', decimal: 'decimal' } as const;

interface ControlProps {
  readonly field: KindField;
  readonly id: string;
  readonly value: string;
  readonly isFaulty: boolean;
  readonly onValue: (value: string) => void;
}

const CheckInput = ({ field: { label }, id, value, onValue }: Omit<ControlProps, 'isFaulty'>) => (
  <div class="field check">
    <input
      id={id}
      type="checkbox"
      checked={value !== ''}
      onChange={(event) => onValue(event.currentTarget.checked ? 'yes' : '')}
    />
    <label for={id}>{label}</label>
  </div>
);

/** The area, list or line of a field. */
const Control = ({ field: { input, options = [] }, id, value, isFaulty, onValue }: ControlProps) => {
  const shared = {
    id,
    value,
    ...(isFaulty ? { 'aria-invalid': true as const, 'aria-describedby': `${id}-fault` } : {}),
  };
  if (input === 'area')
    return (
      <textarea
        {...shared}
        rows={2}
        maxLength={MAX_CHARACTERS}
        spellcheck={false}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    );
  if (input === 'choice')
    return (
      <select
        {...shared}
        value={value || options[0]?.[0]}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    );
  return (
    <input
      {...shared}
      type={input === 'datetime-local' ? input : 'text'}
      {...(input in KEYBOARDS ? { inputMode: KEYBOARDS[input as keyof typeof KEYBOARDS] } : {})}
      maxLength={MAX_CHARACTERS}
      spellcheck={false}
      autocomplete="off"
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  );
};

/** Shows one field of a content's form. `fault` is what the service says is wrong with the content. */
export const KindInput = ({
  field,
  value,
  fault,
  onValue,
}: {
  readonly field: KindField;
  readonly value: string;
  readonly fault: string | null;
  readonly onValue: (value: string) => void;
}) => {
  const id = useId();
  if (field.input === 'check') return <CheckInput {...{ field, id, value, onValue }} />;
  return (
    <div class={`field ${field.wide ? 'wide' : ''}`}>
      <label for={id}>
        {field.label} {field.hint !== undefined && <span class="muted">{field.hint}</span>}
      </label>
      <Control {...{ field, id, value, onValue }} isFaulty={fault !== null} />
      {fault !== null && (
        <p class="fault" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
};

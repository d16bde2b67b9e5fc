import { Area, CheckInput, CONTENT_MAX_LENGTH, FaultOf, Input, SelectInput } from '../../../ui/fields.tsx';
import { useField } from '../context.ts';
import type { KindField } from './kinds.ts';
import type { Text } from './texts.ts';

/** Hints for the keyboards of phones. */
const KEYBOARDS = { url: 'url', email: 'email', tel: 'tel', numeric: 'numeric', decimal: 'decimal' } as const;

interface KindInputProps {
  readonly field: KindField;
  readonly value: string;
  readonly fault: string | null;
  readonly onValue: (value: string) => void;
}

/** Shows one field of a content's form. `fault` is what the service says is wrong with the content. */
export const KindInput = ({ field, value, fault, onValue }: KindInputProps) => {
  const { label, hint, input, options = [], wide } = field;
  const shared = { label, hint, fault, look: wide ? 'wide' : '', value, onText: onValue };
  const text = { maxLength: CONTENT_MAX_LENGTH, spellcheck: false };
  if (input === 'check')
    return <CheckInput label={label} isOn={value !== ''} onToggle={(isOn) => onValue(isOn ? 'yes' : '')} />;
  if (input === 'area') return <Area {...shared} {...text} />;
  if (input === 'choice')
    return (
      <SelectInput
        {...{ label, hint, fault, options }}
        value={value || (options[0]?.[0] ?? '')}
        onChoose={onValue}
      />
    );
  return (
    <Input
      {...shared}
      {...text}
      type={/^date/.test(input) ? input : 'text'}
      {...(input in KEYBOARDS ? { inputMode: KEYBOARDS[input as keyof typeof KEYBOARDS] } : {})}
    />
  );
};

/** Shows the text that a form makes, or what is missing, and what the service says is wrong with it. */
export const KindText = ({ text }: { readonly text: Text }) => (
  <>
    <p class="muted small" role="status">
      {text.ok ? 'The code contains this text:' : text.fault}
    </p>
    {text.ok && <pre class="listing kind-text">{text.value}</pre>}
    <FaultOf text={useField('data').fault} />
  </>
);

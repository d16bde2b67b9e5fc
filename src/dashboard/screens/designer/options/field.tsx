/** The design that is made, and its fields, by their paths in the request. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useState } from 'preact/hooks';
import type { QrRequest } from '../../../api/shapes.ts';
import {
  Area,
  ariaOf,
  CheckInput,
  CONTENT_MAX_LENGTH,
  FaultOf,
  Field,
  Fold,
  Input,
  SelectInput,
} from '../../../ui/fields.tsx';
import { say } from '../../../words/say.ts';
import type { KindField, Text } from '../content/kinds.ts';
import { type FieldFault, read, toPickerColor } from '../draft.ts';

interface Design {
  readonly request: QrRequest;
  /** What the service found wrong with the design; `null` when it found nothing. */
  readonly fault: FieldFault | null;
  /** Sets the field at a path; `undefined` removes it. */
  set(path: string, value: unknown): void;
}

/** Provides the design to fields; `null` outside of a designer. */
export const DesignContext = createContext<Design | null>(null);

/** A field of the design with everything that its input needs. */
interface FieldState {
  readonly id: string;
  readonly value: unknown;
  /** What the service says is wrong with this field. */
  readonly fault: string | null;
  readonly set: (value: unknown) => void;
}

/** Returns the design around a field. @throws Outside of a `DesignContext`. */
export const useDesign = (): Design => {
  const design = useContext(DesignContext);
  if (design === null) throw new Error('useDesign was called outside of DesignContext');
  return design;
};

/** Returns a field of the design, by its path in the request, for example `dotsOptions.color`. */
export const useField = (path: string): FieldState => {
  const id = useId();
  const { request, fault, set } = useDesign();
  const mine = fault?.path === path ? fault.message : null;
  return {
    id,
    value: read(request, path),
    fault: mine,
    set: (value) => set(path, value),
  };
};

interface SectionProps {
  readonly title: string;
  /** The first parts of the paths of its fields. */
  readonly about: readonly string[];
  readonly open?: boolean;
  readonly children: ComponentChildren;
}

/** Shows a group of options that can be folded. It opens by itself when the service finds a fault in it. */
export const Section = ({ title, about, open = false, children }: SectionProps) => {
  const { fault } = useDesign();
  const isFaulty = fault !== null && about.includes(fault.path.split('.')[0] ?? '');
  return (
    <Fold title={title} look="card section" isOpen={open} isWanted={isFaulty}>
      <fieldset class="fields">
        <legend class="hidden">{title}</legend>
        {children}
      </fieldset>
    </Fold>
  );
};

const canvas = document.createElement('canvas').getContext('2d');

/** Returns a colour as `#rrggbb`, the only form that a picker takes, or `otherwise` for a text that is no colour. */
const toHex = (color: string, otherwise: string): string => {
  if (canvas === null || !CSS.supports('color', color)) return otherwise;
  canvas.fillStyle = '#000';
  canvas.fillStyle = color;
  return toPickerColor(canvas.fillStyle) ?? otherwise;
};

/** A number that is a share. */
export const SHARE = { hint: say('0 to 1'), min: 0, max: 1, step: 0.05 } as const;

interface FieldProps {
  readonly path: string;
  readonly label: string;
}

/** Shows a switch. Only a value that differs from the default, `absent`, is written into the request. */
export const CheckField = ({ path, label, absent = true }: FieldProps & { readonly absent?: boolean }) => {
  const { value, set } = useField(path);
  return (
    <CheckInput
      label={label}
      isOn={(value ?? absent) === true}
      onToggle={(isOn) => set(isOn === absent ? undefined : isOn)}
    />
  );
};

interface SelectFieldProps extends FieldProps {
  readonly none: string;
  readonly choices: readonly string[];
}

/** Takes a choice of the request. The first choice, `none`, removes the field and says what that means. */
export const SelectField = ({ path, label, none, choices }: SelectFieldProps) => {
  const { value, fault, set } = useField(path);
  return (
    <SelectInput
      label={label}
      fault={fault}
      value={(value as string | undefined) ?? ''}
      options={[['', none], ...choices.map((choice) => [choice, choice] as const)]}
      onChoose={(choice) => set(choice || undefined)}
    />
  );
};

interface ColorFieldProps extends FieldProps {
  readonly fallback: string;
  readonly placeholder?: string | undefined;
}

/** Takes a colour, from a picker or as the text of any CSS colour. `fallback`, `#rrggbb`, is drawn without one. */
export const ColorField = ({ path, label, fallback, placeholder = fallback }: ColorFieldProps) => {
  const { id, value, fault, set } = useField(path);
  const text = (value as string | undefined) ?? '';
  return (
    <Field id={id} label={label} fault={fault}>
      <div class="color">
        <input
          type="color"
          aria-label={say('{label}, picker', { label })}
          value={toHex(text, fallback)}
          onInput={(event) => set(event.currentTarget.value)}
        />
        <input
          id={id}
          type="text"
          maxLength={64}
          spellcheck={false}
          autocomplete="off"
          placeholder={placeholder}
          value={text}
          onInput={(event) => set(event.currentTarget.value || undefined)}
          {...ariaOf(id, fault)}
        />
      </div>
    </Field>
  );
};

interface NumberFieldProps extends FieldProps {
  readonly hint?: string;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly placeholder?: string;
}

/** Takes a number of the request. An empty input removes it; `placeholder` is then the value. */
export const NumberField = ({ path, ...input }: NumberFieldProps) => {
  const { value, fault, set } = useField(path);
  // While someone types, the text may not be a number yet, for example `0.`. The input keeps it as it was typed.
  const [text, setText] = useState('');
  const written = value === undefined ? '' : String(value);
  useEffect(() => {
    if (text === '' || Number(text) !== value) setText(written);
  }, [written]);
  const type = (typed: string) => {
    setText(typed);
    set(typed.trim() === '' || Number.isNaN(Number(typed)) ? undefined : Number(typed));
  };
  return <Input type="number" {...input} fault={fault} value={text} onText={type} />;
};

/** Hints for the keyboards of phones. */
const KEYBOARDS = { url: 'url', email: 'email', tel: 'tel', numeric: 'numeric', decimal: 'decimal' } as const;

interface KindInputProps {
  readonly field: KindField;
  readonly value: string;
  readonly fault: string | null;
  readonly onValue: (value: string) => void;
  readonly onLeave?: () => void;
}

/** Shows one field of a content's form. `fault` is what the service says is wrong with the content. */
export const KindInput = ({ field, value, fault, onValue, onLeave }: KindInputProps) => {
  const { label, hint, input, options = [], wide } = field;
  const shared = { label, hint, fault, look: wide ? 'wide' : '', value, onText: onValue, onBlur: onLeave };
  const text = { maxLength: CONTENT_MAX_LENGTH, spellcheck: false };
  if (input === 'check')
    return <CheckInput label={label} isOn={value !== ''} onToggle={(isOn) => onValue(isOn ? 'yes' : '')} />;
  if (input === 'area') return <Area {...shared} {...text} />;
  if (input === 'choice')
    return (
      <SelectInput
        label={label}
        hint={hint}
        fault={fault}
        options={options}
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
      {text.ok ? say('The code contains this text:') : text.fault}
    </p>
    {text.ok && <pre class="listing kind-text">{text.value}</pre>}
    <FaultOf text={useField('data').fault} />
  </>
);

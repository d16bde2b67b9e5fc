/** Fields of the design, by their paths in the request, and the sections that hold them. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ariaOf, CheckInput, Field, Input, SelectInput } from '../../../ui/fields.tsx';
import { useDesign, useField } from '../context.ts';
import { parseCanvasColor, type Rgba } from './canvas-color.ts';

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
  const [isOpen, setOpen] = useState(open);
  // It stays open when the fault is fixed, because somebody is working in it.
  useEffect(() => {
    if (isFaulty) setOpen(true);
  }, [isFaulty]);
  return (
    <details
      class="card section"
      open={isOpen}
      onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>{title}</summary>
      <fieldset>
        <legend class="hidden">{title}</legend>
        {children}
      </fieldset>
    </details>
  );
};

const canvas = document.createElement('canvas').getContext('2d');

const toRgba = (color: string): Rgba | null => {
  if (canvas === null || !CSS.supports('color', color)) return null;
  canvas.fillStyle = '#000';
  canvas.fillStyle = color;
  return parseCanvasColor(canvas.fillStyle);
};

const hex = (channel: number): string => Math.round(channel).toString(16).padStart(2, '0');

/**
 * Returns the colour as `#rrggbb`, the only form that a colour picker accepts, or `otherwise` when the text is not a
 * colour.
 */
const toHex = (color: string, otherwise: string): string => {
  const rgba = toRgba(color);
  return rgba === null ? otherwise : `#${hex(rgba.red)}${hex(rgba.green)}${hex(rgba.blue)}`;
};

/** A number that is a share. */
export const SHARE = { hint: '0 to 1', min: 0, max: 1, step: 0.05 } as const;

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
      {...{ label, fault }}
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
    <Field {...{ id, label, fault }}>
      <div class="color">
        <input
          type="color"
          aria-label={`${label}, picker`}
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

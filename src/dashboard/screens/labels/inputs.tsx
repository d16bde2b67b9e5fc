/** The inputs of the form of a sheet: each changes one field of the draft, and shows what is wrong with it. */
import { Input, type Options, SelectInput } from '../../ui/fields.tsx';
import type { Draft } from './draft.ts';

/** The draft of a sheet, as its inputs show and change it. */
export interface Form {
  readonly draft: Draft;
  readonly change: (next: Partial<Draft>) => void;
  /** What is wrong, by the field of the request. */
  readonly fault: { readonly field: string; readonly message: string } | null;
}

type NameOf<T> = { [K in keyof Draft]: Draft[K] extends T ? K : never }[keyof Draft];

const faultOf = (form: Form, path: string): string | null =>
  form.fault?.field === path ? form.fault.message : null;

interface NumberInputProps {
  readonly form: Form;
  readonly name: NameOf<number | null>;
  /** Its field of the request. */
  readonly path?: string;
  readonly label: string;
  readonly step?: number;
  readonly min?: number;
  /** The value that applies while it is empty. */
  readonly placeholder?: string;
}

export const NumberInput = ({ form, name, path = name, ...input }: NumberInputProps) => (
  <Input
    type="number"
    min={0}
    {...input}
    fault={faultOf(form, path)}
    value={form.draft[name] ?? ''}
    onText={(text) => form.change({ [name]: text === '' ? null : Number(text) })}
  />
);

interface ChoiceInputProps {
  readonly form: Form;
  readonly name: NameOf<string>;
  readonly path?: string;
  readonly label: string;
  readonly options: Options<string>;
  /** What changes by a choice; by default its field alone. */
  readonly changeOf?: (value: string) => Partial<Draft>;
}

export const ChoiceInput = ({
  form,
  name,
  path = name,
  changeOf = (value) => ({ [name]: value }),
  ...input
}: ChoiceInputProps) => (
  <SelectInput
    {...input}
    fault={faultOf(form, path)}
    value={form.draft[name]}
    onChoose={(value) => form.change(changeOf(value))}
  />
);

/** A length or a number: its field of the draft and of the request, its label, and its range. */
export type Measure = readonly [
  name: NameOf<number | null>,
  path: string,
  label: string,
  range: Pick<NumberInputProps, 'step' | 'min'>,
];

export const NumberInputs = ({ form, of }: { readonly form: Form; readonly of: readonly Measure[] }) => (
  <div class="fields">
    {of.map(([name, path, label, range]) => (
      <NumberInput key={name} form={form} name={name} path={path} label={label} {...range} />
    ))}
  </div>
);

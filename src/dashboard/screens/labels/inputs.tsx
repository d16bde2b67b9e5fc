/** The inputs of the form: each changes one field of the draft and shows what is wrong with it. */
import { type Options, SelectInput } from '../../ui/forms/choice.tsx';
import { Input } from '../../ui/forms/field.tsx';
import type { Draft } from './draft.ts';

/** What an input needs of the form. */
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

/** Takes a number. */
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
}

/** A field with a list of choices. */
export const ChoiceInput = ({ form, name, path = name, ...input }: ChoiceInputProps) => (
  <SelectInput
    {...input}
    fault={faultOf(form, path)}
    value={form.draft[name]}
    onChoose={(value) => form.change({ [name]: value })}
  />
);

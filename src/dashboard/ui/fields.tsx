/** Labelled inputs, each with what is wrong with its value below. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { say } from '../words/say.ts';

export const FaultOf = ({ id, text }: { readonly id?: string; readonly text: string | null }) => (
  <p class="fault" id={id} role="alert">
    {text}
  </p>
);

/** Returns the attributes that connect an input with the error about its value. */
export const ariaOf = (id: string, fault: string | null) => ({
  'aria-invalid': fault !== null,
  ...(fault !== null && { 'aria-describedby': `${id}-fault` }),
});

interface LabelProps {
  readonly label: ComponentChildren;
  /** Whether only screen readers get the label. */
  readonly isLabelHidden?: boolean;
  readonly hint?: string | undefined;
  readonly fault?: string | null;
  /** A further class. `wide`: it takes a whole row; `narrow`: several stand in one. */
  readonly look?: string;
}

interface FieldProps extends LabelProps {
  readonly id: string;
  readonly children: ComponentChildren;
}

export const Field = ({ id, label, isLabelHidden, hint, fault = null, look = '', children }: FieldProps) => (
  <div class={`field ${look}`}>
    <label for={id} class={isLabelHidden ? 'hidden' : ''}>
      {label} {hint !== undefined && <span class="muted">{hint}</span>}
    </label>
    {children}
    {fault !== null && <FaultOf id={`${id}-fault`} text={fault} />}
  </div>
);

/** What an input takes in addition to its own attributes, which are those of `T`. */
type InputProps<T> = LabelProps & Omit<T, 'label'> & { readonly onText: (text: string) => void };
type LineProps = InputProps<JSX.InputHTMLAttributes<HTMLInputElement>>;

/** Separates what a field takes from the attributes of its input. */
const splitProps = <T extends LabelProps>({ label, isLabelHidden, hint, fault, look, ...own }: T) => ({
  field: { label, ...(isLabelHidden && { isLabelHidden }), hint, fault: fault ?? null, look: look ?? '' },
  own,
});

/** Takes a line of text, or what `type` says. */
export const Input = ({ onText, ...props }: LineProps) => {
  const id = useId();
  const { field, own } = splitProps(props);
  return (
    <Field id={id} {...field}>
      <input
        id={id}
        type="text"
        autocomplete="off"
        onInput={(event) => onText(event.currentTarget.value)}
        {...ariaOf(id, field.fault)}
        {...own}
      />
    </Field>
  );
};

export const Area = ({ onText, ...props }: InputProps<JSX.TextareaHTMLAttributes<HTMLTextAreaElement>>) => {
  const id = useId();
  const { field, own } = splitProps(props);
  return (
    <Field id={id} {...field}>
      <textarea
        id={id}
        rows={2}
        onInput={(event) => onText(event.currentTarget.value)}
        {...ariaOf(id, field.fault)}
        {...own}
      />
    </Field>
  );
};

interface CheckProps {
  readonly label: string;
  readonly hint?: string;
  readonly fault?: string | null;
  readonly isOn: boolean;
  readonly onToggle: (isOn: boolean) => void;
}

export const CheckInput = ({ label, hint, fault = null, isOn, onToggle }: CheckProps) => {
  const id = useId();
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class="muted small">
          {hint}
        </p>
      )}
      {fault !== null && <FaultOf text={fault} />}
    </div>
  );
};

interface ChoosableProps extends Omit<CheckProps, 'label' | 'hint' | 'fault'> {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A box that shows further fields once it is checked. */
export const Choosable = ({ title, isOn, onToggle, children }: ChoosableProps) => (
  <div class="choosable">
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={() => onToggle(!isOn)} />
      {title}
    </label>
    {isOn && children}
  </div>
);

interface FoldProps {
  readonly title: string;
  readonly look?: string;
  readonly isOpen?: boolean;
  /** Opens it: something in it is used, or wrong. */
  readonly isWanted: boolean;
  readonly children: ComponentChildren;
}

/** A group of fields that can be folded. It never closes by itself, because somebody is working in it. */
export const Fold = ({ title, look = '', isOpen: begins = false, isWanted, children }: FoldProps) => {
  const [isOpen, setOpen] = useState(begins || isWanted);
  useEffect(() => {
    if (isWanted) setOpen(true);
  }, [isWanted]);
  return (
    <details
      class={look}
      open={isOpen}
      onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>{title}</summary>
      {children}
    </details>
  );
};

/** Takes a whole number of units; empty stands for none. */
export const UnitsInput = (props: LineProps) => (
  <Input type="number" inputMode="numeric" min={0} max={1_000_000_000_000} step={1} {...props} />
);

/** The longest content of a code, and so the longest address of one. */
export const CONTENT_MAX_LENGTH = 4296;

export const UrlInput = (props: LineProps) => (
  <Input inputMode="url" maxLength={CONTENT_MAX_LENGTH} {...props} />
);

/** Takes a name of the account's own. */
export const NameInput = (props: Omit<LineProps, 'label'> & { readonly label?: string }) => (
  <Input label={say('Name')} maxLength={200} {...props} />
);

export const FolderInput = (props: Omit<LineProps, 'label'>) => (
  <NameInput label={say('Folder')} hint={say('created if it does not exist')} {...props} />
);

/**
 * Returns the text that a person edits, and its setter. It starts as `value`, and is reset whenever `value` changes. An
 * effect would reset it after the first keystrokes of a fast typist, and lose them.
 */
export const useFollowing = (value: string): readonly [text: string, setText: (text: string) => void] => {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setText(value);
  }
  return [text, setText];
};

/** An entry of a list from which a person chooses. */
export type Options<T extends string> = readonly (readonly [value: T, name: string])[];

interface SelectProps<T extends string>
  extends Omit<JSX.SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'label'> {
  readonly options: Options<T>;
  readonly onChoose: (value: T) => void;
}

export const Select = <T extends string>({ options, onChoose, ...select }: SelectProps<T>) => (
  <select onChange={(event) => onChoose(event.currentTarget.value as T)} {...select}>
    {options.map(([value, name]) => (
      <option key={value} value={value}>
        {name}
      </option>
    ))}
  </select>
);

/** Takes one value of a list, in a field. */
export const SelectInput = <T extends string>(props: LabelProps & SelectProps<T>) => {
  const id = useId();
  const { field, own } = splitProps(props);
  return (
    <Field id={id} {...field}>
      <Select id={id} {...ariaOf(id, field.fault)} {...own} />
    </Field>
  );
};

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly look?: string;
  readonly value: T;
  readonly options: Options<T>;
  readonly onChoose: (value: T) => void;
}

/** A row of words, one of which is chosen: a radio group. */
export const Segments = <T extends string>({ label, look = 'segments', ...choice }: SegmentsProps<T>) => {
  const { value, options, onChoose } = choice;
  const group = useId();
  return (
    <fieldset class={look}>
      <legend class="hidden">{label}</legend>
      {options.map(([option, name]) => (
        <label key={option}>
          <input
            class="hidden"
            type="radio"
            name={group}
            checked={option === value}
            onChange={() => onChoose(option)}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
};

interface PillsProps<T extends string> {
  readonly legend: ComponentChildren;
  readonly options: Options<T>;
  readonly chosen: readonly T[];
  readonly fault?: string | null;
  /** Called with the chosen values in the order of the options. */
  readonly onChoose: (chosen: readonly T[]) => void;
}

/** Takes any number of values of a short list. */
export const Pills = <T extends string>({
  legend,
  options,
  chosen,
  fault = null,
  onChoose,
}: PillsProps<T>) => (
  <fieldset>
    <legend class="label">{legend}</legend>
    <div class="row">
      {options.map(([value, name]) => (
        <label key={value} class="pill">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={() =>
              onChoose(
                options.map(([each]) => each).filter((each) => chosen.includes(each) !== (each === value)),
              )
            }
          />
          {name}
        </label>
      ))}
    </div>
    {fault !== null && <FaultOf text={fault} />}
  </fieldset>
);

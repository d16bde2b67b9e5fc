import { useEffect, useState } from 'preact/hooks';
import { Quiet } from '../../../ui/buttons.tsx';
import { CheckInput, Segments } from '../../../ui/fields.tsx';
import { makePart } from '../../../ui/part.tsx';
import { KindInput, KindText, useField } from '../options/field.tsx';
import { ADDRESS, GS1, KINDS, type Kind, kindOf, lacksScheme, TEXT } from './kinds.ts';

const Gs1Form = makePart('gs1-form', () => import('./gs1-form.tsx'), { what: 'the rules of GS1' });

/** Holds what was entered in the form of each kind, by kind and field. */
const useEntered = (kind: Kind, content: string) => {
  const at = (of: Kind, name: string) => `${of.id}.${name}`;
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>(() => ({
    [at(kind, kind.fields[0]?.name ?? '')]: content,
  }));
  return {
    of: (each: Kind) => (name: string) => entered[at(each, name)] ?? '',
    enter: (values: Readonly<Record<string, string>>) =>
      setEntered((before) => ({
        ...before,
        ...Object.fromEntries(Object.entries(values).map(([name, value]) => [at(kind, name), value])),
      })),
    /** What is entered with one field changed. */
    with: (name: string, value: string) => (other: string) =>
      other === name ? value : (entered[at(kind, other)] ?? ''),
  };
};

interface ContentCardProps {
  readonly dynamic: boolean;
  readonly onDynamic: (dynamic: boolean) => void;
}

/** Takes the content of the code in a form for its kind, and whether its destination can be changed after printing. */
export const ContentCard = ({ dynamic, onDynamic }: ContentCardProps) => {
  const { value: content, fault, set } = useField('data');
  const { value: gs1, set: setGs1 } = useField('qrOptions.gs1');
  const [kind, setKind] = useState(() => kindOf(String(content), gs1 !== undefined));
  const entered = useEntered(kind, String(content));
  const text = kind.toText(entered.of(kind));

  const take = (made: ReturnType<Kind['toText']>) => set(made.ok ? made.value : '');
  const enter = (name: string, value: string) => {
    entered.enter({ [name]: value });
    take(kind.toText(entered.with(name, value)));
  };
  const choose = (next: Kind) => {
    setKind(next);
    if (next !== ADDRESS) onDynamic(false);
    take(next.toText(entered.of(next)));
  };
  useEffect(() => {
    // A preset may have brought it.
    if (kind !== GS1) setGs1(undefined);
  }, [kind, gs1]);
  const url = entered.of(ADDRESS)('url').trim();
  const isPlain = kind === ADDRESS || kind === TEXT;

  return (
    <section class="stack tight" aria-labelledby="content-title">
      <h2 id="content-title">Content</h2>
      <Segments
        label="Kind of content"
        look="kinds"
        value={kind.id}
        options={KINDS.map(({ id, name }) => [id, name])}
        onChoose={(id) => choose(KINDS.find((each) => each.id === id) ?? TEXT)}
      />
      {kind === GS1 ? (
        <Gs1Form of={entered.of(GS1)} enter={entered.enter} />
      ) : (
        <div class="fields">
          {kind.fields.map((field) => (
            <KindInput
              key={`${kind.id} ${field.name}`}
              field={field}
              value={entered.of(kind)(field.name)}
              fault={isPlain ? fault : null}
              onValue={(value) => enter(field.name, value)}
            />
          ))}
        </div>
      )}
      {kind === ADDRESS && lacksScheme(url) && (
        <p class="small">
          Phones open an address only when it begins with https://{' '}
          <Quiet onClick={() => enter('url', `https://${url}`)}>Add https://</Quiet>
        </p>
      )}
      {kind === ADDRESS && (
        <CheckInput
          label="Dynamic"
          hint="The code contains a short link: you can change where it leads after printing, and scans are counted."
          isOn={dynamic}
          onToggle={onDynamic}
        />
      )}
      {!isPlain && kind !== GS1 && <KindText text={text} />}
    </section>
  );
};

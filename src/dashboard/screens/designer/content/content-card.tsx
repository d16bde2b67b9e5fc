import { useEffect } from 'preact/hooks';
import type { QrRequest } from '../../../api/shapes.ts';
import { Quiet } from '../../../ui/buttons.tsx';
import { CheckInput, Segments } from '../../../ui/fields.tsx';
import { makePart } from '../../../ui/part.tsx';
import { say } from '../../../words/say.ts';
import { KindInput, KindText, useField } from '../options/field.tsx';
import { ADDRESS, GS1, KINDS, type Kind, kindOf, lacksScheme, TEXT } from './kinds.ts';

const Gs1Form = makePart('gs1-form', () => import('./gs1-form.tsx'), { what: say('the rules of GS1') });

/** The chosen kind of content, and what was entered in the form of each kind, by kind and field. */
export interface Typed {
  readonly kind: string;
  readonly entered: Readonly<Record<string, string>>;
}

const at = (of: Kind, name: string): string => `${of.id}.${name}`;

/** Whether a text has the password of a network, or a field is one. */
const isSecret = (text: string, name = ''): boolean => /^WIFI:/i.test(text) || name === 'wifi.password';

/** Returns what may be kept of a draft: no password of a network. */
export const withoutSecrets = <T extends { readonly request?: QrRequest; readonly typed?: Typed | null }>(
  draft: T,
): T => {
  const { request, typed } = draft;
  const entered = Object.entries(typed?.entered ?? {}).filter(([name, text]) => !isSecret(text, name));
  return {
    ...draft,
    ...(request && isSecret(request.data ?? '') && { request: { ...request, data: '' } }),
    ...(typed && { typed: { ...typed, entered: Object.fromEntries(entered) } }),
  };
};

/** Returns what a content says of itself, before anybody has typed. */
const typedOf = (content: string, isGs1: boolean): Typed => {
  const kind = kindOf(content, isGs1);
  return { kind: kind.id, entered: { [at(kind, kind.fields[0]?.name ?? '')]: content } };
};

interface ContentCardProps {
  readonly dynamic: boolean;
  /** `null`: nobody has typed yet. */
  readonly typed: Typed | null;
  readonly onDynamic: (dynamic: boolean) => void;
  readonly onTyped: (next: (typed: Typed | null) => Typed) => void;
}

/** Takes the content of the code in a form for its kind, and whether its destination can be changed after printing. */
export const ContentCard = ({ dynamic, typed, onDynamic, onTyped }: ContentCardProps) => {
  const { value: content, fault, set } = useField('data');
  const { value: gs1, set: setGs1 } = useField('qrOptions.gs1');
  const known = typed ?? typedOf(String(content), gs1 !== undefined);
  const kind = KINDS.find(({ id }) => id === known.kind) ?? TEXT;
  const enteredOf = (each: Kind) => (name: string) => known.entered[at(each, name)] ?? '';
  const text = kind.toText(enteredOf(kind));

  const take = (made: ReturnType<Kind['toText']>) => set(made.ok ? made.value : '');
  const enterAll = (values: Readonly<Record<string, string>>) =>
    onTyped((before) => {
      const { entered } = before ?? known;
      const changed = Object.entries(values).map(([name, value]) => [at(kind, name), value]);
      return { kind: kind.id, entered: { ...entered, ...Object.fromEntries(changed) } };
    });
  const enter = (name: string, value: string) => {
    enterAll({ [name]: value });
    take(kind.toText((other) => (other === name ? value : enteredOf(kind)(other))));
  };
  const choose = (next: Kind) => {
    onTyped((before) => ({ ...(before ?? known), kind: next.id }));
    if (next !== ADDRESS) onDynamic(false);
    take(next.toText(enteredOf(next)));
  };
  useEffect(() => {
    // A draft that was kept has no content when its form has a secret.
    if (content === '' && text.ok) set(text.value);
  }, []);
  useEffect(() => {
    // A preset may have brought it.
    if (kind !== GS1) setGs1(undefined);
  }, [kind, gs1]);
  const url = enteredOf(ADDRESS)('url').trim();
  const isPlain = kind === ADDRESS || kind === TEXT;

  return (
    <section class="stack tight" aria-labelledby="content-title">
      <h2 id="content-title">{say('Content')}</h2>
      <Segments
        label={say('Kind of content')}
        look="kinds"
        value={kind.id}
        options={KINDS.map(({ id, name }) => [id, name])}
        onChoose={(id) => choose(KINDS.find((each) => each.id === id) ?? TEXT)}
      />
      {kind === GS1 ? (
        <Gs1Form of={enteredOf(GS1)} enter={enterAll} />
      ) : (
        <div class="fields">
          {kind.fields.map((field) => (
            <KindInput
              key={`${kind.id} ${field.name}`}
              field={field}
              value={enteredOf(kind)(field.name)}
              fault={isPlain ? fault : null}
              onValue={(value) => enter(field.name, value)}
            />
          ))}
        </div>
      )}
      {kind === ADDRESS && lacksScheme(url) && (
        <p class="small">
          {say('Phones open an address only when it begins with https://')}
          <Quiet onClick={() => enter('url', `https://${url}`)}>{say('Add https://')}</Quiet>
        </p>
      )}
      {kind === ADDRESS && (
        <CheckInput
          label={say('Dynamic')}
          hint={say(
            'The code contains a short link: you can change where it leads after printing, and scans are counted.',
          )}
          isOn={dynamic}
          onToggle={onDynamic}
        />
      )}
      {!isPlain && kind !== GS1 && <KindText text={text} />}
    </section>
  );
};

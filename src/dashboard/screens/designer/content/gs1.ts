/** GS1 data as the fields of a form: some AIs have a field each, and all others share one. */
import { checkGs1, convertGs1 } from '../../../../gs1/check.ts';
import { readColumnValue } from '../../../../gs1/columns.ts';
import { CANONICAL_STEM, isStem } from '../../../../gs1/digital-link.ts';
import { parseBrackets, writeBrackets } from '../../../../gs1/element-string.ts';
import { ok, type Result, refused } from '../../../../result.ts';
import type { QrRequest } from '../../../api/shapes.ts';
import { say } from '../../../words/say.ts';
import { type Entered, type KindField, lacksScheme, type Text } from './kinds.ts';

/** A form of GS1 data, as `qrOptions.gs1` has it. */
type Gs1Form = NonNullable<NonNullable<QrRequest['qrOptions']>['gs1']>;

/** The fields of AIs. */
const OF_AIS = {
  gtin: { ai: '01', label: 'GTIN', hint: say('8, 12, 13 or 14 digits'), input: 'numeric' },
  serial: { ai: '21', label: say('Serial number'), hint: 'optional', input: 'text' },
  lot: { ai: '10', label: say('Batch or lot'), hint: 'optional', input: 'text' },
  expiry: { ai: '17', label: say('Expiry'), hint: 'optional', input: 'date' },
} as const satisfies Record<string, Omit<KindField, 'name'> & { readonly ai: string }>;

const NAMES = Object.keys(OF_AIS) as (keyof typeof OF_AIS)[];

/** Returns the fields of the form. An element string has no domain; `home` is the default of a Digital Link. */
export const fieldsFor = (form: Gs1Form, home: string): readonly KindField[] => [
  ...NAMES.map((name) => ({ name, ...OF_AIS[name] })),
  {
    name: 'form',
    label: say('The code contains'),
    input: 'choice',
    options: [
      ['digital-link', say('Digital Link')],
      ['element-string', say('Element string')],
    ],
  },
  ...(form === 'digital-link'
    ? [
        {
          name: 'stem',
          label: say('Your domain'),
          hint: say('or {host}', { host: new URL(home).host }),
          input: 'url',
        } as const,
      ]
    : []),
  { name: 'more', label: say('Other AIs'), hint: say('as in (3103)001250'), input: 'text', wide: true },
];

export const formOf = (of: Entered): Gs1Form =>
  of('form') === 'element-string' ? 'element-string' : 'digital-link';

/** The text of a code, and what is wrong with the fields, by their names. */
interface Made {
  readonly text: Text;
  readonly faults: Readonly<Record<string, string>>;
}

const refuseFields = (faults: Made['faults']): Made => ({
  text: refused(say('Fix the marked fields.')),
  faults,
});

/** People write a domain without its scheme, and with a slash at its end. */
const toStem = (typed: string): string => {
  const stem = typed.trim().replace(/\/+$/, '');
  return lacksScheme(stem) ? `https://${stem}` : stem;
};

/** Reads what is typed as the value of an AI. Drops the advice about columns from a fault. */
const readTyped = (ai: string, typed: string): Result<string, string> => {
  const read = readColumnValue(ai, typed);
  return read.ok ? read : refused(read.fault.replace(/, and give the column .*$/, ''));
};

/**
 * Returns the text of a code from what is entered, by the rules of the service and in its words.
 *
 * @param home What a Digital Link begins with when no domain is entered.
 */
export const toGs1 = (of: Entered, home: string = CANONICAL_STEM): Made => {
  const typed = NAMES.filter((name) => of(name).trim() !== '');
  const read = typed.map((name) => ({
    name,
    ai: OF_AIS[name].ai,
    value: readTyped(OF_AIS[name].ai, of(name)),
  }));
  const wrong = read.flatMap(({ name, value }) => (value.ok ? [] : [[name, value.fault] as const]));
  if (wrong.length > 0) return refuseFields(Object.fromEntries(wrong));
  const elements = read.flatMap(({ ai, value }) => (value.ok ? [{ ai, value: value.value }] : []));
  const others = parseBrackets(of('more').trim());
  if (others.faults[0] !== undefined) return refuseFields({ more: others.faults[0].message });
  const data = writeBrackets([...elements, ...others.elements]);
  if (data === '') return { text: refused(say('Enter the GTIN.')), faults: {} };
  const checked = checkGs1(data, 'brackets');
  if (!checked.ok) {
    const fieldOf = (ai: string | null) => NAMES.find((name) => OF_AIS[name].ai === ai) ?? 'more';
    // The first of several faults at a field wins.
    const all = checked.fault.map(({ ai, message }) => [fieldOf(ai), message] as const);
    return refuseFields(Object.fromEntries(all.toReversed()));
  }
  if (formOf(of) === 'element-string') return { text: ok(data), faults: {} };
  const stem = toStem(of('stem'));
  if (stem !== '' && !isStem(stem))
    return refuseFields({ stem: say('must be http or https with a host, and perhaps a path') });
  const { digitalLink } = convertGs1(checked.value, stem || home);
  if (digitalLink !== null) return { text: ok(digitalLink), faults: {} };
  return refuseFields({ form: say('A Digital Link cannot hold it: choose the element string.') });
};

export const toFields = (content: string): Readonly<Record<string, string>> => {
  const checked = checkGs1(content);
  if (!checked.ok) return { more: content };
  const { form, elements, stem } = checked.value;
  const fields: Record<string, string> = {
    form: form === 'digital-link' ? form : 'element-string',
    ...(stem !== null && stem !== CANONICAL_STEM && { stem }),
  };
  const others = elements.filter(({ ai, value }) => {
    const name = NAMES.find((each) => OF_AIS[each].ai === ai);
    // The field of a date takes whole days only.
    if (name === undefined || (name === 'expiry' && value.endsWith('00'))) return true;
    fields[name] = name === 'expiry' ? value.replace(/(..)(..)(..)/, '20$1-$2-$3') : value;
    return false;
  });
  return { ...fields, more: writeBrackets(others) };
};

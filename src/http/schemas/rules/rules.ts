/** Rules of short links and rule sets, in requests and answers. */
import Type, { type Static, type TSchema } from 'typebox';
import type { ConditionName, Rule } from '../../../db/tables/rules/rule.ts';
import { fieldError } from '../../../errors.ts';
import type { checkDestination } from '../../../links/destination.ts';
import { isZone } from '../../../links/rules/local-time.ts';
import { CLOCK, COUNTRY, LANGUAGE, REGION, RULE_NAME } from '../../../validation/formats.ts';
import { strict } from '../atoms.ts';

/** Rules of a link, and of a rule set. */
const RULES_MAX = 20;
/** Of these rules as JSON. */
const RULES_MAX_BYTES = 16_384;

/** Checks a destination; never throws. */
type CheckDestination = (written: string) => ReturnType<typeof checkDestination>;

const oneOf = <T extends TSchema>(item: T, max: number, description: string) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems: max, description }));

const Clock = (description: string) => Type.Optional(Type.String({ pattern: CLOCK, description }));

const Moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

const RuleTime = Type.Object(
  {
    zone: Type.String({
      maxLength: 64,
      description: 'The IANA name of a time zone.',
      examples: ['Europe/Berlin'],
    }),
    weekdays: oneOf(
      Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
      7,
      'The days on which the span begins. Absent: every day.',
    ),
    from: Clock('The beginning of the span, such as `08:30`. Absent: 00:00.'),
    until: Clock('Its end (exclusive), on the next day if it is before `from`. Absent: midnight.'),
  },
  { ...strict, title: 'RuleTime', minProperties: 2, description: 'By local time.' },
);

const RuleDate = Type.Object(
  { from: Moment('The start.'), until: Moment('The end (exclusive).') },
  { ...strict, title: 'RuleDate', minProperties: 1 },
);

const Conditions = Type.Object(
  {
    device: oneOf(Type.Enum(['ios', 'android', 'desktop']), 3, 'As far as the user agent tells.'),
    language: oneOf(
      Type.String({ pattern: LANGUAGE }),
      50,
      'Languages, compared with those that `Accept-Language` wants most; `de` covers `de-CH`.',
    ),
    country: oneOf(Type.String({ pattern: COUNTRY }), 250, 'Countries (ISO 3166-1, two letters).'),
    region: oneOf(
      Type.String({ pattern: REGION }),
      100,
      'Regions (ISO 3166-2, such as `DE-BY`), where the operator has a file of them.',
    ),
    city: oneOf(
      Type.String({ minLength: 1, maxLength: 100 }),
      100,
      'English names of cities, where the operator has a file of them.',
    ),
    query: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String({ maxLength: 200 }), { maxItems: 50 }), {
        minProperties: 1,
        maxProperties: 10,
        description: 'Each parameter must have one of its values; with an empty list, any value.',
      }),
    ),
    time: Type.Optional(RuleTime),
    date: Type.Optional(RuleDate),
    visit: Type.Optional(
      Type.Enum(['first', 'later'], {
        description:
          'Whether the visitor has followed the link before on this day (UTC) by the same gateway.',
      }),
    ),
    share_percent: Type.Optional(
      Type.Number({
        minimum: 0.01,
        maximum: 99.99,
        description: 'A share of the visitors. Each stays on one side of a rule of this name.',
      }),
    ),
  },
  { ...strict, minProperties: 1, title: 'RuleConditions', description: 'All that are named must hold.' },
);

const RuleField = Type.Object(
  {
    name: Type.String({
      pattern: RULE_NAME,
      description: 'Its name in scans: 1 to 40 letters, digits, `-` and `_`.',
    }),
    when: Conditions,
    destination: Type.String({ description: 'As `destination` of a link.' }),
  },
  { ...strict, title: 'Rule' },
);

/** Rules in requests and answers. */
export const Rules = Type.Array(RuleField, {
  title: 'Rules',
  minItems: 1,
  maxItems: RULES_MAX,
  description:
    'The first rule whose conditions all hold decides where a visit is led; without one, it is `destination`.',
});

/** The name of a rule set in requests. */
export const RuleSetName = Type.String({
  maxLength: 1000,
  description: 'Unique among your rule sets; trimmed, 1 to 200 characters.',
});

/** The names of conditions. */
export const CONDITIONS = Object.keys(Conditions.properties) as ConditionName[];

const checkWhen = ({ time, date, query }: Rule['when'], fault: (field: string, message: string) => never) => {
  if (time !== undefined && !isZone(time.zone)) {
    fault('time.zone', 'must be the name of a time zone, for example Europe/Berlin');
  }
  if (time?.from !== undefined && time.from === time.until) fault('time.until', 'must differ from `from`');
  if (
    date?.from !== undefined &&
    date.until !== undefined &&
    Date.parse(date.from) >= Date.parse(date.until)
  ) {
    fault('date.until', 'must be after `from`');
  }
  const long = Object.keys(query ?? {}).find((name) => name === '' || name.length > 100);
  if (long !== undefined) fault('query', 'must have names of 1 to 100 characters');
};

/**
 * Returns rules as they are stored.
 *
 * @param inside The name of the field.
 * @throws {AppError} 400 when two have one name, or one of them can never hold or leads where a link cannot.
 */
export const readRules = (
  written: Static<typeof Rules>,
  check: CheckDestination,
  inside: string,
): readonly Rule[] => {
  const names = new Set<string>();
  const rules = written.map((rule, at): Rule => {
    const fault = (field: string, message: string): never => {
      throw fieldError(`${inside}.${at}.${field}`, message);
    };
    if (names.has(rule.name)) fault('name', 'must differ from those of the other rules');
    names.add(rule.name);
    checkWhen(rule.when, (field, message) => fault(`when.${field}`, message));
    const checked = check(rule.destination);
    if (!checked.ok) return fault('destination', checked.fault);
    return { name: rule.name, when: rule.when, destination: checked.value };
  });
  if (Buffer.byteLength(JSON.stringify(rules)) > RULES_MAX_BYTES) {
    throw fieldError(inside, `must have at most ${RULES_MAX_BYTES} bytes as JSON`);
  }
  return rules;
};

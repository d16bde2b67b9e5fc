/** The validator compared with that of bwip-js, which shares no code and no tables with it. */
import bwip from 'bwip-js/node';
import t, { type Test } from 'tap';
import { checkGs1 } from '../../src/gs1/check.ts';
import { identifierOf } from '../../src/gs1/dictionary.ts';
import { tellFault } from '../../src/gs1/fault.ts';
import { casesOf } from '../support/cases.ts';
import { damage, damagePairs, type Pair, pairsOf, pick } from '../support/gs1.ts';
import { createRandom, type Random } from '../support/random.ts';

/** The error of bwip-js for an option that does not exist, which it checks after the data. */
const DATA_IS_RIGHT = 'bwipp.datamatrixInvalidFormat';

/** Returns the fault that bwip-js finds, or `null`. */
const judgeByBwip = (text: string): string | null => {
  const isUri = /^http/i.test(text);
  const options = {
    bcid: isUri ? 'gs1dldatamatrix' : 'gs1datamatrix',
    text: isUri ? text : text.replaceAll('\\(', '^040'),
    parse: !isUri,
    format: 'none',
  };
  try {
    bwip.raw(options as never);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.startsWith(DATA_IS_RIGHT) ? null : message;
  }
  throw new Error('bwip-js knows the format "none"');
};

interface Disagreement {
  readonly text: string;
  /** The fault that the validator finds, or `null`. */
  readonly ours: string | null;
  /** The fault that bwip-js finds, or `null`. */
  readonly theirs: string | null;
}

/** Intended differences: the clause that the validator follows, and an example. */
interface Listed {
  readonly clause: string;
  readonly example: string;
  readonly is: (found: Disagreement) => boolean;
}

/** bwip-js accepts texts that the validator refuses with a matching fault. */
const isRefused =
  (words: RegExp) =>
  ({ ours, theirs }: Disagreement): boolean =>
    theirs === null && words.test(ours ?? '');

const LISTED: readonly Listed[] = [
  {
    // The currencies of bwip-js are those of 2024: 924 and 926 are new, 191, 694, 931 and 932 are gone.
    clause: 'ISO 4217, list one: codes of currencies',
    example: '(3910)924100(8020)A(415)9521321000018',
    is: ({ ours, theirs }) => /UnknownCurrency/.test(theirs ?? '') || /number of a currency/.test(ours ?? ''),
  },
  {
    // bwip-js checks only two digits.
    clause: 'GS1 General Specifications, glossary: a company prefix has 4 to 12 digits',
    example: '(8004)952A',
    is: isRefused(/Company Prefix/),
  },
  {
    // bwip-js accepts a single digit 0.
    clause: 'GS1 General Specifications, 3.9: the serial number of a CPID does not begin with 0',
    example: '(8010)9521A(8011)0',
    is: isRefused(/^AI \(8011\).*must not begin with 0/),
  },
  {
    // bwip-js accepts an IBAN of 5 characters.
    clause: 'ISO 13616-1, 5: an IBAN has an account number',
    example: '(8007)DE360(8020)A(415)9521321000018',
    is: isRefused(/too short for an IBAN/),
  },
  {
    // bwip-js accepts any single character, and a trailing bracket.
    clause: 'GS1 General Specifications, 7.8.1: an element string begins with an AI',
    example: '(8002)1(',
    is: (found) => /^.$|\($/.test(found.text) && isRefused(/an AI in brackets must stand here/)(found),
  },
  {
    // bwip-js takes a key without its serial number; the syntax engine of GS1 refuses it.
    clause: 'GS1 General Specifications, 4.13.2: a digital signature goes with a serialised key',
    example: '(253)9521321000018(8030)AB',
    is: isRefused(/^AI \(8030\).*add the serial number/),
  },
  {
    // bwip-js takes an AI twice if the values are equal; the syntax engine of GS1 refuses it.
    clause: 'GS1 Digital Link, URI Syntax: a URI has each AI once',
    example: 'https://example.com/01/09521321000018?17=261231&17=261231',
    is: isRefused(/a Digital Link URI has each AI once$/),
  },
  {
    // bwip-js accepts any host.
    clause: 'RFC 3986, 3.2.2: hosts; WHATWG URL, 4.4: no user',
    example: 'https://a@b.example/8004/95213A',
    is: isRefused(/has a host and a path/),
  },
  {
    // bwip-js accepts any character outside values.
    clause: 'RFC 3986, 2: the characters of a URI',
    example: 'https://example.com/a|b/8004/95213A',
    is: isRefused(/must be percent-encoded$/),
  },
  {
    // bwip-js takes "%4" at the end of a value literally.
    clause: 'RFC 3986, 2.1: two hexadecimal digits after a percent sign',
    example: 'https://example.com/8004/95213%4',
    is: isRefused(/two hexadecimal digits$/),
  },
  {
    // bwip-js treats a parameter without a name as an AI without digits.
    clause: 'GS1 Digital Link, URI Syntax, query string: only names of digits are AIs',
    example: 'https://example.com/8004/95213A?=1',
    is: ({ ours, theirs }) =>
      ours === null && /AI \(\) is not a valid GS1 DL URI data attribute/.test(theirs ?? ''),
  },
];

const judge = (text: string): Disagreement => {
  const checked = checkGs1(text, /^http/i.test(text) ? 'digital-link' : 'brackets');
  return { text, ours: checked.ok ? null : tellFault(checked.fault[0]!), theirs: judgeByBwip(text) };
};

const brackets = (pairs: readonly Pair[]): string =>
  pairs.map(({ ai, value }) => `(${ai})${value.replaceAll('(', '\\(')}`).join('');

const encode = (random: Random, value: string): string =>
  random(5) === 0
    ? value.replaceAll(/[^\w.!*'(),:;=@$+-]/g, encodeURIComponent)
    : encodeURIComponent(value).replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);

/** A URI with the key and qualifiers, if any, in the path, and the rest in the query. */
const uri = (random: Random, pairs: readonly Pair[]): string => {
  const key = pairs.find(({ ai }) => identifierOf(ai)?.qualifiers) ?? pairs[0];
  const sequence = pick<readonly string[]>(random, identifierOf(key?.ai ?? '')?.qualifiers ?? [[]]);
  const qualifiers = sequence.flatMap((ai) => pairs.filter((pair) => pair.ai === ai).slice(0, 1));
  const path = [
    ...(key === undefined ? [] : [key]),
    ...(random(20) === 0 ? qualifiers.toReversed() : qualifiers),
  ];
  const rest = pairs.filter((pair) => !path.includes(pair));
  const parameters = rest.map(({ ai, value }) => `${ai}=${encode(random, value)}`);
  if (random(8) === 0) parameters.push(pick(random, ['utm=1', 'flag', '=', '99x=1', '']));
  const host = pick<string>(random, [
    'https://id.gs1.org',
    'http://example.com:8080/shop',
    'HTTPS://A.B/01/x',
  ]);
  const fragment = random(20) === 0 ? '#more' : '';
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  return `${host}${path.map(({ ai, value }) => `/${ai}/${encode(random, value)}`).join('')}${query}${fragment}`;
};

/** Shortens a GTIN, as is allowed in URIs. */
const shorten = (random: Random, pairs: readonly Pair[]): readonly Pair[] =>
  pairs.map((pair) =>
    pair.ai === '01' && random(10) === 0 ? { ...pair, value: pair.value.replace(/^0{1,6}/, '') } : pair,
  );

const elementStringOf = (random: Random): string => {
  const pairs = pairsOf(random);
  const kind = random(10);
  if (kind < 3) return brackets(pairs);
  const text = brackets(damagePairs(random, pairs));
  return kind < 8 ? text : damage(random, text);
};

const uriOf = (random: Random): string => {
  const pairs = shorten(random, pairsOf(random));
  const kind = random(10);
  if (kind < 4) return uri(random, pairs);
  if (kind < 8) return uri(random, damagePairs(random, pairs));
  const text = uri(random, pairs);
  return text.slice(0, 8) + damage(random, text.slice(8));
};

const CASES = Number(process.env.GS1_CASES ?? casesOf(30_000));

const compare = (t: Test, seed: number, count: number, make: (random: Random) => string): void => {
  const random = createRandom(seed);
  const unlisted: Disagreement[] = [];
  let valid = 0;
  for (let i = 0; i < count; i += 1) {
    const found = judge(make(random));
    if (found.ours === null && found.theirs === null) valid += 1;
    if ((found.ours === null) === (found.theirs === null)) continue;
    if (!LISTED.some(({ is }) => is(found))) unlisted.push(found);
  }
  t.strictSame(unlisted.slice(0, 10), [], `seed ${seed}`);
  t.ok(valid > count / 5 && valid < (count * 4) / 5, `${valid} of ${count} are valid`);
};

t.test('the validator and bwip-js agree about element strings', async (t) =>
  compare(t, 1, CASES * 0.6, elementStringOf),
);

t.test('our URI checks agree with bwip-js', async (t) => compare(t, 2, CASES * 0.4, uriOf));

t.test('each listed difference exists', async (t) => {
  for (const { clause, example, is } of LISTED) {
    const found = judge(example);
    t.not(found.ours === null, found.theirs === null, `${clause}: ${JSON.stringify(found)}`);
    t.ok(is(found), clause);
  }
});

/**
 * How many random cases a test tries: all, or a fifth in `npm test`, which sets `TEST_SHORT`. `make.mjs` substitutes
 * this module for fast-check, which covers properties; samples and loops call `casesOf`.
 */
import * as all from 'fast-check';

/** The default of fast-check. */
const RUNS = 100;

const isShort = process.env.TEST_SHORT === '1';

/** Returns how many of `count` cases this run tries. */
export const casesOf = (count: number): number => (isShort ? Math.ceil(count / 5) : count);

/** Returns the cases that this run tries: all, or every fifth. */
export const someOf = <T>(cases: readonly T[]): readonly T[] =>
  isShort ? cases.filter((_, i) => i % 5 === 0) : cases;

/** Returns the minimum number of cases of a kind where a full run has `count`; small samples vary more. */
export const fewestOf = (count: number): number => (isShort ? Math.floor(count / 25) : count);

export * from 'fast-check';

/** Like fast-check's. All examples are tried, before the random cases. */
export const assert = ((property, { numRuns = RUNS, ...others } = {}) =>
  all.assert(property, {
    ...others,
    numRuns: Math.max(casesOf(numRuns), others.examples?.length ?? 0),
  })) as typeof all.assert;

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;

/** The characters of fast-check's `binary`, which makes a map of all of them: a second of processor time. */
const binary = all.nat({ max: 0x10ffff - SURROGATES }).map(
  (index) => String.fromCodePoint(index < SURROGATES_FROM ? index : index + SURROGATES),
  (character) => {
    if (typeof character !== 'string' || [...character].length !== 1) throw new Error('not one character');
    const code = character.codePointAt(0)!;
    return code < SURROGATES_FROM ? code : code - SURROGATES;
  },
);

/** Like fast-check's. */
export const string = (constraints: all.StringConstraints = {}): all.Arbitrary<string> =>
  all.string(constraints.unit === 'binary' ? { ...constraints, unit: binary } : constraints);

/** Texts of a URL's parts, also with percent escapes (RFC 3986, 3.3). Fast-check's maps all characters, as above. */
const part = all.string({
  unit: all.constantFrom(...'aZ09-._~!$&()*+,;=:@', '%20', '%25', '%2F', '%C3%BC', '%F0%9F%98%80'),
});

/** Like fast-check's. */
export const webPath = (): all.Arbitrary<string> =>
  all.array(part).map((parts) => parts.map((text) => `/${text}`).join(''));

/** Like fast-check's, with a query and a fragment in some. */
export const webUrl = (): all.Arbitrary<string> =>
  all
    .record({
      scheme: all.constantFrom('http', 'https'),
      host: all.domain(),
      path: webPath(),
      query: all.oneof(
        all.constant(''),
        part.map((text) => `?${text}`),
      ),
      fragment: all.oneof(
        all.constant(''),
        part.map((text) => `#${text}`),
      ),
    })
    .map(({ scheme, host, path, query, fragment }) => `${scheme}://${host}${path}${query}${fragment}`);

export default { ...all, assert, string, webPath, webUrl };

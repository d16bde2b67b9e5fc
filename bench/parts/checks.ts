/** Checks of GS1 data and of signed addresses, and reading pictures. */
import { createSecretKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { toDesign } from '../../src/generate/request/design.ts';
import { checkGs1 } from '../../src/gs1/check.ts';
import { openZBar, openZXing } from '../../src/reading/decoders.ts';
import { readPicture } from '../../src/reading/read.ts';
import { isSigned, readAddress, signPath } from '../../src/signed/address.ts';
import { readParameters } from '../../src/signed/parameters.ts';
import type { DotType } from '../../workers/lists.ts';
import { render } from '../../workers/render.ts';
import { atMost } from '../say.ts';
import { cpuOfCases, type Part } from './part.ts';

const ROUNDS = 15;
/** 50,000 checks a second on one core. */
const GS1_MAX_US = 20;
const SIGNED_MAX_US = 10;
/** Warm-up runs, until the code is compiled. */
const WARM_UP_RUNS = 20_000;

const WRONG = 'a wrong check digit';
const GS1 = {
  'an element string in brackets, five AIs': '(01)09521321000018(10)ABC(21)123(17)261231(3103)000195',
  'a Digital Link URI, five AIs': 'https://example.com/01/09521321000018/10/ABC/21/123?17=261231&3103=000195',
  'an element string as sent by a scanner, four AIs': ']Q301095213210000181726123110AB\u001d21123',
  [WRONG]: '(01)09521321000011(10)ABC(21)123',
};

/** The cost of checking GS1 data. */
export const gs1: Part = async (_, { share }) => {
  const cases = Object.entries(GS1).map(([name, text]) => {
    if (checkGs1(text).ok === (name === WRONG)) throw new Error(`the check of ${text} is wrong`);
    for (let n = 0; n < WARM_UP_RUNS; n += 1) checkGs1(text);
    return [name, () => checkGs1(text)] as const;
  });
  const costs = await cpuOfCases(Object.fromEntries(cases), Math.ceil(ROUNDS * share));
  return [...costs].map(([name, ms]) => atMost(name, ms * 1000, GS1_MAX_US, 'us'));
};

const SECRET = { id: '6f3c2b1a-9d8e-4f70-a1b2-c3d4e5f60718', secret: `tss_${'0123456789abcdef'.repeat(4)}` };
const RIGHT = 'a right signature';

/** The cost of checking a signed address. */
export const signed: Part = async (_, { share }) => {
  const secrets = new Map([[SECRET.id, createSecretKey(SECRET.secret, 'utf8')]]);
  const check = (path: string): boolean => {
    const address = readAddress(path);
    const secret = address === null ? undefined : secrets.get(address.secretId);
    return address !== null && secret !== undefined && isSigned(secret, address);
  };
  const right = signPath(SECRET, { data: 'https://example.com/menu', width: 400 }, 'png');
  const wrong = right.replace(/^\/i\/./, (start) => (start.endsWith('A') ? '/i/B' : '/i/A'));
  const long = signPath(SECRET, { data: 'x'.repeat(4296) }, 'png');
  if (!check(right) || check(wrong) || !check(long)) throw new Error('the checks are wrong');
  const { parameters } = readAddress(right)!;
  const cases = {
    [RIGHT]: () => check(right),
    'a wrong signature': () => check(wrong),
    'a path that is not a signed address': () => check(`${right}?a`),
    'a right signature, 4,296 characters of content': () => check(long),
    'reading the parameters without validating them': () => readParameters(parameters, () => null),
  };
  return [...(await cpuOfCases(cases, Math.ceil(ROUNDS * share)))].map(([name, ms]) =>
    atMost(name, ms * 1000, name === RIGHT ? SIGNED_MAX_US : null, 'us'),
  );
};

const READING_MAX_MS = 5;
const PICTURES: readonly (readonly [widthPx: number, type: DotType])[] = [
  [300, 'square'],
  [300, 'rounded'],
  [1000, 'square'],
];

const openReaders = async () => {
  const { resolve } = createRequire(import.meta.url);
  const wasm = await readFile(resolve('zxing-wasm/reader/zxing_reader.wasm'));
  return {
    zxing: await openZXing(new Uint8Array(wasm).buffer),
    zbar: await openZBar(resolve('@undecaf/zbar-wasm/dist/zbar.wasm')),
  };
};

const draw = (widthPx: number, type: DotType): Uint8Array => {
  const design = toDesign({ width: widthPx, height: widthPx, dotsOptions: { type } });
  const drawn = render({ text: 'https://qr.example.com/l/4fGk2LmQ', design, logo: null, format: 'png' });
  if (!drawn.ok) throw new Error(drawn.fault.message);
  return drawn.value.bytes;
};

/** The cost of reading a picture with both readers under all conditions. */
export const reading: Part = async (_, { share }) => {
  const readers = await openReaders();
  const rounds = Math.ceil(ROUNDS * share);
  const cases = PICTURES.map(([widthPx, type]) => {
    const png = draw(widthPx, type);
    return [`${widthPx} px ${type}`, () => readPicture(readers, png)] as const;
  });
  return [...(await cpuOfCases(Object.fromEntries(cases), rounds))].map(([name, ms]) =>
    atMost(name, ms, name.startsWith('300') ? READING_MAX_MS : null, 'ms'),
  );
};

import { createSecretKey } from 'node:crypto';
import { isSigned, readAddress, signPath } from '../../../src/signed/address.ts';
import { readParameters } from '../../../src/signed/parameters.ts';
import { atMost, measured } from '../../verdict.ts';
import { cpuOfCases, type Part } from '../part.ts';

const SECRET = { id: '6f3c2b1a-9d8e-4f70-a1b2-c3d4e5f60718', secret: `tss_${'0123456789abcdef'.repeat(4)}` };
const ROUNDS = 15;
const TARGET_US = 10;

/** The cost of checking a signed address. */
export const signed: Part = {
  about: 'checking a signed address, and reading its parameters',
  async run(_, { share }) {
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
    const cases = [
      { name: 'a right signature', run: () => check(right) },
      { name: 'a wrong signature', run: () => check(wrong) },
      { name: 'a path that is not a signed address', run: () => check(`${right}?a`) },
      { name: 'a right signature, 4,296 characters of content', run: () => check(long) },
      {
        name: 'reading the parameters without validating them',
        run: () => readParameters(parameters, () => null),
      },
    ];
    const [rightMs, ...othersMs] = await cpuOfCases(cases, Math.ceil(ROUNDS * share));
    return [
      atMost(cases[0]!.name, rightMs! * 1000, TARGET_US, 'us'),
      ...othersMs.map((ms, i) => measured(cases[i + 1]!.name, ms * 1000, 'us')),
    ];
  },
};

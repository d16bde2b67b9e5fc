/**
 * `npm run bench:signed` measures what the check of a signed address costs, as processor time: taking the path apart,
 * finding the secret in memory, and comparing the signature; and the reading of its parameters beside it.
 */
import { createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isSigned, readAddress, signedPath } from '../../src/signed/address.ts';
import { readParameters } from '../../src/signed/parameters.ts';
import { commandLine } from '../command/main.ts';
import { figure, say, table } from '../say.ts';

commandLine({
  name: 'npm run bench:signed',
  about:
    'Measures what the check of a signed address costs, as processor time: taking the path apart, finding the secret in memory, and comparing the signature; and the reading of its parameters beside it. It takes some seconds.',
  options: {},
  examples: [['', 'prints the table']],
});

const SECRET = { id: '6f3c2b1a-9d8e-4f70-a1b2-c3d4e5f60718', secret: `tss_${'0123456789abcdef'.repeat(4)}` };
/** As many as a gateway keeps. */
const SECRETS = 10_000;
const CHECKS = 20_000;
const ROUNDS = 15;

const secrets = new LRUCache<string, { readonly key: ReturnType<typeof createSecretKey> }>({ max: SECRETS });
for (let n = 0; n < SECRETS - 1; n += 1) {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  secrets.set(id, { key: createSecretKey(`tss_${n}`.padEnd(68, '0'), 'utf8') });
}
secrets.set(SECRET.id, { key: createSecretKey(SECRET.secret, 'utf8') });

/** Whether the address is signed by a secret in memory. */
const check = (path: string): boolean => {
  const address = readAddress(path);
  const secret = address === null ? undefined : secrets.get(address.secretId);
  return address !== null && secret !== undefined && isSigned(secret.key, address);
};

/** Microseconds of processor time of one run: the least of some rounds, because other work only adds to it. */
const costOf = (run: () => void): number => {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    for (let n = 0; n < CHECKS; n += 1) run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / CHECKS;
  });
  return Math.min(...rounds);
};

const right = signedPath(SECRET, { data: 'https://example.com/menu', width: 400 }, 'png');
const wrong = right.replace(/^\/i\/./, (start) => (start.endsWith('A') ? '/i/B' : '/i/A'));
const long = signedPath(SECRET, { data: 'x'.repeat(4296) }, 'png');
if (!check(right) || check(wrong) || !check(long)) throw new Error('the checks are wrong');

const { parameters } = readAddress(right)!;
say(
  table(
    ['microseconds of processor time', ''],
    [
      ['a right signature', figure(costOf(() => check(right)))],
      ['a wrong signature', figure(costOf(() => check(wrong)))],
      ['a path that is no address', figure(costOf(() => check(`${right}?a`)))],
      ['a right signature, 4,296 characters of content', figure(costOf(() => check(long)))],
      [
        'reading the parameters, without their validation',
        figure(costOf(() => readParameters(parameters, () => null))),
      ],
    ],
  ),
);

/** The command line of `npm run bench:export`. */
import { extname } from 'node:path';
import { Misuse, textOr, type Values, whole } from '../../test/support/command.ts';
import { DEPLOYMENT, deploymentOf } from '../load/deployment.ts';
import { parseMix } from '../load/mix.ts';

const ENDINGS = ['.js', '.lua', '.jsonl'] as const;

const OPTIONS = {
  ...DEPLOYMENT,
  mix: textOr('mix', 'mixed', 'recipes with weights, as for npm run capacity'),
  requests: whole('targets for vegeta, which repeats them when it has sent all', 10_000),
} as const;

const read = (values: Values<typeof OPTIONS>, [file = '', ...more]: readonly string[]) => {
  const format = ENDINGS.find((ending) => ending === extname(file));
  if (format === undefined || more.length > 0)
    throw new Misuse(`name one file that ends with ${ENDINGS.join(', ')}`);
  const mix = parseMix(values.mix);
  const deployment = deploymentOf(values);
  if (deployment === null) throw new Misuse('give the --url and the --key of a running deployment');
  return { file, format, deployment, mix, requests: Number(values.requests) };
};

/** The command. */
export const EXPORT = {
  name: 'npm run bench:export',
  operands: '<file>',
  about:
    'Writes a mix as a script of another load generator, which runs as it is: for k6 (<file>.js), for wrk and wrk2 (<file>.lua), and as targets for vegeta (<file>.jsonl). Scripts for k6 and wrk check every answer. The command prepares the accounts of the keys, and what it makes there stays. The file holds the keys, so that only its owner may read it.',
  options: OPTIONS,
  examples: [
    ['--url http://127.0.0.1:3000 --key "$TESSERA_KEY" mix.js', 'for k6'],
    ['--url http://127.0.0.1:3000 --key "$TESSERA_KEY" --mix "redirect=9,check=1" mix.lua', 'for wrk2'],
  ],
  read,
} as const;

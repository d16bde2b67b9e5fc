/** The command line of `npm run bench:export`. */
import { extname } from 'node:path';
import { faultIn, textOr, type Values, whole } from '../../test/support/command.ts';
import { DEPLOYMENT, deploymentOf } from '../load/deployment.ts';
import { parseMix } from '../load/mix.ts';

const ENDINGS = ['.js', '.lua', '.jsonl'] as const;

/** The options of `npm run bench:export`, checked. */
export type ExportOptions = Exclude<ReturnType<typeof exportOf>, string>;

/** The command. */
export const EXPORT = {
  name: 'npm run bench:export',
  operands: '<file>',
  about:
    'Writes a mix as a script of another load generator, which runs as it is: for k6 (<file>.js), for wrk and wrk2 (<file>.lua), and as targets for vegeta (<file>.jsonl). Scripts for k6 and wrk check every answer. The command prepares the accounts of the keys, and what it makes there stays. The file holds the keys, so that only its owner may read it.',
  options: {
    ...DEPLOYMENT,
    mix: textOr('mix', 'mixed', 'recipes with weights, as for npm run capacity'),
    requests: whole('targets for vegeta, which repeats them when it has sent all', 10_000),
  },
  examples: [
    ['--url http://127.0.0.1:3000 --key "$TESSERA_KEY" mix.js', 'for k6'],
    ['--url http://127.0.0.1:3000 --key "$TESSERA_KEY" --mix "redirect=9,check=1" mix.lua', 'for wrk2'],
  ],
  faultOf: (values: never, operands: readonly string[]): string | null => faultIn(exportOf(values, operands)),
} as const;

/** Returns the options, or an error message. */
export const exportOf = (values: Values<typeof EXPORT>, [file = '', ...more]: readonly string[]) => {
  const format = ENDINGS.find((ending) => ending === extname(file));
  if (format === undefined || more.length > 0) return `name one file that ends with ${ENDINGS.join(', ')}`;
  const mix = parseMix(values.mix);
  if (typeof mix === 'string') return mix;
  const deployment = deploymentOf(values);
  if (typeof deployment === 'string') return deployment;
  if (deployment === null) return 'give the --url and the --key of a running deployment';
  return { file, format, deployment, mix, requests: Number(values.requests) };
};

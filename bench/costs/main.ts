/**
 * `npm run bench:costs` measures what one request of each kind costs the event loops and render threads of gateways,
 * Redis and Postgres, as processor time, with one gateway process and with several. It prints what that makes on paper
 * for more cores, and shows the costs in the report.
 *
 * Ends with 1 when a request costs more than 1.1 times as much with most processes as with fewest. The processes and
 * the load share the cores of this machine.
 */
import { commandLine } from '../command/main.ts';
import { whole } from '../command/whole.ts';
import { describeMachine } from '../machine.ts';
import { REPORT_FOLDER, writeCosts } from '../page/files.ts';
import { figure, say, table } from '../say.ts';
import { type ByPart, PARTS } from '../spent.ts';
import { onPaper } from './capacity.ts';
import { type Cost, type Kind, measureCosts } from './measure.ts';

const KINDS: readonly Kind[] = [
  { name: 'redirect', requests: 8000 },
  { name: 'render hit 300', requests: 4000 },
  { name: 'render miss 300', requests: 3000 },
  { name: 'single plain', requests: 3000 },
  { name: 'single styled', requests: 3000 },
  { name: 'bulk 10', requests: 300 },
];
const CORES = [2, 8, 32, 128];
const RISE_MAX = 1.1;

const { values } = commandLine({
  name: 'npm run bench:costs',
  about:
    'Measures what one request of each kind costs the event loops and other threads of gateways, Redis and Postgres, as processor time, with one gateway process and with several, and what that makes on paper for more cores. Ends with 1 when a request costs more than 1.1 times as much with most processes as with fewest.',
  options: {
    gateways: { type: 'string', default: '1,2,4', value: 'numbers', text: 'numbers of gateway processes' },
    rounds: whole('rounds of each kind; the one that cost least counts', 3),
    short: { type: 'boolean', default: false, text: 'a tenth of the requests' },
    'half-cores': {
      type: 'boolean',
      default: false,
      text: 'binds the processes so that two share each core (taskset); busy programs take the half cores that a gateway of fewer processes leaves',
    },
    report: {
      type: 'string',
      default: REPORT_FOLDER,
      shown: 'bench/report',
      value: 'folder',
      text: 'folder of costs.json, and of the page that shows it',
    },
  },
  examples: [
    ['--gateways 1 --short', 'a rough answer for one process'],
    ['--gateways 1,4 --half-cores', 'what a process more costs where cores are shared'],
  ],
});
const counts = values.gateways.split(',').map(Number);
const options = { rounds: Number(values.rounds), halfCores: values['half-cores'] };
const kinds = KINDS.map(({ name, requests }) => ({
  name,
  requests: values.short ? requests / 10 : requests,
}));

const totalOf = (us: ByPart): number => PARTS.reduce((sum, part) => sum + us[part], 0);

const show = ({ name, gateways, us }: Cost) =>
  say(
    `${name}, ${gateways}: ${figure(totalOf(us))} (${PARTS.map((part) => `${part} ${figure(us[part])}`).join(', ')})`,
  );
const costs = await measureCosts(counts, kinds, options, show);
const costOf = (name: string, gateways: number): ByPart =>
  costs.find((cost) => cost.name === name && cost.gateways === gateways)!.us;

say('\nmicroseconds of processor time for one request\n');
say(
  table(
    ['', 'gateways', ...PARTS, 'all'],
    costs.map(({ name, gateways, us }) => [
      name,
      String(gateways),
      ...PARTS.map((part) => figure(us[part])),
      figure(totalOf(us)),
    ]),
  ),
);

const fewest = Math.min(...counts);
const most = Math.max(...counts);
say(`\nrequests a second on paper, and what is full first, by the costs with ${most} gateways:`);
say('cores and Redis at 70 %, Postgres growing in proportion\n');
say(
  table(
    ['cores', ...CORES.map(String)],
    kinds.map(({ name }) => [
      name,
      ...CORES.map((cores) => {
        const { requestsPerS, full } = onPaper(cores, costOf(name, most));
        return `${figure(requestsPerS)} (${full})`;
      }),
    ]),
  ),
);

/** The geometric mean over the kinds: one kind alone varies by more than what is looked for. */
const rises = kinds.map(({ name }) => totalOf(costOf(name, most)) / totalOf(costOf(name, fewest)));
const rise = Math.exp(rises.reduce((sum, ratio) => sum + Math.log(ratio), 0) / rises.length);
say(
  `\na request costs ${figure(rise)} times as much with ${most} gateways as with ${fewest} (wanted: at most ${RISE_MAX}); by kind: ${rises.map(figure).join(', ')}`,
);
if (rise > RISE_MAX) process.exitCode = 1;
await writeCosts(values.report, {
  machine: describeMachine('postgres'),
  costs: costs
    .filter(({ gateways }) => gateways === fewest)
    .map(({ name, us }) => ({ label: name, us: { ...us } })),
});

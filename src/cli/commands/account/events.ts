import { type Command, Option } from 'commander';
import { namesOf } from '../../../../workers/lists.ts';
import { EVENTS } from '../../../lists.ts';
import { print, readAllPages } from '../../admin.ts';
import { withLimit } from '../../codes/lists.ts';
import { type KeyOptions, openApi } from '../../key-options.ts';
import { formatRows } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';

interface EventOptions extends KeyOptions {
  readonly type?: string;
  readonly since?: string;
  readonly until?: string;
  readonly webhook?: string;
  readonly delivered?: true;
  readonly undelivered?: true;
  readonly limit: number;
}

interface Delivery {
  readonly webhook_id: string;
  readonly state: string;
}

interface Event {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly deliveries: readonly Delivery[];
}

interface AgainOptions extends KeyOptions {
  readonly since: string;
  readonly until?: string;
  readonly types?: string[];
  readonly onlyUndelivered?: true;
}

interface Resent {
  readonly count: number;
  readonly next_since: string | null;
}

/** Reads names that commas separate. */
export const splitNames = (text: string): string[] =>
  text
    .split(',')
    .map((event) => event.trim())
    .filter((event) => event !== '');

/** `delivered`, or the states of the deliveries that are not, or that it is sent to no webhook. */
const stateOf = ({ deliveries }: Event): string => {
  if (deliveries.length === 0) return 'not sent';
  const open = deliveries.map(({ state }) => state).filter((state) => state !== 'delivered');
  return open.length === 0 ? 'delivered' : [...new Set(open)].sort().join(', ');
};

const queryOf = ({ type, since, until, webhook, delivered, undelivered }: EventOptions) => ({
  ...{ type, since, until, webhook_id: webhook },
  delivered: delivered ? true : undelivered ? false : undefined,
});

/** Adds the commands for events. @param add Begins a command. */
export const addEvents = (terminal: Terminal, add: (usage: string) => Command): void => {
  withLimit(add('events'))
    .description('list the events of 30 days and whether webhooks have received them, newest first')
    .option('--type <event>', `only events of one type: ${namesOf(EVENTS).join(', ')}, webhook.test`)
    .option('--since <time>', 'only those from this time on')
    .option('--until <time>', 'only those before this time')
    .option('--webhook <webhook-id>', 'only those that are sent to this webhook')
    .addOption(new Option('--delivered', 'only those that were received').conflicts('undelivered'))
    .option('--undelivered', 'only those that were not received')
    .action(async (options: EventOptions) => {
      const [api, ask] = [openApi(options, terminal), { query: queryOf(options) }];
      const events = await readAllPages<Event>(api, 'GET /api/v1/events', ask, options.limit);
      const rows = events.map((event) => ({ ...event, state: stateOf(event) }));
      const shown = formatRows(rows, { ID: 'id', TYPE: 'type', STATE: 'state', CREATED: 'created_at' });
      print(terminal, options, events, shown);
    });

  add('redeliver <webhook-id>')
    .description('send the events since a time again, the oldest first, and those that were never sent')
    .requiredOption('--since <time>', 'from this time on, as in 2026-11-20T00:00:00Z')
    .option('--until <time>', 'before this time; default: now')
    .option('--types <events>', 'types of events, separated by commas', splitNames)
    .option('--only-undelivered', 'leave those that it has received')
    .action(async (id: string, options: AgainOptions) => {
      const { since, until, types, onlyUndelivered: only_undelivered } = options;
      const api = openApi(options, terminal);
      let count = 0;
      for (let next: string | null = since; next !== null; ) {
        const body = { since: next, until, types, only_undelivered };
        const input = { path: { id }, body };
        const resent: Resent = await api.call<Resent>('POST /api/v1/webhooks/{id}/redeliveries', input);
        count += resent.count;
        next = resent.next_since;
      }
      print(terminal, options, { count }, `${count} deliveries wait to be sent.\n`);
    });
};

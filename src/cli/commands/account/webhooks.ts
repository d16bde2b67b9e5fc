import { type Command, Option } from 'commander';
import { namesOf } from '../../../../workers/lists.ts';
import { EVENTS } from '../../../lists.ts';
import { print, readAllPages } from '../../admin.ts';
import type { ApiCall, Ask } from '../../api.ts';
import { withLimit } from '../../lists.ts';
import { type KeyOptions, openApi, withKeyOptions } from '../../options.ts';
import { formatFields, formatRows, type Terminal, usageError } from '../../terminal.ts';

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
const splitNames = (text: string): string[] =>
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
  type,
  since,
  until,
  webhook_id: webhook,
  delivered: delivered ? true : undelivered ? false : undefined,
});

/** Adds the commands for events. @param add Begins a command. */
const addEvents = (terminal: Terminal, add: (usage: string) => Command): void => {
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

interface Options extends KeyOptions {
  readonly to?: string;
  readonly events?: string[];
  readonly state?: 'on' | 'off';
}

/** A webhook, a secret or a delivery as the API answers it. */
type Thing = Readonly<Record<string, unknown>>;
type Things = { readonly data: readonly Thing[] };

const KEEP_SECRET = '\nKeep the secret: it is not shown again.\n';

const withEvents = (command: Command): Command =>
  command.option(
    '--events <events>',
    `events that it receives, separated by commas: ${namesOf(EVENTS).join(', ')}`,
    splitNames,
  );

/** Adds the commands for webhooks themselves. @param add Begins a command. */
const addWebhooks = (terminal: Terminal, add: (usage: string) => Command): void => {
  const callAndPrint = async (call: ApiCall, ask: Ask, options: Options, note = ''): Promise<void> => {
    const thing = await openApi(options, terminal).call<Thing>(call, ask);
    print(terminal, options, thing, formatFields(Object.entries(thing)) + note);
  };

  add('list')
    .description('list the webhooks of the account, newest first')
    .action(async (options: Options) => {
      const rows = await readAllPages<Thing>(openApi(options, terminal), 'GET /api/v1/webhooks');
      const shown = formatRows(rows, {
        ID: 'id',
        STATE: 'state',
        FAILURES: 'failures',
        MISSED: 'missed',
        URL: 'url',
        EVENTS: 'events',
      });
      print(terminal, options, rows, shown);
    });

  withEvents(add('create <address>'))
    .description('make a webhook and show its secret once')
    .action((url: string, options: Options) =>
      callAndPrint(
        'POST /api/v1/webhooks',
        { body: { url, events: options.events ?? [] } },
        options,
        KEEP_SECRET,
      ),
    );

  withEvents(add('update <webhook-id>'))
    .description('change a webhook; waiting deliveries are then tried at once')
    .option('--to <address>', 'where deliveries are sent')
    .addOption(new Option('--state <state>', 'whether anything is sent').choices(['on', 'off']))
    .action((id: string, options: Options) => {
      const { to: url, events, state } = options;
      if (url === undefined && events === undefined && state === undefined)
        throw usageError('nothing to change: give --to, --events or --state');
      const ask = { path: { id }, body: { url, events, state } };
      return callAndPrint('PATCH /api/v1/webhooks/{id}', ask, options);
    });

  add('delete <webhook-id>')
    .description('delete a webhook with its deliveries')
    .action(async (id: string, options: Options) => {
      await openApi(options, terminal).call('DELETE /api/v1/webhooks/{id}', { path: { id } });
      print(terminal, options, { id, deleted: true }, `${id} is deleted.\n`);
    });

  add('test <webhook-id>')
    .description('send the event webhook.test')
    .action((id: string, options: Options) =>
      callAndPrint('POST /api/v1/webhooks/{id}/test', { path: { id } }, options),
    );

  add('deliveries <webhook-id>')
    .description('list the last 100 deliveries of a webhook, newest first')
    .action(async (id: string, options: Options) => {
      const ask = { path: { id }, query: { limit: 100 } };
      const api = openApi(options, terminal);
      const { data } = await api.call<Things>('GET /api/v1/webhooks/{id}/deliveries', ask);
      const shown = formatRows(data, {
        ID: 'id',
        EVENT: 'event',
        STATE: 'state',
        TRIES: 'tries',
        STATUS: 'status',
        ERROR: 'error',
        CREATED: 'created_at',
        'NEXT TRY': 'next_at',
      });
      print(terminal, options, data, shown);
    });

  add('secrets <webhook-id>')
    .description('list the secrets of a webhook without their texts, newest first')
    .action(async (id: string, options: Options) => {
      const api = openApi(options, terminal);
      const { data } = await api.call<Things>('GET /api/v1/webhooks/{id}/secrets', { path: { id } });
      print(terminal, options, data, formatRows(data, { ID: 'id', CREATED: 'created_at' }));
    });

  add('rotate <webhook-id>')
    .description(
      'make a second secret and show it once; deliveries are signed with both until one is retired',
    )
    .action((id: string, options: Options) =>
      callAndPrint('POST /api/v1/webhooks/{id}/secrets', { path: { id } }, options, KEEP_SECRET),
    );

  add('retire <webhook-id> <secret-id>')
    .description('delete a secret: deliveries are no longer signed with it')
    .action(async (id: string, secret: string, options: Options) => {
      const api = openApi(options, terminal);
      await api.call('DELETE /api/v1/webhooks/{id}/secrets/{secret}', { path: { id, secret } });
      print(terminal, options, { id: secret, deleted: true }, `${secret} is deleted.\n`);
    });
};

export const addWebhookCommands = (program: Command, terminal: Terminal): void => {
  const webhooks = program
    .command('webhooks')
    .description('list, make, change, test and delete webhooks, rotate their secrets, and list events');
  const add = (usage: string): Command => withKeyOptions(webhooks.command(usage), 'manage');
  addWebhooks(terminal, add);
  addEvents(terminal, add);
};

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import type { Operation } from '../../../../clients/typescript/src/request.ts';
import { keyOf, parseWholeNumber, print, readBaseUrl } from '../../admin.ts';
import { createPatientCall, explained } from '../../api.ts';
import { type Rule, readRulesFile, ruleSetIdOf } from '../../links/rule-sets.ts';
import {
  collectTexts,
  type LabelOptions,
  type ListOptions,
  printList,
  type Row,
  toLabels,
  withListOptions,
} from '../../lists.ts';
import { type KeyOptions, openApi, parseForward, withKey, withKeyOptions } from '../../options.ts';
import { formatThing, type Terminal } from '../../terminal.ts';
import { addMovingCommands } from './moving.ts';
import { addExplain } from './rules.ts';

interface UpdateOptions extends KeyOptions, LabelOptions {
  readonly destination?: string;
  readonly activeFrom?: string;
  readonly activeUntil?: string;
  readonly beforeDestination?: string;
  readonly afterDestination?: string;
  readonly slug?: string;
  readonly rules?: string;
  readonly ruleSet?: string;
  readonly visitLimit?: string;
  readonly forward?: string;
  readonly passwordFile?: string;
}

const FIELDS = {
  slug: 'slug',
  'short link': 'short_url',
  domain: 'domain',
  folder: 'folder',
  name: 'name',
  destination: 'destination',
  status: 'status',
  'active from': 'active_from',
  'active until': 'active_until',
  'before start': 'before_destination',
  'after end': 'after_destination',
  'passes on': 'forward',
  rules: 'rules',
  'rule set': 'rule_set_id',
  'visit limit': 'visit_limit',
  password: 'has_password',
  tags: 'tags',
  'external id': 'external_id',
  scans: 'scan_count',
  code: 'code_id',
};

/** Shows a link, of its own rules only their names. */
const formatLink = (link: Row): string => {
  const rules = link.rules as readonly Rule[] | null;
  const forward = link.forward === null ? null : JSON.stringify(link.forward);
  const shown: Row = { ...link, forward, rules: rules?.map(({ name }) => name) ?? null };
  return formatThing(shown, FIELDS);
};

/** An empty text unsets a field. */
const orUnset = (text: string | undefined) => (text === '' ? null : text);

/** Reads a file of one line. @param file `-`: standard input. */
const readLine = async (file: string, { cwd, input }: Terminal): Promise<string> => {
  const text = await (file === '-' ? textOf(input) : readFile(resolve(cwd, file), 'utf8'));
  return text.replace(/\r?\n$/, '');
};

/** Changes a link and prints it. */
const updateLink = async (slug: string, options: UpdateOptions, terminal: Terminal): Promise<void> => {
  const { destination, forward, rules, ruleSet, visitLimit, passwordFile } = options;
  const api = openApi(options, terminal);
  const body = {
    destination,
    slug: options.slug,
    active_from: orUnset(options.activeFrom),
    active_until: orUnset(options.activeUntil),
    before_destination: orUnset(options.beforeDestination),
    after_destination: orUnset(options.afterDestination),
    forward: forward === undefined ? undefined : parseForward(forward),
    rules: rules ? await readRulesFile(rules, terminal) : orUnset(rules),
    rule_set_id: ruleSet ? await ruleSetIdOf(api, ruleSet) : orUnset(ruleSet),
    visit_limit: visitLimit ? parseWholeNumber(visitLimit) : orUnset(visitLimit),
    password: passwordFile ? await readLine(passwordFile, terminal) : orUnset(passwordFile),
    ...toLabels(options),
  };
  const link = await api.call<Row>('PATCH /api/v1/links/{slug}', { path: { slug }, body });
  print(terminal, options, link, formatLink(link));
};

const addUpdate = (links: Command, terminal: Terminal): void => {
  withKeyOptions(links.command('update <slug>'), 'manage')
    .description('change where, when and whom a short link leads, its slug and its labels')
    .option('--destination <url>', 'where it leads')
    .option('--active-from <time>', 'when it starts; an empty text: at once')
    .option('--active-until <time>', 'when it ends; an empty text: never')
    .option('--before-destination <url>', 'where it leads before its start; an empty text: nowhere')
    .option(
      '--after-destination <url>',
      'where it leads after its end and at its limit; an empty text: nowhere',
    )
    .option('--slug <slug>', 'a slug of your own, which the code encodes from then on')
    .option(
      '--forward <json>',
      'what it passes on, such as {"path": true}; an empty text: as domain or account',
    )
    .option(
      '--rules <file>',
      'JSON file with its own rules; - reads standard input; an empty text removes them',
    )
    .option('--rule-set <rule-set>', 'id or name of the rule set that it shares; an empty text: none')
    .option('--visit-limit <n>', 'how many people it leads; an empty text: any number')
    .option(
      '--password-file <file>',
      'file with the password for visitors; - reads standard input; an empty text removes it',
    )
    .option(
      '--tag <tag>',
      'a tag; may be repeated; replaces all tags; an empty text removes all',
      collectTexts,
    )
    .option('--external-id <id>', 'your own id for the code; an empty text removes it')
    .action((slug: string, options: UpdateOptions) => updateLink(slug, options, terminal));
};

interface LinkListOptions extends ListOptions {
  readonly status?: string;
  readonly domain?: string;
  readonly ruleSet?: string;
  readonly rules?: boolean;
}

const COLUMNS = {
  SLUG: 'slug',
  DESTINATION: 'destination',
  NAME: 'name',
  STATUS: 'status',
  SCANS: 'scan_count',
  TAGS: 'tags',
  'EXTERNAL ID': 'external_id',
  CREATED: 'created_at',
};

const addList = (links: Command, terminal: Terminal): void => {
  withListOptions(links.command('list'), 'newest, oldest, name, scans or changed')
    .option('--status <status>', 'only those that are active, scheduled, expired or limit_reached')
    .option('--domain <host>', 'only those at this domain of yours; shared: at none of yours')
    .option('--rule-set <rule-set>', 'only those with the rule set of this id or name')
    .option('--rules', 'only those with rules, of their own or of a set')
    .option('--no-rules', 'only those without rules')
    .description('list short links')
    .action(async ({ status, domain, ruleSet, rules, ...options }: LinkListOptions) => {
      const id = ruleSet && (await ruleSetIdOf(openApi(options, terminal), ruleSet));
      const also = { status, domain, rule_set_id: id, has_rules: rules?.toString() };
      await printList(terminal, 'GET /api/v1/links', options, also, COLUMNS);
    });
};

/** Adds `links list`, `show`, `update`, `explain`, `change`, `import` and `export`. */
export const addLinkCommands = (program: Command, terminal: Terminal): void => {
  const links = program.command('links').description('list, show, change, import and export short links');

  addList(links, terminal);

  withKeyOptions(links.command('show <slug>'), 'manage')
    .description('show where a short link leads')
    .action(async (slug: string, options: KeyOptions) => {
      const api = openApi(options, terminal);
      const link = await api.call<Row>('GET /api/v1/links/{slug}', { path: { slug } });
      print(terminal, options, link, formatLink(link));
    });

  addUpdate(links, terminal);
  addExplain(links, terminal);
  addMovingCommands(links, terminal);
};

interface Options extends KeyOptions {
  readonly from?: string;
  readonly to?: string;
  readonly slug?: string;
  readonly format: 'ndjson' | 'csv';
}

const PAGE: Operation = {
  method: 'GET',
  path: '/api/v1/scans/raw',
  auth: 'key',
  answer: 'file',
  whole: true,
};
const PAGE_ROWS = '5000';

export const addScansCommand = (program: Command, terminal: Terminal): void => {
  withKey(program.command('scans'), 'manage')
    .description('print every scan of short links, oldest first')
    .option('--from <time>', 'first day or time (UTC); default: 30 days before --to')
    .option('--to <time>', 'end (UTC), which is not included; default: now')
    .option('--slug <slug>', 'only scans of this short link')
    .addOption(new Option('--format <format>', 'output format').choices(['ndjson', 'csv']).default('ndjson'))
    .action(async (options: Options) => {
      const url = readBaseUrl(options, terminal);
      const { signal } = new AbortController();
      const call = createPatientCall(url, keyOf(options, terminal), signal, terminal.err);
      const { from, to = new Date().toISOString(), slug, format } = options;
      for (let cursor: string | undefined; ; ) {
        const query = { to, format, limit: PAGE_ROWS, from, slug, cursor };
        const { response } = await call(PAGE, { query }).catch((error: unknown) => {
          throw explained(url, error);
        });
        terminal.out.write(await response.text());
        const next = response.headers.get('tessera-next-cursor');
        if (next === null) return;
        cursor = next;
      }
    });
};

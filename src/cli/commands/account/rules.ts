/** The commands about rule sets, and the one that explains where a link leads. */
import { type Command, Option } from 'commander';
import { print, readAllPages } from '../../admin.ts';
import {
  formatRules,
  listRuleSets,
  type Rule,
  type RuleSetBody,
  readRulesFile,
  ruleSetIdOf,
} from '../../links/rule-sets.ts';
import { withLimit } from '../../lists.ts';
import { type KeyOptions, openApi, withKeyOptions } from '../../options.ts';
import { formatRows, formatTable, formatThing, type Terminal, usageError } from '../../terminal.ts';

const FIELDS = {
  id: 'id',
  name: 'name',
  links: 'links',
  created: 'created_at',
  changed: 'updated_at',
} as const;

const printSet = (terminal: Terminal, options: KeyOptions, set: RuleSetBody, note = ''): void =>
  print(terminal, options, set, `${formatThing(set, FIELDS)}\n${formatRules(set.rules)}${note}`);

interface UpdateOptions extends KeyOptions {
  readonly name?: string;
  readonly rules?: string;
  readonly dryRun?: true;
}

interface Change {
  readonly name: string;
  readonly rules: readonly Rule[];
  readonly at: string;
  readonly key: { readonly name: string } | null;
}

const addReading = (add: (usage: string) => Command, terminal: Terminal): void => {
  add('list')
    .description('list the rule sets of the account, newest first')
    .action(async (options: KeyOptions) => {
      const sets = await listRuleSets(openApi(options, terminal));
      const rows = sets.map(({ rules, ...set }) => ({ ...set, count: rules.length }));
      const columns = { ID: 'id', NAME: 'name', RULES: 'count', CHANGED: 'updated_at' } as const;
      print(terminal, options, sets, formatRows(rows, columns));
    });

  add('show <rule-set>')
    .description('show the rules of a rule set, by its id or name, and how many links have it')
    .action(async (named: string, options: KeyOptions) => {
      const api = openApi(options, terminal);
      const path = { id: await ruleSetIdOf(api, named) };
      printSet(terminal, options, await api.call<RuleSetBody>('GET /api/v1/rule-sets/{id}', { path }));
    });

  withLimit(add('history <rule-set>'))
    .description('list the names and rules that a rule set has had, the current ones first')
    .action(async (named: string, options: KeyOptions & { readonly limit: number }) => {
      const api = openApi(options, terminal);
      const path = { id: await ruleSetIdOf(api, named) };
      const call = 'GET /api/v1/rule-sets/{id}/history';
      const changes = await readAllPages<Change>(api, call, { path }, options.limit);
      const shown = formatTable(
        ['AT', 'KEY', 'NAME', 'RULES'],
        changes.map(({ at, key, name, rules }) => [at, key?.name, name, rules.map((rule) => rule.name)]),
      );
      print(terminal, options, changes, shown);
    });
};

const addWriting = (add: (usage: string) => Command, terminal: Terminal): void => {
  add('create <name> <file>')
    .description('save the rules of a JSON file as a rule set; - reads standard input')
    .action(async (name: string, file: string, options: KeyOptions) => {
      const body = { name, rules: await readRulesFile(file, terminal) };
      const api = openApi(options, terminal);
      printSet(terminal, options, await api.call<RuleSetBody>('POST /api/v1/rule-sets', { body }));
    });

  add('update <rule-set>')
    .description('change a rule set, by its id or name, for all links that have it')
    .option('--name <name>', 'a new name')
    .option('--rules <file>', 'JSON file with the rules that replace all rules; - reads standard input')
    .option('--dry-run', 'only check them, and show how it would be and how many links have it')
    .action(async (named: string, { name, rules: file, dryRun, ...options }: UpdateOptions) => {
      if (name === undefined && file === undefined)
        throw usageError('nothing to change: give --name or --rules');
      const rules = file === undefined ? undefined : await readRulesFile(file, terminal);
      const api = openApi(options, terminal);
      const set = await api.call<RuleSetBody>('PATCH /api/v1/rule-sets/{id}', {
        path: { id: await ruleSetIdOf(api, named) },
        query: { dry_run: dryRun },
        body: { name, rules },
      });
      printSet(terminal, options, set, dryRun ? '\nNothing is changed: this was a dry run.\n' : '');
    });

  add('delete <rule-set>')
    .description('delete a rule set that no link has, by its id or name')
    .action(async (named: string, options: KeyOptions) => {
      const api = openApi(options, terminal);
      const id = await ruleSetIdOf(api, named);
      await api.call('DELETE /api/v1/rule-sets/{id}', { path: { id } });
      print(terminal, options, { id, deleted: true }, `${id} is deleted.\n`);
    });
};

/** Adds `rules list`, `show`, `history`, `create`, `update` and `delete`. */
export const addRuleCommands = (program: Command, terminal: Terminal): void => {
  const rules = program
    .command('rules')
    .description('list, show, make, change and delete rule sets, which short links share');
  const add = (usage: string): Command => withKeyOptions(rules.command(usage), 'manage');
  addReading(add, terminal);
  addWriting(add, terminal);
};

/** The headers of a visit that rules ask for, by their fields in the API. */
const HEADERS: Readonly<Record<string, string>> = {
  'user-agent': 'user_agent',
  'accept-language': 'accept_language',
};

type Headers = Readonly<Record<string, string>>;

const addHeader = (written: string, headers: Headers = {}): Headers => {
  const [, name = '', value = ''] = /^([^:]*):\s*(.*)$/s.exec(written) ?? [];
  const field = HEADERS[name.trim().toLowerCase()];
  if (field !== undefined) return { ...headers, [field]: value };
  throw usageError(
    `--header ${written}: write it as "User-Agent: …" or "Accept-Language: …"; rules ask for no other header`,
  );
};

interface VisitOptions extends KeyOptions {
  readonly header?: Headers;
  readonly query?: string;
  readonly at?: string;
  readonly address?: string;
  readonly country?: string;
  readonly region?: string;
  readonly city?: string;
  readonly visit?: string;
}

interface Explanation {
  readonly outcome: string;
  readonly destination: string | null;
  readonly rule: string | null;
  readonly needs_password: boolean;
  readonly tried: readonly {
    readonly rule: string;
    readonly fires: boolean;
    readonly condition: string | null;
    readonly found: string | null;
  }[];
}

const formatExplanation = (explanation: Explanation): string => {
  const { tried } = explanation;
  const fields = {
    outcome: 'outcome',
    destination: 'destination',
    rule: 'rule',
    'needs password': 'needs_password',
  } as const;
  const columns = { RULE: 'rule', FIRES: 'fires', 'FAILS AT': 'condition', FOUND: 'found' } as const;
  const table = tried.length === 0 ? '' : `\n${formatRows(tried, columns)}`;
  return formatThing(explanation, fields) + table;
};

/** Adds `links explain`. */
export const addExplain = (links: Command, terminal: Terminal): void => {
  withKeyOptions(links.command('explain <slug>'), 'manage')
    .description('say where a short link leads a visit that you describe, and why; nothing is counted')
    .option('--header <header>', '"User-Agent: …" or "Accept-Language: …"; may be repeated', addHeader)
    .option('--query <query>', 'query behind the short link, such as utm_source=poster')
    .option('--at <time>', 'when it happens; default: now')
    .option('--address <address>', 'IP address of the visitor, for its place and for shares')
    .option('--country <code>', 'country, instead of that of the address')
    .option('--region <code>', 'region, such as DE-BY')
    .option('--city <name>', 'its English name')
    .addOption(
      new Option('--visit <visit>', 'whether the visitor was here today; default: first').choices([
        'first',
        'later',
      ]),
    )
    .action(async (slug: string, options: VisitOptions) => {
      const { header, query, at, address, country, region, city, visit } = options;
      const body = { ...header, query, at, address, country, region, city, visit };
      const api = openApi(options, terminal);
      const call = 'POST /api/v1/links/{slug}/explain';
      const explanation = await api.call<Explanation>(call, { path: { slug }, body });
      print(terminal, options, explanation, formatExplanation(explanation));
    });
};

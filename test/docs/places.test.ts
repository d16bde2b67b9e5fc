/** Makes six changes to a copy of the project: each needs only the files that CONTRIBUTING.md names, and works. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { realServer } from '../support/database/database.ts';
import { markedPart, ROOT, readPage, tableRows } from './pages.ts';

interface Change {
  readonly filesMax: number;
  /** The replacements in each file; the whole text for a new file. */
  readonly edits: Readonly<Record<string, string | readonly (readonly [was: string, is: string])[]>>;
}

const CHANGES: Readonly<Record<string, Change>> = {
  'a dot style': {
    filesMax: 3,
    edits: {
      'workers/lists.ts': [["  'classy-rounded': 'Leaf',", "  'classy-rounded': 'Leaf',\n  soap: 'Soap',"]],
      'workers/design/dots.ts': [
        ['  rounded: { round', '  soap: { round: ALL_CORNERS, radius: () => 0.3 },\n  rounded: { round'],
      ],
    },
  },
  'a warning': {
    filesMax: 3,
    edits: {
      'workers/lists.ts': [
        [
          "  'quiet-zone': {",
          "  mirrored: { title: 'Mirrored', about: 'Sides.', field: 'data', advice: 'Turn it.' },\n  'quiet-zone': {",
        ],
      ],
      'workers/quality/grade.ts': [['    inverted: tones', '    mirrored: 3,\n    inverted: tones']],
    },
  },
  'a breakdown of scans': {
    filesMax: 4,
    edits: {
      'src/lists.ts': [["  country: 'Countries',", "  country: 'Countries',\n  language: 'Languages',"]],
      'sql/0005_scans.sql': [
        ['  country text not null', "  language text not null default '',\n  country text not null"],
      ],
      'src/links/scan.ts': [
        ['  readonly address: string;', '  readonly address: string;\n  readonly language: string;'],
        [
          '  address,\n  rule,\n',
          "  address,\n  language: header(headers, ['accept-language']).slice(0, 2),\n  rule,\n",
        ],
        [
          '        referrerHost,\n        rule: scan.rule,\n',
          '        referrerHost,\n        language: scan.language,\n        rule: scan.rule,\n',
        ],
      ],
      'src/db/tables/scans/scans.ts': [
        [
          '  readonly referrerHost: string;',
          '  readonly referrerHost: string;\n  readonly language: string;',
        ],
        ['{scan.rule}`', '{scan.rule}\\t$'.concat('{scan.language}`')],
        ['referrer_host, rule)', 'referrer_host, rule, language)'],
        ['case cardinality(f) when 11 then f[11] end', 'f[11], case cardinality(f) when 12 then f[12] end'],
        ['        referrer_host, rule, count', '        referrer_host, rule, language, count'],
        ['by 1, 2, 3, 4, 5, 6, 7, 8, 9\n', 'by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\n'],
        ["('country', country),", "('country', country), ('language', language),"],
      ],
    },
  },
  'a refund policy': {
    filesMax: 3,
    edits: {
      'src/lists.ts': [
        ['  none: {', "  item: { refunds: ['item'], meaning: 'only those of calls' },\n  none: {"],
      ],
    },
  },
  'an event of webhooks': {
    filesMax: 3,
    edits: {
      'src/lists.ts': [
        [
          "  'key.created': 'A key was made',",
          "  'key.created': 'A key was made',\n  'key.revoked': 'A key was revoked',",
        ],
      ],
      'src/http/schemas/openapi/webhooks.ts': [
        [
          "  'key.created': {",
          "  'key.revoked': { summary: 'Gone', title: 'GoneEvent', data: Type.Object({ id: Uuid }) },\n  'key.created': {",
        ],
      ],
      'sql/0010_webhooks.sql': [
        [
          'create trigger api_keys_tell_new',
          `create function tell_revoked_key() returns trigger language plpgsql as $$
begin
  perform tell_event(new.account_id, 'key.revoked', json_build_object('id', new.id), null);
  return null;
end
$$;
create trigger api_keys_tell_revoked after update of revoked_at on api_keys
  for each row execute function tell_revoked_key();
create trigger api_keys_tell_new`,
        ],
      ],
    },
  },
  'a command': {
    filesMax: 2,
    edits: {
      'src/cli/commands/account/greet.ts': `import type { Command } from 'commander';
import type { Terminal } from '../../terminal.ts';

/** Adds \`greet\`. */
export const addGreetCommand = (program: Command, terminal: Terminal): void => {
  program.command('greet').action(() => void terminal.out.write('hello'));
};
`,
      'src/cli/cli.ts': [
        [
          'import { addKey',
          "import { addGreetCommand } from './commands/account/greet.ts';\nimport { addKey",
        ],
        ['  addKeyCommands(', '  addGreetCommand(program, terminal);\n  addKeyCommands('],
      ],
    },
  },
};

/** Uses what the changes add. */
const PROBE = `
import { openDatabase } from './dist/src/db/database.js';
import { insertScans } from './dist/src/db/tables/scans/scans.js';
import { scanBreakdowns } from './dist/src/db/tables/scans/breakdowns.js';
import { listRawScans } from './dist/src/db/tables/scans/raw.js';
import { writeRawScans } from './dist/src/http/routes/account/scans/raw.js';
import { noteScan, createScanDescriber } from './dist/src/links/scan.js';
import { createScanClassifier } from './dist/src/links/classify.js';
import { runCli } from './dist/src/cli/cli.js';
import { VARIABLES } from './dist/src/config/config.js';
import { EVENTS, isRefunded } from './dist/src/lists.js';
import { toDesign } from './dist/src/generate/request/design.js';
import { SingleRequest } from './dist/src/generate/request/request.js';
import { render } from './dist/workers/render.js';

const silent = new Proxy({}, { get: () => () => silent });
const design = toDesign({ dotsOptions: { type: 'soap' } });
const drawn = render({ text: 'a', design, logo: null, format: 'svg' });
const plain = render({ text: 'a', design: toDesign({}), logo: null, format: 'svg' });
let said = '';
const out = { write: (text) => { said += text; } };
await runCli(['greet'], { env: {}, cwd: '.', out, err: out, onInterrupt: () => new AbortController().signal });
const database = await openDatabase({ url: process.argv[2], dataDir: '' }, silent);
const describe = createScanDescriber(createScanClassifier(100), async (scans) => scans.map(() => '00000000000000aa'), () => '');
const scan = noteScan('abcdefgh', '127.0.0.1', { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140', 'accept-language': 'de-CH' });
const hour = 3_600_000;
const span = { slug: 'abcdefgh', from: new Date(Date.now() - hour), to: new Date(Date.now() + hour) };
await database.sql\`
  with account as (insert into accounts (name, plan) values ('a', 'pro') returning id), hook as (
    insert into webhooks (account_id, url, events) select id, 'https://x/', '{key.revoked}' from account
  )
  insert into api_keys (account_id, name, prefix, hash, scopes)
  select id, 'a', 'a', decode(repeat('00', 32), 'hex'), '{manage}' from account\`;
await database.sql\`update api_keys set revoked_at = now()\`;
const told = await database.sql\`select type as event from events e where exists (select from webhook_deliveries where event_id = e.id)\`;
const [{ id: accountId }] = await database.sql\`select id from accounts\`;
await database.sql\`
  with link as (insert into links (slug, account_id, destination) select 'abcdefgh', id, 'https://x/' from accounts),
  folder as (insert into folders (account_id, name) select id, 'a' from accounts returning id),
  look as (
    insert into designs (account_id, sha256, design) select id, decode(repeat('00', 32), 'hex'), '{}' from accounts
    returning account_id, id
  )
  insert into codes (id, account_id, folder_id, design_id, grade, warnings, slug, content)
  select gen_random_uuid(), account_id, folder.id, look.id, 4, '', 'abcdefgh', 'x' from look, folder\`;
await insertScans(database.sql, await describe([scan]));
const { language } = await scanBreakdowns(database.sql, span);
const single = await listRawScans(database, { ...span, accountId, firstSlug: null, timeZone: 'UTC' }, { after: null, limit: 10 });
let line = '';
for await (const part of writeRawScans(single.rows, 'ndjson', true)) line += part;
await database.close();
process.stdout.write(JSON.stringify({
  types: JSON.stringify(SingleRequest.properties.dotsOptions).includes('soap'),
  isDrawn: drawn.ok && Buffer.compare(drawn.value.bytes, plain.value.bytes) !== 0,
  warnings: drawn.value.warnings,
  said,
  languages: language.map(({ value }) => value),
  single: JSON.parse(line).language,
  events: Object.hasOwn(EVENTS, 'key.revoked') && told.map(({ event }) => event),
  policy: VARIABLES.QUOTA_REFUND.parse('item').ok && isRefunded('item', 'item') && !isRefunded('item', 'row'),
}));
process.exit(0);
`;

const makeChange = (root: string, { edits }: Change): void => {
  for (const [path, edit] of Object.entries(edits)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof edit === 'string') {
      writeFileSync(file, edit);
      continue;
    }
    const text = readFileSync(file, 'utf8');
    const gone = edit.filter(([was]) => text.split(was).length !== 2).map(([was]) => was);
    if (gone.length > 0)
      throw new Error(
        `update the edits of this test for ${path}, which no longer contains exactly once:\n${gone.join('\n')}`,
      );
    writeFileSync(
      file,
      edit.reduce((changed, [was, is]) => changed.replace(was, () => is), text),
    );
  }
};

t.test('CONTRIBUTING.md names exactly the files that each change needs', async (t) => {
  const rows = tableRows(markedPart(readPage('CONTRIBUTING.md'), 'places'));
  for (const [name, { filesMax, edits }] of Object.entries(CHANGES)) {
    const row = rows.find(([change]) => change === name);
    const named = [...(row?.[1] ?? '').matchAll(/`((?:src|workers|sql)\/[^`]+)`/g)].map((match) => match[1]!);
    const isNew = (path: string) => typeof edits[path] === 'string';
    const taken = Object.keys(edits).map((path) => (isNew(path) ? `${dirname(path)}/` : path));
    t.strictSame([...named].sort(), [...taken].sort(), name);
    t.ok(taken.length <= filesMax, `${name}: at most ${filesMax} files`);
  }
});

t.test('a copy with all six changes type-checks and has the new behaviour', async (t) => {
  const root = t.testdir();
  const folders = ['src', 'workers', 'sql', 'clients/typescript/src'];
  for (const path of [...folders, 'tsconfig.json', 'tsconfig.build.json', 'package.json'])
    cpSync(join(ROOT, path), join(root, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const change of Object.values(CHANGES)) makeChange(root, change);

  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root });
  cpSync(join(root, 'sql'), join(root, 'dist/sql'), { recursive: true });
  writeFileSync(join(root, 'probe.mjs'), PROBE);
  const url = await (await realServer()).createDatabase();
  const said = execFileSync(process.execPath, ['probe.mjs', url], { cwd: root, encoding: 'utf8' });
  t.strictSame(JSON.parse(said), {
    types: true,
    isDrawn: true,
    warnings: 'mirrored',
    said: 'hello',
    languages: ['de'],
    single: 'de',
    events: ['key.revoked'],
    policy: true,
  });
});

/** The tables in the docs agree with the code. */
import t from 'tap';
import { VARIABLES } from '../../src/config/config.ts';
import { errorTable } from '../../src/errors.ts';
import { SingleRequest } from '../../src/generate/request/request.ts';
import { HEADERS } from '../../src/http/schemas/openapi/headers.ts';
import { EVENTS } from '../../src/lists.ts';
import { SheetsRequest } from '../../src/sheets/request.ts';
import { PAGES, TEMPLATES } from '../../src/sheets/templates.ts';
import { TEST_EVENT } from '../../src/webhooks/events.ts';
import { namesOf, PARAMETERS } from '../../workers/lists.ts';
import { run } from '../cli/support.ts';
import { BOUNDS_MB } from '../isolation/memory/bounds.ts';
import { sharedApp } from '../support/app/app.ts';
import { type OpenApi, type Operation, withoutRefs } from '../support/app/conformance.ts';
import { markedPart, readPage, tableRows } from './pages.ts';

t.test('docs/api/errors.md lists the errors', async (t) => {
  const rows = errorTable().map(({ status, error, when }) => `| ${status} | \`${error}\` | ${when} |`);
  t.equal(
    markedPart(readPage('docs/api/errors.md'), 'errors'),
    ['| Status | `error` | When |', '|---|---|---|', ...rows].join('\n'),
  );
});

t.test('docs/quality.md lists the warnings and the remedy for each', async (t) => {
  const documented = tableRows(markedPart(readPage('docs/quality.md'), 'parameters')).map(
    ([word, , remedy]) => `${word} ${remedy}`,
  );
  const known = Object.entries(PARAMETERS).map(
    ([word, { field, advice }]) => `\`${word}\` \`${field}\`: ${advice}`,
  );
  t.strictSame(documented, known);
});

t.test('docs/operations/limits.md has the bounds of memory that the benchmark checks', async (t) => {
  const bounds = tableRows(markedPart(readPage('docs/operations/limits.md'), 'memory')).map(([, mb]) =>
    Number(mb),
  );
  t.strictSame(bounds, Object.values(BOUNDS_MB));
});

t.test('the glossary of docs/architecture.md has at most 15 words', async (t) => {
  const [, part = ''] = readPage('docs/architecture.md').split('\n## Glossary\n');
  const words = tableRows(part.split('\n## ')[0]!);
  t.ok(words.length > 0 && words.length <= 15, `${words.length} words`);
});

t.test('docs/configuration.md lists the environment variables', async (t) => {
  const rows = Object.entries(VARIABLES).map(([name, { fallback, meaning }]) => {
    const shown = fallback === null ? '–' : `\`${fallback}\``;
    return `| \`${name}\` | ${shown} | ${meaning} |`;
  });
  t.equal(
    markedPart(readPage('docs/configuration.md'), 'environment'),
    ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n'),
  );
});

/** The scope or token that a call needs, in the words of the table. */
const keyOf = ({ security = [] }: Operation): string => {
  const [needed = {}] = security;
  const [[scheme, scopes = []] = ['nothing']] = Object.entries(needed);
  if (scheme === 'apiKey' || scheme === 'queryKey')
    return scopes.map((scope) => `\`${scope}\``).join(' and ');
  return { adminToken: 'admin token', session: 'session', operator: 'operator' }[scheme] ?? '–';
};

t.test('docs/api.md and docs/api/admin.md list the calls, their parameters and their scopes', async (t) => {
  const { call } = await sharedApp();
  const { paths } = withoutRefs(JSON.parse((await call({ url: '/openapi.json' })).text) as OpenApi);
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
      const names = parameters.map(({ name }) => name).sort();
      return `${method.toUpperCase()} ${path} ${names} ${keyOf(operation)}`;
    }),
  );
  const rows = ['docs/api.md', 'docs/api/admin.md'].flatMap((page) => tableRows(readPage(page)));
  const documented = rows.flatMap(([what = '', , key]) => {
    const [, call, names = ''] = /^`([A-Z]+ \/[^?`]*)(?:\?([^`]*))?`$/.exec(what) ?? [];
    return call === undefined ? [] : [`${call} ${names.split('&').sort()} ${key}`];
  });
  t.strictSame([...documented].sort(), described.sort());
});

t.test('docs/api/webhooks.md lists the webhook events', async (t) => {
  const documented = tableRows(readPage('docs/api/webhooks.md')).flatMap(([names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );
  t.strictSame(documented.sort(), [...namesOf(EVENTS), TEST_EVENT].sort());
});

t.test('docs/api/headers.md lists the response headers', async (t) => {
  const documented = tableRows(readPage('docs/api/headers.md')).map(([name = '']) =>
    name.replaceAll('`', ''),
  );
  t.strictSame(documented.sort(), Object.keys(HEADERS).sort());
});

t.test('docs/sheets.md lists the label templates', async (t) => {
  const rows = tableRows(markedPart(readPage('docs/sheets.md'), 'templates'));
  // Each row has two templates side by side.
  const cells = [...rows.map((row) => row.slice(0, 4)), ...rows.map((row) => row.slice(4))];
  const documented = cells.map((row) => row.join(' ')).filter((row) => row.trim() !== '');
  const known = Object.entries(TEMPLATES).map(([name, grid]) => {
    const [page] = Object.entries(PAGES).find(([, { widthMm }]) => widthMm === grid.widthMm)!;
    return `\`${name}\` ${page} ${grid.columns} x ${grid.rows} ${grid.labelWidthMm} x ${grid.labelHeightMm}`;
  });
  t.strictSame(documented, known);
});

t.test('docs/sheets.md lists the fields of a request for sheets', async (t) => {
  const [, part = ''] = readPage('docs/sheets.md').split('\n## From a folder\n');
  const documented = tableRows(part.split('\n## ')[0]!).flatMap(([names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );
  const fields = fieldsOf(SheetsRequest as Schema).map((name) => name.replace(/^page\..*/, 'page'));
  t.strictSame(documented.sort(), [...new Set(fields)].sort());
});

interface Schema {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Paths such as `dotsOptions.type`. Gradients have their own table. */
const fieldsOf = ({ properties = {} }: Schema, prefix = ''): string[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    schema.properties === undefined || schema.title === 'Gradient'
      ? [`${prefix}${name}`]
      : fieldsOf(schema, `${prefix}${name}.`),
  );

t.test('docs/design.md lists the options of a design', async (t) => {
  const documented = tableRows(readPage('docs/design.md')).map(([field = '']) => field.replaceAll('`', ''));
  const { dotsOptions } = SingleRequest.properties as Readonly<Record<string, Schema>>;
  const gradient = fieldsOf({ ...dotsOptions?.properties?.gradient, title: 'fields' });
  const fields = fieldsOf(SingleRequest as Schema).filter((field) => field !== 'data');
  t.strictSame(documented.slice().sort(), [...fields, ...gradient].sort());
});

t.test('docs/cli.md lists the commands with existing options', async (t) => {
  const commands = tableRows(readPage('docs/cli.md')).flatMap(([what = '']) => {
    const [, words, options = ''] = /^`([a-z\d-]+(?: [a-z]+)?)((?: [-<[][^`]*)?)`$/.exec(what) ?? [];
    return words === undefined ? [] : [{ words: words.split(' '), options }];
  });
  t.ok(commands.length > 8);
  for (const { words, options } of commands) {
    const { code, out } = await run([...words, '--help']);
    t.equal(code, 0, words.join(' '));
    t.ok(out.startsWith(`Usage: tessera ${words.join(' ')} `), words.join(' '));
    for (const [name] of options.matchAll(/--[a-z-]+|<[a-z-]+>/g)) t.ok(out.includes(name), name);
  }
  const groups = (await run(['--help'])).out.matchAll(/^ {2}([a-z\d-]+) /gm);
  const documented = new Set(commands.map(({ words }) => words[0]));
  for (const [, group] of groups) t.ok(documented.has(group!), `docs/cli.md lists ${group}`);
});

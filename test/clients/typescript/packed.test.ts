/** The package as customers get it: from a gateway, installed into an empty folder, type-checked and run. */
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTypes, { astToString } from 'openapi-typescript';
import t from 'tap';
import ts from 'typescript';
import { blocksOf, readPage } from '../../docs/pages.ts';
import { temporaryFolder } from '../../servers/temporary-folder.ts';
import { startGatewayWithKey } from '../../support/app/gateway-with-key.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

const folder = await temporaryFolder(t);
const { url, key } = await startGatewayWithKey(t);
const { packages } = (await (await fetch(`${url}/clients/`)).json()) as { packages: { name: string }[] };
const { name: tarball } = packages.find(({ name }) => name.endsWith('.tgz'))!;
// An empty cache and a registry that nobody runs, so that no other package can be installed.
const env = {
  ...process.env,
  npm_config_cache: await temporaryFolder(t),
  npm_config_registry: 'http://127.0.0.1:1/',
  npm_config_fetch_retries: '0',
};
await run('npm', ['install', '--no-audit', '--no-fund', `${url}/clients/${tarball}`], { cwd: folder, env });

const compile = async (name: string, text: string, ...options: readonly string[]): Promise<string> => {
  await writeFile(join(folder, name), text);
  const flags = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const args = [COMPILER, ...flags, '--target', 'es2022', ...options, name];
  return run(process.execPath, args, { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
};
const MODULES = ['--module', 'nodenext', '--lib', 'es2023,dom,dom.iterable,dom.asynciterable'];

t.test('the package is installed without any dependencies', async (t) => {
  const installed = await readdir(join(folder, 'node_modules'));
  t.strictSame(
    installed.filter((name) => !name.startsWith('.')),
    ['tessera-client'],
  );
  const licence = await readFile(join(folder, 'node_modules/tessera-client/LICENSE'), 'utf8');
  t.equal(licence, await readFile(join(ROOT, 'LICENSE'), 'utf8'));
});

t.test('its types reject everything that is not in the OpenAPI document', async (t) => {
  const head = `import { createClient, TesseraError, verifyWebhook } from 'tessera-client';
const client = createClient({ url: 'http://127.0.0.1:1', key: 'k' });
`;
  const right = `${head}
const { data, response } = await client.createCode({ body: { data: 'a' } });
const text: string = data.data;
const grade: string | null = response.headers.get('tessera-grade');
const saved: string = (await client.saveCode({ body: { data: 'a' } })).data.id;
for await (const { id } of client.each.listFolders()) await client.getFolder({ path: { id } });
for await (const { bytes } of client.makeBatch({ rows: [{ data: 'a' }] })) bytes.byteLength satisfies number;
const event = await verifyWebhook({ body: '', headers: {} }, { secrets: [] });
if (event.type === 'quota.low') event.data.remaining satisfies number;
try { await client.getUsage(); } catch (error) {
  if (error instanceof TesseraError && error.code === 'quota_exhausted') error.retryAfterS satisfies number | null;
  if (error instanceof TesseraError && error.wasSent) error.idempotencyKey satisfies string | null;
}
export { text, grade, saved };
`;
  const wrong = [
    "client.createCode({ body: { data: 'a', with: 5 } })",
    'client.createCode()',
    'client.getFolder({ path: {} })',
    'client.each.getUsage()',
    "client.listFolders({ query: { limit: 'all' } })",
    "client.getReceipt({ path: { id: 'a', vid: 'b' }, query: { format: 'html' } })",
    'client.makeNothing()',
    "new TesseraError('quota_exceeded')",
  ];
  const refused = wrong.map((call) => `// @ts-expect-error\nvoid ${call};\n`).join('');
  t.equal(await compile('use.mts', right + refused, ...MODULES), '');
});

t.test('the examples in its pages type-check', async (t) => {
  for (const page of ['docs/clients.md', 'clients/typescript/README.md']) {
    const examples = blocksOf(readPage(page)).filter(({ language }) => language === 'ts');
    t.ok(examples.length > 0, page);
    for (const { text } of examples) t.equal(await compile('example.mts', text, ...MODULES), '', text);
  }
});

t.test('it works against a gateway', async (t) => {
  const program = `import { createClient } from 'tessera-client';
const client = createClient({ url: '${url}', key: '${key}' });
const { data, response } = await client.createCode({ body: { data: 'https://example.com/' } });
await client.createFolder({ body: { name: 'A' } });
const folders = [];
for await (const { name } of client.each.listFolders()) folders.push(name);
const files = [];
for await (const { row, bytes } of client.makeBatch({ rows: [{ data: 'a' }], query: { folder_name: 'A' } }))
  files.push([row, bytes.length > 100]);
const refused = await client.createCode({ body: { data: '' } }).catch(({ code, status }) => [code, status]);
const { data: usage } = await client.getUsage();
console.log(JSON.stringify({
  picture: data.data.slice(0, 22), id: response.headers.get('x-request-id') !== null,
  folders, files, refused, used: usage.usage_count,
}));
`;
  await writeFile(join(folder, 'run.mjs'), program);
  const { stdout } = await run(process.execPath, ['run.mjs'], { cwd: folder });
  t.strictSame(JSON.parse(stdout), {
    picture: 'data:image/png;base64,',
    id: true,
    folders: ['A'],
    files: [
      [1, true],
      [null, true],
    ],
    refused: ['invalid_body', 400],
    used: 2,
  });

  const document = await (await fetch(`${url}/openapi.json`)).json();
  const types = astToString(await openapiTypes(document as never));
  const use = `${types}
type Schemas = components['schemas'];
export const least: Schemas['QrRequest'] = { data: 'a', dotsOptions: { color: 'navy' } };
export const row: Schemas['BatchRow'] = { data: 'a' };
export const code: Schemas['Error']['error'] = 'Quota exhausted';
export type Low = webhooks['quota.low']['post']['requestBody']['content']['application/json']['data']['remaining'];
export const remaining: Low = 5;
`;
  t.equal(
    await compile('types.ts', use, '--lib', 'es2023'),
    '',
    'the types of the document are strict without the client',
  );
});

t.test('the examples in its pages run', async (t) => {
  for (const page of ['docs/clients.md', 'clients/typescript/README.md']) {
    for (const { language, text } of blocksOf(readPage(page))) {
      if (language !== 'ts') continue;
      const here = text.replaceAll('http://127.0.0.1:3000', url).replaceAll('tsr_…', key);
      const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
      const { outputText } = ts.transpileModule(here, { compilerOptions: options });
      await writeFile(join(folder, 'example.mjs'), outputText);
      const { stderr } = await run(process.execPath, ['example.mjs'], { cwd: folder });
      t.equal(stderr, '', text);
    }
  }
});

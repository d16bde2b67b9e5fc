/** Clients made by third-party generators from the document that a gateway serves, as customers make them. */
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import t from 'tap';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { startGatewayWithKey } from '../support/app/gateway-with-key.ts';

const run = promisify(execFile);
const HERE = fileURLToPath(new URL('generators/', import.meta.url));

/** The command of each generator, from the document to `client/` beside it. */
const GENERATORS: Readonly<Record<string, readonly string[]>> = {
  'swagger-typescript-api': [
    'swagger-typescript-api',
    'generate',
    '-p',
    'openapi.json',
    '-o',
    'client',
    '-n',
    'api.ts',
  ],
  'hey-api': ['openapi-ts', '-i', 'openapi.json', '-o', 'client', '-c', '@hey-api/client-fetch'],
  'openapi-typescript-codegen': [
    ...['openapi', '--input', 'openapi.json', '--output', 'client', '--client', 'fetch'],
    ...['--useUnionTypes', '--useOptions'],
  ],
  oazapfts: ['oazapfts', 'openapi.json', 'client/client.ts'],
  'openapi-typescript': ['openapi-typescript', 'openapi.json', '-o', 'client/client.ts'],
};

const COMPILER_OPTIONS = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
  ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler', types: [] },
  lib: ['es2023', 'dom', 'dom.iterable'],
};

const gateway = await startGatewayWithKey(t);
const installed = await temporaryFolder(t);
for (const name of ['package.json', 'package-lock.json'])
  await copyFile(join(HERE, name), join(installed, name));
await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
  cwd: installed,
});
const bin = join(installed, 'node_modules/.bin');
const document = await (await fetch(`${gateway.url}/openapi.json`)).text();

/** Runs a command and fails with what it printed. */
const succeed = (folder: string, command: string, args: readonly string[]) =>
  run(command, args, { cwd: folder }).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${command}: ${stdout.slice(0, 3000)}${stderr.slice(0, 3000)}`);
  });

t.test('each has a generator and a use', async (t) => {
  const uses = (await readdir(join(HERE, 'uses'))).filter((name) => name !== 'expect.ts');
  t.strictSame(
    uses.sort(),
    Object.keys(GENERATORS)
      .map((name) => `${name}.ts`)
      .sort(),
  );
  t.ok(uses.length >= 5);
});

for (const [name, [command = '', ...args]] of Object.entries(GENERATORS))
  t.test(
    `the client of ${name} compiles strictly, makes codes and a batch, pages and is refused`,
    async () => {
      const folder = join(installed, name);
      await mkdir(join(folder, 'client'), { recursive: true });
      await writeFile(join(folder, 'openapi.json'), document);
      await succeed(folder, join(bin, command), args);
      await cp(join(HERE, 'uses', 'expect.ts'), join(folder, 'expect.ts'));
      await cp(join(HERE, 'uses', `${name}.ts`), join(folder, 'use.ts'));
      const { url, key } = gateway;
      const constants = Object.entries({ url, key, folderName: name }).map(
        ([each, value]) => `export const ${each} = '${value}';\n`,
      );
      await writeFile(join(folder, 'gateway.ts'), constants.join(''));
      const tsconfig = { compilerOptions: COMPILER_OPTIONS, files: ['use.ts'] };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
      await succeed(folder, join(bin, 'tsc'), ['-p', 'tsconfig.json']);
      const outfile = join(folder, 'use.mjs');
      await build({
        entryPoints: [join(folder, 'use.ts')],
        bundle: true,
        format: 'esm',
        platform: 'node',
        outfile,
      });
      await succeed(folder, process.execPath, [outfile]);
    },
  );

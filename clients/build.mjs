/**
 * Makes the packages of the clients: `npm run clients`. Writes the modules that follow the OpenAPI document, and puts the
 * packages with their checksums into `dist/clients`, where the gateway reads them. It needs the build of the server, and
 * does nothing when nothing has changed since it last ran.
 */
import { execFileSync } from 'node:child_process';
import { createHash, hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PACKAGES = 'dist/clients';
const STATE = join(ROOT, PACKAGES, '.state');
const PACKAGE = /\.(?:tgz|whl|tar\.gz)$/;

const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** The files of a folder and of those below it, by their paths in it. */
const namesIn = (folder, pattern) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .sort();

const textsIn = (folder, pattern) =>
  namesIn(folder, pattern).map((name) => ({ name, text: read(join(folder, name)) }));

/** The state of everything that the packages are made of, and of all that is made. */
const stateNow = () => {
  const made = [
    ...['dist/src', 'dist/workers', 'dist/clients/generate'].map((folder) => [folder, /\.js$/]),
    ['clients', /\.(?:mjs|ts|py|typed|json|toml|md)$/],
    [PACKAGES, PACKAGE],
  ].flatMap(([folder, pattern]) => namesIn(folder, pattern).map((name) => join(folder, name)));
  const state = createHash('sha256');
  for (const path of ['LICENSE', 'package.json', 'package-lock.json', ...made])
    state.update(`${path} ${hash('sha256', readFileSync(join(ROOT, path)))}\n`);
  return state.digest('hex');
};

/** A file that stays the same keeps its time, so what is bundled from it is not bundled again. */
const writeChanged = (path, text) => {
  if (!existsSync(join(ROOT, path)) || read(path) !== text) writeFileSync(join(ROOT, path), text);
};

/** Returns the modules of the TypeScript client as JavaScript, and their types. */
const compile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-client-'));
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const args = [compiler, '-p', join(ROOT, 'clients/typescript'), '--outDir', folder];
  try {
    execFileSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:js|d\.ts)$/.test(name))
      .sort()
      .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** A gateway that starts meanwhile reads whole packages. */
const writeWhole = (name, bytes) => {
  const path = join(ROOT, PACKAGES, name);
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
};

const make = async () => {
  const { makeDocument } = await import('../src/http/schemas/openapi/make-document.mjs');
  const { generatedFiles } = await import('./typescript/generated.mjs');
  const { writeModules } = await import('../dist/clients/generate/python/modules.js');
  const { pythonDistributions } = await import('../dist/clients/generate/python/distributions.js');
  const { npmPackage } = await import('../dist/clients/generate/npm.js');

  const document = await makeDocument();
  const { version } = document.info;
  for (const [name, text] of Object.entries(await generatedFiles(document)))
    writeChanged(`clients/typescript/src/${name}`, text);
  for (const [name, text] of Object.entries(writeModules(document)))
    writeChanged(`clients/python/src/tessera_client/${name}`, text);

  const license = read('LICENSE');
  const packages = {
    ...npmPackage(
      {
        manifest: read('clients/typescript/package.json'),
        readme: read('clients/typescript/README.md'),
        license,
        compiled: compile(),
      },
      version,
    ),
    ...(await pythonDistributions(
      {
        project: read('clients/python/pyproject.toml'),
        readme: read('clients/python/README.md'),
        license,
        modules: textsIn('clients/python/src/tessera_client', /\.(?:py|typed)$/),
      },
      version,
    )),
  };
  for (const name of namesIn(PACKAGES, PACKAGE)) if (!(name in packages)) rmSync(join(ROOT, PACKAGES, name));
  for (const [name, bytes] of Object.entries(packages)) writeWhole(name, bytes);
  const sums = Object.entries(packages).map(([name, bytes]) => `${hash('sha256', bytes)}  ${name}\n`);
  writeWhole('SHA256SUMS', sums.join(''));
};

mkdirSync(join(ROOT, PACKAGES), { recursive: true });
if (!existsSync(STATE) || readFileSync(STATE, 'utf8') !== stateNow()) {
  await make();
  writeFileSync(STATE, stateNow());
}

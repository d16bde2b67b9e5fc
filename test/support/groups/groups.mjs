/**
 * Which test files share a process in `npm test`. One that shares it with seven others takes half the processor time:
 * the app is loaded and compiled once, and one Postgres server has the databases of all.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The entries of groups: `all` of them, and those that run on Node 24 too. */
const GROUPS = join(ROOT, 'dist/tests');
const FILES_MAX = 8;

/**
 * Files with a process of their own, those that take long first, so that the end does not wait for one of them. Most
 * start gateways or a browser, beside which the rest costs little; `LONELY` are the others.
 */
const LONG = [
  'types',
  'start',
  'process',
  'dashboard/account',
  'dashboard/batches',
  'faults/batches',
  'attack/attack',
  'docs/examples',
  'dashboard/screens',
  'faults/kills',
  'drills/drills',
  'supervisor/gateways',
  'faults/nginx',
  'faults/verifications',
  'dashboard/designer',
  'dashboard/tools',
  'faults/uploads',
  'faults/webhooks',
  'faults/batch-outages',
  'http/odd-requests',
  'http/auth/sessions',
  'quota/contract',
  'cli/bulk-remote',
  'cli/bulk',
  'compose',
  'links/scans',
  'dashboard/parts-loading',
  'batches/hostile',
  'workers/design/design',
  'workers/raster/lanes',
];

/**
 * They measure memory, change what belongs to the whole process (flags, environment), stop the Postgres server that a
 * group shares, or read SVGs with sharp, which the service forbids in its process (`src/logo/bitmap.ts`).
 */
const LONELY = [
  'archive/memory',
  'logo/bitmap',
  'logo/fetch',
  'logo/grid',
  'logo/svg',
  'render/pool',
  'sheets/sheets',
  'storage/s3',
  'xlsx/xlsx',
  'db/embedded',
  'db/server',
  'http/bodies/body-load',
  'http/bodies/body-time',
  'http/bodies/bulk-load',
  'http/routes/account/usage',
  'faults/limits',
  'faults/postgres',
  'faults/redis',
  'faults/shutdown',
  'faults/signed',
  'print/differences',
  'print/files',
  'quota/sql-quota',
  'quota/redis-recovery',
  'quota/redis-faults',
  'quota/redis-cluster',
  'bench/capacity',
  'bench/load',
];

/** They measure how others are served meanwhile, so nothing else runs then; they come last. */
const SERIAL = ['http/bodies/bodies'];

/**
 * What runs on Node 24 too: the process, its signals and threads, sockets, streams, pools, and what draws. The other HTTP
 * tests call the app without a socket, and say of its logic what they said on Node 20.
 */
const ON_NODE_24 = [
  'process',
  'supervisor/gateways',
  'supervisor/parts',
  'render/pool',
  'http/routes/account/archive-files',
  'http/auth/auth',
  'http/bodies/batch-body',
  'http/bodies/bodies',
  'http/bodies/body-load',
  'http/bodies/body-time',
  'http/bodies/bulk-load',
  'http/routes/dashboard/dashboard',
  'http/files/etag',
  'http/routes/generate/file',
  'http/routes/generate/generation',
  'http/log',
  'http/metrics',
  'http/odd-requests',
  'http/limits/rate-limit',
  'http/auth/sessions',
  'http/routes/account/sheets',
];

const pathOf = (name) => `test/${name}.test.ts`;

const testFiles = () =>
  readdirSync(join(ROOT, 'test'), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name}`)
    .sort();

const nameOf = ([first, ...more]) => {
  const name = first.slice('test/'.length, -'.test.ts'.length).replaceAll('/', '-');
  return more.length > 0 ? `${name}-and-${more.length}-more` : name;
};

const cut = (files) =>
  Array.from({ length: Math.ceil(files.length / FILES_MAX) }, (_, i) =>
    files.slice(i * FILES_MAX, (i + 1) * FILES_MAX),
  );

/** Puts the files of a folder together, which share most of what they load, and those of small folders. */
const shareOut = (files) => {
  const folders = [...new Set(files.map((file) => dirname(file)))];
  const inFolders = folders.map((folder) => files.filter((file) => dirname(file) === folder));
  const isSmall = ({ length }) => length < FILES_MAX / 2;
  const large = inFolders.filter((inFolder) => !isSmall(inFolder));
  return [...large.flatMap(cut), ...cut(inFolders.filter(isSmall).flat())];
};

/** Returns the path of each entry in `folder` and its files. Tap runs entries in the order of their paths. */
const groupsIn = (folder, files) => {
  const isAlone = new Set([...LONG, ...LONELY, ...SERIAL].map(pathOf));
  const single = (names) =>
    names
      .map(pathOf)
      .filter((file) => files.includes(file))
      .map((file) => [file]);
  const shared = shareOut(files.filter((file) => !isAlone.has(file)));
  const parallel = [...single(LONG), ...shared, ...single(LONELY)].map((group, i) => [
    join(folder, `${String(i).padStart(3, '0')}-${nameOf(group)}.test.ts`),
    group,
  ]);
  const serial = single(SERIAL).map((group) => [join(folder, 'serial', `${nameOf(group)}.test.ts`), group]);
  return [...parallel, ...serial];
};

const entryOf = (path, files) => {
  const pathTo = (file) => relative(dirname(path), join(ROOT, file));
  const loads = files.map((file) => `  '${file}': () => import('${pathTo(file)}'),\n`);
  const run = pathTo('test/support/groups/run.ts');
  return `import { runFiles } from '${run}';\n\nrunFiles({\n${loads.join('')}});\n`;
};

/** Writes the entry of each group, and returns their paths. */
export const writeGroups = () => {
  rmSync(GROUPS, { recursive: true, force: true });
  const all = testFiles();
  const named = [...LONG, ...LONELY, ...SERIAL, ...ON_NODE_24].map(pathOf);
  const missing = named.filter((file) => !all.includes(file));
  if (missing.length > 0) throw new Error(`these tests have moved: ${missing.join(', ')}`);
  const groups = [
    ...groupsIn(join(GROUPS, 'all'), all),
    ...groupsIn(join(GROUPS, 'node-24'), ON_NODE_24.map(pathOf)),
  ];
  for (const [path, files] of groups) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, entryOf(path, files));
  }
  return groups.map(([path]) => path);
};

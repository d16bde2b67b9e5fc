/**
 * Decides which test files a command runs, and which of them share a process. Files in a shared process take a third
 * of the processor time: the app is loaded and compiled once, and one Postgres server holds all databases.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The folders of entries: `short` for `npm test` and `npm run test:cases`, the others for `npm run test:all`. */
const ENTRIES = join(ROOT, 'dist/tests');
const FILES_MAX = 30;

/**
 * Long tests, by a word in their path: those that need a browser, several gateways, load, faults and kills, clients,
 * or another library to check many cases, and those that build the project again. Each runs in its own process.
 */
const LONG =
  /\b(attack|browser|capacity|clickhouse|compose|deploy|drills|faults|gateways|histories|hostile|load|odd-requests|packed|seams)\b|bodies\/bodies|clients\/python|cli\/bulk-remote|batches\/storage|redis-(cluster|recovery)|own-store|clients\/typescript\/(every-call|lost-answers)|gs1\/oracle|docs\/places|study\/(captions|dots)|^test\/(process|start)\./;

/** Tests of programs that not every system has, which `npm test` therefore leaves out, too. */
const NEEDS_PROGRAMS =
  /^import (?!type)[^;]* from '\S+\/(proxies\/\w+|promtool|pictures\/(print|printed|one-bit)|python)\.ts'/m;

/**
 * Tests that run on Node 24 too: the process, signals, threads, sockets, streams, pools, drawing, and those that
 * `npm test` runs on one kind of database only. The other HTTP tests call the app without a socket and would only
 * repeat their result on Node 20.
 */
const ON_NODE_24 =
  /^test\/(process|supervisor|render|quota\/contract|links\/scans|db\/(search|usage|verifications)|http\/(auth|bodies|files|log|metrics|odd-requests|routes\/(dashboard|generate|account\/search)))\b/;

/** Tests that start a gateway process, which takes most of their time. */
const STARTS_GATEWAYS = /from '\S+\/gateway-process\.ts'/;

/**
 * They measure memory, change what belongs to the whole process (flags, environment), stop the Postgres server that a
 * group shares, or read SVGs with sharp, which the service forbids in its process (`src/logo/bitmap.ts`).
 */
const ALONE = `
  archive/memory db/embedded db/server http/bodies/body-time http/routes/account/usage logo/bitmap logo/fetch logo/grid
  logo/svg print/differences print/files quota/redis-cluster quota/sql-quota render/pool
  sheets/sheets storage/s3 workers/design/design xlsx/xlsx
`
  .trim()
  .split(/\s+/);

/**
 * They run alone, at the end: one measures how other callers are served meanwhile, the other starts many gateways.
 */
const LAST = ['http/bodies/bodies', 'faults/database/pooler'];

const pathOf = (name) => `test/${name}.test.ts`;

const nameOf = ([first, ...more]) => {
  const name = first.slice('test/'.length, -'.test.ts'.length).replaceAll('/', '-');
  return more.length > 0 ? `${name}-and-${more.length}-more` : name;
};

const textOf = (file) => readFileSync(join(ROOT, file), 'utf8');

const startsGateways = (file) => STARTS_GATEWAYS.test(textOf(file));

const isLong = (file) => LONG.test(file) || NEEDS_PROGRAMS.test(textOf(file));

const isAlone = (file) => LONG.test(file) || ALONE.map(pathOf).includes(file) || startsGateways(file);

const cut = (files) =>
  Array.from({ length: Math.ceil(files.length / FILES_MAX) }, (_, i) =>
    files.slice(i * FILES_MAX, (i + 1) * FILES_MAX),
  );

/** Groups the files of a folder, which share most of what they load, and merges small folders. */
const shareOut = (files) => {
  const folders = [...new Set(files.map((file) => dirname(file)))];
  const inFolders = folders.map((folder) => files.filter((file) => dirname(file) === folder));
  const isSmall = ({ length }) => length < FILES_MAX / 2;
  const large = inFolders.filter((inFolder) => !isSmall(inFolder));
  return [...large.flatMap(cut), ...cut(inFolders.filter(isSmall).flat())];
};

/** Returns the path of each entry in `folder` and its files. Tap runs entries in the order of their paths. */
const groupsIn = (folder, files) => {
  const last = files.filter((file) => LAST.map(pathOf).includes(file));
  const alone = files.filter((file) => !last.includes(file) && isAlone(file));
  const shared = shareOut(files.filter((file) => !last.includes(file) && !alone.includes(file)));
  // The shortest come last, so that no processor is idle at the end. Tests that start gateways take long.
  const byLength = alone.toSorted((a, b) => startsGateways(b) - startsGateways(a));
  const parallel = [...shared, ...byLength.map((file) => [file])].map((group, i) => [
    join(ENTRIES, folder, `${String(i).padStart(3, '0')}-${nameOf(group)}.test.ts`),
    group,
  ]);
  return [
    ...parallel,
    ...last.map((file) => [join(ENTRIES, folder, 'serial', `${nameOf([file])}.test.ts`), [file]]),
  ];
};

const entryOf = (path, files) => {
  const pathTo = (file) => relative(dirname(path), join(ROOT, file));
  const loads = files.map((file) => `  '${file}': () => import('${pathTo(file)}'),\n`);
  const run = pathTo('test/support/groups/run.ts');
  return `import { runFiles } from '${run}';\n\nrunFiles({\n${loads.join('')}});\n`;
};

const listTests = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => join(folder, name))
    : [];

/** A bundle is reused as long as the modification time of its entry is unchanged. */
const writeWhereNew = (path, text) => {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** Returns whether `npm test` runs the group of this entry. */
export const isShort = (path) => path.startsWith(join(ENTRIES, 'short/'));

const allTests = () =>
  listTests(join(ROOT, 'test'))
    .map((path) => relative(ROOT, path))
    .sort();

/** Returns how many test files `npm test` leaves out, and how many of them only for the programs that they need. */
export const countLeftOut = () => {
  const all = allTests();
  return {
    files: all.filter(isLong).length,
    forPrograms: all.filter((file) => isLong(file) && !LONG.test(file)).length,
  };
};

/** Writes the entry of each group, and returns their paths. */
export const writeGroups = () => {
  const all = allTests();
  const missing = [...ALONE, ...LAST].map(pathOf).filter((file) => !all.includes(file));
  if (missing.length > 0) throw new Error(`these tests have moved: ${missing.join(', ')}`);
  const groups = [
    ...groupsIn(
      'short',
      all.filter((file) => !isLong(file)),
    ),
    ...groupsIn('long', all.filter(isLong)),
    ...groupsIn(
      'node-24',
      all.filter((file) => ON_NODE_24.test(file)),
    ),
  ];
  const paths = groups.map(([path]) => path);
  for (const path of listTests(ENTRIES)) if (!paths.includes(path)) rmSync(path);
  for (const [path, files] of groups) writeWhereNew(path, entryOf(path, files));
  return paths;
};

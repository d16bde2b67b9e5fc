import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Source {
  /** Relative to the project root: `src/http/auth/auth.ts`. */
  readonly path: string;
  readonly text: string;
  /** Project files that it imports, including for types; paths relative to the root. */
  readonly imports: readonly string[];
  /** Packages and Node modules that it imports. */
  readonly packages: readonly string[];
}

const isOwn = (specifier: string): boolean => specifier.startsWith('.');

/** The path of a file of the project that the file at `path` imports as `specifier`. */
const resolveFrom = (path: string, specifier: string): string =>
  relative(ROOT, resolve(ROOT, dirname(path), specifier));

const specifiersIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map((match) => match[1]!);

/** The specifiers of static imports; imports of types load nothing. */
const loadsAtOnce = (text: string): readonly string[] =>
  specifiersIn(text, /^(?:im|ex)port (?!type )(?:[\w\s{},*]+ from )?'([^']+)'/gm);

/** The specifiers of static and dynamic imports. */
const loadsOf = (text: string): readonly string[] => [
  ...loadsAtOnce(text),
  ...specifiersIn(text, /import\('([^']+)'/g),
];

const readSources = (folder: string): Source[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => {
      const path = join(folder, file);
      const text = readFileSync(join(ROOT, path), 'utf8');
      const specifiers = specifiersIn(text, /(?:from\s+|import\s+|import\()'([^']+)'/g);
      return {
        path,
        text,
        imports: specifiers.filter(isOwn).map((specifier) => resolveFrom(path, specifier)),
        packages: specifiers.filter((specifier) => !isOwn(specifier)),
      };
    });

const src = readSources('src');
const workers = readSources('workers');
const client = readSources('clients/typescript/src');

/** Every part may import these; they may import only each other. */
const FOUNDATIONS = [
  'duplicates',
  'execution',
  'lists.ts',
  'log.ts',
  'outage-cache',
  'result.ts',
  'stored-json.ts',
  'texts.ts',
  'tracing',
  'validation',
];

/** The other folders that each folder of `src` may import. Files directly in `src` have entries of their own. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  config: ['redis', 'storage'],
  'errors.ts': [],
  'package.ts': [],
  'histogram.ts': [],
  process: ['config'],
  'server.ts': ['app.ts', 'config', 'accounts', 'process', 'supervisor'],
  accounts: ['db', 'quota'],
  archive: ['csv', 'errors.ts', 'generate', 'limits', 'render', 'zip'],
  batches: [
    'csv',
    'db',
    'errors.ts',
    'generate',
    'gs1',
    'links',
    'logo',
    'quota',
    'render',
    'sheets',
    'storage',
    'verify',
    'xlsx',
    'zip',
  ],
  cli: [
    'clickhouse',
    'config',
    'csv',
    'db',
    'doctor',
    'errors.ts',
    'generate',
    'gs1',
    'link-imports',
    'logo',
    'reading',
    'sheets',
    'verify',
    'xlsx',
  ],
  clickhouse: ['db', 'redis'],
  csv: [],
  // It runs in browsers, so it imports only pure rules of the server, and types made from the OpenAPI document.
  dashboard: ['csv', 'gs1', 'resolver', 'sheets'],
  db: ['histogram.ts', 'package.ts'],
  doctor: ['clickhouse', 'config', 'db', 'quota', 'redis', 'storage', 'package.ts'],
  generate: ['csv', 'db', 'domains', 'errors.ts', 'gs1', 'limits', 'logo', 'quota', 'render'],
  http: [
    'accounts',
    'archive',
    'batches',
    'config',
    'csv',
    'db',
    'domains',
    'errors.ts',
    'generate',
    'gs1',
    'limits',
    'link-imports',
    'link-jobs',
    'links',
    'metrics',
    'presets',
    'quota',
    'redis',
    'render',
    'resolver',
    'sheets',
    'signed',
    'storage',
    'verify',
    'package.ts',
    'webhooks',
  ],
  domains: ['db', 'logo'],
  gs1: [],
  limits: ['errors.ts'],
  'link-imports': ['csv', 'db'],
  'link-jobs': [
    ...['batches', 'csv', 'db', 'errors.ts', 'generate', 'histogram.ts', 'link-imports', 'links'],
    'storage',
  ],
  links: ['csv', 'db', 'gs1'],
  logo: ['limits'],
  metrics: ['clickhouse', 'db', 'histogram.ts', 'links', 'logo', 'quota', 'render', 'package.ts'],
  presets: ['db', 'errors.ts', 'generate', 'logo'],
  quota: ['db', 'redis'],
  reading: ['logo'],
  redis: [],
  render: ['errors.ts', 'histogram.ts', 'limits'],
  resolver: ['csv', 'db', 'errors.ts', 'gs1', 'links'],
  sheets: ['archive', 'csv', 'errors.ts', 'generate', 'gs1', 'limits'],
  signed: ['db', 'errors.ts', 'generate', 'render'],
  storage: [],
  xlsx: ['csv'],
  zip: ['storage'],
  verify: ['archive', 'db', 'errors.ts', 'generate', 'gs1', 'limits', 'reading'],
  webhooks: ['db', 'domains', 'logo'],
  supervisor: ['config', 'errors.ts', 'http', 'metrics', 'process'],
};

/** The composition root builds every part, so it may import every part. */
const isComposition = (path: string): boolean => path === 'src/app.ts' || path.startsWith('src/compose/');

const partOf = (path: string): string => path.split('/')[1]!;

/** The parts that a file may import besides its own part and the foundations. */
const allowedFor = (path: string): readonly string[] => {
  if (FOUNDATIONS.includes(partOf(path))) return [];
  const allowed = MAY_IMPORT[partOf(path)];
  if (allowed === undefined) throw new Error(`${path}: this part is missing from the layer rules`);
  return [...allowed, partOf(path)];
};

t.test('every part imports only from the layers below it', async (t) => {
  const sources = src.filter(({ path }) => !isComposition(path));
  t.ok(sources.length > 500, `${sources.length} files`);
  const refused = sources.flatMap(({ path, imports }) => {
    const allowed = [...FOUNDATIONS, ...allowedFor(path)];
    const ours = imports.filter((file) => file.startsWith('src/'));
    return ours.filter((file) => !allowed.includes(partOf(file))).map((file) => `${path} imports ${file}`);
  });
  t.strictSame(refused, []);
});

const importsOf = new Map([
  ...[...src, ...workers, ...client].map(({ path, imports }) => [path, imports] as const),
  ...['bench', 'test', 'clients/generate'].flatMap(readSources).map(({ path, text }) => {
    const own = loadsOf(text).filter(isOwn);
    return [path, own.map((specifier) => resolveFrom(path, specifier))] as const;
  }),
]);

/** The files of an import cycle that is reachable from `path`, or `null`. */
const ringFrom = (path: string, known: Set<string>, way: readonly string[]): readonly string[] | null => {
  if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
  if (known.has(path)) return null;
  known.add(path);
  for (const imported of importsOf.get(path) ?? []) {
    const ring = ringFrom(imported, known, [...way, path]);
    if (ring !== null) return ring;
  }
  return null;
};

t.test('there are no import cycles, in the product and its client not even of types', async (t) => {
  const known = new Set<string>();
  const rings = [...importsOf.keys()]
    .map((path) => ringFrom(path, known, []))
    .filter((ring) => ring !== null);
  t.strictSame(rings, []);
});

/** Returns the packages that a module loads, directly and through its imports. Imports of types load nothing. */
const packagesLoadedBy = (entry: string, loads = loadsOf): readonly string[] => {
  const [files, packages] = [new Set([entry]), new Set<string>()];
  for (const path of files) {
    const { text } = [...src, ...workers, ...client].find((source) => source.path === path)!;
    for (const specifier of loads(text).filter((each) => !each.endsWith('.css'))) {
      if (isOwn(specifier)) files.add(resolveFrom(path, specifier));
      else if (!specifier.startsWith('node:')) packages.add(specifier);
    }
  }
  return [...packages].sort();
};

t.test('the spreadsheet thread loads no schemas, which take longer than reading the file', async (t) => {
  const loaded = packagesLoadedBy('src/batches/receive/spreadsheet-worker.ts');
  t.strictSame(loaded, ['csv-parse', 'numfmt', 'saxes', 'yauzl']);
});

t.test('the command line starts without libraries of single commands, which load slowly', async (t) => {
  t.strictSame(packagesLoadedBy('src/cli/main.ts', loadsAtOnce), ['commander']);
});

/** Returns the imports of project files that `allowed` does not match. */
const importsBeside = (sources: readonly Source[], allowed: RegExp): readonly string[] =>
  sources.flatMap(({ path, imports }) =>
    imports.filter((imported) => !allowed.test(imported)).map((imported) => `${path} imports ${imported}`),
  );

t.test('test/servers, which benchmarks use too, imports nothing that only tests need', async (t) => {
  const faults = readSources('test/servers').flatMap(({ path, imports, packages }) =>
    [
      ...imports.filter((file) => /^test\/(?!servers\/)/.test(file)),
      ...packages.filter((name) => name === 'tap'),
    ].map((imported) => `${path} imports ${imported}`),
  );
  t.strictSame(faults, []);
});

t.test('what makes the clients imports nothing of the server except its writer of ZIP files', async (t) => {
  const allowed = /^(clients\/|src\/zip\/)/;
  t.strictSame(importsBeside(readSources('clients'), allowed), []);
});

t.test('the TypeScript client imports no packages and no files of other folders', async (t) => {
  t.ok(client.length > 5, `${client.length} files`);
  t.strictSame(importsBeside(client, /^clients\/typescript\/src\//), []);
  t.strictSame(
    client.flatMap(({ packages }) => packages),
    [],
  );
});

t.test('the command line alone imports the TypeScript client, and nothing that is generated', async (t) => {
  const users = [...src, ...workers].filter(({ imports }) =>
    imports.some((file) => file.startsWith('clients/')),
  );
  t.ok(users.length > 0);
  t.strictSame(
    users.filter(({ path }) => !path.startsWith('src/cli/')).map(({ path }) => path),
    [],
  );
  const reached = new Set(
    users.flatMap(({ imports }) => imports.filter((file) => file.startsWith('clients/'))),
  );
  for (const path of reached) for (const imported of importsOf.get(path) ?? []) reached.add(imported);
  const generated = ['document.ts', 'operations.ts'].map((name) => `clients/typescript/src/${name}`);
  t.strictSame(
    generated.filter((path) => reached.has(path)),
    [],
  );
});

/** A folder with this many files must be split before it grows. */
const FILES_MAX = 16;

t.test(`no folder directly contains more than ${FILES_MAX} files`, async (t) => {
  const counts = new Map<string, number>();
  for (const { path } of ['src', 'workers', 'bench', 'clients', 'test'].flatMap(readSources))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  for (const [folder, count] of counts)
    if (count > FILES_MAX) t.fail(`${folder} has ${count} files: move some into a sub-folder`);
  t.ok(counts.size > 100);
});

t.test('no file stands beside a folder of its name: the entry of a folder is in it', async (t) => {
  const paths = [...src, ...workers].map(({ path }) => path);
  const folders = new Set(paths.map(dirname));
  t.strictSame(
    paths.filter((path) => folders.has(path.replace(/\.tsx?$/, ''))),
    [],
  );
  t.ok(folders.size > 50);
});

t.test('the gateway imports only allowed modules of the threads', async (t) => {
  const allowed = [
    'workers/barcode/fit.ts',
    'workers/barcode/protocol.ts',
    'workers/group.ts',
    'workers/lists.ts',
    'workers/protocol.ts',
    'workers/plan.ts',
    'workers/print/layout.ts',
    'workers/print/lines.ts',
    'workers/print/surround.ts',
    'workers/print/dots.ts',
    'workers/quality/grades.ts',
    'workers/vector/path.ts',
    'workers/symbol/gs1.ts',
    'workers/sheets/protocol.ts',
    'workers/thread-time.ts',
  ];
  const refused = importsBeside(src, /^(?!workers\/)/).filter(
    (fault) => !allowed.some((file) => fault.endsWith(` imports ${file}`)),
  );
  t.strictSame(refused, []);
});

t.test('the threads import nothing from the gateway', async (t) => {
  t.strictSame(importsBeside(workers, /^workers\//), []);
});

t.test('a cache that evicts what is being loaded still answers those who wait for it', async (t) => {
  const loading = src.filter(({ text }) => text.includes('fetchMethod:'));
  for (const { path, text } of loading)
    t.equal(text.split('ignoreFetchAbort: true').length, text.split('fetchMethod:').length, path);
  t.ok(loading.length > 2);
});

const onlyIn = (what: string, pattern: RegExp, allowed: readonly string[]) =>
  t.test(`${what} occurs only in ${allowed.join(', ')}`, async (t) => {
    const found = [...src, ...workers].filter(({ text }) => pattern.test(text)).map(({ path }) => path);
    t.strictSame(
      found.filter((path) => !allowed.includes(path)),
      [],
    );
    t.ok(found.length > 0, 'the pattern matches somewhere');
  });

onlyIn('reading the environment', /process\.env/, ['src/server.ts', 'src/cli/main.ts']);
onlyIn('handling signals', /close-with-grace|process\.(on|once)\(/, [
  'src/process/ending.ts',
  'src/cli/main.ts',
]);
onlyIn('importing Piscina as a pool', /new Piscina/, ['src/render/threads.ts', 'src/reading/readers.ts']);
onlyIn('writing SVG elements', /`<\$\{name\}/, ['workers/design/markup.ts']);

t.test('only src/http and the composition root import Fastify', async (t) => {
  const users = src.filter(({ packages }) => packages.some((name) => /^(fastify$|@fastify\/)/.test(name)));
  t.strictSame(
    users.filter(({ path }) => partOf(path) !== 'http' && !isComposition(path)).map(({ path }) => path),
    [],
  );
  t.ok(users.length > 0);
});

t.test('the dashboard uses only known packages and never sets HTML from strings', async (t) => {
  const known = /^(preact|preact-iso|@tanstack\/preact-query|openapi-fetch|uplot|csv-parse)(\/|$)/;
  const markup = /dangerouslySetInnerHTML|\.(inner|outer)HTML|insertAdjacentHTML|document\.write/;
  const modules = src.filter(({ path }) => partOf(path) === 'dashboard');
  t.ok(modules.length > 50, `${modules.length} files`);
  const faults = modules.flatMap(({ path, text, packages }) =>
    [...packages.filter((name) => !known.test(name)), ...(markup.exec(text) ?? [])].map(
      (fault) => `${path} has ${fault}`,
    ),
  );
  t.strictSame(faults, []);
  const loaded = packagesLoadedBy('src/dashboard/main.tsx');
  t.strictSame(
    loaded.filter((name) => !known.test(name)),
    [],
    'nor do the rules of the server that it shares',
  );
});

t.test('no file re-exports from another file', async (t) => {
  const those = [...src, ...workers].filter(({ text }) => /^export (\*|\{[^}]*\}) from/m.test(text));
  t.strictSame(
    those.map(({ path }) => path),
    [],
  );
});

const FUNCTION_LINES_MAX = 60;
/** Functions that consist of one long SQL statement. */
const LONGER: readonly string[] = ['src/db/tables/scans/scans.ts: insertGroup'];

/** The functions of a module with their numbers of lines, not counting the lines of nested functions. */
const functionsIn = (path: string, text: string): { readonly name: string; readonly lines: number }[] => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const linesOf = (node: ts.Node) => lineAt(node.end) - lineAt(node.getStart()) + 1;
  const found: { readonly name: string; readonly lines: number }[] = [];
  /** Counts the lines of the outermost functions in the node, without their first lines, which their owner shares. */
  const visit = (node: ts.Node): number => {
    let inner = 0;
    ts.forEachChild(node, (child) => {
      inner += visit(child);
    });
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return inner;
    const parent = node.parent as ts.NamedDeclaration;
    const name = (node.name ?? parent.name)?.getText() ?? `line ${lineAt(node.getStart()) + 1}`;
    found.push({ name: `${path}: ${name}`, lines: linesOf(node) - inner });
    return linesOf(node) - 1;
  };
  visit(file);
  return found;
};

/** Where a statement of a module begins, as the formatter writes it. */
const STATEMENT = /^(?=(?:export|import|const|let|class|interface|type|async|function)\b|\/\*\*)/m;

/** The statements that may contain a function over the limit. Parsing all statements would take much longer. */
const longStatementsIn = (text: string): readonly string[] =>
  text.split(STATEMENT).filter((statement) => statement.split('\n').length > FUNCTION_LINES_MAX);

t.test(`no function is longer than ${FUNCTION_LINES_MAX} lines, not counting nested functions`, async (t) => {
  const long = [...src, ...workers, ...client]
    .flatMap(({ path, text }) => longStatementsIn(text).flatMap((statement) => functionsIn(path, statement)))
    .filter(({ lines }) => lines > FUNCTION_LINES_MAX);
  t.strictSame(
    long.map(({ name }) => name),
    LONGER,
  );
  const [outer, inner] = functionsIn('a.ts', 'const f = () => {\n  g(() => {\n    h();\n  });\n};').reverse();
  t.strictSame([outer!.lines, inner!.lines], [3, 3], 'the lines of nested functions are not counted twice');
});

t.test('bodies that are held in memory are all received in one way, which counts them', (t) => {
  // The others pass the stream on to a place for uploads, or refuse the type.
  const parsers = src.filter(({ text }) => text.includes('.addContentTypeParser('));
  t.strictSame(parsers.map(({ path }) => path.replace('src/http/', '')).sort(), [
    ...['bodies/json-body.ts', 'routes/account/batches/preview.ts', 'routes/account/batches/send.ts'],
    ...['routes/account/batches/uploads.ts', 'routes/account/codes/scan-check.ts'],
    'routes/account/link-jobs/receive-rows.ts',
    ...['routes/account/resolver/tables.ts', 'routes/redirect.ts'],
  ]);
  for (const { path, text } of parsers) {
    t.notMatch(text, /parseAs/, path);
    t.match(text, /receiveBodies\(|receiveBytes\(|uploadPlaces\.hold\(/, path);
  }
  t.end();
});

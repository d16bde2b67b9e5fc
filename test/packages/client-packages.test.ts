/** The archives of the clients, read by other programs than ours. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { type TextFile, tarGz, zip } from '../../clients/generate/archives.ts';
import { npmPackage } from '../../clients/generate/npm.ts';
import { pythonDistributions } from '../../clients/generate/python/distributions.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { readZip } from '../support/files/zip.ts';

/** Prints the files of a tar file in its order, and what else it says about them. */
const READ_TAR = `
import json, sys, tarfile
with tarfile.open(sys.argv[1]) as tar:
    print(json.dumps([
        [m.name, tar.extractfile(m).read().decode(), m.mode, m.uid, m.gid, m.mtime, m.type.decode()] for m in tar
    ]))
`;

const folder = await temporaryFolder(t);

const readTar = (bytes: Buffer): readonly (readonly [name: string, text: string, ...more: unknown[]])[] => {
  const path = join(folder, 'a.tar.gz');
  writeFileSync(path, bytes);
  return JSON.parse(execFileSync('python3', ['-c', READ_TAR, path], { encoding: 'utf8', maxBuffer: 1e8 }));
};

/** Files whose lengths are around those of a block. */
const FILES: readonly TextFile[] = [
  { name: 'a/empty', text: '' },
  { name: 'a/short.txt', text: 'grün' },
  ...[511, 512, 513, 70_000].map((length) => ({ name: `a/b/${length}`, text: 'x'.repeat(length) })),
  { name: `a/${'n'.repeat(98)}`, text: 'the longest name' },
];

t.test('a tar file has all files in order, each with the same time and mode and no owner', async (t) => {
  t.strictSame(
    readTar(tarGz(FILES)),
    FILES.map(({ name, text }) => [name, text, 0o644, 0, 0, Date.UTC(1980, 0, 1) / 1000, '0']),
  );
  t.throws(() => tarGz([{ name: 'n'.repeat(101), text: '' }]), /too long for an archive/);
});

t.test('a ZIP has all files in order, each with the same time', async (t) => {
  const files = await readZip(await zip(FILES));
  t.strictSame(
    files.map(({ name, bytes, modified }) => ({ name, text: bytes.toString(), modified })),
    FILES.map((file) => ({ ...file, modified: new Date('1980-01-01T00:00:00Z') })),
  );
});

t.test('the same texts give the same bytes, and others do not', async (t) => {
  const texts = fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(texts, async ([one = '', other = '']) => {
      const pack = async (text: string) => [tarGz([{ name: 'a', text }]), await zip([{ name: 'a', text }])];
      t.strictSame(await pack(one), await pack(one));
      const [[tarOne, zipOne], [tarOther, zipOther]] = [await pack(one), await pack(other)];
      t.notOk(tarOne!.equals(tarOther!) || zipOne!.equals(zipOther!));
    }),
    { numRuns: 50 },
  );
});

t.test('the npm package has the version of the API, first in its manifest beside its name', async (t) => {
  const sources = {
    manifest: JSON.stringify({ name: 'a-client', type: 'module' }),
    readme: '# A\n',
    license: 'Free\n',
    compiled: [{ name: 'batches/rows.js', text: 'export {};\n' }],
  };
  const packages = npmPackage(sources, '1.2.3');
  t.strictSame(Object.keys(packages), ['a-client-1.2.3.tgz']);
  const files = readTar(packages['a-client-1.2.3.tgz']!).map(([name, text]) => [name, text]);
  t.strictSame(files, [
    [
      'package/package.json',
      `${JSON.stringify({ name: 'a-client', version: '1.2.3', type: 'module' }, null, 2)}\n`,
    ],
    ['package/LICENSE', 'Free\n'],
    ['package/README.md', '# A\n'],
    ['package/dist/batches/rows.js', 'export {};\n'],
  ]);
});

t.test('the sources of the Python client have the names and the metadata that pip expects', async (t) => {
  const project = readFileSync(new URL('../../clients/python/pyproject.toml', import.meta.url), 'utf8');
  const modules = [
    { name: '__init__.py', text: '"""A."""\n' },
    { name: 'py.typed', text: '' },
  ];
  const sources = { project, readme: '# A\n', license: 'Free\n', modules };
  const packages = await pythonDistributions(sources, '1.2.3');
  t.strictSame(Object.keys(packages), [
    'tessera_client-1.2.3-py3-none-any.whl',
    'tessera_client-1.2.3.tar.gz',
  ]);
  const files = new Map(
    readTar(packages['tessera_client-1.2.3.tar.gz']!).map(([name, text]) => [name, text] as const),
  );
  t.strictSame(
    [...files.keys()],
    [
      'LICENSE',
      'PKG-INFO',
      'README.md',
      'pyproject.toml',
      'src/tessera_client/__init__.py',
      'src/tessera_client/py.typed',
    ].map((name) => `tessera_client-1.2.3/${name}`),
  );
  const metadata = files.get('tessera_client-1.2.3/PKG-INFO')!;
  t.match(metadata, /^Metadata-Version: 2\.1\nName: tessera-client\nVersion: 1\.2\.3\n/);
  t.match(metadata, '\nRequires-Python: >=3.9\n');
  t.match(metadata, '\nClassifier: Typing :: Typed\n');
  t.match(metadata, /\n\n# A\n$/);
  await t.rejects(
    pythonDistributions({ ...sources, project: '' }, '1.2.3'),
    /pyproject\.toml has no text name/,
  );
});

/** The distributions of the Python client, as pip installs them: a wheel (PEP 427) and its sources (PEP 517, 625). */
import { hash } from 'node:crypto';
import { type TextFile, tarGz, zip } from '../archives.ts';

/** What the distributions are made of. */
export interface PythonSources {
  /** The `pyproject.toml`. */
  readonly project: string;
  readonly readme: string;
  readonly license: string;
  /** The files of the package `tessera_client`, by their names in it. */
  readonly modules: readonly TextFile[];
}

const PACKAGE = 'tessera_client';
const TAG = 'py3-none-any';

/** Returns a text of `pyproject.toml`. Its strings are written as in JSON. @throws {Error} There is none. */
const textIn = (project: string, field: string): string => {
  const [, value] = new RegExp(`^${field} = (".*")$`, 'm').exec(project) ?? [];
  if (value === undefined) throw new Error(`pyproject.toml has no text ${field}`);
  return JSON.parse(value);
};

const classifiersIn = (project: string): readonly string[] =>
  [...project.matchAll(/^ {4}(".* :: .*"),$/gm)].map(([, value]) => JSON.parse(value!));

/** Returns the core metadata, as of `METADATA` and `PKG-INFO`. */
const metadataOf = ({ project, readme }: PythonSources, version: string): string => {
  const fields = [
    ['Metadata-Version', '2.1'],
    ['Name', textIn(project, 'name')],
    ['Version', version],
    ['Summary', textIn(project, 'description')],
    ['License', 'MIT'],
    ...classifiersIn(project).map((classifier) => ['Classifier', classifier]),
    ['Requires-Python', textIn(project, 'requires-python')],
    ['Description-Content-Type', 'text/markdown'],
    ['License-File', 'LICENSE'],
  ];
  return `${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${readme}`;
};

/** Returns the list of a wheel's files, with their checksums and lengths; its own line has neither. */
const recordOf = (files: readonly TextFile[], name: string): TextFile => {
  const lines = files.map(
    (file) =>
      `${file.name},sha256=${hash('sha256', file.text, 'base64url')},${Buffer.byteLength(file.text)}\n`,
  );
  return { name, text: `${lines.join('')}${name},,\n` };
};

const inFolder = (folder: string, files: readonly TextFile[]): readonly TextFile[] =>
  files.map(({ name, text }) => ({ name: `${folder}/${name}`, text }));

/** Returns the distributions by the names of their files. @param version Of the API. */
export const pythonDistributions = async (
  sources: PythonSources,
  version: string,
): Promise<Readonly<Record<string, Buffer>>> => {
  const { project, readme, license, modules } = sources;
  const name = `${PACKAGE}-${version}`;
  const metadata = metadataOf(sources, version);
  const about = [
    { name: 'LICENSE', text: license },
    { name: 'METADATA', text: metadata },
    {
      name: 'WHEEL',
      text: `Wheel-Version: 1.0\nGenerator: tessera ${version}\nRoot-Is-Purelib: true\nTag: ${TAG}\n`,
    },
  ];
  const installed = [...inFolder(PACKAGE, modules), ...inFolder(`${name}.dist-info`, about)];
  const wheel = await zip([...installed, recordOf(installed, `${name}.dist-info/RECORD`)]);
  const source = tarGz(
    inFolder(name, [
      { name: 'LICENSE', text: license },
      { name: 'PKG-INFO', text: metadata },
      { name: 'README.md', text: readme },
      { name: 'pyproject.toml', text: project },
      ...inFolder(`src/${PACKAGE}`, modules),
    ]),
  );
  return { [`${name}-${TAG}.whl`]: wheel, [`${name}.tar.gz`]: source };
};

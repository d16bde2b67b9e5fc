/** The npm package of the TypeScript client. */
import { type TextFile, tarGz } from './archives.ts';

/** What the package is made of. */
export interface NpmSources {
  /** Its `package.json` without a version. */
  readonly manifest: string;
  readonly readme: string;
  readonly license: string;
  /** The modules and their types, by their paths below `dist`. */
  readonly compiled: readonly TextFile[];
}

/** Returns the package by the name of its file. @param version Of the API. */
export const npmPackage = (
  { manifest, readme, license, compiled }: NpmSources,
  version: string,
): Readonly<Record<string, Buffer>> => {
  const { name, ...rest } = JSON.parse(manifest);
  return {
    [`${name}-${version}.tgz`]: tarGz([
      { name: 'package/package.json', text: `${JSON.stringify({ name, version, ...rest }, null, 2)}\n` },
      { name: 'package/LICENSE', text: license },
      { name: 'package/README.md', text: readme },
      ...compiled.map((file) => ({ name: `package/dist/${file.name}`, text: file.text })),
    ]),
  };
};

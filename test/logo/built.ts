import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The folder `src/logo` and what it imports as the build leaves them, JavaScript in a tree of its own, for the tests that end many
 * threads: each new one starts in 40 ms there, and in seconds under the tests' TypeScript loader.
 */
export const buildLogoFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-logo-'));
  const target = join(folder, 'src', 'logo');
  mkdirSync(target, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const options = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config.compilerOptions;
  const { options: compilerOptions } = ts.convertCompilerOptionsFromJson(options, root);
  const files = readdirSync(join(root, 'src', 'logo'), { recursive: true, encoding: 'utf8' });
  for (const name of [...files.filter((file) => file.endsWith('.ts')), '../result.ts']) {
    const text = readFileSync(join(root, 'src', 'logo', name), 'utf8');
    const { outputText } = ts.transpileModule(text, {
      fileName: name,
      compilerOptions: { ...compilerOptions, module: ts.ModuleKind.ESNext, sourceMap: false },
    });
    const built = join(target, name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(built), { recursive: true });
    writeFileSync(built, outputText);
  }
  return {
    load: async <T>(name: string): Promise<T> => import(pathToFileURL(join(target, name)).href) as Promise<T>,
    remove: () => rmSync(folder, { recursive: true }),
  };
};

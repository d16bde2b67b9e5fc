/** Checks resources against TypeScript types generated from the OpenAPI document of Kubernetes, without a cluster. */
import ts from 'typescript';
import { ROOT } from '../dockerfile.ts';

/** The fields that every resource has. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

/** Folders of the types for API groups that are named differently. */
const FOLDERS: Readonly<Record<string, string>> = { v1: 'core/v1', 'networking.k8s.io/v1': 'networking/v1' };

/** Returns the resource as a constant of its type: the compiler reports invalid, missing and unknown fields. */
const moduleOf = (resource: Resource): string => {
  const { apiVersion, kind } = resource;
  const from = `kubernetes-types/${FOLDERS[apiVersion] ?? apiVersion}`;
  return `import type { ${kind} } from '${from}';\nexport const resource: ${kind} = ${JSON.stringify(resource)};\n`;
};

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** Returns the faults of each resource. */
export const faultsOf = (resources: readonly unknown[]): string[][] => {
  const modules = new Map(
    resources.map((resource, i) => [`${ROOT}resource-${i}.ts`, moduleOf(resource as Resource)]),
  );
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => modules.has(path) || fileExists(path);
  host.getSourceFile = (path, language, ...rest) => {
    const text = modules.get(path);
    return text === undefined
      ? getSourceFile(path, language, ...rest)
      : ts.createSourceFile(path, text, language);
  };
  const program = ts.createProgram([...modules.keys()], OPTIONS, host);
  return [...modules.keys()].map((path) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  );
};

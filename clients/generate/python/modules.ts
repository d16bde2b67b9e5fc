/** The modules of the Python client that follow the OpenAPI document. */
import type { Document } from '../openapi.ts';
import { writeOperations } from './operations.ts';
import { literal } from './text.ts';
import { writeTypes } from './types.ts';

const made = (about: string, text: string): string =>
  `"""${about}\n\nMade by \`npm run clients\` from the OpenAPI document; not for editing.\n"""\n\n${text}`;

/** Returns the text of each module by the name of its file. */
export const writeModules = (document: Document): Readonly<Record<string, string>> => ({
  '_version.py': made(
    'The version of the API, which is that of this package.',
    `VERSION = ${literal(document.info.version)}\n`,
  ),
  'types.py': made('What the API takes and answers.', writeTypes(document)),
  '_operations.py': made('The calls of the API.', writeOperations(document)),
});

/** `npm run clients:python` writes the modules of the Python client that follow the OpenAPI document. */
import { writeFile } from 'node:fs/promises';
import { commandLine } from '../../../bench/command/main.ts';
import { makeDocument } from '../../../src/http/schemas/openapi/make-document.mjs';
import type { Document } from '../openapi.ts';
import { FOLDER, writeModules } from './modules.ts';

commandLine({
  name: 'npm run clients:python',
  about:
    'Writes the types and calls of clients/python from the OpenAPI document. Run it after a change of the API.',
  options: {},
  examples: [['', 'writes them; git diff shows what has changed']],
});

for (const [name, text] of Object.entries(writeModules((await makeDocument()) as Document)))
  await writeFile(new URL(name, FOLDER), text);

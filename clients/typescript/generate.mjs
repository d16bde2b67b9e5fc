/** Writes the generated files of the client: `npm run clients`. */
import { writeFile } from 'node:fs/promises';
import { makeDocument } from '../../src/http/schemas/openapi/make-document.mjs';
import { generatedFiles } from './generated.mjs';

const files = await generatedFiles(await makeDocument());
for (const [name, text] of Object.entries(files))
  await writeFile(new URL(`src/${name}`, import.meta.url), text);

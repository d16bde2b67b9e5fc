/** Writes `types.ts`, the types of the calls, from the OpenAPI document. */
import { writeFile } from 'node:fs/promises';
import openapiTypes, { astToString } from 'openapi-typescript';
import { makeDocument } from '../../http/schemas/openapi/make-document.mjs';

const types = astToString(await openapiTypes(await makeDocument()));
await writeFile(
  new URL('types.ts', import.meta.url),
  `/** Made by make-types.mjs from the OpenAPI document; not for editing. */\n\n${types}`,
);

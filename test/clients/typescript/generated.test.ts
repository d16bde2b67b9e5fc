import { readFile } from 'node:fs/promises';
import t from 'tap';
import { sharedApp } from '../../support/app/app.ts';

const { generatedFiles } = (await import(
  new URL('../../../clients/typescript/generated.mjs', import.meta.url).href
)) as { generatedFiles(document: object): Promise<Record<string, string>> };

t.test('the client matches the current OpenAPI document; otherwise run `npm run clients`', async (t) => {
  const { call } = await sharedApp();
  const document = JSON.parse((await call({ url: '/openapi.json' })).text);
  const generated = Object.entries(await generatedFiles(document));
  t.ok(generated.length > 0);
  for (const [name, text] of generated) {
    const written = await readFile(
      new URL(`../../../clients/typescript/src/${name}`, import.meta.url),
      'utf8',
    );
    t.ok(written === text, name);
  }
});

/** `npm run bench:export -- --url http://127.0.0.1:3000 --key tsr_… mix.js` writes a mix for another load generator. */
import { writeFile } from 'node:fs/promises';
import { createAim } from '../../test/servers/account.ts';
import { commandLine, misuseBy } from '../../test/support/command.ts';
import { TargetFault } from '../load/aim.ts';
import { checkRecipe } from '../load/correct.ts';
import { needsOf } from '../load/mix.ts';
import { recipeOf } from '../load/recipes.ts';
import { say } from '../say.ts';
import { EXPORT } from './options.ts';
import { FORMATS } from './scripts.ts';

const OWNER_ONLY = 0o600;

const write = async (): Promise<void> => {
  const { file, format, deployment, mix, requests } = commandLine(EXPORT).wanted;
  const { url, keys, loadTest } = deployment;
  const plain = await createAim(url, keys, Date.now().toString(36), needsOf(mix));
  const aim = loadTest === null ? plain : { ...plain, loadTest };
  for (const [name] of mix) await checkRecipe(name, recipeOf(name), url, aim);
  const { run, script } = FORMATS[format];
  await writeFile(file, await script({ url, mix, aim, requests }), { mode: OWNER_ONLY });
  say(`written: ${file}, which holds keys. Run it with\n  ${run(file, url)}`);
};

await write().catch(misuseBy(TargetFault));

/** `npm run bench:export -- --url http://127.0.0.1:3000 --key tsr_… mix.js` writes a mix for another load generator. */
import { writeFile } from 'node:fs/promises';
import { commandLine, misuseBy } from '../../test/support/command.ts';
import { TargetFault } from '../load/aim.ts';
import { aimAt, checkMix } from '../load/correct.ts';
import { say } from '../say.ts';
import { EXPORT } from './options.ts';
import { FORMATS } from './scripts.ts';

const OWNER_ONLY = 0o600;

const write = async (): Promise<void> => {
  const { file, format, deployment, mix, requests } = commandLine(EXPORT).wanted;
  const { url } = deployment;
  const aim = await aimAt(deployment, mix);
  await checkMix(mix, url, aim);
  const { run, script } = FORMATS[format];
  await writeFile(file, await script({ url, mix, aim, requests }), { mode: OWNER_ONLY });
  say(`written: ${file}, which holds keys. Run it with\n  ${run(file, url)}`);
};

await write().catch(misuseBy(TargetFault));

/** `npm run moving:links`; test/faults/links/imports.test.ts runs a shorter version. */
import { join } from 'node:path';
import { say } from '../../../bench/say.ts';
import { newKeyOf } from '../../links/moving/new-key.ts';
import { moveThereAndBack } from '../../links/moving/round-trip.ts';
import { inScope } from '../../servers/scope.ts';
import { ADMIN_TOKEN, startBackends, startGateway } from '../../servers/testbed.ts';
import { commandLine, whole } from '../../support/command.ts';

const { values } = commandLine({
  name: 'npm run moving:links',
  about:
    'Moves random links with rules, windows, limits and tags from one installation to another by the export and the import. Exits with 1 unless the exports of both are equal, and each link leads there where it led.',
  options: {
    links: whole('links that move', 10_000),
    seed: whole('the seed of the links', 1, 0),
  },
  examples: [['--links 500', 'a short run']],
});

await inScope(async (scope) => {
  const backends = await startBackends(scope);
  const start = async (name: string) => {
    const env = {
      DATABASE_URL: await backends.postgres.createDatabase(name),
      BATCH_STORE: join(backends.folder, name),
      PUBLIC_URL: 'http://qr.test',
      RENDER_THREADS: '1',
      RATE_LIMIT_PER_SECOND: '0',
      FREE_WORK_MS_PER_SECOND: '0',
    };
    const { url } = await startGateway(scope, backends, { database: name, env });
    return { url, key: await newKeyOf(url, ADMIN_TOKEN) };
  };
  const { faults, ...figures } = await moveThereAndBack({
    links: Number(values.links),
    seed: Number(values.seed),
    from: await start('before'),
    to: await start('after'),
    say,
  });
  say(JSON.stringify(figures));
  for (const fault of faults) say(`BROKEN: ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
});

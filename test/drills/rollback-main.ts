/**
 * `npm run drill:rollback -- <tag>` runs the build of a tag beside this one while the schema gains what a newer version may
 * add, starts it again on that schema, and sees it refuse one that it would not survive. Without a tag the older version is
 * this build itself.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { commandLine } from '../../bench/command/main.ts';
import { createAccount } from '../servers/account.ts';
import { inScope } from '../servers/scope.ts';
import { OWN_BUILD, startBackends } from '../servers/testbed.ts';
import { conclude, loadOf, loadOptions, say } from './drill.ts';
import { ADMIN_TOKEN, startGateway } from './gateways.ts';
import { drillRollback } from './rollback.ts';

const { values, positionals } = commandLine({
  name: 'npm run drill:rollback',
  operands: '[tag]',
  about:
    'Runs the build of a tag beside this one while the schema gains what a newer version may add, starts it again on that schema, and sees it refuse one that it would not survive. Without a tag the older version is this build itself. Ends with 1 when a call fails, or when the older version starts where it must not.',
  options: {
    ...loadOptions('load of each step'),
  },
  examples: [
    ['', 'this build as the older version'],
    ['v0.1.0 --seconds 30', 'a released version, which is checked out and built'],
  ],
});

/** Checks a tag out and builds it. Returns the folder of its build. */
const buildOf = (tag: string, folder: string): string => {
  const tree = join(folder, 'older');
  const run = (command: string, args: readonly string[], cwd = tree) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  run('git', ['clone', '--quiet', '--branch', tag, '--depth', '1', `file://${process.cwd()}`, tree], folder);
  run('npm', ['ci']);
  run('npm', ['run', '--silent', 'build']);
  return join(tree, 'dist');
};

await inScope(async (scope) => {
  const { folder, postgres, redis } = await startBackends(scope);
  const [tag] = positionals;
  const older = tag === undefined ? OWN_BUILD : buildOf(tag, folder);
  say(tag === undefined ? 'The older version is this build.' : `The older version is ${tag}.`);
  const stores = { DATABASE_URL: await postgres.createDatabase('drill'), REDIS_URL: redis.url };
  const first = await startGateway(scope, folder, stores, {}, older);
  const { key } = await createAccount(first.url, ADMIN_TOKEN, 'drill');
  const { calls, faults } = await drillRollback({
    databaseUrl: stores.DATABASE_URL,
    key,
    ...loadOf(values),
    url: first.url,
    startBeside: async () => {
      const again = await startGateway(scope, folder, stores, {}, older);
      const newer = await startGateway(scope, folder, stores);
      return [again.url, newer.url];
    },
    startRefused: () =>
      startGateway(scope, folder, stores, {}, older).then(
        () => 'it starts',
        (error: Error) => error.message,
      ),
  });
  say(`${calls} calls answered.`);
  conclude(faults, 'No call failed, and the older version refuses what it would not survive.');
});

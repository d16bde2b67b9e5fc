/** The connection that listens for changes, with a fake Postgres that answers when the test tells it to. */
import type postgres from 'postgres';
import t from 'tap';
import { listenForChanges } from '../../src/db/changes.ts';
import type { Hooks } from '../../src/db/client.ts';
import { until } from '../servers/until.ts';
import { silent } from '../support/silent-log.ts';

t.test('a heartbeat answered while the connection is being closed starts no further one', async (t) => {
  let beats = 0;
  let answer = () => {};
  const connect = (hooks: Hooks) =>
    ({
      unsafe: async () => {
        beats += 1;
        if (beats > 1) {
          await new Promise<void>((resolve) => {
            answer = resolve;
          });
        }
        hooks.onnotify?.('tessera_changes', 'beat');
      },
      end: async () => {},
    }) as unknown as postgres.Sql;
  const changes = await listenForChanges(connect, silent);
  t.equal(changes.live, true);
  await until(() => beats === 2);
  await changes.close();
  answer();
  await t.rejects(
    until(() => beats > 2, { deadlineMs: 2000 }),
    'there is no further heartbeat, which would come after a second',
  );
  t.equal(changes.live, false);
});

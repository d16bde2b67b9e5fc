/** The connection that listens for changes, with a fake Postgres that answers when the test tells it to. */
import type postgres from 'postgres';
import t, { type Test } from 'tap';
import type { Hooks } from '../../src/db/client.ts';
import { listenForChanges } from '../../src/db/listen.ts';
import { until } from '../servers/until.ts';
import { silent } from '../support/silent-log.ts';

/** A server whose connections answer each LISTEN with `answer`, and hear what is sent while `hears` is true. */
const createServer = (answer: () => Promise<unknown> = async () => {}) => {
  const open = new Set<Hooks>();
  const server = {
    listens: 0,
    opened: 0,
    hears: true,
    takes: true,
    connect(hooks: Hooks) {
      server.opened += 1;
      open.add(hooks);
      const unsafe = () => {
        server.listens += 1;
        return answer();
      };
      const end = async () => void open.delete(hooks);
      return { unsafe, end } as unknown as postgres.Sql;
    },
    async send(channel: string, payload: string) {
      if (!server.takes) throw new Error('too many queries wait for the database');
      if (server.hears) for (const { onnotify } of open) onnotify?.(channel, payload);
    },
  };
  return server;
};

const listenTo = async (t: Test, server: ReturnType<typeof createServer>) => {
  const changes = await listenForChanges(server.connect, server.send, silent);
  t.teardown(() => changes.close());
  return changes;
};

t.test('a heartbeat answered while the connection is being closed starts no further one', async (t) => {
  let answer = () => {};
  const server = createServer(async () => {
    if (server.listens > 1)
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
  });
  const changes = await listenTo(t, server);
  t.equal(changes.live, true);
  await until(() => server.listens === 2);
  await changes.close();
  answer();
  await t.rejects(
    until(() => server.listens > 2, { deadlineMs: 2000 }),
    'there is no further heartbeat, which would come after a second',
  );
  t.equal(changes.live, false);
});

t.test(
  'a connection that answers, but does not hear what is sent, is not live and is replaced',
  async (t) => {
    const server = createServer();
    server.hears = false;
    const changes = await listenTo(t, server);
    t.equal(changes.live, false, 'it has heard nothing yet');
    server.hears = true;
    await until(() => changes.live);
    const heard: string[] = [];
    changes.subscribe(({ kind }) => heard.push(kind));
    const { opened } = server;
    server.hears = false;
    await until(() => !changes.live);
    t.equal(server.opened, opened + 1);
    t.strictSame(heard, []);
    server.hears = true;
    await until(() => changes.live);
    t.strictSame(heard, ['everything'], 'caches drop what may have changed meanwhile');
  },
);

t.test('a heartbeat that the database does not take proves nothing', async (t) => {
  const server = createServer();
  const changes = await listenTo(t, server);
  server.takes = false;
  const { listens } = server;
  await until(() => server.listens > listens + 4);
  t.equal(changes.live, true);
  t.equal(server.opened, 1);
});

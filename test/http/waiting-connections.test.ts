/** Connections that come while the gateway does something else. */
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import t from 'tap';
import { startApp } from '../support/app/app.ts';

const SOMAXCONN = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
/** Twice as many as Node.js lets wait by itself. */
const CONNECTIONS = Math.min(1022, SOMAXCONN);
/** `TCP_SYN_SENT` of Linux, in the table of /proc/net/tcp: proc(5). */
const UNANSWERED = '02';

const { app } = await startApp(t, { HOST: '127.0.0.1', PORT: '0' });
await app.listen();
const { port } = app.gateway.server.address() as AddressInfo;

/** Connections to the gateway, by state. */
const statesOf = (): string[] =>
  readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote]) => remote?.endsWith(`:${port.toString(16).toUpperCase().padStart(4, '0')}`))
    .map(([, , , state]) => state!);

t.test(
  'a thousand connections at once wait in the kernel, so that none is tried again a second later',
  (t) => {
    // They are made in one turn of the event loop, in which the gateway accepts none.
    const sockets = Array.from({ length: CONNECTIONS }, () => connect({ port, host: '127.0.0.1' }));
    process.nextTick(() => {
      const states = statesOf();
      t.equal(states.length, CONNECTIONS);
      t.equal(states.filter((state) => state === UNANSWERED).length, 0);
      for (const socket of sockets) socket.destroy();
      t.end();
    });
  },
);

/** The watcher of a test app's answers sees whole answers, over a socket and with `inject`. */
import type { AddressInfo } from 'node:net';
import t from 'tap';
import type { TestScope } from '../../servers/server-process.ts';
import { bareGateway } from '../../support/app/bare-gateway.ts';
import type { Exchange } from '../../support/app/conformance.ts';
import { watchAnswers } from '../../support/app/watch-answers.ts';

const start = async (scope: TestScope) => {
  const gateway = bareGateway(scope);
  gateway.get('/thing', async (_, reply) => reply.header('x-a', 'b').code(201).send({ a: 1 }));
  gateway.get('/wrong', async () => ({ a: 1 }));
  const told: Exchange[] = [];
  const faults = watchAnswers(gateway, (exchange) => {
    told.push(exchange);
    if (exchange.url === '/wrong') throw new Error('the status is not documented');
  });
  await gateway.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
  return { gateway, url, told, faults };
};

t.test('an answer is checked with its status, headers and body', async (t) => {
  const { gateway, url, told, faults } = await start(t);
  await gateway.inject({ url: '/thing' });
  await (await fetch(`${url}/thing`)).text();
  const expected = { method: 'GET', url: '/thing', status: 201, headers: { 'x-a': 'b' }, json: { a: 1 } };
  t.match(told, [expected, expected]);
  for (const { headers, text } of told)
    t.match({ headers, text }, { headers: { 'content-type': /^application\/json/ }, text: '{"a":1}' });
  t.strictSame(faults, []);
});

t.test('an answer that does not match makes its call fail, or is reported at the end', async (t) => {
  const { gateway, url, faults } = await start(t);
  await t.rejects(gateway.inject('/wrong') as Promise<unknown>, /not documented/);
  t.strictSame(faults, []);
  t.equal((await fetch(`${url}/wrong`)).status, 200);
  t.match(faults, [/not documented/]);
});

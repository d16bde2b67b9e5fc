/** The list of attacks of `npm run bench:parts -- neighbours`. */
import t from 'tap';
import { startApp } from '../support/app/app.ts';
import { calledIn, differences } from './neighbours/neighbours.ts';

t.test('every route of the document has an attack or a reason for having none', async (t) => {
  const { call } = await startApp(t);
  const calls = calledIn((await call({ url: '/openapi.json' })).json as never);
  t.ok(calls.length > 100);
  t.strictSame(differences(calls), []);
  const added = { operationId: 'newCall', name: 'GET /api/v1/new' };
  t.strictSame(differences([...calls.slice(1), added]), ['newCall', calls[0]!.operationId]);
});

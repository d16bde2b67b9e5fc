/** The section `webhooks` of the document: every event, and the schema of its data. */
import t from 'tap';
import { EVENTS } from '../../../src/lists.ts';
import { TEST_EVENT } from '../../../src/webhooks/events.ts';
import { namesOf } from '../../../workers/lists.ts';
import { sharedApp } from '../../support/app/app.ts';
import { withoutRefs } from '../../support/app/conformance.ts';

interface Described {
  readonly post: {
    readonly security: readonly unknown[];
    readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
    readonly responses: object;
  };
}

interface Schema {
  readonly required: readonly string[];
  readonly properties: Readonly<
    Record<string, { readonly enum?: readonly string[]; readonly required?: readonly string[] }>
  >;
}

const { call } = await sharedApp();
const document = withoutRefs(JSON.parse((await call({ url: '/openapi.json' })).text)) as unknown as {
  readonly webhooks: Readonly<Record<string, Described>>;
  readonly paths: Readonly<Record<string, object>>;
};

t.test('the document describes the delivery of every event', async (t) => {
  t.strictSame(Object.keys(document.webhooks), [...namesOf(EVENTS), TEST_EVENT]);
  for (const [event, { post }] of Object.entries(document.webhooks)) {
    const { required, properties } = post.requestBody.content['application/json']!.schema;
    t.strictSame(required, ['type', 'timestamp', 'data'], event);
    t.ok(properties.type!.enum!.includes(event), event);
    t.ok(properties.data!.required!.length > 0, event);
    t.strictSame(post.security, [], 'no credentials are sent to a receiver');
    t.match(Object.keys(post.responses), ['2XX']);
  }
});

t.test('each event belongs to exactly one schema', async (t) => {
  const schemas = new Set(
    Object.values(document.webhooks).map(({ post }) => post.requestBody.content['application/json']!.schema),
  );
  const named = [...schemas].flatMap(({ properties }) => properties.type!.enum!);
  t.strictSame(named.sort(), Object.keys(document.webhooks).sort());
});

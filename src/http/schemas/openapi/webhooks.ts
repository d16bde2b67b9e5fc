/** What deliveries of webhooks say, for the OpenAPI document: one entry for each event of the list. */
import Type, { type TObject } from 'typebox';
import { namesOf } from '../../../../workers/lists.ts';
import { EVENTS, type WebhookEvent } from '../../../lists.ts';
import { orNull } from '../../../stored-json.ts';
import { TEST_EVENT } from '../../../webhooks/events.ts';
import { Timestamp, Uuid } from '../atoms.ts';
import { ForwardField } from '../forward.ts';

/** An event as the document describes it. */
interface Described {
  /** When it is sent. */
  readonly summary: string;
  /** The name of the schema of its deliveries, which several events may share. */
  readonly title: string;
  readonly data: TObject;
}

const Count = Type.Integer();

const batchEnd = (summary: string): Described => ({
  summary,
  title: 'BatchEvent',
  data: Type.Object({
    id: Uuid,
    state: Type.String(),
    reason: orNull(Type.String()),
    folder_id: orNull(Uuid),
    rows: Count,
    errors: Count,
    made: Count,
    failed: Count,
    duplicates: Count,
    refunded: Count,
    grades: Type.Array(Count),
    created_at: Timestamp,
    finished_at: Timestamp,
    expires_at: Timestamp,
  }),
});

const SCANS = { people: Count, bots: Count, previews: Count };

/** A link that an event names. */
const LINK = { slug: Type.String(), domain: orNull(Type.String()), short_url: Type.String() };

const ChangedLink = Type.Object({
  ...LINK,
  code_id: Uuid,
  changed: Type.Array(Type.String(), { description: 'The names of the changed fields.' }),
  destination: Type.String(),
  active_from: orNull(Timestamp),
  active_until: orNull(Timestamp),
  before_destination: orNull(Type.String()),
  after_destination: orNull(Type.String()),
  forward: ForwardField,
});

/** The events by their names. `sql/0010_webhooks.sql` writes their content, `withShortUrls` adds short URLs. */
export const DESCRIBED_EVENTS: Readonly<Record<WebhookEvent | typeof TEST_EVENT, Described>> = {
  'batch.done': batchEnd('A batch is done'),
  'batch.failed': batchEnd('A batch failed'),
  'batch.cancelled': batchEnd('A batch was cancelled'),
  'batch.expired': batchEnd('A batch expired'),
  'code.created': {
    summary: 'Codes are saved by a call or a batch',
    title: 'CodesEvent',
    data: Type.Object({
      folder_id: Uuid,
      key_id: orNull(Uuid),
      batch_id: orNull(Uuid),
      count: Count,
      ids: Type.Array(Uuid, { description: 'The first 100; empty for a batch.' }),
    }),
  },
  'link.changed': {
    summary: 'Short links are changed by a call',
    title: 'LinksEvent',
    data: Type.Object({
      change_id: orNull(Uuid),
      key_id: orNull(Uuid),
      count: Count,
      slugs: Type.Array(Type.String()),
      links: Type.Array(ChangedLink, { description: 'The first 10.' }),
    }),
  },
  'link_job.ended': {
    summary: 'A link job is done, has failed or was cancelled',
    title: 'LinkJobEvent',
    data: Type.Object({
      id: Uuid,
      kind: Type.String(),
      state: Type.String(),
      reason: orNull(Type.String()),
      dry_run: Type.Boolean(),
      rows: Count,
      made: Count,
      changed: Count,
      unchanged: Count,
      faults: Count,
      created_at: Timestamp,
      finished_at: Timestamp,
      expires_at: Timestamp,
    }),
  },
  scan: {
    summary: 'Short links were scanned; sent at most once a minute',
    title: 'ScansEvent',
    data: Type.Object({
      from: Timestamp,
      to: Timestamp,
      ...SCANS,
      links: Count,
      codes: Type.Array(Type.Object({ code_id: orNull(Uuid), ...LINK, ...SCANS }), {
        description: 'The 100 with the most scans by people.',
      }),
    }),
  },
  'key.created': {
    summary: 'A key is made',
    title: 'KeyEvent',
    data: Type.Object({
      id: Uuid,
      name: Type.String(),
      prefix: Type.String(),
      scopes: Type.Array(Type.String()),
      sandbox: Type.Boolean(),
      load_tests: Type.Boolean(),
      rate_limit_per_second: orNull(Count),
      monthly_quota: orNull(Count),
      expires_at: orNull(Timestamp),
      created_at: Timestamp,
      made_by: orNull(Uuid),
      replaced_by: orNull(Uuid),
    }),
  },
  'domain.verified': {
    summary: 'A domain is proved and served',
    title: 'DomainEvent',
    data: Type.Object({ id: Uuid, host: Type.String() }),
  },
  'domain.lapsed': {
    summary: 'A domain is no longer proved, and not served any more',
    title: 'DomainEvent',
    data: Type.Object({ id: Uuid, host: Type.String() }),
  },
  'link.first_scan': {
    summary: 'A person scans a short link for the first time',
    title: 'FirstScanEvent',
    data: Type.Object({
      ...LINK,
      code_id: Uuid,
      destination: Type.String(),
      scanned_at: Timestamp,
    }),
  },
  'link.limit_reached': {
    summary: 'A short link has led as many people as its `visit_limit`',
    title: 'LimitReachedEvent',
    data: Type.Object({
      ...LINK,
      code_id: Uuid,
      destination: Type.String(),
      visit_limit: Count,
      scanned_at: Timestamp,
    }),
  },
  'quota.low': {
    summary: 'Less than a fifth of the quota is left',
    title: 'QuotaEvent',
    data: Type.Object({
      period: Type.String({ format: 'date' }),
      monthly_quota: Count,
      monthly_used: Count,
      credits: Count,
      remaining: Count,
      resets_at: Timestamp,
    }),
  },
  [TEST_EVENT]: {
    summary: 'A test call requests it',
    title: 'TestEvent',
    data: Type.Object({ webhook_id: Uuid }),
  },
};

/** Every event that is sent. */
const SENT = [...namesOf(EVENTS), TEST_EVENT] as const;

const deliveryOf = ({ title, data }: Described) => {
  const types = SENT.filter((event) => DESCRIBED_EVENTS[event].title === title);
  return Type.Object({ type: Type.Enum(types), timestamp: Timestamp, data }, { title });
};

/** `batch.done` is `onBatchDone`. */
const nameOf = (event: string): string =>
  `on.${event}`.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());

const ANSWERS = { '2XX': { description: 'Received. Any other status is retried; a 410 stops deliveries.' } };

/** Returns the section `webhooks` of the document. */
export const describeWebhooks = () =>
  Object.fromEntries(
    SENT.map((event) => {
      const described = DESCRIBED_EVENTS[event];
      const content = { 'application/json': { schema: deliveryOf(described) } };
      const post = {
        operationId: nameOf(event),
        summary: described.summary,
        tags: ['Webhooks'],
        security: [],
        requestBody: { required: true, content },
        responses: ANSWERS,
      };
      return [event, { post }];
    }),
  );

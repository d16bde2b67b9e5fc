/** What deliveries of webhooks say, for the OpenAPI document: one entry for each event of the list. */
import Type, { type TObject } from 'typebox';
import { EVENTS, TEST_EVENT, type WebhookEvent } from '../../../webhooks/events.ts';
import { orNull, Timestamp, Uuid } from '../atoms.ts';

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
    refunded: Count,
    grades: Type.Array(Count),
    created_at: Timestamp,
    finished_at: Timestamp,
    expires_at: Timestamp,
  }),
});

/** The events by their names. `sql/0010_webhooks.sql` writes what they tell. */
export const DESCRIBED_EVENTS: Readonly<Record<WebhookEvent | typeof TEST_EVENT, Described>> = {
  'batch.done': batchEnd('A batch is done'),
  'batch.failed': batchEnd('A batch failed'),
  'batch.cancelled': batchEnd('A batch was cancelled'),
  'batch.expired': batchEnd('A batch expired'),
  'link.first_scan': {
    summary: 'A person scans a short link for the first time',
    title: 'FirstScanEvent',
    data: Type.Object({
      slug: Type.String(),
      code_id: Uuid,
      destination: Type.String(),
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
    summary: 'A test call asks for it',
    title: 'TestEvent',
    data: Type.Object({ webhook_id: Uuid }),
  },
};

/** Every event that is sent. */
const SENT = [...EVENTS, TEST_EVENT] as const;

const deliveryOf = ({ title, data }: Described) => {
  const types = SENT.filter((event) => DESCRIBED_EVENTS[event].title === title);
  return Type.Object({ type: Type.Enum(types), timestamp: Timestamp, data }, { title });
};

/** `batch.done` is `onBatchDone`. */
const nameOf = (event: string): string =>
  `on.${event}`.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());

const ANSWERS = { '2XX': { description: 'Received. Other answers are tried again; a 410 ends deliveries.' } };

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

/** The names that the service and its dashboard share, besides those of pictures (`workers/lists.ts`). Pure data. */

/** What scans are broken down by: columns of the table `scans`, with the dashboard's titles. */
export const BREAKDOWNS = {
  device: 'Devices',
  os: 'Operating systems',
  browser: 'Browsers',
  country: 'Countries',
  referrer_host: 'Referrers',
  rule: 'Rules',
} as const;
/** What scans are broken down by. */
export type Breakdown = keyof typeof BREAKDOWNS;
/** The value that stands for all others of a breakdown. None is called so: hosts have no brackets. */
export const OTHER = '(other)';

/**
 * Why a code was not made. `item`: its item in a bulk call is wrong. `row`: its row in a batch is wrong. `service`: a
 * fault of the service. `grade`: it is below the grade that the call requires.
 */
export type FailureCause = 'item' | 'row' | 'service' | 'grade';

/**
 * The policies of `QUOTA_REFUND`: which causes of failure refund the unit of an item or row, with the documentation's
 * wording. One below the required grade is always refunded.
 */
export const REFUND_POLICIES = {
  failed: { refunds: ['item', 'row', 'service'], meaning: 'all of them' },
  server: { refunds: ['service'], meaning: 'only those that failed through a fault of the service' },
  none: { refunds: [], meaning: 'none' },
} as const satisfies Readonly<
  Record<string, { readonly refunds: readonly Exclude<FailureCause, 'grade'>[]; readonly meaning: string }>
>;
/** A policy of `QUOTA_REFUND`. */
export type RefundPolicy = keyof typeof REFUND_POLICIES;

/** Whether the unit of an item or row that failed for `cause` is refunded. */
export const isRefunded = (policy: RefundPolicy, cause: FailureCause): boolean => {
  const { refunds }: { readonly refunds: readonly FailureCause[] } = REFUND_POLICIES[policy];
  return cause === 'grade' || refunds.includes(cause);
};

/** The events that webhooks can subscribe to, with the dashboard's wording. `sql/0010_webhooks.sql` emits them. */
export const EVENTS = {
  'batch.done': 'A batch is done',
  'batch.failed': 'A batch has failed',
  'batch.cancelled': 'A batch was cancelled',
  'batch.expired': 'A batch has expired',
  'code.created': 'Codes were saved',
  'link.changed': 'Short links were changed',
  'link_job.ended': 'A job that changes short links has ended',
  'link.first_scan': 'A short link was scanned for the first time',
  'link.limit_reached': 'A short link has reached its limit of visits',
  scan: 'Short links were scanned, once a minute',
  'key.created': 'A key was made',
  'domain.verified': 'A domain was proved',
  'domain.lapsed': 'A domain is no longer proved',
  'quota.low': 'Little quota is left',
} as const;
/** An event that webhooks can subscribe to. */
export type WebhookEvent = keyof typeof EVENTS;

/** A remainder below this share of the monthly quota, credits included, is low: on screens, and for `quota.low`. */
export const LOW_QUOTA_SHARE = 0.2;

/** The media types of the rows of a batch, by how they are written. */
export const ROW_MEDIA_TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
/** How the rows of a batch are written. */
export type RowFormat = keyof typeof ROW_MEDIA_TYPES;

/**
 * What the manifests of a batch are for. `spreadsheets`: a line for each file, and texts that no spreadsheet evaluates.
 * `indesign` and `labels`: a line for each row, and texts as they are, for data merge and for label software.
 */
export const MANIFEST_USES = ['spreadsheets', 'indesign', 'labels'] as const;
/** The encodings of manifests. `utf-16` is little endian; all but `utf-8` begin with a byte order mark. */
export const MANIFEST_ENCODINGS = ['utf-8', 'utf-8-bom', 'utf-16'] as const;
/** What separates the cells of their lines, by the name that callers use. */
export const MANIFEST_DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const;

/** How the manifests of a batch are written. */
export interface ManifestForm {
  readonly use: (typeof MANIFEST_USES)[number];
  readonly encoding: (typeof MANIFEST_ENCODINGS)[number];
  readonly delimiter: keyof typeof MANIFEST_DELIMITERS;
}

/** What each use has where the caller says nothing else. */
export const MANIFEST_FORMS: Readonly<Record<ManifestForm['use'], ManifestForm>> = {
  spreadsheets: { use: 'spreadsheets', encoding: 'utf-8', delimiter: 'comma' },
  indesign: { use: 'indesign', encoding: 'utf-16', delimiter: 'tab' },
  labels: { use: 'labels', encoding: 'utf-8-bom', delimiter: 'comma' },
};

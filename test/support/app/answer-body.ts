import type { PublicKey } from '../../../src/verify/receipt/jws.ts';
import type { Entry, Statement } from '../../../src/verify/receipt/statement.ts';

/** Numbers of scans in answers. */
export interface ScanNumbers {
  readonly people: number;
  readonly bots: number;
  readonly previews: number;
  readonly unique_visitors: number;
}

/** One item of a batch: its picture as a data URL and, of a dynamic one, its slug; or why it failed. */
export interface ItemResult {
  readonly success: boolean;
  readonly data: string;
  readonly slug: string;
  readonly error: string;
}

/** Usage in answers. */
export interface UsedUnits {
  readonly calls: number;
  readonly units: number;
  readonly monthly: number;
  readonly credits: number;
  readonly refunded: number;
  readonly refunded_late: number;
  readonly load_test_calls: number;
  readonly load_test_units: number;
}

/** Usage in an interval, by key or kind of call if requested. */
export interface UsageRow extends UsedUnits {
  readonly from: string;
  readonly key: { readonly id: string; readonly name: string | null; readonly prefix: string | null };
  readonly kind: string;
}

/**
 * The fields of the API's JSON answers that tests read, for all calls together. A test reads the fields of the answer
 * to its own call; `startApp` also checks every answer against the OpenAPI document.
 */
export interface AnswerBody {
  // Of short links.
  readonly active_from: string | null;
  readonly active_until: string | null;
  readonly before_destination: string | null;
  readonly after_destination: string | null;
  readonly forward: object | null;
  // Of verifications and receipts.
  readonly state: string;
  readonly read: number;
  readonly finished_at: string | null;
  readonly statement: Statement;
  readonly jws: string;
  readonly codes: readonly Entry[];
  readonly keys: readonly PublicKey[];
  // Of scan checks.
  readonly unread: number;
  readonly symbols: readonly {
    readonly result: string;
    readonly corners: readonly (readonly [number, number])[];
    readonly content: string | null;
    readonly content_cut: boolean;
    readonly code: { readonly id: string } | null;
  }[];
  readonly unread_codes: readonly {
    readonly id: string;
    readonly name: string | null;
    readonly content: string;
  }[];
  // Of link jobs.
  readonly rows: number;
  readonly handled: number;
  readonly changed: number;
  readonly dry_run: boolean;
  readonly unchanged: number;
  readonly left_out: readonly object[];
  readonly undoable: boolean;
  // Of batches.
  readonly made: number;
  readonly grades: readonly number[];
  readonly refunded: number;
  // Of presets.
  readonly is_default: boolean;
  readonly options: object;
  // Of domains.
  readonly host: string;
  readonly domain: string | null;
  // Of links and rule sets.
  readonly code_id: string;
  readonly folder: string;
  readonly rules: readonly object[];
  readonly rule_set_id: string | null;
  // Of webhooks.
  readonly url: string;
  readonly events: readonly string[];
  readonly secret: string;
  readonly failures: number;
  readonly event: string;
  readonly tries: number;
  readonly next_at: string | null;
  readonly duration_ms: number | null;
  readonly status: number | null;
  readonly answer: string | null;
  readonly answer_headers: Readonly<Record<string, string>> | null;
  readonly missed: number;
  readonly next_since: string | null;
  // Of usage over time.
  readonly before: object | null;
  // Of events and histories.
  readonly at: string;
  readonly type: string;
  readonly deliveries: readonly { readonly webhook_id: string; readonly state: string }[];
  readonly complete_since: string;
  // Of refusals.
  readonly error: string;
  readonly details: string;
  readonly faults?: readonly { readonly field: string; readonly message: string }[];
  readonly readings: readonly { readonly encoding: string; readonly text: string }[];
  readonly encoding: string;
  /** The items of a page. The answer to a single call has a data URL here: see `pictureOf`. */
  readonly data: readonly AnswerBody[];
  readonly next_cursor: string | null;
  // Saved objects.
  readonly id: string;
  /** `null` for a code without a name. */
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly etag: string;
  readonly deleted_at: string;
  readonly made_count: number;
  readonly code_count: number;
  readonly folder_id: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly external_id: string | null;
  readonly dynamic: boolean;
  readonly design: Readonly<Record<string, unknown>>;
  readonly slug: string;
  readonly destination: string;
  readonly short_url: string;
  readonly scan_count: number;
  readonly scans: { readonly people: number; readonly bots: number; readonly previews: number };
  readonly change_id: string | null;
  readonly grade: number;
  /** The warnings of a saved code. A check has a list of objects instead. */
  readonly warnings: string;
  // Checks.
  readonly parameters: Readonly<Record<string, number>>;
  readonly symbol: { readonly version: number; readonly level: string; readonly modules: number };
  readonly print: { readonly min_width_mm: Readonly<Record<'0.33' | '0.5', number>> };
  // Of the short links of a folder or of chosen codes.
  readonly links: number;
  readonly people: number;
  // Accounts, keys and sessions.
  readonly plan: string;
  readonly credits: number;
  readonly monthly_quota: number;
  readonly dead_link_url: string | null;
  readonly redirect_max_age_s: number;
  readonly account: { readonly plan: string };
  readonly key: string;
  readonly scopes: readonly string[];
  readonly rate_limit_per_second: number | null;
  readonly prefix: string;
  readonly expires_at: string;
  readonly key_id: string;
  readonly replaced_by: string | null;
  readonly secret_id: string;
  // Usage, in accounts and by itself.
  readonly usage: { readonly usage_count: number; readonly remaining: number };
  readonly usage_count: number;
  readonly monthly_used: number;
  readonly remaining: number;
  /** The total of usage over time, whose rows are `UsageRow`s. */
  readonly total: UsedUnits;
  // Pictures.
  readonly results: readonly ItemResult[];
  readonly meta: {
    readonly usage_count: number;
    readonly remaining: number;
    readonly strategy: string;
    readonly folder_id: string;
    readonly total: number;
    readonly successful: number;
    readonly failed: number;
  };
  // Scans.
  readonly from: string;
  readonly to: string;
  readonly totals: ScanNumbers;
  readonly time_zone: string;
  readonly series: readonly (ScanNumbers & { readonly start: string })[];
  readonly hours: readonly (ScanNumbers & { readonly weekday: number; readonly hour: number })[];
  readonly breakdowns: Readonly<Record<string, readonly (ScanNumbers & { readonly value: string })[]>>;
}

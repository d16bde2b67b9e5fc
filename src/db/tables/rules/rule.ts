/** What rules say, as calls write them and as they are stored. */

/** What a visit must be like: all that is named must hold. `src/http/schemas/rules/rules.ts` has the bounds. */
export interface Conditions {
  readonly device?: readonly ('ios' | 'android' | 'desktop')[];
  /** Language ranges (RFC 4647, 2.1). */
  readonly language?: readonly string[];
  readonly country?: readonly string[];
  readonly region?: readonly string[];
  readonly city?: readonly string[];
  /** Values of each parameter; none: any value. */
  readonly query?: Readonly<Record<string, readonly string[]>>;
  readonly time?: {
    readonly zone: string;
    readonly weekdays?: readonly ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
    readonly from?: string;
    readonly until?: string;
  };
  readonly date?: { readonly from?: string; readonly until?: string };
  readonly visit?: 'first' | 'later';
  readonly share_percent?: number;
}

export type ConditionName = keyof Conditions;

/** A rule of a link or a rule set. */
export interface Rule {
  /** Its name in scans. */
  readonly name: string;
  readonly when: Conditions;
  readonly destination: string;
}

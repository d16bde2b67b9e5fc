/** What the names in templates and captions of a batch stand for, besides columns. */

/** Fields of a row that a template may name. */
const OWN_TEXTS = ['data', 'external_id', 'name', 'slug'] as const;
type OwnText = (typeof OWN_TEXTS)[number];

/** Whether a name is a row field that a template may use, and so not a counter unless the options say so. */
export const isOwnText = (name: string): name is OwnText => (OWN_TEXTS as readonly string[]).includes(name);

/** The names in templates that are counters, and the names of these counters. */
export type Counters = Readonly<Record<string, string>>;

/** Looks up what a row gets from a counter. */
export type CounterNumber = (counter: string) => number;

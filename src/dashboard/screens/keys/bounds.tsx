/** What bounds a key, as people type it. */
import type { Key } from '../../api/shapes.ts';
import { Input, UnitsInput } from '../../ui/fields.tsx';

/** Returns the last moment of a day in the reader's time zone; a date input writes `YYYY-MM-DD`. */
export const endOfDay = (date: string): Date => new Date(`${date}T23:59:59`);

/** Returns the day of a moment in the reader's time zone, as a date input writes it. */
const dayOf = (iso: string): string => {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
};

/** What is typed; empty stands for no bound. */
export type BoundsDraft = Readonly<Record<'perSecond' | 'units' | 'lastDay', string>>;

/** No bounds. */
export const UNBOUNDED: BoundsDraft = { perSecond: '', units: '', lastDay: '' };

/** Returns the bounds of a key as they are typed. */
export const draftOf = (key: Key): BoundsDraft => ({
  perSecond: key.rate_limit_per_second === null ? '' : String(key.rate_limit_per_second),
  units: key.monthly_quota === null ? '' : String(key.monthly_quota),
  lastDay: key.expires_at === null ? '' : dayOf(key.expires_at),
});

/** Bounds as the service takes them. */
export interface Bounds {
  readonly rate_limit_per_second?: number | null;
  readonly monthly_quota?: number | null;
  readonly expires_at?: string | null;
}

const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text));

/** Returns the bounds that differ from what they were before. */
export const changedBounds = (draft: BoundsDraft, before: BoundsDraft): Bounds => ({
  ...(draft.perSecond === before.perSecond ? {} : { rate_limit_per_second: numberOrNull(draft.perSecond) }),
  ...(draft.units === before.units ? {} : { monthly_quota: numberOrNull(draft.units) }),
  ...(draft.lastDay === before.lastDay
    ? {}
    : { expires_at: draft.lastDay === '' ? null : endOfDay(draft.lastDay).toISOString() }),
});

interface BoundsInputsProps {
  readonly draft: BoundsDraft;
  readonly onDraft: (draft: BoundsDraft) => void;
  /** A sandbox key pays nothing, and so has no quota. */
  readonly isSandbox: boolean;
}

/** Asks for the bounds of a key. */
export const BoundsInputs = ({ draft, onDraft, isSandbox }: BoundsInputsProps) => {
  const set = (name: keyof BoundsDraft) => (text: string) => onDraft({ ...draft, [name]: text });
  return (
    <>
      <UnitsInput
        label="Requests a second"
        hint="empty: the limit of the account"
        min={1}
        value={draft.perSecond}
        onText={set('perSecond')}
      />
      {!isSandbox && (
        <UnitsInput
          label="Units a month"
          hint="empty: the quota of the account"
          value={draft.units}
          onText={set('units')}
        />
      )}
      <Input
        type="date"
        label="Last day"
        hint="empty: it never expires"
        min={dayOf(new Date().toISOString())}
        value={draft.lastDay}
        onText={set('lastDay')}
      />
    </>
  );
};

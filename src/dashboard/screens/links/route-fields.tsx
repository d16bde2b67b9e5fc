import type { ComponentChildren } from 'preact';
import { faultOfUrl } from '../../ui/forms/address-form.tsx';

/** What is typed into the fields that say when a link leads where. Empty texts stand for none. */
export interface RouteTexts {
  readonly destination: string;
  readonly from: string;
  readonly until: string;
  readonly before: string;
  readonly after: string;
}

/** Returns what is wrong with the texts, before the service is asked; `null` when nothing is. */
export const faultOfTexts = ({
  from,
  until,
  before,
  after,
}: Omit<RouteTexts, 'destination'>): string | null => {
  if (from !== '' && until !== '' && from >= until) return 'The end must come after the start.';
  const wrong = [before, after].filter((url) => url !== '').map(faultOfUrl);
  return wrong.find((fault) => fault !== null) ?? null;
};

/** A labelled field for a time in the reader's time zone. */
export const TimeField = ({
  label,
  text,
  onText,
}: {
  readonly label: ComponentChildren;
  readonly text: string;
  readonly onText: (text: string) => void;
}) => (
  <label>
    {label}
    <input
      type="datetime-local"
      max="9998-12-31T23:59"
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  </label>
);

/** A labelled field for an address. */
export const UrlField = ({
  label,
  text,
  placeholder,
  onText,
}: {
  readonly label: ComponentChildren;
  readonly text: string;
  readonly placeholder?: string;
  readonly onText: (text: string) => void;
}) => (
  <label>
    {label}
    <input
      value={text}
      inputMode="url"
      maxLength={4296}
      placeholder={placeholder}
      onInput={(event) => onText(event.currentTarget.value)}
    />
  </label>
);

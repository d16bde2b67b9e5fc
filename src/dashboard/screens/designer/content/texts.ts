/** The texts that the cameras of phones understand. Each is `ok`, or says what is missing. */
import { ok, type Result, refused } from '../../../../result.ts';

/** A text, or what a person has to enter first. */
export type Text = Result<string, string>;

const escaped = (text: string, special: RegExp): string => text.replace(special, '\\$&');

/** Returns a text of vCard 3.0 or iCalendar: `\`, `;` and `,` escaped, line breaks as `\n` (RFC 2426, RFC 5545). */
const textValue = (text: string): string => escaped(text, /[\\;,]/g).replace(/\r\n?|\n/g, '\\n');

/** A value that takes no escapes stands on one line. */
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

/** Whether a text looks like a web address without its scheme, for example `example.com/menu`. */
export const lacksScheme = (text: string): boolean =>
  !/^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) && /^[^\s/?#@]+\.[^\s/?#@.\d][^\s/?#@.]*([/?#]|$)/.test(text);

/** How a wireless network is protected. */
export type Security = 'WPA' | 'WEP' | 'nopass';

/** Joins a wireless network: the form of ZXing, which Android and iOS read. */
export const wifiText = (network: {
  readonly ssid: string;
  readonly password: string;
  readonly security: Security;
  readonly hidden: boolean;
}): Text => {
  const { ssid, password, security, hidden } = network;
  if (ssid === '') return refused('Enter the name of the network.');
  if (security !== 'nopass' && password === '') return refused('Enter the password.');
  const value = (text: string) => escaped(text, /[\\;,":]/g);
  const secret = security === 'nopass' ? '' : `P:${value(password)};`;
  return ok(`WIFI:T:${security};S:${value(ssid)};${secret}${hidden ? 'H:true;' : ''};`);
};

/** A person or a company. Empty fields are left out. */
export interface Contact {
  readonly first: string;
  readonly last: string;
  readonly organization: string;
  readonly title: string;
  readonly phone: string;
  readonly email: string;
  readonly url: string;
  readonly street: string;
  readonly postcode: string;
  readonly city: string;
  readonly country: string;
}

/** Saves a contact: vCard 3.0, which more phones read than 4.0. */
export const contactText = (of: Contact): Text => {
  const name = [of.first, of.last].filter((part) => part !== '').join(' ') || of.organization;
  if (name === '') return refused('Enter a name or an organization.');
  const place = [of.street, of.city, of.postcode, of.country];
  const [street, city, postcode, country] = place.map(textValue);
  const lines: readonly (readonly [line: string, isKept: boolean])[] = [
    ['BEGIN:VCARD', true],
    ['VERSION:3.0', true],
    [`N:${textValue(of.last)};${textValue(of.first)};;;`, true],
    [`FN:${textValue(name)}`, true],
    [`ORG:${textValue(of.organization)}`, of.organization !== ''],
    [`TITLE:${textValue(of.title)}`, of.title !== ''],
    [`TEL;TYPE=CELL:${textValue(of.phone)}`, of.phone !== ''],
    [`EMAIL:${textValue(of.email)}`, of.email !== ''],
    [`URL:${oneLine(of.url)}`, of.url !== ''],
    [`ADR:;;${street};${city};;${postcode};${country}`, place.some((part) => part !== '')],
    ['END:VCARD', true],
  ];
  return ok(lines.flatMap(([line, isKept]) => (isKept ? [line] : [])).join('\r\n'));
};

/** Writes an e-mail: a `mailto` address (RFC 6068). */
export const emailText = (mail: {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}): Text => {
  const at = mail.to.lastIndexOf('@');
  if (at < 1 || at === mail.to.length - 1) return refused('Enter the e-mail address.');
  const encode = (text: string) =>
    encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd').replace(/\r\n?|\n/g, '\r\n'));
  const to = `${encode(mail.to.slice(0, at))}@${encode(mail.to.slice(at + 1))}`;
  const query = [
    ['subject', mail.subject],
    ['body', mail.body],
  ].flatMap(([name, value = '']) => (value === '' ? [] : [`${name}=${encode(value)}`]));
  return ok(`mailto:${to}${query.length === 0 ? '' : `?${query.join('&')}`}`);
};

/** Returns what a telephone dials of a number, without the spaces and signs that people write; '' without a digit. */
const dialled = (number: string): string =>
  /\d/.test(number) ? number.replace(/[^\d*#+]/g, '').replace(/(?!^)\+/g, '') : '';

/** Calls a number: a `tel` address (RFC 3966). */
export const phoneText = (number: string): Text => {
  const digits = dialled(number);
  return digits === '' ? refused('Enter the number.') : ok(`tel:${digits.replaceAll('#', '%23')}`);
};

/** Writes a text message: the form of ZXing, which Android and iOS read. */
export const messageText = (number: string, message: string): Text => {
  const digits = dialled(number);
  return digits === '' ? refused('Enter the number.') : ok(`SMSTO:${digits}:${message}`);
};

/** Returns degrees with six decimals, which are eleven centimetres; `null` for what is no number within the limit. */
const degrees = (text: string, limit: number): string | null => {
  const value = text === '' ? Number.NaN : Number(text.replace(',', '.'));
  // Adding zero turns -0 into 0.
  return Math.abs(value) <= limit ? String(Number(value.toFixed(6)) + 0) : null;
};

/** Shows a place on a map: a `geo` address (RFC 5870). */
export const placeText = (latitude: string, longitude: string): Text => {
  const [north, east] = [degrees(latitude, 90), degrees(longitude, 180)];
  if (north === null) return refused('Enter the latitude, from -90 to 90.');
  if (east === null) return refused('Enter the longitude, from -180 to 180.');
  return ok(`geo:${north},${east}`);
};

/** Returns a time of this browser's time zone, `2026-05-01T18:00`, as UTC of iCalendar; `null` for none. */
const utc = (local: string): string | null => {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? null : `${time.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
};

/** An entry of a calendar. Times are those of this browser's time zone, as its inputs give them. */
export interface CalendarEntry {
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly location: string;
  readonly notes: string;
}

/** Saves an event: a `VEVENT` of iCalendar (RFC 5545), with times in UTC. */
export const eventText = ({ title, start, end, location, notes }: CalendarEntry): Text => {
  const [from, until] = [utc(start), utc(end)];
  if (title === '') return refused('Enter the title.');
  if (from === null) return refused('Enter when it starts.');
  if (until !== null && until <= from) return refused('It must end after its start.');
  const lines: readonly (readonly [line: string, isKept: boolean])[] = [
    ['BEGIN:VEVENT', true],
    [`SUMMARY:${textValue(title)}`, true],
    [`DTSTART:${from}`, true],
    [`DTEND:${until}`, until !== null],
    [`LOCATION:${textValue(location)}`, location !== ''],
    [`DESCRIPTION:${textValue(notes)}`, notes !== ''],
    ['END:VEVENT', true],
  ];
  return ok(lines.flatMap(([line, isKept]) => (isKept ? [line] : [])).join('\r\n'));
};

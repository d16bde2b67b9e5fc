/** The kinds of content: the fields of each, and the text that they become, which the cameras of phones understand. */
import { ok, type Result, refused } from '../../../../result.ts';
import { say } from '../../../words/say.ts';

/** A text, or what a person has to enter first. */
export type Text = Result<string, string>;

/** Returns what was entered in a field; '' for nothing. */
export type Entered = (name: string) => string;

const escaped = (text: string, special: RegExp): string => text.replace(special, '\\$&');

/** Returns a text of vCard 3.0 or iCalendar: `\`, `;` and `,` escaped, line breaks as `\n` (RFC 2426, RFC 5545). */
const textValue = (text: string): string => escaped(text, /[\\;,]/g).replace(/\r\n?|\n/g, '\\n');

/** A value that takes no escapes stands on one line. */
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

/** Whether a text looks like a web address without its scheme, for example `example.com/menu`. */
export const lacksScheme = (text: string): boolean =>
  !/^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) && /^[^\s/?#@]+\.[^\s/?#@.\d][^\s/?#@.]*([/?#]|$)/.test(text);

/** Joins the lines that have something in them, as vCard and iCalendar do. */
const linesOf = (lines: readonly (readonly [name: string, value: string])[]): Text =>
  ok(lines.flatMap(([name, value]) => (value === '' ? [] : [`${name}:${value}`])).join('\r\n'));

/** Joins a wireless network: the form of ZXing, which Android and iOS read. */
export const wifiText = (of: Entered): Text => {
  const security = of('security') || 'WPA';
  if (of('ssid') === '') return refused(say('Enter the name of the network.'));
  if (security !== 'nopass' && of('password') === '') return refused(say('Enter the password.'));
  const value = (name: string) => escaped(of(name), /[\\;,":]/g);
  const secret = security === 'nopass' ? '' : `P:${value('password')};`;
  return ok(`WIFI:T:${security};S:${value('ssid')};${secret}${of('hidden') === '' ? '' : 'H:true;'};`);
};

/** Saves a contact, a person or a company: vCard 3.0, which more phones read than 4.0. */
export const contactText = (of: Entered): Text => {
  const value = (name: string) => textValue(of(name));
  const name = [of('first'), of('last')].filter((part) => part !== '').join(' ') || of('organization');
  if (name === '') return refused(say('Enter a name or an organization.'));
  const [street, city, postcode, country] = ['street', 'city', 'postcode', 'country'].map(value);
  return linesOf([
    ['BEGIN', 'VCARD'],
    ['VERSION', '3.0'],
    ['N', `${value('last')};${value('first')};;;`],
    ['FN', textValue(name)],
    ['ORG', value('organization')],
    ['TITLE', value('title')],
    ['TEL;TYPE=CELL', value('phone')],
    ['EMAIL', value('email')],
    ['URL', oneLine(of('url'))],
    ['ADR', `${street}${city}${postcode}${country}` && `;;${street};${city};;${postcode};${country}`],
    ['END', 'VCARD'],
  ]);
};

/** Writes an e-mail: a `mailto` address (RFC 6068). */
export const emailText = (of: Entered): Text => {
  const address = of('to').trim();
  const at = address.lastIndexOf('@');
  if (at < 1 || at === address.length - 1) return refused(say('Enter the e-mail address.'));
  const encode = (text: string) =>
    encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd').replace(/\r\n?|\n/g, '\r\n'));
  const to = `${encode(address.slice(0, at))}@${encode(address.slice(at + 1))}`;
  const query = ['subject', 'body'].flatMap((name) =>
    of(name) === '' ? [] : [`${name}=${encode(of(name))}`],
  );
  return ok(`mailto:${to}${query.length === 0 ? '' : `?${query.join('&')}`}`);
};

/** Returns what a telephone dials of a number, without the spaces and signs that people write; '' without a digit. */
const keepDialledSigns = (number: string): string =>
  /\d/.test(number) ? number.replace(/[^\d*#+]/g, '').replace(/(?!^)\+/g, '') : '';

/** Calls a number: a `tel` address (RFC 3966). */
export const phoneText = (of: Entered): Text => {
  const digits = keepDialledSigns(of('number'));
  return digits === '' ? refused(say('Enter the number.')) : ok(`tel:${digits.replaceAll('#', '%23')}`);
};

/** Writes a text message: the form of ZXing, which Android and iOS read. */
export const messageText = (of: Entered): Text => {
  const digits = keepDialledSigns(of('number'));
  return digits === '' ? refused(say('Enter the number.')) : ok(`SMSTO:${digits}:${of('message')}`);
};

/** Returns degrees with six decimals, which are eleven centimetres; `null` for anything else than a number within the limit. */
const degrees = (text: string, limit: number): string | null => {
  const value = text === '' ? Number.NaN : Number(text.replace(',', '.'));
  // Adding zero turns -0 into 0.
  return Math.abs(value) <= limit ? String(Number(value.toFixed(6)) + 0) : null;
};

/** Shows a place on a map: a `geo` address (RFC 5870). */
export const placeText = (of: Entered): Text => {
  const [north, east] = [degrees(of('latitude').trim(), 90), degrees(of('longitude').trim(), 180)];
  if (north === null) return refused(say('Enter the latitude, from -90 to 90.'));
  if (east === null) return refused(say('Enter the longitude, from -180 to 180.'));
  return ok(`geo:${north},${east}`);
};

/** Returns a time of this browser's time zone, `2026-05-01T18:00`, as UTC of iCalendar; `null` for none. */
const utc = (local: string): string | null => {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? null : `${time.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
};

/** Saves an event: a `VEVENT` of iCalendar (RFC 5545), with times in UTC. */
export const eventText = (of: Entered): Text => {
  const [from, until] = [utc(of('start')), utc(of('end'))];
  if (of('title') === '') return refused(say('Enter the title.'));
  if (from === null) return refused(say('Enter when it starts.'));
  if (until !== null && until <= from) return refused(say('It must end after its start.'));
  return linesOf([
    ['BEGIN', 'VEVENT'],
    ['SUMMARY', textValue(of('title'))],
    ['DTSTART', from],
    ['DTEND', until ?? ''],
    ['LOCATION', textValue(of('location'))],
    ['DESCRIPTION', textValue(of('notes'))],
    ['END', 'VEVENT'],
  ]);
};

export interface KindField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly input:
    | 'text'
    | 'url'
    | 'email'
    | 'tel'
    | 'numeric'
    | 'decimal'
    | 'date'
    | 'datetime-local'
    | 'area'
    | 'check'
    | 'choice';
  /** The values and names of a choice. */
  readonly options?: readonly (readonly [value: string, name: string])[];
  /** Whether it takes a whole row. */
  readonly wide?: boolean;
}

export interface Kind {
  readonly id: string;
  readonly name: string;
  readonly fields: readonly KindField[];
  readonly toText: (of: Entered) => Text;
}

const asTyped = (text: string, missing: string): Text => (text.trim() === '' ? refused(missing) : ok(text));

/** A web address, the only kind whose destination can be changed after printing. */
export const ADDRESS: Kind = {
  id: 'address',
  name: say('Link'),
  fields: [{ name: 'url', label: say('Web address'), input: 'url', wide: true }],
  toText: (of) => asTyped(of('url').trim(), say('Enter the address.')),
};

/** Any text as it is typed. */
export const TEXT: Kind = {
  id: 'text',
  name: say('Text'),
  fields: [{ name: 'text', label: say('Content'), input: 'area', wide: true }],
  toText: (of) => asTyped(of('text'), say('Enter the text.')),
};

const NUMBER: KindField = {
  name: 'number',
  label: say('Telephone number'),
  hint: say('with the country code, +49 …'),
  input: 'tel',
};

/** Numbers of GS1. Its form, with the rules, is loaded when it is first shown, and reads what a saved code has in `data`. */
export const GS1: Kind = {
  id: 'gs1',
  name: 'GS1',
  fields: [{ name: 'data', label: say('Content'), input: 'text' }],
  toText: () => refused(say('Enter the GTIN.')),
};

/** All kinds, in the order in which they are offered. */
export const KINDS: readonly Kind[] = [
  ADDRESS,
  TEXT,
  {
    id: 'wifi',
    name: say('Wi-Fi'),
    fields: [
      { name: 'ssid', label: say('Network name'), input: 'text' },
      { name: 'password', label: say('Password'), input: 'text' },
      {
        name: 'security',
        label: say('Security'),
        input: 'choice',
        options: [
          ['WPA', say('WPA, WPA2 or WPA3')],
          ['WEP', 'WEP'],
          ['nopass', say('None')],
        ],
      },
      { name: 'hidden', label: say('The network is hidden'), input: 'check' },
    ],
    toText: wifiText,
  },
  {
    id: 'contact',
    name: say('Contact'),
    fields: [
      { name: 'first', label: say('First name'), input: 'text' },
      { name: 'last', label: say('Last name'), input: 'text' },
      { name: 'organization', label: say('Organization'), input: 'text' },
      { name: 'title', label: say('Job title'), input: 'text' },
      { name: 'phone', label: say('Telephone'), input: 'tel' },
      { name: 'email', label: say('E-mail'), input: 'email' },
      { name: 'url', label: say('Website'), input: 'url', wide: true },
      { name: 'street', label: say('Street'), input: 'text', wide: true },
      { name: 'postcode', label: say('Postcode'), input: 'text' },
      { name: 'city', label: say('City'), input: 'text' },
      { name: 'country', label: say('Country'), input: 'text' },
    ],
    toText: contactText,
  },
  {
    id: 'email',
    name: say('E-mail'),
    fields: [
      { name: 'to', label: say('To'), input: 'email' },
      { name: 'subject', label: say('Subject'), input: 'text' },
      { name: 'body', label: say('Message'), input: 'area', wide: true },
    ],
    toText: emailText,
  },
  {
    id: 'phone',
    name: say('Call'),
    fields: [{ ...NUMBER, wide: true }],
    toText: phoneText,
  },
  {
    id: 'message',
    name: 'SMS',
    fields: [NUMBER, { name: 'message', label: say('Message'), input: 'area', wide: true }],
    toText: messageText,
  },
  {
    id: 'place',
    name: say('Place'),
    fields: [
      { name: 'latitude', label: say('Latitude'), hint: say('as in 52.5163'), input: 'decimal' },
      { name: 'longitude', label: say('Longitude'), hint: say('as in 13.3777'), input: 'decimal' },
    ],
    toText: placeText,
  },
  {
    id: 'event',
    name: say('Calendar event'),
    fields: [
      { name: 'title', label: say('Title'), input: 'text', wide: true },
      { name: 'start', label: say('Starts'), input: 'datetime-local' },
      { name: 'end', label: say('Ends'), hint: 'optional', input: 'datetime-local' },
      { name: 'location', label: say('Place'), input: 'text', wide: true },
      { name: 'notes', label: say('Notes'), input: 'area', wide: true },
    ],
    toText: eventText,
  },
  GS1,
];

/** Returns the kind in whose form a saved content is shown: GS1 data, an address, or else a text. */
export const kindOf = (content: string, isGs1: boolean): Kind => {
  if (isGs1) return GS1;
  return content === '' || /^https?:\/\//i.test(content) ? ADDRESS : TEXT;
};

/** The kinds of content: the fields of each, and the text that they become. */
import { ok, refused } from '../../../../result.ts';
import {
  contactText,
  type Entered,
  emailText,
  eventText,
  messageText,
  phoneText,
  placeText,
  type Text,
  wifiText,
} from './texts.ts';

/** One field of a form. */
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

/** A kind of content. */
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
  name: 'Link',
  fields: [{ name: 'url', label: 'Web address', input: 'url', wide: true }],
  toText: (of) => asTyped(of('url').trim(), 'Enter the address.'),
};

/** Any text as it is typed. */
export const TEXT: Kind = {
  id: 'text',
  name: 'Text',
  fields: [{ name: 'text', label: 'Content', input: 'area', wide: true }],
  toText: (of) => asTyped(of('text'), 'Enter the text.'),
};

const WIFI: Kind = {
  id: 'wifi',
  name: 'Wi-Fi',
  fields: [
    { name: 'ssid', label: 'Network name', input: 'text' },
    { name: 'password', label: 'Password', input: 'text' },
    {
      name: 'security',
      label: 'Security',
      input: 'choice',
      options: [
        ['WPA', 'WPA, WPA2 or WPA3'],
        ['WEP', 'WEP'],
        ['nopass', 'None'],
      ],
    },
    { name: 'hidden', label: 'The network is hidden', input: 'check' },
  ],
  toText: wifiText,
};

const CONTACT: Kind = {
  id: 'contact',
  name: 'Contact',
  fields: [
    { name: 'first', label: 'First name', input: 'text' },
    { name: 'last', label: 'Last name', input: 'text' },
    { name: 'organization', label: 'Organization', input: 'text' },
    { name: 'title', label: 'Job title', input: 'text' },
    { name: 'phone', label: 'Telephone', input: 'tel' },
    { name: 'email', label: 'E-mail', input: 'email' },
    { name: 'url', label: 'Website', input: 'url', wide: true },
    { name: 'street', label: 'Street', input: 'text', wide: true },
    { name: 'postcode', label: 'Postcode', input: 'text' },
    { name: 'city', label: 'City', input: 'text' },
    { name: 'country', label: 'Country', input: 'text' },
  ],
  toText: contactText,
};

const EMAIL: Kind = {
  id: 'email',
  name: 'E-mail',
  fields: [
    { name: 'to', label: 'To', input: 'email' },
    { name: 'subject', label: 'Subject', input: 'text' },
    { name: 'body', label: 'Message', input: 'area', wide: true },
  ],
  toText: emailText,
};

const NUMBER: KindField = {
  name: 'number',
  label: 'Telephone number',
  hint: 'with the country code, +49 …',
  input: 'tel',
};

const PHONE: Kind = {
  id: 'phone',
  name: 'Call',
  fields: [{ ...NUMBER, wide: true }],
  toText: phoneText,
};

const MESSAGE: Kind = {
  id: 'message',
  name: 'SMS',
  fields: [NUMBER, { name: 'message', label: 'Message', input: 'area', wide: true }],
  toText: messageText,
};

const PLACE: Kind = {
  id: 'place',
  name: 'Place',
  fields: [
    { name: 'latitude', label: 'Latitude', hint: 'as in 52.5163', input: 'decimal' },
    { name: 'longitude', label: 'Longitude', hint: 'as in 13.3777', input: 'decimal' },
  ],
  toText: placeText,
};

const EVENT: Kind = {
  id: 'event',
  name: 'Event',
  fields: [
    { name: 'title', label: 'Title', input: 'text', wide: true },
    { name: 'start', label: 'Starts', input: 'datetime-local' },
    { name: 'end', label: 'Ends', hint: 'optional', input: 'datetime-local' },
    { name: 'location', label: 'Place', input: 'text', wide: true },
    { name: 'notes', label: 'Notes', input: 'area', wide: true },
  ],
  toText: eventText,
};

/** Numbers of GS1. Its form, with the rules, is loaded when it is first shown, and reads what a saved code has in `data`. */
export const GS1: Kind = {
  id: 'gs1',
  name: 'GS1',
  fields: [{ name: 'data', label: 'Content', input: 'text' }],
  toText: () => refused('Enter the GTIN.'),
};

/** All kinds, in the order in which they are offered. */
export const KINDS: readonly Kind[] = [
  ...[ADDRESS, TEXT, WIFI, CONTACT, EMAIL, PHONE, MESSAGE, PLACE, EVENT],
  GS1,
];

/** Returns the kind in whose form a saved content is shown: GS1 data, an address, or else a text. */
export const kindOf = (content: string, isGs1: boolean): Kind => {
  if (isGs1) return GS1;
  return content === '' || /^https?:\/\//i.test(content) ? ADDRESS : TEXT;
};

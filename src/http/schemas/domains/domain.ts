/** Schemas and bodies of domains. */
import type { Static } from 'typebox';
import Type from 'typebox';
import type { Domain, DomainAnswers, DomainText } from '../../../db/tables/domains/domains.ts';
import { PROOF_PATH, proofText, recordName } from '../../../domains/proof.ts';
import { fieldError } from '../../../errors.ts';
import type { LinkRules } from '../../../generate/slugs.ts';
import { orNull } from '../../../stored-json.ts';
import { PREFIX } from '../../../validation/formats.ts';
import { fieldsOf, strict, Timestamp, Uuid } from '../atoms.ts';
import { ForwardField, ForwardWritten, toForwardField } from '../forward.ts';

const TEXT_MAX = 16_384;
const URL_MAX = 2000;

const Address = (description: string) =>
  Type.Optional(orNull(Type.String({ maxLength: URL_MAX, description })));
const Text = (description: string) =>
  Type.Optional(orNull(Type.String({ maxLength: TEXT_MAX, description })));

/** What an owner sets. */
const Answers = {
  root_url: Address('Where `/` leads; null: a 404.'),
  favicon_url: Address('Where `/favicon.ico` leads.'),
  robots_txt: Text('The text of `/robots.txt`.'),
  assetlinks_json: Text('JSON of `/.well-known/assetlinks.json`.'),
  apple_app_site_association: Text('JSON of `/.well-known/apple-app-site-association`.'),
  unknown_url: Address('Where unknown slugs lead.'),
  unknown_text: Type.Optional(
    orNull(
      Type.Object(
        {
          type: Type.Enum(['text/plain', 'application/json']),
          text: Type.String({ minLength: 1, maxLength: TEXT_MAX }),
        },
        { ...strict, description: 'Else the answer to them, a 404.' },
      ),
    ),
  ),
  fallback_url: Address('Where unknown slugs lead with path and query, before `unknown_url`.'),
};

const Forwards = {
  forward: Type.Optional(
    orNull(ForwardWritten, {
      description:
        'What its short links pass on of a visit that say nothing themselves. null: what the account says.',
    }),
  ),
};

const Host = Type.String({ maxLength: 500, description: 'A name, without scheme, port and path.' });

export const NewDomain = Type.Object(
  {
    host: Host,
    prefix: Type.Optional(
      Type.String({
        pattern: PREFIX,
        default: '',
        description:
          'The first segment of the path of its short links; empty: they are at the root. It never changes.',
      }),
    ),
    ...Answers,
    ...Forwards,
  },
  { ...strict, title: 'NewDomain', examples: [{ host: 'qr.brand.example' }] },
);

export const DomainPatch = Type.Object(
  {
    ...Answers,
    ...Forwards,
    is_default: Type.Optional(
      Type.Boolean({ description: 'Whether new short links are there unless the call says otherwise.' }),
    ),
  },
  { ...strict, title: 'DomainPatch', examples: [{ root_url: 'https://brand.example/' }] },
);

export const HostParams = Type.Object({ host: Type.String({ maxLength: 500 }) });

export const DomainBody = Type.Object(
  {
    id: Uuid,
    host: Type.String(),
    prefix: Type.String(),
    short_url_base: Type.String({ description: 'What its short links begin with.' }),
    state: Type.Enum(['pending', 'verified', 'failing', 'lapsed'], {
      description:
        '`failing`: still served, but its proof is missing; after 7 days it lapses. `pending` and `lapsed`: not served.',
    }),
    is_default: Type.Boolean(),
    proof: Type.Object({
      record_name: Type.String({ description: 'The name of a TXT record, or instead of it:' }),
      file_url: Type.String(),
      text: Type.String({ description: 'The text of the record or the file.' }),
    }),
    fault: orNull(Type.String({ description: 'Why the proof was not found.' })),
    verified_at: orNull(Timestamp),
    checked_at: orNull(Timestamp),
    failing_since: orNull(Timestamp),
    lapsed_at: orNull(Timestamp),
    root_url: orNull(Type.String()),
    favicon_url: orNull(Type.String()),
    robots_txt: orNull(Type.String()),
    assetlinks_json: orNull(Type.String()),
    apple_app_site_association: orNull(Type.String()),
    unknown_url: orNull(Type.String()),
    unknown_text: orNull(Type.Object({ type: Type.String(), text: Type.String() })),
    fallback_url: orNull(Type.String()),
    forward: ForwardField,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Domain' },
);

const stateOf = ({ verifiedAt, failingSince, lapsedAt }: Domain) => {
  if (verifiedAt !== null) return failingSince === null ? ('verified' as const) : ('failing' as const);
  return lapsedAt === null ? ('pending' as const) : ('lapsed' as const);
};

export const toDomainBody = (domain: Domain): Static<typeof DomainBody> => {
  const { answers, host, place } = domain;
  return {
    ...fieldsOf(
      domain,
      'id',
      'host',
      'prefix',
      'fault',
      'isDefault',
      'verifiedAt',
      'checkedAt',
      'failingSince',
    ),
    ...fieldsOf(domain, 'lapsedAt', 'createdAt', 'updatedAt'),
    short_url_base: `https://${place}/`,
    state: stateOf(domain),
    proof: {
      record_name: recordName(domain),
      file_url: `https://${host}${PROOF_PATH}`,
      text: proofText(domain),
    },
    ...fieldsOf(answers, 'rootUrl', 'faviconUrl', 'appleAppSiteAssociation', 'unknownUrl', 'fallbackUrl'),
    robots_txt: answers.robots,
    assetlinks_json: answers.assetlinks,
    unknown_text: answers.unknownText && { ...answers.unknownText },
    forward: toForwardField(domain.forward),
  };
};

const readJson = (field: string, text: string): string => {
  try {
    JSON.parse(text);
    return text;
  } catch {
    throw fieldError(field, 'must be JSON');
  }
};

/** A text that the database stores as it is. */
const readText = (field: string, text: string): string => {
  if (text.isWellFormed() && !text.includes('\0')) return text;
  throw fieldError(field, 'must be well-formed text without the character U+0000');
};

/** Returns the answers that a body sets. @throws {AppError} 400. */
export const readAnswers = (
  body: Omit<Static<typeof DomainPatch>, 'forward' | 'is_default'>,
  checkPlainUrl: LinkRules['checkPlainUrl'],
): Partial<DomainAnswers> => {
  const url = (field: 'root_url' | 'favicon_url' | 'unknown_url' | 'fallback_url') => {
    const written = body[field];
    if (written === undefined || written === null) return written;
    const checked = checkPlainUrl(written);
    if (!checked.ok) throw fieldError(field, checked.fault);
    if (field === 'fallback_url' && /[?#]/.test(checked.value))
      throw fieldError(field, 'must have no query and no fragment: the path of the visitor comes behind it');
    return checked.value;
  };
  const json = (field: 'assetlinks_json' | 'apple_app_site_association') => {
    const written = body[field];
    return typeof written === 'string' ? readJson(field, readText(field, written)) : written;
  };
  const text = body.unknown_text as DomainText | null | undefined;
  if (text) readText('unknown_text.text', text.text);
  if (text?.type === 'application/json') readJson('unknown_text.text', text.text);
  const read = {
    rootUrl: url('root_url'),
    faviconUrl: url('favicon_url'),
    robots: typeof body.robots_txt === 'string' ? readText('robots_txt', body.robots_txt) : body.robots_txt,
    assetlinks: json('assetlinks_json'),
    appleAppSiteAssociation: json('apple_app_site_association'),
    unknownUrl: url('unknown_url'),
    unknownText: text,
    fallbackUrl: url('fallback_url'),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
};

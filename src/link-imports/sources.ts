/**
 * What the exports of other link services call their fields. docs/api/moving-links.md has the version and the source of
 * each. Runs in the gateway and the command line.
 */
import { foldName } from '../csv/match.ts';

/** The fields of a link that an export writes, in their order. */
export const MOVED_FIELDS = [
  'slug',
  'domain',
  'first_slug',
  'other_slugs',
  'destination',
  'name',
  'tags',
  'external_id',
  'folder',
  'active_from',
  'active_until',
  'before_destination',
  'after_destination',
  'forward',
  'rules',
  'rule_set',
  'visit_limit',
  'password_hash',
  'created_at',
  'scans',
  'not_in_file',
] as const;
/** The fields that a row may have. `short_url` stands for `domain` and `slug`; an export has no `password`. */
export const SOURCE_FIELDS = [...MOVED_FIELDS, 'short_url', 'password'] as const;
/** A field that a row may have. */
export type SourceField = (typeof SOURCE_FIELDS)[number];

/** Where a file of links comes from. `tessera`: our own export, or a table that people wrote. */
export const LINK_SOURCES = ['tessera', 'bitly', 'yourls', 'kutt', 'dub', 'shlink'] as const;
/** Where a file of links comes from. */
export type LinkSource = (typeof LINK_SOURCES)[number];

/** How a service writes its links. Names are as `bareName` returns them; inner fields of JSON have dots before them. */
export interface SourceForm {
  /** The names of a field. The first one that has a value counts. */
  readonly names: Readonly<Partial<Record<SourceField, readonly string[]>>>;
  /** What stands between the tags of a cell. */
  readonly tagsBetween: RegExp;
  /** Where a page of its API has its links. A page may also be a list of links. */
  readonly pages: readonly string[];
  /** The names of what a link does beside leading to one address, which a row cannot say here. */
  readonly beyond: Readonly<Record<string, string>>;
}

/** Returns a name without case, spaces, hyphens and underscores: `Long URL`, `long_url` and `longUrl` are one. */
export const bareName = (name: string): string => foldName(name).replaceAll(' ', '');

/** What is said of links with a password. */
export const PASSWORD = 'a password, which an export does not contain';
const DEVICES = 'addresses for devices';

const PEOPLE: SourceForm['names'] = {
  slug: ['slug', 'alias', 'shortname', 'backhalf', 'keyword', 'shortcode', 'key'],
  domain: ['domain', 'host', 'hostname', 'shortdomain'],
  short_url: ['shorturl', 'shortlink', 'shortaddress'],
  destination: [
    'destination',
    'destinationurl',
    'longurl',
    'targeturl',
    'target',
    'url',
    'originalurl',
    'redirectto',
  ],
  name: ['name', 'title', 'label', 'titel', 'titre'],
  tags: ['tags', 'tag', 'labels', 'schlagworte', 'étiquettes'],
  external_id: ['externalid', 'reference', 'ref', 'yourid'],
  folder: ['folder', 'foldername', 'ordner', 'dossier'],
  active_from: ['activefrom', 'validfrom', 'validsince', 'startsat'],
  active_until: ['activeuntil', 'validuntil', 'expiresat', 'expires', 'expirydate', 'expirationdate'],
  before_destination: ['beforedestination'],
  after_destination: ['afterdestination', 'expiredurl'],
  created_at: ['createdat', 'created', 'datecreated', 'createddate', 'creationdate'],
  scans: ['scans', 'clicks', 'visits', 'hits', 'totalclicks', 'clickcount', 'visitcount'],
  forward: ['forward'],
  rules: ['rules'],
  rule_set: ['ruleset'],
  visit_limit: ['visitlimit', 'maxvisits', 'maxclicks'],
  password: ['password'],
  password_hash: ['passwordhash'],
  first_slug: ['firstslug'],
  other_slugs: ['otherslugs'],
  not_in_file: ['notinfile'],
};

/** The services by their names. */
export const SOURCES: Readonly<Record<LinkSource, SourceForm>> = {
  tessera: {
    names: PEOPLE,
    tagsBetween: /;/,
    pages: [],
    beyond: { notinfile: PASSWORD },
  },
  bitly: {
    names: {
      short_url: ['customlink', 'custombitlinks', 'custombitlink', 'link', 'bitlink', 'shortlink', 'id'],
      destination: ['longurl', 'destinationurl', 'destination'],
      name: ['title'],
      tags: ['tags'],
      created_at: ['createdat', 'created', 'datecreated', 'createddate'],
      scans: ['totalclicks', 'clicks', 'totalengagements', 'engagements'],
    },
    tagsBetween: /[,;|]/,
    pages: ['links'],
    beyond: { deeplinks: 'addresses of apps' },
  },
  yourls: {
    names: {
      slug: ['keyword'],
      short_url: ['shorturl'],
      destination: ['url', 'longurl'],
      name: ['title'],
      created_at: ['timestamp'],
      scans: ['clicks'],
    },
    tagsBetween: /[,;]/,
    pages: ['links', 'result'],
    beyond: {},
  },
  kutt: {
    names: {
      slug: ['address'],
      domain: ['domain'],
      short_url: ['link'],
      destination: ['target'],
      name: ['description'],
      active_until: ['expirein'],
      created_at: ['createdat'],
      scans: ['visitcount'],
    },
    tagsBetween: /[,;]/,
    pages: ['data'],
    beyond: { password: PASSWORD, banned: 'a ban' },
  },
  dub: {
    names: {
      slug: ['key'],
      domain: ['domain'],
      short_url: ['shortlink', 'link'],
      destination: ['url', 'destinationurl', 'destination'],
      name: ['title'],
      tags: ['tags'],
      external_id: ['externalid'],
      active_until: ['expiresat'],
      after_destination: ['expiredurl'],
      created_at: ['createdat'],
      scans: ['clicks'],
    },
    tagsBetween: /,/,
    pages: ['links', 'data'],
    beyond: {
      password: PASSWORD,
      ios: DEVICES,
      android: DEVICES,
      geo: 'addresses for countries',
      testvariants: 'addresses for shares of visitors',
    },
  },
  shlink: {
    names: {
      slug: ['shortcode'],
      domain: ['domain'],
      short_url: ['shorturl'],
      destination: ['longurl'],
      name: ['title'],
      tags: ['tags'],
      active_from: ['meta.validsince', 'validsince'],
      active_until: ['meta.validuntil', 'validuntil'],
      visit_limit: ['meta.maxvisits', 'maxvisits'],
      created_at: ['datecreated', 'createdat'],
      scans: ['visitssummary.total', 'visitscount', 'visits'],
    },
    tagsBetween: /[,|]/,
    pages: ['shorturls.data', 'data'],
    beyond: {
      hasredirectrules: 'rules',
      'devicelongurls.ios': DEVICES,
      'devicelongurls.android': DEVICES,
      'devicelongurls.desktop': DEVICES,
    },
  },
};

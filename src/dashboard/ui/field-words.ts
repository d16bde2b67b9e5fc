/** The fields of requests by the labels that forms give them, for what the service says is wrong. */
import { say } from '../words/say.ts';

/** By the last name of a field, or by its last two names where that is not enough. */
const LABELS: Readonly<Record<string, string>> = {
  active_from: say('Start'),
  active_until: say('End'),
  after_destination: say('Address after the end'),
  amount: say('Credits to add'),
  before_destination: say('Address before the start'),
  context: say('Contexts'),
  credits: say('Credits'),
  dead_link_url: say('Address for deleted and ended codes'),
  destination: say('Destination'),
  events: say('Events that it receives'),
  expires_at: say('Last day'),
  external_id: say('Your id'),
  folder_id: say('Folder'),
  folder_name: say('Folder'),
  host: say('Host'),
  href: say('Leads to'),
  hreflang: say('Languages'),
  key: say('Numbers'),
  'links.type': say('Media type'),
  monthly_quota: say('Units a month'),
  name: say('Name'),
  next: say('Next number'),
  overlap_hours: say('The old key works on'),
  password: say('Password'),
  plan: say('Plan'),
  prefix: say('Prefix'),
  rate_limit_per_second: say('Requests a second'),
  reference: say('Reference'),
  rel: say('What it is about'),
  remove: say('What it is about'),
  rule_set_id: say('Rule set'),
  scopes: say('What it may do'),
  'set.type': say('Media type'),
  slug: say('Last part of the address'),
  tags: say('Tags'),
  title: say('Title'),
  unknown_text: say('Its text'),
  url: say('Address'),
  visit_limit: say('Limit of visits'),
};

/** Lists whose items people count. */
const ITEMS: Readonly<Record<string, string>> = { links: say('Link'), rules: say('Rule'), set: say('Link') };

const isIndex = (part: string): boolean => /^\d+$/.test(part);

/**
 * Returns what the service says is wrong, `links.1.rel: must be …`, with the label of the field: `Link 2, “What it is
 * about”: must be …`. A text that names no field of a form stays as it is.
 */
export const inWords = (text: string): string => {
  const [, path = '', message = ''] = /^([a-z_]+(?:\.\w+)*): (.*)$/s.exec(text) ?? [];
  const parts = path.split('.');
  const names = parts.filter((part) => !isIndex(part));
  const label = LABELS[names.slice(-2).join('.')] ?? LABELS[names.at(-1) ?? ''];
  if (label === undefined) return text;
  const items = parts.flatMap((part, i) => {
    const [item, next = ''] = [ITEMS[part], parts[i + 1]];
    return item !== undefined && isIndex(next) ? [`${item} ${Number(next) + 1}, `] : [];
  });
  return `${items.join('')}“${label}”: ${message}`;
};

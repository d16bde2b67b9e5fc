/** The fields of requests by the labels that forms give them, for what the service says is wrong. */

/** By the last name of a field, or by its last two names where that is not enough. */
const LABELS: Readonly<Record<string, string>> = {
  active_from: 'Start',
  active_until: 'End',
  after_destination: 'Address after the end',
  amount: 'Credits to add',
  before_destination: 'Address before the start',
  context: 'Contexts',
  credits: 'Credits',
  dead_link_url: 'Address for deleted and ended codes',
  destination: 'Destination',
  events: 'Events that it receives',
  expires_at: 'Last day',
  external_id: 'Your id',
  folder_id: 'Folder',
  folder_name: 'Folder',
  host: 'Host',
  href: 'Leads to',
  hreflang: 'Languages',
  key: 'Numbers',
  'links.type': 'Media type',
  monthly_quota: 'Units a month',
  name: 'Name',
  next: 'Next number',
  overlap_hours: 'The old key works on',
  password: 'Password',
  plan: 'Plan',
  prefix: 'Prefix',
  rate_limit_per_second: 'Requests a second',
  reference: 'Reference',
  rel: 'What it is about',
  remove: 'What it is about',
  rule_set_id: 'Rule set',
  scopes: 'What it may do',
  'set.type': 'Media type',
  slug: 'Last part of the address',
  tags: 'Tags',
  title: 'Title',
  unknown_text: 'Its text',
  url: 'Address',
  visit_limit: 'Limit of visits',
};

/** Lists whose items people count. */
const ITEMS: Readonly<Record<string, string>> = { links: 'Link', rules: 'Rule', set: 'Link' };

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

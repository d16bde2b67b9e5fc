/** The links of an identifier as a page for people. */
import { DEFAULT_LINK, DEFAULT_LINK_MULTI, iriOf } from '../resolver/link-types.ts';
import { LINKSET_CONTEXT, type Linkset, type LinksetTarget } from '../resolver/linkset.ts';
import { pageOf } from './short-link-page.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const DEFAULTS: readonly string[] = [DEFAULT_LINK, DEFAULT_LINK_MULTI].map(iriOf);

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);

/** Each address, with each of its titles and languages. The defaults are also listed under their own types. */
const targetsOf = (linkset: Linkset): LinksetTarget[] => {
  const all = linkset.linkset.flatMap((entry) =>
    Object.entries(entry).flatMap(([rel, value]) =>
      typeof value === 'string' || DEFAULTS.includes(rel) ? [] : value,
    ),
  );
  const distinct = new Map(
    all.map((target) => [JSON.stringify([target.href, target.title, target.hreflang]), target] as const),
  );
  return [...distinct.values()];
};

const lineOf = ({ href, title, hreflang = [] }: LinksetTarget): string => {
  const [language] = hreflang;
  const lang = hreflang.length === 1 ? ` lang="${language}" hreflang="${language}"` : '';
  const languages = hreflang.length > 0 ? ` (${hreflang.join(', ')})` : '';
  return `<p><a href="${escapeHtml(href)}"${lang}>${escapeHtml(title)}</a>${escapeHtml(languages)}</p>`;
};

/** Returns a linkset with its context: JSON-LD. */
export const toJsonLd = (linkset: Linkset) => ({ '@context': LINKSET_CONTEXT, ...linkset });

/** Writes the page of a linkset, with the linkset as JSON-LD in it: GS1-Conformant Resolver Standard, 2.10. */
export const linksetPage = (linkset: Linkset): string => {
  const title = linkset.linkset[0]?.itemDescription ?? '';
  // Within a script, "<" could end it.
  const json = JSON.stringify(toJsonLd(linkset)).replaceAll('<', '\\u003c');
  const lines = targetsOf(linkset).map(lineOf);
  return pageOf(
    escapeHtml(title),
    `${lines.join('\n')}\n<script type="application/ld+json">${json}</script>`,
  );
};

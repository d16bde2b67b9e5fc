/** What a code is called where it is listed. */
import { api, ifMatch } from '../../api/client.ts';
import { change } from '../../api/query.ts';
import type { Code } from '../../api/shapes.ts';
import { BASE } from '../../base.ts';

/** The folder into which the designer saves when nobody names another. */
export const DESIGNED_FOLDER = 'Designed codes';

/** Drops the beginning that most addresses share. */
const shown = (text: string): string => text.replace(/^https?:\/\/(www\.)?/, '');

/** Returns where a code leads at present, or what it says. */
export const leadsTo = ({ destination, content }: Pick<Code, 'destination' | 'content'>): string =>
  shown(destination ?? content);

/** Returns the name of a code, or else where it leads. */
export const labelOf = (code: Pick<Code, 'name' | 'destination' | 'content'>): string =>
  code.name ?? leadsTo(code);

/** Returns the address of a short link at this gateway. */
export const shortUrl = (slug: string): string => `${location.origin}${BASE}l/${slug}`;

/** Gives a code a name; an empty one removes it. @throws {Fault} */
export const renameCode = (code: Code, name: string) => {
  const params = { path: { id: code.id }, header: ifMatch(code) };
  return change(
    api.PATCH('/api/v1/codes/{id}', { params, body: { name: name.trim() === '' ? null : name } }),
  );
};

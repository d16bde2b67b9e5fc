/** The export of an account's short links, which the import reads back. */
import Type from 'typebox';
import type { Sql } from '../../../../db/client.ts';
import { type ExportedLink, listForExport } from '../../../../db/tables/link-jobs/moved-links.ts';
import type { Rule } from '../../../../db/tables/rules/rule.ts';
import { getRuleSet } from '../../../../db/tables/rules/rule-sets.ts';
import type { MovedLink } from '../../../../link-imports/row.ts';
import { MOVED_HEADER, movedLines } from '../../../../link-imports/write.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { sendFileHeaders } from '../../../files/attachment.ts';
import { sendStream } from '../../../files/streams.ts';
import { describeBytes, strict } from '../../../schemas/atoms.ts';
import { toForwardField } from '../../../schemas/forward.ts';
import { withHeaders } from '../../../schemas/openapi/headers.ts';
import type { Need } from '../../services.ts';
import { LINE_TYPES, type LineFormat, lineFormatOf } from '../scans/raw.ts';

const ExportQuery = Type.Object(
  {
    format: Type.Optional(Type.Enum(['ndjson', 'csv'], { description: 'Absent: `Accept` decides.' })),
    passwords: Type.Optional(
      Type.Enum(['left_out', 'hashed'], {
        description: '`hashed`: `password_hash` of a link has the hash of its password. Absent: `left_out`.',
      }),
    ),
  },
  strict,
);

/** Links that are read in one query. */
const LINKS_AT_A_TIME = 50;
/** Links that are written as one chunk: some kilobytes. */
const LINKS_IN_CHUNK = 25;

/** What an export is of, and how it is written. */
interface LinkExport {
  readonly accountId: string;
  readonly format: LineFormat;
  readonly hasPasswords: boolean;
}

const toMoved = (
  link: ExportedLink,
  hasPasswords: boolean,
  ruleSetOf: (id: string | null) => unknown,
): MovedLink => ({
  slug: link.slug,
  domain: link.domain,
  firstSlug: link.firstSlug,
  otherSlugs: link.otherSlugs,
  destination: link.destination,
  name: link.name,
  tags: link.tags,
  externalId: link.externalId,
  folder: link.folder,
  activeFrom: link.activeFrom?.toISOString() ?? null,
  activeUntil: link.activeUntil?.toISOString() ?? null,
  beforeDestination: link.beforeDestination,
  afterDestination: link.afterDestination,
  forward: toForwardField(link.forward),
  rules: link.rules,
  ruleSet: ruleSetOf(link.ruleSetId),
  visitLimit: link.visitLimit,
  password: null,
  passwordHash: hasPasswords ? link.passwordHash : null,
  createdAt: link.createdAt.toISOString(),
  scans: link.scans,
  notInFile: link.passwordHash !== null && !hasPasswords ? ['password'] : [],
});

/** Reads rule sets as they are met. Returns what an export says of one: its rules at the first time, and then its name. */
const createRuleSets = (sql: Sql, accountId: string) => {
  const sets = new Map<string, { readonly name: string; readonly rules: readonly Rule[] } | null>();
  const told = new Set<string>();
  return {
    async read(links: readonly ExportedLink[]): Promise<void> {
      for (const { ruleSetId: id } of links)
        if (id !== null && !sets.has(id)) sets.set(id, await getRuleSet(sql, accountId, id));
    },
    of(id: string | null): unknown {
      const set = id === null ? null : sets.get(id);
      if (!set) return null;
      if (told.has(set.name)) return set.name;
      told.add(set.name);
      return { name: set.name, rules: set.rules };
    },
  };
};

async function* writeLinks(
  sql: Sql,
  { accountId, format, hasPasswords }: LinkExport,
): AsyncGenerator<string, void> {
  if (format === 'csv') yield MOVED_HEADER;
  const ruleSets = createRuleSets(sql, accountId);
  for (let after: string | null = null; ; ) {
    const links: readonly ExportedLink[] = await listForExport(sql, accountId, after, LINKS_AT_A_TIME);
    await ruleSets.read(links);
    for (let at = 0; at < links.length; at += LINKS_IN_CHUNK) {
      const chunk = links.slice(at, at + LINKS_IN_CHUNK);
      yield movedLines(
        chunk.map((link) => toMoved(link, hasPasswords, ruleSets.of)),
        format,
      );
    }
    if (links.length < LINKS_AT_A_TIME) return;
    after = links.at(-1)!.codeId;
  }
}

/** Adds the route of the export. */
export const exportLinksRoute = ofAccount(
  { tag: 'Links', name: 'export_links' },
  (route, { database: { sql } }: Need<'database'>) => {
    route('GET /links/export', {
      operationId: 'exportLinks',
      summary: 'All your short links as NDJSON or CSV, in the order in which their codes were made',
      description:
        'Without `format`, `Accept` decides. `createLinkImport` reads the file back. Links in the bin, histories, designs and single scans are not in it; `not_in_file` of a link says that it has a `password`, unless `passwords=hashed` gives its hash. Links that change meanwhile may be in it as they were. See docs/api/moving-links.md.',
      querystring: ExportQuery,
      answer: withHeaders(
        describeBytes('One link a line.', ...Object.values(LINE_TYPES)),
        'Cache-Control',
        'Content-Disposition',
      ),
      fails: [406],
      handle: async (request, { accountId }, reply) => {
        const { format: asked, passwords } = request.query;
        const format = lineFormatOf(request, asked);
        const type = `${LINE_TYPES[format]}; charset=utf-8`;
        const head = () => void sendFileHeaders(reply, type, 'links', format).header('vary', 'Accept');
        const wanted = { accountId, format, hasPasswords: passwords === 'hashed' };
        return sendStream(reply, writeLinks(sql, wanted), { isWhole: true, head });
      },
    });
  },
);

import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/db/database.ts';
import { createAccount } from '../../src/db/tables/accounts.ts';
import { insertCodes, type NewCode } from '../../src/db/tables/codes.ts';
import { ensureFolder } from '../../src/db/tables/folders.ts';
import { toDesign } from '../../src/generate/request/design.ts';
import { createSlug } from '../../src/links/slug.ts';

/** What codes are measured: without a name and a short link, with a name, with a short link. */
export const KINDS = ['plain', 'named', 'dynamic'] as const;
/** One of `KINDS`. */
export type Kind = (typeof KINDS)[number];

/** Whether the text is one of `KINDS`. */
export const isKind = (text: string): text is Kind => KINDS.some((kind) => kind === text);

/** As a batch saves them: src/batches. */
const PIECE = 500;

const DESIGN = toDesign({
  width: 600,
  height: 600,
  dotsOptions: { type: 'rounded', color: '#1a4b8c' },
  cornersSquareOptions: { type: 'rounded' },
  backgroundOptions: { color: 'white' },
});

/** 40 to 60 characters. */
const contentOf = (number: number): string => {
  const text = `https://example.com/items/${number.toString(36).padStart(5, '0')}?campaign=`;
  return text + 'spring-2027-poster'.slice(0, 1 + (number % 18));
};

const newCode = (kind: Kind, number: number, position: number): NewCode => {
  const content = contentOf(number);
  return {
    position,
    content,
    name: kind === 'named' ? `Table ${number}` : null,
    link: kind === 'dynamic' ? { slug: createSlug(), destination: content } : null,
    design: DESIGN,
    logo: null,
    grade: 4,
    warnings: '',
  };
};

/** Where codes are saved. */
export interface Place {
  readonly accountId: string;
  readonly folderId: string;
}

/** Returns a folder of a new account. */
export const openFolder = async (sql: Database['sql']): Promise<Place> => {
  const { id: accountId } = await createAccount(sql, { name: randomUUID(), plan: 'pro', monthlyQuota: null });
  const { id: folderId } = await ensureFolder(sql, accountId, 'storage');
  return { accountId, folderId };
};

/** Saves codes in one transaction. @param first The number of the first one, which its content has. */
export const savePiece = async (
  sql: Database['sql'],
  place: Place,
  kind: Kind,
  first: number,
  count: number,
): Promise<void> => {
  const codes = Array.from({ length: count }, (_, position) => newCode(kind, first + position, position));
  await sql.begin((tx) => insertCodes(tx, { ...place, keyId: null, codes }));
};

/** Saves codes of a kind into one folder of a new account, in pieces as a batch does. */
export const saveKind = async (sql: Database['sql'], kind: Kind, count: number): Promise<void> => {
  const place = await openFolder(sql);
  for (let first = 0; first < count; first += PIECE)
    await savePiece(sql, place, kind, first, Math.min(PIECE, count - first));
};

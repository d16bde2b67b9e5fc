import { createHash } from 'node:crypto';
import type { Design, Grade } from '../../../../workers/protocol.ts';
import type { Sql } from '../../client.ts';
import { BYTEA_ARRAY } from '../../statements.ts';
import { type NewLogo, saveLogos } from '../logos.ts';

/** What determines the appearance of a code. The logo must already be saved. */
interface Looks {
  readonly design: Design;
  readonly logo: Pick<NewLogo, 'sha256'> | null;
}

const keyOf = (sha256: Uint8Array): string => Buffer.from(sha256).toString('hex');

interface NewDesign {
  readonly sha256: Buffer;
  readonly text: string;
  readonly logoSha256: Uint8Array | null;
}

const toNewDesign = (text: string, logoSha256: Uint8Array | null): NewDesign => {
  const hash = createHash('sha256').update(text);
  if (logoSha256 !== null) hash.update('\0').update(logoSha256);
  return { sha256: hash.digest(), text, logoSha256 };
};

/**
 * Returns the content of each design. Codes saved together share few objects, each of which is hashed only once.
 */
const contentsOf = (looks: readonly Looks[]): readonly NewDesign[] => {
  const texts = new Map<Design, string>();
  const known = new Map<string, NewDesign>();
  return looks.map(({ design, logo }) => {
    const text = texts.get(design) ?? JSON.stringify(design);
    texts.set(design, text);
    const key = `${logo === null ? '' : keyOf(logo.sha256)} ${text}`;
    const content = known.get(key) ?? toNewDesign(text, logo?.sha256 ?? null);
    known.set(key, content);
    return content;
  });
};

interface Saved {
  readonly id: number;
  readonly sha256: Buffer;
}

/**
 * Saves each design once for the account, and keeps `deleteUnusedDesigns` from deleting it until the transaction ends.
 * Returns their ids in the order of `looks`. Designs are saved in a fixed order, so that callers never deadlock.
 */
export const saveDesigns = async (
  sql: Sql,
  accountId: string,
  looks: readonly Looks[],
): Promise<readonly number[]> => {
  const contents = contentsOf(looks);
  const missing = new Map(contents.map((content) => [keyOf(content.sha256), content]));
  const hashes = sql.array(
    [...missing.values()].map(({ sha256 }) => sha256),
    BYTEA_ARRAY,
  );
  const ids = new Map<string, number>();
  const note = (rows: readonly Saved[]): void => {
    for (const { id, sha256 } of rows) {
      ids.set(keyOf(sha256), id);
      missing.delete(keyOf(sha256));
    }
  };
  note(
    // One look-up per design: a plan cached while the table was small would later scan all of a large one.
    await sql<Saved[]>`
      select * from (
        select sha256, (select id from designs d
          where d.account_id = ${accountId} and d.sha256 = wanted.sha256 for key share) as id
        from unnest(${hashes}) as wanted (sha256) offset 0
      ) as known where id is not null`,
  );
  if (missing.size > 0) {
    const added = [...missing.values()];
    // The no-op update locks the row even if another caller inserted it first.
    note(
      await sql<Saved[]>`
        insert into designs (account_id, sha256, design, logo_sha256)
        select ${accountId}::uuid, sha256, design::jsonb, logo_sha256 from unnest(
          ${sql.array(
            added.map(({ sha256 }) => sha256),
            BYTEA_ARRAY,
          )},
          ${added.map(({ text }) => text)}::text[],
          ${sql.array(
            added.map(({ logoSha256 }) => logoSha256),
            BYTEA_ARRAY,
          )}
        ) as added (sha256, design, logo_sha256) order by sha256
        on conflict (account_id, sha256) do update set sha256 = excluded.sha256
        returning id, sha256`,
    );
  }
  return contents.map(({ sha256 }) => ids.get(keyOf(sha256))!);
};

/** The design of a code. */
interface DesignOf {
  readonly accountId: string;
  readonly designId: number;
}

/** Selects the designs that no code uses. */
const selectUnused = (tx: Sql, designs: readonly DesignOf[]) => tx`
  select d.account_id, d.id from unnest(
    ${designs.map(({ accountId }) => accountId)}::uuid[], ${designs.map(({ designId }) => designId)}::bigint[]
  ) as wanted (account_id, id) join designs d using (account_id, id)
  where not exists (select from codes c where c.account_id = d.account_id and c.design_id = d.id)`;

/**
 * Deletes the designs that no code uses, except those just being saved again. Must be called in a transaction: its
 * second statement sees what was saved before the designs were locked.
 */
export const deleteUnusedDesigns = async (tx: Sql, designs: readonly DesignOf[]): Promise<void> => {
  const locked = await tx<{ accountId: string; id: number }[]>`
    ${selectUnused(tx, designs)} for update of d skip locked`;
  if (locked.length === 0) return;
  const free = locked.map(({ accountId, id }) => ({ accountId, designId: id }));
  await tx`delete from designs where (account_id, id) in (${selectUnused(tx, free)})`;
};

/** A new design for a saved code. */
interface CodeDesign {
  readonly design: Design;
  readonly logo: NewLogo | null;
  readonly grade: Grade;
  /** Why the grade is below 4, as in the header `Tessera-Warnings`; '' at 4. */
  readonly warnings: string;
}

/**
 * Changes the design and logo of a code, but not its content, link or id. Must be called in a transaction. Returns
 * whether the account has such a code outside the bin. The previous logo remains until `deleteUnusedLogos`.
 */
export const setCodeDesign = async (
  sql: Sql,
  accountId: string,
  id: string,
  { design, logo, grade, warnings }: CodeDesign,
): Promise<boolean> => {
  await saveLogos(sql, accountId, logo === null ? [] : [logo]);
  const [designId] = await saveDesigns(sql, accountId, [{ design, logo }]);
  const [former] = await sql<{ designId: number }[]>`
    select c.design_id from codes c join folders f on f.id = c.folder_id
    where c.account_id = ${accountId} and c.id = ${id} and c.deleted_at is null and f.deleted_at is null for update of c`;
  if (former === undefined) return false;
  await sql`
    update codes set design_id = ${designId!}, grade = ${grade}, warnings = ${warnings},
      redesigned_at = case when design_id = ${designId!} then redesigned_at else now() end
    where account_id = ${accountId} and id = ${id} and deleted_at is null`;
  await deleteUnusedDesigns(sql, [{ accountId, designId: former.designId }]);
  return true;
};

/**
 * Gives a code its first picture. Must be called in a transaction. Returns `false` for a code that has one, or that is not a
 * code of the account outside the bin.
 */
export const setFirstDesign = async (
  tx: Sql,
  accountId: string,
  id: string,
  design: CodeDesign,
): Promise<boolean> => {
  const [undrawn] = await tx`
    select from codes where account_id = ${accountId} and id = ${id} and grade is null for update`;
  return undrawn !== undefined && setCodeDesign(tx, accountId, id, design);
};

/** Updates the grade of a live code after it has come to encode another slug. */
export const setGrade = async (
  sql: Sql,
  accountId: string,
  codeId: string,
  { grade, warnings }: { readonly grade: number | null; readonly warnings: string },
): Promise<void> => {
  await sql`
    update codes set grade = ${grade}, warnings = ${warnings}
    where account_id = ${accountId} and id = ${codeId} and deleted_at is null`;
};

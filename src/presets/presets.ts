/**
 * The presets of accounts: making, changing, deleting and reading them. Options are checked as a call checks its own,
 * so that what is stored can be drawn.
 */
import { createHash } from 'node:crypto';
import { lockAccount, type Sql } from '../db/client.ts';
import type { Page, PageRequest } from '../db/cursor.ts';
import type { Database } from '../db/database.ts';
import { deleteUnusedPresetImages, savePresetImage } from '../db/tables/logos.ts';
import * as table from '../db/tables/presets.ts';
import { AppError } from '../errors.ts';
import type { Parts } from '../generate/parts.ts';
import { planPicture } from '../generate/plan.ts';
import { findLogo, isRemote } from '../generate/prepare.ts';
import { refuse } from '../generate/refusals.ts';
import { toDesign } from '../generate/request/design.ts';
import { toImageOption } from '../generate/request/options.ts';
import type { PictureOptions } from '../generate/request/picture-options.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import { ok, type Result, refused } from '../result.ts';
import type { PresetLookup } from './lookup.ts';

/** What checking needs. */
type CheckParts = Pick<Parts, 'logos' | 'pool' | 'freeWork'>;

/** Options that can be drawn, and their logo apart. */
interface Checked {
  /** Without `image`. */
  readonly options: object;
  /** A data URI; `null` without a logo. */
  readonly image: { readonly text: string; readonly sha256: Buffer } | null;
}

/** The shortest content of each mode, and of each kind of GS1 data: a design that cannot hold it holds nothing. */
const SHORTEST = { Numeric: '0', Alphanumeric: 'A', Byte: 'a', Kanji: '漢' } as const;
const SHORTEST_GS1 = { 'digital-link': 'HTTP://A/8004/0000', 'element-string': '(8002)0' } as const;

const shortestFor = ({ mode = 'Byte', gs1 }: PictureOptions['qrOptions'] & object): string =>
  gs1 === undefined ? SHORTEST[mode] : SHORTEST_GS1[gs1];

/** A call names its field; a preset has it within `options`. */
const inOptions = (error: unknown): never => {
  if (!(error instanceof AppError) || error.code !== 'invalid_body') throw error;
  throw new AppError(error.code, `options.${error.details}`);
};

/** A logo by URL is kept as it is now, as those of saved codes are. */
const toImage = (image: string, { logo }: FoundLogo): string => {
  if (!isRemote(image)) return image;
  const kept = toImageOption(logo).image;
  if (kept === undefined) throw refuse({ field: 'image', message: 'is too large; send a smaller logo' });
  return kept;
};

const check = async (parts: CheckParts, accountId: string, written: PictureOptions): Promise<Checked> => {
  const { image, ...options } = written;
  const found = await findLogo(parts, accountId, image, true);
  const text = shortestFor(options.qrOptions ?? {});
  const plan = planPicture(text, toDesign(options), found?.logo ?? null);
  if (!plan.ok) throw refuse(plan.fault);
  if (image === undefined || found === null) return { options, image: null };
  const kept = toImage(image, found);
  return { options, image: { text: kept, sha256: createHash('sha256').update(kept).digest() } };
};

/**
 * Returns validated options in the form in which they are stored. Finding the logo counts as free work.
 *
 * @throws {AppError} 400 when they cannot be drawn, 429 when the account has used up its free work, 503 when too many
 *   logos are being prepared.
 */
const checkOptions = (parts: CheckParts, accountId: string, written: PictureOptions): Promise<Checked> =>
  check(parts, accountId, written).catch(inOptions);

/** Presets of an account. */
export const PRESETS_MAX = 200;

/** What a caller says about a preset. */
interface PresetTerms {
  /** As `toFolderName` returns names. */
  readonly name: string;
  /** Validated, without the defaults that validation adds. */
  readonly options: PictureOptions;
  readonly isDefault: boolean;
  /** The own domain of short links that are made with it; `null`: it names none. */
  readonly domainId: string | null;
}

/** A preset with its logo in `options`. */
export type WholePreset = table.Preset;

const shown = (preset: table.Preset, image: string | null | undefined): WholePreset =>
  image === null || image === undefined ? preset : { ...preset, options: { ...preset.options, image } };

/** Saves the logo, and returns what the row has of the design. */
const store = async (tx: Sql, accountId: string, { options, image }: Checked) => {
  if (image !== null) await savePresetImage(tx, accountId, image.sha256, image.text);
  return { options, imageSha256: image?.sha256 ?? null };
};

/** The operations on presets. */
export type Presets = ReturnType<typeof createPresets>;

/** Creates the operations. Every gateway uses a change within a second. */
export const createPresets = (
  { sql, changes }: Pick<Database, 'sql' | 'changes'>,
  parts: CheckParts,
  lookup: PresetLookup,
) => {
  /** Runs changes of the account's presets, one caller at a time, and announces them. */
  const changingIn = async <T>(tx: Sql, accountId: string, run: () => Promise<T>): Promise<T> => {
    await lockAccount(tx, accountId);
    const changed = await run();
    await changes.announce(tx, { kind: 'preset', id: accountId });
    return changed;
  };
  /** Returns a preset that was changed in a transaction with its logo. */
  const withImageIn = async (tx: Sql, accountId: string, preset: table.Preset): Promise<WholePreset> => {
    const { imageSha256: sha256 } = preset;
    return sha256 === null ? preset : shown(preset, await lookup.imageIn(tx, accountId, sha256));
  };

  return {
    /** Returns what makes a preset in a transaction. @throws {AppError} 400 when its options cannot be drawn. */
    async prepare(accountId: string, terms: PresetTerms) {
      const checked = await checkOptions(parts, accountId, terms.options);
      const insert = async (tx: Sql): Promise<Result<WholePreset, 'too many' | 'taken'>> => {
        if ((await table.countPresets(tx, accountId)) >= PRESETS_MAX) return refused('too many');
        if (await table.isNameTaken(tx, accountId, terms.name, null)) return refused('taken');
        if (terms.isDefault) await table.clearDefault(tx, accountId);
        const row = { ...terms, ...(await store(tx, accountId, checked)) };
        return ok(shown(await table.insertPreset(tx, accountId, row), checked.image?.text ?? null));
      };
      return (tx: Sql) => changingIn(tx, accountId, () => insert(tx));
    },

    /**
     * Returns what changes a preset in a transaction; its options are replaced as a whole.
     *
     * @param check Gets what is to be changed. If it throws, the error is passed on and nothing changes; also below.
     * @throws {AppError} 400 when the options cannot be drawn.
     */
    async prepareChange(
      accountId: string,
      id: string,
      change: Partial<PresetTerms>,
      check: (preset: table.Preset) => void,
    ) {
      const isKnown = (await table.getPreset(sql, accountId, id)) !== null;
      const checked =
        isKnown && change.options !== undefined ? await checkOptions(parts, accountId, change.options) : null;
      const update = async (tx: Sql): Promise<Result<WholePreset, 'missing' | 'taken'>> => {
        const old = await table.getPreset(tx, accountId, id);
        if (old === null || !isKnown) return refused('missing');
        check(old);
        const { name = old.name, isDefault = old.isDefault, domainId = old.domainId } = change;
        if (await table.isNameTaken(tx, accountId, name, id)) return refused('taken');
        if (isDefault) await table.clearDefault(tx, accountId);
        const { options, imageSha256 } = checked === null ? old : await store(tx, accountId, checked);
        const row = { name, isDefault, options, imageSha256, domainId };
        const changed = await table.updatePreset(tx, accountId, id, row);
        await deleteUnusedPresetImages(tx, accountId);
        return ok(await withImageIn(tx, accountId, changed));
      };
      return (tx: Sql) => changingIn(tx, accountId, () => update(tx));
    },

    /** Deletes a preset in a transaction. No code changes. Returns `false` when the account has none with this id. */
    delete: (
      tx: Sql,
      accountId: string,
      id: string,
      check: (preset: table.Preset) => void,
    ): Promise<boolean> =>
      changingIn(tx, accountId, async () => {
        const preset = await table.getPreset(tx, accountId, id);
        if (preset !== null) check(preset);
        const deleted = await table.deletePreset(tx, accountId, id);
        await deleteUnusedPresetImages(tx, accountId);
        return deleted;
      }),

    /** Returns the account's preset, or `null` when it has none with this id. */
    async get(accountId: string, id: string): Promise<WholePreset | null> {
      const found = await table.getPreset(sql, accountId, id);
      const sha256 = found?.imageSha256 ?? null;
      return found && shown(found, sha256 && (await lookup.imageOf(accountId, sha256)));
    },

    ...lookup,

    /** Returns a page of the account's presets, newest first, without their logos: two hundred may have 400 MB. */
    async list(accountId: string, page: PageRequest): Promise<Page<WholePreset>> {
      const { rows, next } = await table.listPresets(sql, accountId, page);
      return { rows: rows.map((preset) => shown(preset, null)), next };
    },
  };
};

import type { Batch } from '../db/tables/batches/batches.ts';
import type { StoredPart } from '../db/tables/batches/parts.ts';
import type { Reprint } from '../db/tables/batches/reprints.ts';
import { type Signer, toCanonicalJson } from '../verify/receipt/jws.ts';

/** What signs reports, and the software that made the pictures. */
export interface Report {
  readonly signer: Pick<Signer, 'sign'>;
  readonly software: Readonly<Record<string, string>>;
  /** The address of the installation. */
  installation(): string;
}

/**
 * Returns the report of an ended batch. The signature is a JWS like that of a folder's receipt, and contains the
 * statement as canonical JSON. The statement has the SHA-256 of each part, and each part's manifest has the SHA-256 of
 * each of its files.
 */
export const writeReport = (
  { signer, software, installation }: Report,
  batch: Batch,
  parts: readonly StoredPart[],
  reprints: readonly Reprint[],
): { readonly statement: Record<string, unknown>; readonly jws: string } => {
  const { id, state, reason, rows, encoding, emptyRows, made, failed, errors, duplicates, refunded, grades } =
    batch;
  const { formats, onError, duplicateRule, duplicateScope, uniqueColumn, manifest, folderId } = batch;
  const statement = {
    batch: id,
    installation: installation(),
    folder: folderId,
    state,
    reason,
    encoding,
    counts: { rows, empty_rows: emptyRows, made, failed, errors, duplicates, refunded, grades },
    settings: {
      formats,
      on_error: onError,
      duplicates: duplicateRule,
      duplicates_in: duplicateScope,
      unique: uniqueColumn,
      manifest,
    },
    begun_at: batch.createdAt.toISOString(),
    finished_at: batch.finishedAt?.toISOString() ?? null,
    software,
    parts: parts.map(({ number, codes, bytes, sha256 }) => ({
      n: number,
      codes,
      bytes,
      sha256: sha256.toString('hex'),
    })),
    reprints: reprints.map(({ rows: again, codes, createdAt }) => ({
      rows: again,
      codes,
      at: createdAt.toISOString(),
    })),
  };
  return { statement, jws: signer.sign(toCanonicalJson(statement)) };
};

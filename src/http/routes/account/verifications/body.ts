import Type from 'typebox';
import type { Sql } from '../../../../db/client.ts';
import {
  beginVerification,
  getVerification,
  type Verification,
  type Verified,
} from '../../../../db/tables/verifications/verifications.ts';
import { AppError } from '../../../../errors.ts';
import type { CostlyParts } from '../../../auth/of-account.ts';
import { owned } from '../../../auth/owned.ts';
import { orNull, Timestamp, Uuid } from '../../../schemas/atoms.ts';

/** What the routes of verifications need. */
export interface VerificationRouteParts extends CostlyParts {
  /** Makes this gateway look for work at once. */
  readonly verifier: { wake(): void };
}

/** A verification, as the API shows it. */
export const VerificationBody = Type.Object(
  {
    id: Uuid,
    folder_id: orNull(Type.String({ format: 'uuid', description: '`null`: chosen codes are read.' })),
    state: Type.Enum(['running', 'done', 'failed']),
    total: Type.Integer({ description: 'Codes to read.' }),
    read: Type.Integer({ description: 'The sum of the next four.' }),
    passed: Type.Integer(),
    weak: Type.Integer(),
    failed: Type.Integer(),
    missing: Type.Integer(),
    created_at: Timestamp,
    finished_at: orNull(Timestamp),
  },
  { title: 'Verification' },
);

/** Returns a verification as the API shows it. */
export const toVerificationBody = (verification: Verification) => {
  const { id, folderId, state, total, passed, weak, failed, missing, createdAt, finishedAt } = verification;
  return {
    id,
    folder_id: folderId,
    state,
    total,
    read: passed + weak + failed + missing,
    ...{ passed, weak, failed, missing },
    created_at: createdAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
};

/**
 * Returns a verification of the account.
 *
 * @param folderId `null`: it is one of chosen codes.
 * @throws {AppError} 404 when the account has no such verification.
 */
export const ownVerification = async (sql: Sql, accountId: string, folderId: string | null, id: string) =>
  owned('verification', await getVerification(sql, accountId, folderId, id));

/** Verifications of an account that may run at a time. */
const RUNNING_MAX = 3;

const tooMany = () =>
  new AppError(
    'limit_reached',
    `${RUNNING_MAX} of your verifications are running; begin another when one is done.`,
  );

/**
 * Begins a verification of codes that are the account's, and returns it as the API shows it.
 *
 * @throws {AppError} When too much free work waits, or as many verifications run as may.
 */
export const begin = async (
  { database, freeWork, verifier }: Pick<VerificationRouteParts, 'database' | 'freeWork' | 'verifier'>,
  accountId: string,
  verified: Verified,
) => {
  freeWork.admit(accountId);
  const begun = await database.sql.begin((tx) => beginVerification(tx, accountId, verified, RUNNING_MAX));
  if (!begun.ok) throw tooMany();
  verifier.wake();
  return toVerificationBody(begun.value);
};

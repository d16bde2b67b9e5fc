/** The callers' own ids of the rows of a batch, where only one code may have each. */

import type { Fault } from '../../../workers/protocol.ts';
import type { Sql } from '../../db/client.ts';
import type { Piece } from '../../db/tables/batches/pieces.ts';
import { codesByExternalIds } from '../../db/tables/codes/external-ids.ts';
import type { Row } from '../rows/row.ts';

type Named = Pick<Row, 'row' | 'externalId'>;

/** Whether no code outside the bin may have the own id of a row. */
export const needsUniqueIds = ({ uniqueColumn, duplicateRule }: Piece): boolean =>
  uniqueColumn === 'external_id' && duplicateRule !== 'report';

/** Returns the rows whose own ids codes of the account have, and what is wrong with them. */
export const findTakenIds = async (
  sql: Sql,
  { accountId }: Pick<Piece, 'accountId'>,
  rows: readonly Named[],
): Promise<ReadonlyMap<number, Fault>> => {
  const ids = rows.flatMap(({ externalId }) => externalId ?? []);
  const taken = await codesByExternalIds(sql, accountId, ids);
  return new Map(
    rows.flatMap(({ row, externalId }) => {
      const codeId = taken.get(externalId ?? '');
      const message = `must be unique, and your code ${codeId} has it`;
      return codeId === undefined ? [] : [[row, { field: 'external_id', message }] as const];
    }),
  );
};

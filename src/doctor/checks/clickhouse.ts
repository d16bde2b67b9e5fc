/** ClickHouse, which has the single scans where `CLICKHOUSE_URL` is set. */
import { openClickHouse } from '../../clickhouse/client.ts';
import { missingInClickHouse } from '../../clickhouse/schema.ts';
import type { Inspected } from '../../db/inspect.ts';
import { areScansElsewhere } from '../../db/tables/scans/elsewhere.ts';
import { type Finding, faultsOr, findingsOf } from '../finding.ts';

const { ok, warn, fail } = findingsOf('clickhouse');

/** The first version that drops repeated blocks from what views fill, too. */
const OLDEST = [24, 8] as const;

const isOld = (version: string): boolean => {
  const [year = 0, month = 0] = version.split('.').map(Number);
  return year < OLDEST[0] || (year === OLDEST[0] && month < OLDEST[1]);
};

const lookAt = async (url: string): Promise<readonly Finding[]> => {
  const clickhouse = await openClickHouse(url);
  try {
    const [row] = await clickhouse.read<{ version: string }>('select version() as version');
    const { version } = row!;
    const missing = await missingInClickHouse(clickhouse);
    return faultsOr(
      [
        isOld(version) &&
          fail(
            `ClickHouse ${version} is too old: install ${OLDEST.join('.')} or later, so that no scan counts twice.`,
          ),
        missing.length > 0 &&
          warn(
            `ClickHouse lacks ${missing.join(', ')}: the next start of a gateway, or tessera migrate, makes it.`,
          ),
      ],
      ok(`ClickHouse ${version} answers and has its tables.`),
    );
  } catch (error) {
    return [
      fail(
        `${(error as Error).message}: start it, or correct CLICKHOUSE_URL; scans wait in memory meanwhile.`,
      ),
    ];
  } finally {
    await clickhouse.close();
  }
};

/** Checks that ClickHouse answers, has its tables, and is set where scans are there. */
export const checkClickHouse = async (
  database: Inspected | null,
  url: string | null,
): Promise<readonly Finding[]> => {
  if (url !== null) return lookAt(url);
  if (database === null || !(await areScansElsewhere(database.sql).catch(() => false)))
    return [ok('Postgres keeps the scans.')];
  return [
    fail('The scans of this installation are in ClickHouse: set CLICKHOUSE_URL, or gateways do not start.'),
  ];
};

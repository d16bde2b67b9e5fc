import type { Database } from '../../db/database.ts';
import type { LinkRules } from '../../generate/slugs.ts';
import type { RefundPolicy } from '../../lists.ts';
import type { Log } from '../../log.ts';
import type { LogoFitter } from '../../logo/fit.ts';
import type { LogoSource } from '../../logo/source.ts';
import type { Quota } from '../../quota/quota.ts';
import type { RenderPool } from '../../render/pool.ts';
import type { WebpWriter } from '../../render/webp.ts';
import type { ObjectStore } from '../../storage/store.ts';
import type { RowParts } from '../rows/row.ts';

/** What working on batches needs. */
export interface WorkParts {
  readonly sql: Database['sql'];
  readonly changes: Pick<Database['changes'], 'announce'>;
  readonly store: ObjectStore;
  readonly quota: Pick<Quota, 'hold' | 'release'>;
  readonly pool: Pick<RenderPool, 'render'>;
  readonly logos: Pick<LogoSource, 'resolve'>;
  readonly fitLogo: LogoFitter;
  readonly webp: Pick<WebpWriter, 'write'>;
  readonly rows: Pick<RowParts, 'checkRow'>;
  readonly links: LinkRules;
  readonly refund: RefundPolicy;
  /** Limit on the stored rows and results of an account's batches. */
  readonly accountMaxBytes: number;
  readonly log: Pick<Log, 'warn'>;
}

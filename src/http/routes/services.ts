/** What the routes use. */
import type { onRequestAsyncHookHandler } from 'fastify';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Sessions } from '../../accounts/sessions.ts';
import type { OpenArchive } from '../../archive/archive.ts';
import type { createReceive } from '../../batches/receive/receive.ts';
import type { Report } from '../../batches/report.ts';
import type { BatchDesign, Check, RowReader } from '../../batches/rows/row.ts';
import type { Uploads } from '../../batches/uploads.ts';
import type { PartParts } from '../../batches/work/files.ts';
import type { Database } from '../../db/database.ts';
import type { ScanStore } from '../../db/tables/scans/store.ts';
import type { Directory } from '../../domains/directory.ts';
import type { Domains } from '../../domains/domains.ts';
import type { UnknownSlugs } from '../../domains/unknown-slugs.ts';
import type { createBarcode } from '../../generate/barcode/barcode.ts';
import type { createBulk } from '../../generate/bulk/bulk.ts';
import type { createFirstPicture } from '../../generate/first-picture.ts';
import type { createPreview } from '../../generate/preview.ts';
import type { createBulkCheck, createCheck } from '../../generate/quality/check.ts';
import type { Redraw } from '../../generate/redraw.ts';
import type { Rehearsal } from '../../generate/rehearsal.ts';
import type { createRestyle } from '../../generate/restyle.ts';
import type { Sandbox } from '../../generate/sandbox.ts';
import type { createSave } from '../../generate/save/save.ts';
import type { createImage, createSingle } from '../../generate/single.ts';
import type { LinkRules } from '../../generate/slugs.ts';
import type { FreeWork } from '../../limits/free-work.ts';
import type { createReceiveJob } from '../../link-jobs/receive.ts';
import type { Links } from '../../links/links.ts';
import type { Exposition } from '../../metrics/metrics.ts';
import type { PresetLookup } from '../../presets/lookup.ts';
import type { Presets } from '../../presets/presets.ts';
import type { Quota } from '../../quota/quota.ts';
import type { WebpWriter } from '../../render/webp.ts';
import type { Resolver } from '../../resolver/resolver.ts';
import type { FolderSheets } from '../../sheets/folder-sheets.ts';
import type { SignedPictures } from '../../signed/picture.ts';
import type { SigningSecrets } from '../../signed/secrets.ts';
import type { PublicKey } from '../../verify/receipt/jws.ts';
import type { ScanCheck } from '../../verify/scan-check.ts';
import type { Auth } from '../auth/auth.ts';
import type { OperatorAuth } from '../auth/operator-auth.ts';
import type { createSignatureHook } from '../auth/signature.ts';
import type { SearchLine } from '../limits/places.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { UploadPlaces } from './account/batches/upload-places.ts';

/** Makes this gateway look for work at once. */
interface Wakeable {
  wake(): void;
}

/** The services of a gateway. */
export interface Services {
  readonly auth: Auth;
  readonly rateLimit: RateLimit;
  readonly requireAdmin: onRequestAsyncHookHandler;
  readonly operators: OperatorAuth;
  readonly database: Database;
  readonly scanStore: ScanStore;
  readonly quota: Quota;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly freeWork: FreeWork;
  readonly searches: SearchLine;
  readonly scanReports: SearchLine;
  readonly single: ReturnType<typeof createSingle>;
  readonly save: ReturnType<typeof createSave>;
  readonly bulk: ReturnType<typeof createBulk>;
  readonly image: ReturnType<typeof createImage>;
  readonly barcode: ReturnType<typeof createBarcode>;
  readonly firstPicture: ReturnType<typeof createFirstPicture>;
  readonly sandbox: Sandbox;
  readonly rehearsal: Rehearsal;
  readonly check: ReturnType<typeof createCheck>;
  readonly bulkCheck: ReturnType<typeof createBulkCheck>;
  readonly preview: ReturnType<typeof createPreview>;
  readonly restyle: ReturnType<typeof createRestyle>;
  readonly redraw: Redraw;
  readonly webp: WebpWriter;
  readonly presets: Presets & PresetLookup;
  readonly batches: {
    readonly receive: ReturnType<typeof createReceive>;
    readonly checkDesign: Check;
    createRowReader(batch: BatchDesign, numberOf: (counter: string, row: number) => number): RowReader;
    readonly retentionDays: number;
    readonly countersMax: number;
    readonly uploads: Uploads;
    readonly uploadPlaces: UploadPlaces;
    readonly engine: Wakeable;
    readonly parts: PartParts;
    readonly report: Report;
  };
  readonly webhooks: {
    readonly maxPerAccount: number;
    readonly allowPrivateNetworks: boolean;
    readonly sender: Wakeable;
  };
  readonly verifier: Wakeable;
  readonly scanCheck: ScanCheck;
  /** Signs receipts. */
  readonly receiptKey: PublicKey;
  readonly openArchive: OpenArchive;
  readonly folderSheets: FolderSheets;
  readonly signed: {
    readonly secrets: SigningSecrets;
    readonly pictures: SignedPictures;
    readonly check: Parameters<typeof createSignatureHook>[1];
  };
  /** Where the gateway is reached, without a trailing slash. */
  publicUrl(): string;
  readonly links: Links;
  readonly domains: Domains;
  /** Whether a host is one of the service itself. */
  isOwnHost(host: string): boolean;
  /** The own domains that are served. */
  readonly directory: Directory;
  readonly unknownSlugs: UnknownSlugs;
  readonly linkJobs: Wakeable & ReturnType<typeof createReceiveJob>;
  readonly linkRules: LinkRules;
  readonly resolver: Resolver;
  readonly metrics: Exposition;
  /** Returns why this gateway should get no new requests, as a sentence; `null`: it is ready. */
  notReady(): Promise<string | null>;
  /** Returns what an operator should know although the gateway is ready, as a sentence; `null`: nothing. */
  note(): string | null;
}

/** What a route for callers with a key needs: these services, and those that admit its calls and do them once. */
export type Need<Name extends keyof Services = never> = Pick<
  Services,
  Name | 'auth' | 'database' | 'rateLimit'
>;

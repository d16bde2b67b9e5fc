import { createOperatorSessions, createSessions } from '../accounts/sessions.ts';
import { createArchives } from '../archive/archive.ts';
import type { Config } from '../config/config.ts';
import { tellFullDisk } from '../db/embedded/folder.ts';
import { findKeyByHash } from '../db/tables/accounts/keys.ts';
import { findSession } from '../db/tables/accounts/sessions.ts';
import { getCode } from '../db/tables/codes/codes.ts';
import { setFirstDesign } from '../db/tables/codes/designs.ts';
import { type BulkStore, createBulkStore } from '../db/tables/saving.ts';
import { shortUrlAt } from '../domains/place.ts';
import { createBarcode } from '../generate/barcode/barcode.ts';
import { createBulk } from '../generate/bulk/bulk.ts';
import { createFirstPicture } from '../generate/first-picture.ts';
import { createPreview } from '../generate/preview.ts';
import { createBulkCheck, createCheck } from '../generate/quality/check.ts';
import { createRedraw, type Redraw } from '../generate/redraw.ts';
import { createRehearsal } from '../generate/rehearsal.ts';
import { createRestyle } from '../generate/restyle.ts';
import { createSandbox } from '../generate/sandbox.ts';
import { createSave } from '../generate/save/save.ts';
import { createImage, createSingle } from '../generate/single.ts';
import type { LinkRules } from '../generate/slugs.ts';
import { createAuth } from '../http/auth/auth.ts';
import { createAdminAuth, createAdminTokenCheck, createOperatorAuth } from '../http/auth/operator-auth.ts';
import { createSearchLine } from '../http/limits/places.ts';
import type { RateLimit } from '../http/limits/rate-limit.ts';
import type { Services } from '../http/routes/services.ts';
import { createCheck as createSchemaCheck } from '../http/schemas/validation.ts';
import { checkDestination } from '../links/destination.ts';
import { LINK_PLACEHOLDERS } from '../links/forward.ts';
import { checkOwnSlug, createSlug, SLUG_TAKEN } from '../links/slug.ts';
import { NO_PLACEHOLDERS } from '../links/template.ts';
import type { Log } from '../log.ts';
import type { Exposition, Metrics } from '../metrics/metrics.ts';
import { createPresetLookup, type PresetLookup } from '../presets/lookup.ts';
import { createPresets } from '../presets/presets.ts';
import { describeMemory } from '../quota/redis/room.ts';
import { createResolver } from '../resolver/resolver.ts';
import { TARGET_PLACEHOLDERS } from '../resolver/templates.ts';
import { createFolderSheets } from '../sheets/folder-sheets.ts';
import { createPaidPictures } from '../signed/paid.ts';
import { SignedParameters } from '../signed/parameters.ts';
import { createSignedPictures } from '../signed/picture.ts';
import { createSigningSecrets } from '../signed/secrets.ts';
import type { Tracer } from '../tracing/trace.ts';
import { createScanCheck } from '../verify/scan-check.ts';
import { startVerifier, type Verifier } from '../verify/verifier.ts';
import { createPost } from '../webhooks/post.ts';
import { startSender } from '../webhooks/sender.ts';
import { createBatches, type Verifying } from './batches.ts';
import { createOwnDomains } from './domains.ts';
import type { Drawing } from './drawing.ts';
import { createLinkJobs } from './link-jobs.ts';
import { type MeasuredServing, metricsOf } from './metrics.ts';
import type { Stores } from './stores.ts';

/** Builds what the routes of signed pictures use. */
const createSigned = (
  { database }: Stores,
  drawing: Drawing,
  redraw: Redraw,
  presets: PresetLookup,
  log: Log,
) => {
  const { sql } = database;
  return {
    secrets: createSigningSecrets(database, log),
    pictures: createSignedPictures({
      ...drawing,
      redraw,
      paid: createPaidPictures(sql),
      findCode: (accountId, id) => getCode(sql, accountId, id),
      findPreset: presets.find,
    }),
    check: createSchemaCheck(SignedParameters, (image) => drawing.logos.checkSyntax(image) === null),
  };
};

/** What belongs to the gateway itself. */
interface GatewayState extends MeasuredServing {
  readonly rateLimit: RateLimit;
  /** Base of short links, without a trailing slash. */
  publicUrl(): string;
  isDraining(): boolean;
  /** Returns what `/metrics` answers with, given the metrics of this process. */
  publish(own: Metrics): Exposition;
}

const authFor = ({ database: { sql, changes }, keyUses }: Stores, { publicUrl }: Config, log: Log) =>
  createAuth(
    {
      findKey: (hash) => findKeyByHash(sql, hash),
      findSession: (hash) => findSession(sql, hash),
      changes,
      touchKey: (id) => keyUses.note(id),
      publicUrl,
    },
    log,
  );

const operatorAuthFor = ({ database }: Stores, { adminToken, publicUrl }: Config) => {
  const check = createAdminTokenCheck(adminToken);
  const sessions = adminToken === null ? null : createOperatorSessions(database, adminToken);
  return {
    requireAdmin: createAdminAuth(check),
    operators: createOperatorAuth({ check, sessions, publicUrl }),
  };
};

/** Builds what the routes of webhooks use, and starts to send deliveries where that is done. */
const createWebhooks = (
  { webhooks, duties: { works }, quota: { planMonthly } }: Config,
  { database: { sql } }: Stores,
  { shortUrl }: Pick<LinkRules, 'shortUrl'>,
  { log, tracer }: { readonly log: Log; readonly tracer: Tracer | null },
) => ({
  ...webhooks,
  sender: startSender({
    sql,
    post: createPost(webhooks),
    planMonthly,
    maxEvents: webhooks.maxEvents,
    shortUrl,
    works,
    log,
    tracer,
  }),
});

/** The work in the background, which ends before the stores. */
interface Work {
  readonly verifier: Verifier;
  readonly batches: ReturnType<typeof createBatches>;
  readonly linkJobs: ReturnType<typeof createLinkJobs>;
  readonly webhooks: ReturnType<typeof createWebhooks>;
}

/** What the work needs besides stores and drawing. */
interface WorkParts extends LinkRules {
  installation(): string;
  publicUrl(): string;
  readonly redraw: Redraw;
  readonly log: Log;
  readonly tracer: Tracer | null;
}

/** Builds what the routes of batches, link jobs and webhooks use, and starts the work where the role does it. */
const startWork = (
  config: Config,
  stores: Stores,
  drawing: Drawing,
  verifying: Verifying,
  parts: WorkParts,
): Work => {
  const { sql } = stores.database;
  const { freeWork } = drawing;
  const { works } = config.duties;
  return {
    verifier: startVerifier({ ...verifying, ...parts, sql, freeWork, works }),
    batches: createBatches(config, stores, drawing, verifying, parts, parts),
    webhooks: createWebhooks(config, stores, parts, parts),
    linkJobs: createLinkJobs(config, stores, parts, parts),
  };
};

/** The use cases that make codes for units. */
const createPaid = (
  { quota: { refund } }: Config,
  drawing: Drawing,
  saving: { readonly store: BulkStore; readonly redraw: Redraw; readonly links: LinkRules },
  { sql }: Stores['database'],
) => ({
  single: createSingle(drawing),
  save: createSave({ ...drawing, ...saving, slugs: { check: checkOwnSlug, taken: SLUG_TAKEN } }),
  bulk: createBulk({ ...drawing, ...saving, refund }),
  image: createImage(drawing),
  barcode: createBarcode(drawing),
  firstPicture: createFirstPicture({
    ...drawing,
    saveFirst: (...picture) => sql.begin((tx) => setFirstDesign(tx, ...picture)),
  }),
});

/** The use cases that report for free what a picture would be. */
const createFree = (drawing: Drawing, links: LinkRules, store: BulkStore) => ({
  check: createCheck(drawing),
  bulkCheck: createBulkCheck({ ...drawing, links, store }),
  preview: createPreview(drawing),
  restyle: createRestyle(drawing),
});

const resolverOf = ({ resolver: { url, itemsMax } }: Config, { items }: Stores, publicUrl: () => string) =>
  createResolver(
    () => url ?? publicUrl(),
    (href) => checkDestination(href, publicUrl(), TARGET_PLACEHOLDERS),
    items,
    itemsMax,
  );

/** Returns the rules of short links. @param publicUrl The base of those on the shared domain, without a trailing slash. */
const linkRulesOf = (publicUrl: () => string, { find }: Stores['directory']) => ({
  createSlug,
  shortUrl: (slug: string, place: string | null) =>
    place === null ? `${publicUrl()}/l/${slug}` : shortUrlAt(place, slug),
  checkDestination: (url: string) => checkDestination(url, publicUrl(), LINK_PLACEHOLDERS, find),
  checkPlainUrl: (url: string) => checkDestination(url, publicUrl(), NO_PLACEHOLDERS, find),
  installation: publicUrl,
});

/** Builds what the routes use, and starts the work that they wake. */
export const createServices = (
  config: Config,
  stores: Stores,
  drawing: Drawing,
  verifying: Verifying,
  state: GatewayState,
  log: Log,
): Services & Work => {
  const { rateLimit, tracer, publicUrl, isDraining, publish } = state;
  const { database, scanStore, quota, redisQuota, accounts, links } = stores;
  const { freeWork } = drawing;
  const auth = authFor(stores, config, log);
  const store = createBulkStore(database);
  const linkRules = linkRulesOf(publicUrl, stores.directory);
  const redraw = createRedraw({ ...drawing, findLogo: store.findLogo, shortUrl: linkRules.shortUrl });
  const presets = createPresetLookup(database, log);
  const work = startWork(config, stores, drawing, verifying, {
    ...linkRules,
    publicUrl,
    redraw,
    log,
    tracer,
  });
  const metrics = metricsOf(config, stores, drawing, { ...state, ...work, auth });
  return {
    auth,
    rateLimit,
    ...operatorAuthFor(stores, config),
    database,
    scanStore,
    quota,
    accounts,
    sessions: createSessions(database),
    freeWork,
    searches: createSearchLine(),
    scanReports: createSearchLine({ maxWaiting: 5, waitMs: 10_000 }, 'report of scans'),
    ...createPaid(config, drawing, { store, redraw, links: linkRules }, stores.database),
    ...work,
    sandbox: createSandbox(drawing, { store, links: linkRules }),
    rehearsal: createRehearsal(drawing, { store, links: linkRules }),
    presets: createPresets(database, drawing, presets),
    ...createFree(drawing, linkRules, store),
    redraw,
    webp: drawing.webp,
    scanCheck: createScanCheck({ ...verifying, ...linkRules, sql: database.sql, freeWork }),
    receiptKey: verifying.signer.publicKey,
    openArchive: createArchives({ ...drawing, ...linkRules, redraw }),
    folderSheets: createFolderSheets({ redraw, freeWork, findLogo: store.findLogo }),
    signed: createSigned(stores, drawing, redraw, presets, log),
    publicUrl,
    links,
    ...createOwnDomains(config, stores, publicUrl, log),
    linkRules,
    resolver: resolverOf(config, stores, publicUrl),
    metrics: publish(metrics),
    async notReady() {
      if (isDraining()) return 'The gateway is shutting down.';
      return database.embedded ? tellFullDisk(config.dataDir, config.diskFreeMinBytes) : null;
    },
    note: () => (redisQuota === null ? null : describeMemory(redisQuota.stats())),
  };
};

/** Registers every route of the gateway, in the order of the OpenAPI document. */
import type { FastifyInstance } from 'fastify';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Sessions } from '../../accounts/sessions.ts';
import type { Database } from '../../db/database.ts';
import type { LinkRules } from '../../generate/bulk/items.ts';
import type { Redraw } from '../../generate/redraw.ts';
import type { WebpWriter } from '../../generate/webp.ts';
import type { FreeWork } from '../../limits/free-work.ts';
import type { Links } from '../../links/links.ts';
import type { Quota } from '../../quota/quota.ts';
import type { PublicKey } from '../../verify/receipt/jws.ts';
import type { AccountParts } from '../auth/of-account.ts';
import { createCheckPlaces } from '../limits/check-places.ts';
import type { SearchLine } from '../limits/search-line.ts';
import { collectRoutes } from '../schemas/openapi.ts';
import { accountRoutes } from './account/account.ts';
import { type ArchiveRouteParts, archiveRoute } from './account/archive.ts';
import { type BatchRouteParts, batchRoutes } from './account/batches/batches.ts';
import { type BatchOutcomeParts, batchOutcomeRoutes } from './account/batches/outcomes.ts';
import { type BatchPartRouteParts, batchPartRoutes } from './account/batches/parts.ts';
import { batchPreviewRoute } from './account/batches/preview.ts';
import { type SendBatchParts, sendBatchRoute } from './account/batches/send.ts';
import { uploadRoutes } from './account/batches/uploads.ts';
import { binRoutes } from './account/bin.ts';
import { type CodeDesignParts, codeDesignRoute } from './account/code-design.ts';
import { codeListRoutes } from './account/code-lists.ts';
import { codesArchiveRoute } from './account/codes/archive.ts';
import { linksSummaryRoutes } from './account/codes/links-summary.ts';
import { manyCodesRoutes } from './account/codes/many.ts';
import { codesRoutes } from './account/codes.ts';
import { folderListRoutes } from './account/folder-list.ts';
import { foldersRoutes } from './account/folders.ts';
import { keysRoutes } from './account/keys.ts';
import { deadLinkHistoryRoute } from './account/links/dead-links.ts';
import { linkHistoryRoute } from './account/links/history.ts';
import { linksRoutes } from './account/links/links.ts';
import { manyLinksRoutes } from './account/links/many.ts';
import { pictureRoute } from './account/pictures.ts';
import { editPresetRoutes } from './account/presets/edit.ts';
import { type PresetRouteParts, presetRoutes } from './account/presets/presets.ts';
import { scansRoutes } from './account/scans.ts';
import { type SheetsRouteParts, sheetsRoute } from './account/sheets.ts';
import { usageRoutes } from './account/usage.ts';
import type { VerificationRouteParts } from './account/verifications/body.ts';
import { codeVerificationRoutes } from './account/verifications/codes.ts';
import { folderVerificationRoutes } from './account/verifications/folders.ts';
import { type DeliveryRouteParts, deliveryRoutes } from './account/webhooks/deliveries.ts';
import { type EditWebhookParts, editWebhookRoutes } from './account/webhooks/edit.ts';
import { webhookRoutes } from './account/webhooks/webhooks.ts';
import { dashboardCheckRoute } from './dashboard/check.ts';
import { dashboardRoutes } from './dashboard/dashboard.ts';
import { type OperatorSessionParts, operatorSessionRoutes } from './dashboard/operator-session.ts';
import { type PreviewRouteParts, previewRoute } from './dashboard/preview.ts';
import { sessionRoutes } from './dashboard/session.ts';
import { addDocs } from './docs/docs.ts';
import { openapiRoute } from './docs/openapi.ts';
import { type BulkRouteParts, bulkRoute } from './generate/bulk.ts';
import { type CheckRouteParts, checkRoutes } from './generate/check.ts';
import { fileRoute } from './generate/file.ts';
import { type ImageRouteParts, imageRoute } from './generate/image.ts';
import { type SingleRouteParts, singleRoute } from './generate/single.ts';
import { type AdminRouteParts, adminRoutes } from './operator/admin.ts';
import { type HealthRouteParts, healthRoutes } from './operator/health.ts';
import { type MetricsRouteParts, metricsRoute } from './operator/metrics.ts';
import { receiptKeyRoute } from './receipt-key.ts';
import { redirectRoute } from './redirect.ts';
import { type SignedPictureRouteParts, signedPictureRoute } from './signed/pictures.ts';
import { signingSecretRoutes } from './signed/secrets.ts';
import { type SignedUrlRouteParts, signedUrlRoute } from './signed/urls.ts';

/** The services that the routes use. */
export interface Services extends AccountParts {
  readonly requireAdmin: MetricsRouteParts['requireAdmin'];
  readonly operators: OperatorSessionParts['operators'] & AdminRouteParts['operators'];
  readonly database: Database;
  readonly quota: Quota;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly freeWork: FreeWork;
  readonly searches: SearchLine;
  readonly single: SingleRouteParts['single'];
  readonly bulk: BulkRouteParts['bulk'];
  readonly batches: BatchRouteParts['batches'] &
    BatchOutcomeParts['batches'] &
    SendBatchParts['batches'] &
    BatchPartRouteParts['batches'];
  readonly webhooks: EditWebhookParts['webhooks'] & DeliveryRouteParts['webhooks'];
  readonly image: ImageRouteParts['image'];
  readonly presets: PresetRouteParts['presets'] & SingleRouteParts['presets'];
  readonly check: CheckRouteParts['check'];
  readonly bulkCheck: CheckRouteParts['bulkCheck'];
  readonly preview: PreviewRouteParts['preview'];
  readonly redraw: Redraw;
  readonly restyle: CodeDesignParts['restyle'];
  readonly webp: WebpWriter;
  readonly verifier: VerificationRouteParts['verifier'];
  /** With which receipts are signed. */
  readonly receiptKey: PublicKey;
  readonly openArchive: ArchiveRouteParts['openArchive'];
  readonly folderSheets: SheetsRouteParts['folderSheets'];
  readonly signed: SignedPictureRouteParts['signed'];
  readonly publicUrl: SignedUrlRouteParts['publicUrl'];
  readonly links: Links;
  readonly linkRules: LinkRules;
  readonly metrics: MetricsRouteParts['metrics'];
  readonly notReady: HealthRouteParts['notReady'];
  readonly note: HealthRouteParts['note'];
}

/** The part of the configuration that routes depend on. */
export interface RouteOptions {
  /** The path of `PUBLIC_URL`. */
  readonly basePath: string;
  readonly bulkBodyLimitBytes: number;
  /** Whether `/metrics` needs no admin token. */
  readonly metricsPublic: boolean;
}

/** Registers the routes, and the OpenAPI document that describes them. */
export const registerRoutes = async (
  gateway: FastifyInstance,
  services: Services,
  { basePath, bulkBodyLimitBytes, metricsPublic }: RouteOptions,
): Promise<void> => {
  const { linkRules } = services;
  await collectRoutes(gateway, basePath);
  await gateway.register(healthRoutes(services));
  await gateway.register(singleRoute(services));
  await gateway.register(fileRoute(services));
  await gateway.register(bulkRoute({ ...services, bodyLimitBytes: bulkBodyLimitBytes }));
  await gateway.register(imageRoute(services));
  const runCheck = createCheckPlaces();
  await gateway.register(checkRoutes({ ...services, runCheck, bodyLimitBytes: bulkBodyLimitBytes }));

  await gateway.register(
    async (own) => {
      await own.register(usageRoutes(services));
      await own.register(accountRoutes({ ...services, ...linkRules }));
      await own.register(keysRoutes(services));
      await own.register(folderListRoutes(services));
      await own.register(foldersRoutes(services));
      await own.register(archiveRoute(services));
      await own.register(sheetsRoute(services));
      await own.register(folderVerificationRoutes(services));
      await own.register(codeVerificationRoutes(services));
      await own.register(codeListRoutes(services));
      await own.register(codesRoutes(services));
      await own.register(manyCodesRoutes(services));
      await own.register(codesArchiveRoute(services));
      await own.register(linksSummaryRoutes(services));
      await own.register(codeDesignRoute({ ...services, runCheck }));
      await own.register(pictureRoute(services));
      await own.register(linksRoutes({ ...services, ...linkRules }));
      await own.register(linkHistoryRoute(services));
      await own.register(manyLinksRoutes({ ...services, ...linkRules }));
      await own.register(deadLinkHistoryRoute(services));
      await own.register(scansRoutes(services));
      await own.register(presetRoutes(services));
      await own.register(editPresetRoutes(services));
      await own.register(binRoutes(services));
      await own.register(sendBatchRoute(services));
      await own.register(batchPreviewRoute(services));
      await own.register(uploadRoutes(services));
      await own.register(batchRoutes(services));
      await own.register(batchOutcomeRoutes(services));
      await own.register(batchPartRoutes(services));
      await own.register(webhookRoutes(services));
      await own.register(editWebhookRoutes(services));
      await own.register(deliveryRoutes(services));
      await own.register(signedUrlRoute(services));
      await own.register(signingSecretRoutes(services));
    },
    { prefix: '/api/v1' },
  );
  await gateway.register(redirectRoute(services.links));
  await gateway.register(signedPictureRoute(services));
  await gateway.register(receiptKeyRoute(services));

  await gateway.register(sessionRoutes(services), { prefix: '/dashboard' });
  await gateway.register(operatorSessionRoutes(services), { prefix: '/dashboard' });
  await gateway.register(previewRoute(services), { prefix: '/dashboard' });
  await gateway.register(dashboardCheckRoute({ ...services, runCheck }), { prefix: '/dashboard' });
  await gateway.register(dashboardRoutes({ basePath }));

  await gateway.register(adminRoutes({ ...services, ...linkRules }), { prefix: '/admin/v1' });
  await gateway.register(metricsRoute({ ...services, isPublic: metricsPublic }));
  await gateway.register(openapiRoute);
  await addDocs(gateway, basePath);
};

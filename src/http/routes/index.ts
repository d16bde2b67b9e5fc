/** Registers every route of the gateway, in the order of the OpenAPI document. */
import type { FastifyInstance } from 'fastify';
import { createCheckPlaces } from '../limits/places.ts';
import { collectRoutes, describeRoutes } from '../schemas/openapi/openapi.ts';
import { accountRoutes, usageRoutes } from './account/account.ts';
import { archiveRoute, codesArchiveRoute } from './account/archive.ts';
import { batchRoutes } from './account/batches/batches.ts';
import { counterRoutes } from './account/batches/counters.ts';
import { batchPartRoutes } from './account/batches/parts.ts';
import { batchPreviewRoute } from './account/batches/preview.ts';
import { reprintRoutes } from './account/batches/reprints.ts';
import { sendBatchRoute } from './account/batches/send.ts';
import { uploadRoutes } from './account/batches/uploads.ts';
import { binRoutes } from './account/bin.ts';
import { codeByExternalIdRoutes } from './account/codes/by-external-id.ts';
import { codesRoutes, saveCodeRoute } from './account/codes/codes.ts';
import { codeDesignRoute } from './account/codes/design.ts';
import { firstPictureRoute } from './account/codes/first-picture.ts';
import { codeListRoutes } from './account/codes/lists.ts';
import { linksSummaryRoutes, manyCodesRoutes } from './account/codes/many.ts';
import { pictureRoute } from './account/codes/pictures.ts';
import { scanCheckRoute } from './account/codes/scan-check.ts';
import { domainChangeRoutes, domainRoutes } from './account/domains.ts';
import { foldersRoutes } from './account/folders.ts';
import { keysRoutes } from './account/keys.ts';
import { endLinkJobRoutes, linkJobRoutes } from './account/link-jobs/jobs.ts';
import { sendLinkJobRoute } from './account/link-jobs/send.ts';
import { linksRoutes } from './account/links.ts';
import { linkListRoute } from './account/links-list.ts';
import { manyLinksRoutes } from './account/links-many.ts';
import { exportLinksRoute } from './account/moving/export-links.ts';
import { importLinksRoute } from './account/moving/import-links.ts';
import { presetRoutes } from './account/presets.ts';
import { printProfileRoutes } from './account/print-profiles.ts';
import { itemReportRoutes, itemRoutes } from './account/resolver/items.ts';
import { manyItemsRoutes } from './account/resolver/many.ts';
import { itemTableRoutes } from './account/resolver/tables.ts';
import { explainRoute } from './account/rules/explain.ts';
import { ruleSetChangeRoutes, ruleSetRoutes } from './account/rules/rule-sets.ts';
import { exportScansRoute } from './account/scans/export.ts';
import { rawScansRoute } from './account/scans/raw.ts';
import { scansRoutes } from './account/scans/reports.ts';
import { codesSheetsRoute, sheetsRoute } from './account/sheets.ts';
import { codeVerificationRoutes, folderVerificationRoutes } from './account/verifications.ts';
import { eventRoutes } from './account/webhook-events.ts';
import { deliveryRoutes, webhookRoutes, webhookSecretRoutes } from './account/webhooks.ts';
import { dashboardRoutes } from './dashboard/dashboard.ts';
import { dashboardCheckRoute, previewRoute } from './dashboard/preview.ts';
import { operatorSessionRoutes, sessionRoutes } from './dashboard/sessions.ts';
import { domainRoute } from './domain.ts';
import { barcodeRoute } from './generate/barcode.ts';
import { bulkRoute } from './generate/bulk.ts';
import { checkRoutes } from './generate/check.ts';
import { gs1Route } from './generate/gs1.ts';
import { imageRoute } from './generate/image.ts';
import { fileRoute, singleRoute } from './generate/single.ts';
import { accountKeysRoutes, adminAccountRoutes } from './operator/accounts.ts';
import { healthRoutes, metricsRoute } from './operator/health.ts';
import { adminUsageRoutes } from './operator/usage.ts';
import { addDocs, clientRoutes, openapiRoute, receiptKeyRoute } from './published.ts';
import { redirectRoute } from './redirect.ts';
import { resolverRoutes } from './resolver.ts';
import type { Services } from './services.ts';
import { signedPictureRoute } from './signed/pictures.ts';
import { signingSecretRoutes } from './signed/secrets.ts';
import { signedUrlRoute } from './signed/urls.ts';
import { beginRoutes, type TierOptions } from './tiers.ts';

/** The part of the configuration that routes depend on. */
export interface RouteOptions extends TierOptions {
  /** The path of `PUBLIC_URL`. */
  readonly basePath: string;
  readonly bulkBodyLimitBytes: number;
}

/** Registers the routes, and the OpenAPI document that describes them. */
export const registerRoutes = async (
  gateway: FastifyInstance,
  services: Services,
  options: RouteOptions,
): Promise<void> => {
  const { basePath, bulkBodyLimitBytes, metricsPublic } = options;
  const completeMethods = beginRoutes(gateway, options);
  await collectRoutes(gateway, basePath);
  await gateway.register(healthRoutes(services));
  await gateway.register(singleRoute(services));
  await gateway.register(fileRoute(services));
  await gateway.register(bulkRoute({ ...services, bodyLimitBytes: bulkBodyLimitBytes }));
  await gateway.register(imageRoute(services));
  await gateway.register(barcodeRoute(services));
  const runCheck = createCheckPlaces();
  await gateway.register(checkRoutes({ ...services, runCheck, bodyLimitBytes: bulkBodyLimitBytes }));
  await gateway.register(gs1Route(services));

  await gateway.register(
    async (own) => {
      await own.register(usageRoutes(services));
      await own.register(accountRoutes(services));
      await own.register(keysRoutes(services));
      await own.register(foldersRoutes(services));
      await own.register(archiveRoute(services));
      await own.register(sheetsRoute(services));
      await own.register(codesSheetsRoute(services));
      await own.register(scanCheckRoute(services));
      await own.register(folderVerificationRoutes(services));
      await own.register(codeVerificationRoutes(services));
      await own.register(codeListRoutes(services));
      await own.register(saveCodeRoute(services));
      await own.register(firstPictureRoute(services));
      await own.register(codesRoutes(services));
      await own.register(manyCodesRoutes(services));
      await own.register(codesArchiveRoute(services));
      await own.register(linksSummaryRoutes(services));
      await own.register(codeByExternalIdRoutes({ ...services, runCheck }));
      await own.register(codeDesignRoute({ ...services, runCheck }));
      await own.register(pictureRoute(services));
      await own.register(linkListRoute(services));
      await own.register(exportLinksRoute(services));
      await own.register(importLinksRoute(services));
      await own.register(linksRoutes(services));
      await own.register(manyLinksRoutes(services));
      await own.register(domainRoutes(services));
      await own.register(domainChangeRoutes(services));
      await own.register(explainRoute(services));
      await own.register(ruleSetRoutes(services));
      await own.register(ruleSetChangeRoutes(services));
      await own.register(sendLinkJobRoute(services));
      await own.register(linkJobRoutes(services));
      await own.register(endLinkJobRoutes(services));
      await own.register(scansRoutes(services));
      await own.register(exportScansRoute(services));
      await own.register(rawScansRoute(services));
      await own.register(itemRoutes(services));
      await own.register(manyItemsRoutes(services));
      await own.register(itemReportRoutes(services));
      await own.register(itemTableRoutes(services));
      await own.register(presetRoutes(services));
      await own.register(printProfileRoutes(services));
      await own.register(binRoutes(services));
      await own.register(sendBatchRoute(services));
      await own.register(batchPreviewRoute(services));
      await own.register(uploadRoutes(services));
      await own.register(batchRoutes(services));
      await own.register(batchPartRoutes(services));
      await own.register(reprintRoutes(services));
      await own.register(counterRoutes(services));
      await own.register(eventRoutes(services));
      await own.register(webhookRoutes(services));
      await own.register(webhookSecretRoutes(services));
      await own.register(deliveryRoutes(services));
      await own.register(signedUrlRoute(services));
      await own.register(signingSecretRoutes(services));
    },
    { prefix: '/api/v1' },
  );
  await gateway.register(redirectRoute({ ...services, ...services.links }));
  await gateway.register(domainRoute(services));
  await gateway.register(resolverRoutes(services));
  await gateway.register(signedPictureRoute(services));
  await gateway.register(receiptKeyRoute(services));

  await gateway.register(sessionRoutes(services), { prefix: '/dashboard' });
  await gateway.register(operatorSessionRoutes(services), { prefix: '/dashboard' });
  await gateway.register(previewRoute(services), { prefix: '/dashboard' });
  await gateway.register(dashboardCheckRoute({ ...services, runCheck }), { prefix: '/dashboard' });
  await gateway.register(dashboardRoutes({ basePath }));

  await gateway.register(
    async (admin) => {
      describeRoutes(admin, 'Admin', { adminToken: [] });
      admin.addHook('onRequest', services.operators.require);
      await admin.register(adminAccountRoutes(services));
      await admin.register(accountKeysRoutes(services));
      await admin.register(adminUsageRoutes(services));
    },
    { prefix: '/admin/v1' },
  );
  await gateway.register(metricsRoute({ ...services, isPublic: metricsPublic }));
  await gateway.register(openapiRoute);
  await gateway.register(clientRoutes());
  await addDocs(gateway, basePath);
  completeMethods();
};

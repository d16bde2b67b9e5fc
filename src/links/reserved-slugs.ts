/**
 * Slugs that nobody may choose, because people would take the link for a page of the service, and slugs that look like
 * them. `skeletonOf` brings them to one form, so `log-in` and `L0GIN` are reserved with `login`.
 */
export const RESERVED_SLUGS: readonly string[] = `
  about abuse account accounts admin administrator api app assets auth billing callback codes contact
  dashboard docs download favicon folders health healthz help imprint index keys legal link links login logout
  metrics null oauth openapi password pay payment privacy qr ready readyz register render robots root scans
  security settings signin signout signup sitemap static status support system terms tessera undefined usage
  verify webhook webhooks well-known www
`
  .trim()
  .split(/\s+/);

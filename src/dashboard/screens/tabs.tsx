/** Tabs of places that have several screens. */
import { Tabs } from '../ui/page.tsx';

const BATCH_TABS = [
  ['batches', 'Batches', '/batches'],
  ['counters', 'Counters', '/batches/counters'],
] as const;

/** Leads from batches to the counters of their serial numbers, and back. */
export const BatchTabs = ({ at }: { readonly at: (typeof BATCH_TABS)[number][0] }) => (
  <Tabs label="Batches and counters" tabs={BATCH_TABS} at={at} />
);

const KEY_TABS = [
  ['keys', 'Keys', '/keys'],
  ['embedding', 'Embedding', '/keys/embedding'],
  ['webhooks', 'Webhooks', '/keys/webhooks'],
] as const;

/** Leads from keys to embedding and webhooks, and back. */
export const KeyTabs = ({ at }: { readonly at: (typeof KEY_TABS)[number][0] }) => (
  <Tabs label="Keys, embedding and webhooks" tabs={KEY_TABS} at={at} />
);

const LINK_TABS = [
  ['links', 'Short links', '/links'],
  ['resolver', 'Resolver', '/links/resolver'],
] as const;

/** Leads from short links to the resolver, and back. */
export const LinkTabs = ({ at }: { readonly at: (typeof LINK_TABS)[number][0] }) => (
  <Tabs label="Short links and resolver" tabs={LINK_TABS} at={at} />
);

import { Tabs } from '../../ui/tabs.tsx';

const TABS = [
  ['keys', 'Keys', '/keys'],
  ['embedding', 'Embedding', '/keys/embedding'],
  ['webhooks', 'Webhooks', '/keys/webhooks'],
] as const;

/** Leads from keys to embedding and webhooks, and back. */
export const KeyTabs = ({ at }: { readonly at: (typeof TABS)[number][0] }) => (
  <Tabs label="Keys, embedding and webhooks" tabs={TABS} at={at} />
);

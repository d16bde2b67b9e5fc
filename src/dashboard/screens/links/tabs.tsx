import { Tabs } from '../../ui/tabs.tsx';

const TABS = [
  ['links', 'Short links', '/links'],
  ['resolver', 'Resolver', '/links/resolver'],
] as const;

/** Leads from short links to the resolver, and back. */
export const LinkTabs = ({ at }: { readonly at: (typeof TABS)[number][0] }) => (
  <Tabs label="Short links and resolver" tabs={TABS} at={at} />
);

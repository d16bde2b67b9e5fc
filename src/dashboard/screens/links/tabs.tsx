import { Tabs } from '../../ui/tabs.tsx';

const TABS = [
  ['links', 'Short links', '/links'],
  ['resolver', 'Resolver', '/links/resolver'],
] as const;

/** Tabs that switch between short links and the resolver. */
export const LinkTabs = ({ at }: { readonly at: (typeof TABS)[number][0] }) => (
  <Tabs label="Short links and resolver" tabs={TABS} at={at} />
);

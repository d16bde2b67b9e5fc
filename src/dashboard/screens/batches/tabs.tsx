import { Tabs } from '../../ui/tabs.tsx';

const TABS = [
  ['batches', 'Batches', '/batches'],
  ['counters', 'Counters', '/batches/counters'],
] as const;

/** Leads from batches to the counters of their serial numbers, and back. */
export const BatchTabs = ({ at }: { readonly at: (typeof TABS)[number][0] }) => (
  <Tabs label="Batches and counters" tabs={TABS} at={at} />
);

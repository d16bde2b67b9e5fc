import type { Batch } from '../../api/shapes.ts';
import { hasEnded, stateOf } from './words.ts';

const LOOKS: Partial<Readonly<Record<Batch['state'], string>>> = { done: 'good', failed: 'bad' };

/** Names the state of a batch. A dot says that it is still at work. */
export const StateChip = ({ batch }: { readonly batch: Batch }) => (
  <span class={`chip ${hasEnded(batch) ? (LOOKS[batch.state] ?? '') : 'live'}`}>{stateOf(batch)}</span>
);

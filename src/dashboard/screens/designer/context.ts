import { createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';
import type { QrRequest } from '../../api/shapes.ts';
import { type FieldFault, read } from './draft.ts';

export interface Design {
  readonly request: QrRequest;
  readonly fault: FieldFault | null;
  set(path: string, value: unknown): void;
}

export const DesignContext = createContext<Design | null>(null);

export interface FieldState {
  readonly id: string;
  readonly value: unknown;
  /** What the service says is wrong with this very field. */
  readonly fault: string | null;
  readonly set: (value: unknown) => void;
  /** Ties an input to its fault. */
  readonly aria: { readonly 'aria-invalid'?: true; readonly 'aria-describedby'?: string };
}

export const useDesign = (): Design => {
  const design = useContext(DesignContext);
  if (design === null) throw new Error('a field outside of a design');
  return design;
};

/** A field of the design by its path in the request. */
export const useField = (path: string): FieldState => {
  const id = useId();
  const { request, fault, set } = useDesign();
  const mine = fault?.path === path ? fault.message : null;
  return {
    id,
    value: read(request, path),
    fault: mine,
    set: (value) => set(path, value),
    aria: mine === null ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-fault` },
  };
};

import { createContext } from 'preact';
import { useContext, useId } from 'preact/hooks';
import type { QrRequest } from '../../api/shapes.ts';
import { type FieldFault, read } from './draft.ts';

/** The design that the fields of a form share. */
export interface Design {
  readonly request: QrRequest;
  /** What the service found wrong with the design; `null` when it found nothing. */
  readonly fault: FieldFault | null;
  /** Sets the field at a path; `undefined` removes it. */
  set(path: string, value: unknown): void;
}

/** Provides the design to fields; `null` outside of a designer. */
export const DesignContext = createContext<Design | null>(null);

/** A field of the design with everything that its input needs. */
interface FieldState {
  readonly id: string;
  readonly value: unknown;
  /** What the service says is wrong with this field. */
  readonly fault: string | null;
  readonly set: (value: unknown) => void;
}

/** Returns the design around a field. @throws Outside of a `DesignContext`. */
export const useDesign = (): Design => {
  const design = useContext(DesignContext);
  if (design === null) throw new Error('useDesign was called outside of DesignContext');
  return design;
};

/** Returns a field of the design, by its path in the request, for example `dotsOptions.color`. */
export const useField = (path: string): FieldState => {
  const id = useId();
  const { request, fault, set } = useDesign();
  const mine = fault?.path === path ? fault.message : null;
  return {
    id,
    value: read(request, path),
    fault: mine,
    set: (value) => set(path, value),
  };
};

import type { QrRequest } from '../../../api/shapes.ts';
import { DesignContext } from '../../designer/context.ts';
import { change, type FieldFault } from '../../designer/draft.ts';
import { LookList } from '../../designer/look-list.tsx';
import { Options } from '../../designer/options.tsx';

/** Lets a person choose the design of all rows: a style, and all options behind a fold. */
export const DesignChoice = ({
  request,
  fault,
  onChange,
}: {
  readonly request: QrRequest;
  readonly fault: FieldFault | null;
  readonly onChange: (request: QrRequest) => void;
}) => {
  const design = {
    request,
    fault,
    set: (path: string, value: unknown) => onChange(change(request, path, value)),
  };
  return (
    <DesignContext.Provider value={design}>
      <section class="card" aria-labelledby="batch-design">
        <h2 id="batch-design">Design</h2>
        <LookList request={request} onChoose={onChange} />
        <p class="muted small">For all rows. What a row says in columns of its own wins.</p>
        <details class="all-options">
          <summary>Size, colours, logo and all other options</summary>
          <div class="stack">
            <Options />
          </div>
        </details>
      </section>
    </DesignContext.Provider>
  );
};

import { useLocation } from 'preact-iso';
import { ONCE, useRead } from '../api/query.ts';
import { Above, Page } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { loadBeginning, Studio } from './designer/studio.tsx';

/**
 * Designs a code. With `edit=<id>` a saved code gets another design; with `from=<id>` a new code begins as its copy.
 */
export default function Designer(_: { readonly path: string }) {
  const { edit, from } = useLocation().query;
  const beginning = useRead(
    ['beginning', edit, from],
    (signal) => loadBeginning({ edit, from }, signal),
    ONCE,
  );
  return (
    <Page
      title={edit === undefined ? 'Designer' : 'Edit design'}
      above={edit !== undefined && <Above path={`/codes/${edit}`} name="Code" />}
    >
      <Loaded load={beginning} what="the designer">
        {(loaded) => <Studio key={loaded.id} beginning={loaded} />}
      </Loaded>
    </Page>
  );
}

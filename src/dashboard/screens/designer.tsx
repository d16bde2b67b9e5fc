import { useLocation } from 'preact-iso';
import { Above, Page } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { loadBeginning } from './designer/beginning.ts';
import { Studio } from './designer/studio.tsx';

/**
 * Designs a code. With `edit=<id>` a saved code gets another design; with `from=<id>` a new code begins as that one is.
 */
export default function Designer(_: { readonly path: string }) {
  const { edit, from } = useLocation().query;
  const beginning = useLoad((signal) => loadBeginning({ edit, from }, signal), [edit, from]);
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

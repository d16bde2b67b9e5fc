/** Parts of the dashboard whose scripts are loaded when they are first shown. */
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { checkLine, onLine } from '../api/line.ts';
import { say } from '../words/say.ts';
import { Button } from './buttons.tsx';
import { Loading } from './states.tsx';

/** `outdated`: another build was installed after this page was loaded, so only a reload of the page helps. */
type Trouble = 'failed' | 'outdated';

/** Names of the scripts of each part, as the build lists them, without those that the page itself loads. */
const scriptsOf = (name: string): readonly string[] => {
  const text = document.getElementById('parts')?.textContent ?? '{}';
  return (JSON.parse(text) as Record<string, readonly string[]>)[name] ?? [];
};

const fetchScript = async (file: string): Promise<Trouble | null> => {
  const answer = await fetch(new URL(file, import.meta.url)).catch(() => {
    checkLine();
    return null;
  });
  if (answer?.status === 404) return 'outdated';
  if (!answer?.ok) return 'failed';
  return answer.arrayBuffer().then(
    () => null,
    () => 'failed' as const,
  );
};

/**
 * Loads a part. Browsers remember a failed import, also of an imported script, until the page is left. Therefore
 * all scripts are fetched into the browser's cache before anything is imported, so that a failed load can be tried
 * again.
 */
const loadPart = async <T,>(name: string, load: () => Promise<{ default: T }>): Promise<T | Trouble> => {
  const troubles = await Promise.all(scriptsOf(name).map(fetchScript));
  if (troubles.includes('outdated')) return 'outdated';
  if (troubles.includes('failed')) return 'failed';
  return load().then(
    (loaded) => loaded.default,
    () => 'outdated' as const,
  );
};

const WORDS: Readonly<Record<Trouble, readonly [what: string, advice: string, action: string]>> = {
  failed: [
    say('This part of the dashboard could not be loaded'),
    say('Try again when the connection is back.'),
    say('Try again'),
  ],
  outdated: [
    say('The dashboard must be reloaded'),
    say('A new version was installed after you opened this page.'),
    say('Reload'),
  ],
};

const Missing = ({ trouble, retry }: { readonly trouble: Trouble; readonly retry: () => void }) => {
  const [what, advice, action] = WORDS[trouble];
  return (
    <div class="state failure" role="alert">
      <p>
        <strong>{what}</strong>
      </p>
      <p>{advice}</p>
      <Button onClick={trouble === 'failed' ? retry : () => location.reload()}>{action}</Button>
    </div>
  );
};

interface PartOptions {
  readonly what: string;
  /** Wraps what is shown until the part is loaded. */
  readonly frame?: ComponentType<{ readonly children: ComponentChildren }>;
}

/**
 * Makes a component that loads the real one when it is first shown. Until then it says that the real one is loading, or
 * why that failed.
 * @param name Name of the component's file, without extension.
 * @param load Imports that file.
 */
export const makePart = <P extends object>(
  name: string,
  load: () => Promise<{ default: ComponentType<P> }>,
  { what, frame: Frame = ({ children }) => <>{children}</> }: PartOptions,
): ComponentType<P> => {
  let Whole: ComponentType<P> | null = null;
  return (props) => {
    const [state, setState] = useState<'loading' | 'there' | Trouble>('loading');
    const look = () => {
      setState('loading');
      void loadPart(name, load).then((found) => {
        if (typeof found === 'string') return setState(found);
        Whole = found as ComponentType<P>;
        setState('there');
      });
    };
    useEffect(() => {
      if (Whole === null) look();
      return onLine((isDown) => !isDown && Whole === null && look());
    }, []);
    if (Whole !== null) return <Whole {...props} />;
    return (
      <Frame>
        {state === 'failed' || state === 'outdated' ? (
          <Missing trouble={state} retry={look} />
        ) : (
          <Loading what={what} />
        )}
      </Frame>
    );
  };
};

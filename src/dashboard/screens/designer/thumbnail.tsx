import { useQuery } from '@tanstack/preact-query';
import { type Fault, postJson } from '../../api/client.ts';
import type { QrRequest } from '../../api/shapes.ts';
import { say } from '../../words/say.ts';
import { applyLook, LOOKS } from './looks.ts';

/** Fewer than the service draws at a time for an account, so that the preview never waits for them. */
const MAX_RUNNING = 2;
const RETRIES = 3;

const waiting: (() => void)[] = [];
let running = 0;

const runInTurn = async <T,>(work: () => Promise<T>): Promise<T> => {
  if (running >= MAX_RUNNING) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
};

/** Returns a file as a data URL, or '' when it cannot be read. */
export const toDataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onloadend = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.readAsDataURL(file);
  });

const draw = async (request: QrRequest): Promise<string> =>
  toDataUrl(await (await postJson('dashboard/preview', request)).blob());

/**
 * Shows a small picture of a design beside its name; nothing while it is drawn, or when the service does not draw it.
 * Few are drawn at a time, and each once.
 */
export const Thumbnail = ({ request }: { readonly request: QrRequest }) => {
  const { data } = useQuery<string, Fault>({
    queryKey: ['picture', request],
    queryFn: () => runInTurn(() => draw(request)),
    staleTime: 'static',
    retry: (failures, { retryAfterS }) => retryAfterS !== null && failures < RETRIES,
    retryDelay: (_, { retryAfterS }) => (retryAfterS ?? 0) * 1000,
  });
  return data === undefined ? null : <img src={data} alt="" />;
};

/** What the pictures of looks and presets encode: a symbol of the smallest version, in which dots are large. */
export const SAMPLE = { data: 'TESSERA', width: 200, height: 200 } as const;

interface LookButtonProps {
  readonly name: string;
  /** What its picture shows; `null`: it has none. */
  readonly picture: QrRequest | null;
  readonly isCurrent: boolean;
  readonly onClick: () => void;
}

/** A button that gives the design a look. It is pressed while the design has it. */
export const LookButton = ({ name, picture, isCurrent, onClick }: LookButtonProps) => (
  <button type="button" class="look" aria-pressed={isCurrent} onClick={onClick}>
    <span class="look-picture">{picture && <Thumbnail request={picture} />}</span>
    <span class="clip">{name}</span>
  </button>
);

interface LookListProps {
  readonly request: QrRequest;
  readonly onChoose: (request: QrRequest) => void;
}

/** Shows the looks as small codes. The button of the current look is pressed. */
export const LookList = ({ request, onChoose }: LookListProps) => (
  <fieldset class="looks">
    <legend>{say('Looks')}</legend>
    {LOOKS.map((look) => {
      const styled = applyLook(request, look);
      return (
        <LookButton
          key={look.name}
          name={look.name}
          picture={applyLook(SAMPLE, look)}
          isCurrent={JSON.stringify(styled) === JSON.stringify(request)}
          onClick={() => onChoose(styled)}
        />
      );
    })}
  </fieldset>
);

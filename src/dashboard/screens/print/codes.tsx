/** Downloads of saved codes: one as a file, several or a folder as a ZIP. */
import { askRaw, BASE, fileNameOf, postJson, saveBlob, saveFrom } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { Code, Folder } from '../../api/shapes.ts';
import { count } from '../../ui/format.ts';
import { say } from '../../words/say.ts';
import { labelOf } from '../codes/thumbnail.tsx';
import { BEGINNING, type PrintChoice, toQuery } from './choice.ts';
import { PrintDialog } from './dialog.tsx';
import type { Sized } from './sized.ts';
import { OF_CODES } from './words.ts';

const useSample = (id: string | undefined) => {
  const { data } = useGet('/api/v1/codes/{id}', { path: { id: id ?? '' } }, { enabled: id !== undefined });
  return {
    sample: id === undefined ? null : ({ kind: 'code', id } as const),
    isGs1: data?.design.qrOptions?.gs1 !== undefined,
  };
};

interface PrintCodeProps {
  readonly code: Pick<Code, 'id'>;
  readonly onClose: () => void;
}

/** Downloads one code. */
export const PrintCode = ({ code: { id }, onClose }: PrintCodeProps) => {
  const { sample, isGs1 } = useSample(id);
  const download = async (choice: PrintChoice, sized: Sized | null): Promise<string> => {
    const query = new URLSearchParams({ format: choice.formats.join(','), ...toQuery(choice) });
    const drawn = async () => {
      const answer = await askRaw(`api/v1/codes/${id}/image?${query}`);
      return { name: fileNameOf(answer.headers) ?? id, blob: await answer.blob() };
    };
    const { name, blob } = sized?.file ?? (await drawn());
    saveBlob(name, blob);
    return say('Downloaded as “{name}”.', { name });
  };
  return (
    <PrintDialog
      place="code"
      beginning={BEGINNING}
      title={say('Download')}
      sample={sample}
      names={OF_CODES}
      isGs1={isGs1}
      isMany={false}
      download={download}
      onClose={onClose}
    />
  );
};

/** Returns the code that has the smallest modules: what it contains is longest. */
const densestOf = (codes: readonly Code[]): Code | undefined =>
  codes.reduce<Code | undefined>((found, code) => {
    const lengthOf = ({ short_url, content }: Code): number => (short_url ?? content).length;
    return found === undefined || lengthOf(code) > lengthOf(found) ? code : found;
  }, undefined);

const zipQuery = (choice: PrintChoice): string =>
  new URLSearchParams({ format: choice.formats.join(','), ...toQuery(choice) }).toString();

interface PrintCodesProps {
  /** At least one. */
  readonly codes: readonly Code[];
  readonly onClose: () => void;
}

const ZIP_HELP = say('The ZIP has a list of the files, with the grade of each and what could not be drawn.');

/** Downloads chosen codes as a ZIP. */
const PrintSelection = ({ codes, onClose }: PrintCodesProps) => {
  const densest = densestOf(codes);
  const { sample, isGs1 } = useSample(densest?.id);
  const download = async (choice: PrintChoice): Promise<string> => {
    const body = { ids: codes.map(({ id }) => id) };
    const answer = await postJson(`api/v1/codes/archive?${zipQuery(choice)}`, body);
    saveBlob('codes.zip', await answer.blob());
    return say('Downloaded as “codes.zip”.');
  };
  return (
    <PrintDialog
      place="codes"
      title={say('Download {codes}', { codes: count(codes.length, 'code', 'codes') })}
      sample={sample}
      names={OF_CODES}
      about={densest && say('Tried with “{name}”, which contains the most.', { name: labelOf(densest) })}
      isGs1={isGs1}
      isMany
      note={ZIP_HELP}
      download={download}
      onClose={onClose}
    />
  );
};

/** Downloads one code as a file, several as a ZIP. */
export const PrintCodes = (props: PrintCodesProps) => {
  const [code] = props.codes;
  return props.codes.length === 1 && code ? (
    <PrintCode code={code} onClose={props.onClose} />
  ) : (
    <PrintSelection {...props} />
  );
};

/** Codes of a folder among which the one that contains the most is looked for. */
const LOOKED_AT = 100;

interface PrintFolderProps {
  readonly folder: Pick<Folder, 'id' | 'name' | 'code_count'>;
  readonly onClose: () => void;
}

/** Downloads a folder as a ZIP. The browser saves it while it is made. */
export const PrintFolder = ({ folder: { id, name, code_count: codes }, onClose }: PrintFolderProps) => {
  const { data } = useGet('/api/v1/codes', { query: { folder_id: id, limit: LOOKED_AT, sort: 'oldest' } });
  const densest = densestOf(data?.data ?? []);
  const { sample, isGs1 } = useSample(densest?.id);
  const download = async (choice: PrintChoice): Promise<string> => {
    saveFrom(`${BASE}api/v1/folders/${id}/archive?${zipQuery(choice)}`, '');
    return say('The download has begun. It goes on while you work.');
  };
  return (
    <PrintDialog
      place="folder"
      title={say('Download “{name}”', { name })}
      sample={sample}
      names={OF_CODES}
      about={
        densest &&
        (codes > LOOKED_AT
          ? say('Tried with “{name}”, which contains the most of the first {n}.', {
              name: labelOf(densest),
              n: LOOKED_AT,
            })
          : say('Tried with “{name}”, which contains the most.', { name: labelOf(densest) }))
      }
      isGs1={isGs1}
      isMany
      note={ZIP_HELP}
      download={download}
      onClose={onClose}
    />
  );
};

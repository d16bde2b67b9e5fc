import { useState } from 'preact/hooks';
import { CORNER_TYPES, type CornerType } from '../../../../../workers/lists.ts';
import { ok, type Result, refused } from '../../../../result.ts';
import type { QrRequest } from '../../../api/shapes.ts';
import { Quiet } from '../../../ui/buttons.tsx';
import { FaultOf, Input } from '../../../ui/fields.tsx';
import { say } from '../../../words/say.ts';
import { Thumbnail, toDataUrl } from '../thumbnail.tsx';
import { useField } from './field.tsx';

type Crop = 'dots' | 'ring' | 'centre';

/** A version 1 symbol without margin, whose modules are 11 pixels: the stylesheet crops the swatches out of it. */
const CANVAS = {
  data: 'TESSERA',
  width: 231,
  height: 231,
  margin: 0,
  qrOptions: { errorCorrectionLevel: 'L', typeNumber: 1 },
} as const;

const drawnIn = (type: string): QrRequest => {
  const corner = { type } as NonNullable<QrRequest['cornersDotOptions']>;
  const dots = { type: type === 'dot' ? 'square' : type } as NonNullable<QrRequest['dotsOptions']>;
  return { ...CANVAS, dotsOptions: dots, cornersSquareOptions: corner, cornersDotOptions: corner };
};

interface SwatchFieldProps {
  readonly path: string;
  readonly label: string;
  readonly crop: Crop;
  readonly none: string;
  readonly absent: string;
  readonly types: readonly CornerType[];
}

/** Takes a style by its picture. The first choice, called `none`, removes the field and is drawn as `absent`. */
export const SwatchField = ({ path, label, crop, none, absent, types }: SwatchFieldProps) => {
  const { id, value, fault, set } = useField(path);
  const choices = [
    { type: undefined, name: none },
    ...types.map((type) => ({ type, name: CORNER_TYPES[type] })),
  ];
  // A default that is written out is the first choice too.
  const chosen = types.find((type) => type === value);
  return (
    <fieldset class="swatches wide" aria-describedby={`${id}-fault`}>
      <legend>{label}</legend>
      {choices.map(({ type, name }) => (
        <label key={name}>
          <input class="hidden" type="radio" name={id} checked={chosen === type} onChange={() => set(type)} />
          <span class={`swatch ${crop}`}>
            <Thumbnail request={drawnIn(type ?? absent)} />
          </span>
          {name}
        </label>
      ))}
      <FaultOf id={`${id}-fault`} text={fault} />
    </fieldset>
  );
};

/** The longest data URI that the service accepts. */
const MAX_CHARACTERS = 2_000_000;
const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'];

/** Returns a picture file as the data URI that the service accepts, or what is wrong with the file. */
const readDataUri = async (file: File): Promise<Result<string, string>> => {
  if (!TYPES.includes(file.type)) return refused(say('Choose a PNG, JPEG, WebP or SVG file.'));
  const uri = await toDataUrl(file);
  if (uri === '') return refused(say('This file cannot be read.'));
  if (uri.length > MAX_CHARACTERS)
    return refused(say('The file is too large. A logo may have about 1.5 MB.'));
  return ok(uri);
};

/** Takes the logo: a file, which becomes part of the request, or an address. */
export const ImageField = () => {
  const field = useField('image');
  const [problem, setProblem] = useState<string | null>(null);
  const image = (field.value as string | undefined) ?? '';
  const uploaded = image.startsWith('data:');
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const read = await readDataUri(file);
    setProblem(read.ok ? null : read.fault);
    if (read.ok) field.set(read.value);
  };
  return (
    <>
      <div class="field wide">
        <label for={`${field.id}-file`}>
          {say('Upload')} <span class="muted">{say('PNG, JPEG, WebP or SVG')}</span>
        </label>
        <input
          id={`${field.id}-file`}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/svg+xml"
          aria-describedby={`${field.id}-problem`}
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
        <FaultOf id={`${field.id}-problem`} text={problem} />
      </div>
      <Input
        look="wide"
        type="url"
        label={say('or an address')}
        hint={say('http or https')}
        fault={field.fault}
        placeholder={uploaded ? 'uploaded' : 'https://'}
        value={uploaded ? '' : image}
        onText={(text) => field.set(text || undefined)}
      />
      {image !== '' && <Quiet onClick={() => field.set(undefined)}>{say('Remove the logo')}</Quiet>}
    </>
  );
};

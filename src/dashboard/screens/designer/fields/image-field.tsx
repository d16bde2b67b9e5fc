import { useState } from 'preact/hooks';
import { ok, type Result, refused } from '../../../../result.ts';
import { Quiet } from '../../../ui/buttons.tsx';
import { FaultOf, Input } from '../../../ui/forms/field.tsx';
import { useField } from '../context.ts';
import { toDataUrl } from '../swatches/thumbnail.tsx';

/** The longest data URI that the service accepts. */
const MAX_CHARACTERS = 2_000_000;
const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'];

/** Returns a picture file as the data URI that the service accepts, or what is wrong with the file. */
const readDataUri = async (file: File): Promise<Result<string, string>> => {
  if (!TYPES.includes(file.type)) return refused('Choose a PNG, JPEG, WebP or SVG file.');
  const uri = await toDataUrl(file);
  if (uri === '') return refused('This file cannot be read.');
  if (uri.length > MAX_CHARACTERS) return refused('The file is too large. A logo may have about 1.5 MB.');
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
      <div class="field">
        <label for={`${field.id}-file`}>
          Upload <span class="muted">PNG, JPEG, WebP or SVG</span>
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
        type="url"
        label="or an address"
        hint="http or https"
        fault={field.fault}
        placeholder={uploaded ? 'uploaded' : 'https://'}
        value={uploaded ? '' : image}
        onText={(text) => field.set(text || undefined)}
      />
      {image !== '' && <Quiet onClick={() => field.set(undefined)}>Remove the logo</Quiet>}
    </>
  );
};

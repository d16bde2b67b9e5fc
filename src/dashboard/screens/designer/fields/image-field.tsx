import { useState } from 'preact/hooks';
import { useField } from '../context.ts';
import { Field } from './field.tsx';
import { readDataUri } from './read-data-uri.ts';

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
        <p class="fault" id={`${field.id}-problem`} role="alert">
          {problem}
        </p>
      </div>
      <Field field={field} label="or an address" hint="http or https">
        <input
          id={field.id}
          type="url"
          placeholder={uploaded ? 'uploaded' : 'https://'}
          value={uploaded ? '' : image}
          onInput={(event) => field.set(event.currentTarget.value || undefined)}
          {...field.aria}
        />
      </Field>
      {image !== '' && (
        <button type="button" class="quiet" onClick={() => field.set(undefined)}>
          Remove the logo
        </button>
      )}
    </>
  );
};

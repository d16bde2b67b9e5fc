import { useId } from 'preact/hooks';
import { LINK_TYPES } from '../../../resolver/link-types.ts';
import { faultOfUrl } from '../../ui/forms/address-form.tsx';
import { Input, UrlInput } from '../../ui/forms/field.tsx';
import type { LinkTexts } from './link-texts.ts';

/** Returns what is wrong with the fields before the service is asked; `null`: nothing, or nothing was entered. */
export const faultOfTexts = ({ href }: LinkTexts): string | null => (href === '' ? null : faultOfUrl(href));

interface LinkFieldsProps {
  readonly texts: LinkTexts;
  readonly onTexts: (texts: LinkTexts) => void;
}

/** Takes what a link of an item is about, where it leads, and for whom it is. */
export const LinkFields = ({ texts, onTexts }: LinkFieldsProps) => {
  const list = useId();
  const typed = (name: keyof LinkTexts) => ({
    value: texts[name],
    spellcheck: false,
    onText: (text: string) => onTexts({ ...texts, [name]: text }),
  });
  return (
    <>
      <Input label="What it is about" hint="a GS1 link type" list={list} required {...typed('rel')} />
      <datalist id={list}>
        {LINK_TYPES.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <UrlInput label="Leads to" required placeholder="https://example.com/product" {...typed('href')} />
      <Input label="Title" required {...typed('title')} />
      <details>
        <summary>Only for some visitors</summary>
        <div class="stack">
          <Input label="Languages" hint="as in en, de-CH" {...typed('hreflang')} />
          <Input label="Media type" hint="as in text/html" {...typed('type')} />
          <Input label="Contexts" hint="your own words" {...typed('context')} />
        </div>
      </details>
    </>
  );
};

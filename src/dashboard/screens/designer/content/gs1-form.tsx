import { useEffect, useState } from 'preact/hooks';
import { CANONICAL_STEM } from '../../../../gs1/digital-link.ts';
import { useSession } from '../../../ui/hooks.ts';
import { KindInput, KindText, useDesign } from '../options/field.tsx';
import { fieldsFor, formOf, toFields, toGs1 } from './gs1.ts';
import type { Entered } from './kinds.ts';

interface Gs1FormProps {
  readonly of: Entered;
  readonly enter: (entered: Readonly<Record<string, string>>) => void;
}

/** Takes numbers of GS1, and keeps the content of the design in step with them. */
export default function Gs1Form({ of, enter }: Gs1FormProps) {
  const { request, set } = useDesign();
  const home = useSession().resolver_url ?? CANONICAL_STEM;
  const { text, faults } = toGs1(of, home);
  const form = formOf(of);
  const fields = fieldsFor(form, home);
  // An unfinished number is not an error: a field without one says so only when it is left.
  const [unfinished, setUnfinished] = useState<string | null>(null);
  const faultAt = (name: string) => (name === unfinished ? null : (faults[name] ?? null));
  const saved = of('data');
  const content = text.ok ? text.value : '';
  useEffect(() => {
    if (saved !== '') enter({ ...toFields(saved), data: '' });
  }, [saved]);
  useEffect(() => {
    if (saved !== '') return;
    set('data', content);
    set('qrOptions.gs1', form);
  }, [saved, content, form, request.qrOptions?.gs1]);
  return (
    <>
      <div class="fields">
        {fields.map((field) => (
          <KindInput
            key={field.name}
            field={field}
            value={of(field.name)}
            fault={faultAt(field.name)}
            onValue={(value) => {
              if (faultAt(field.name) === null) setUnfinished(field.name);
              enter({ [field.name]: value });
            }}
            onLeave={() => setUnfinished(null)}
          />
        ))}
      </div>
      <KindText text={text} />
    </>
  );
}

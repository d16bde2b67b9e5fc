/** What links of items are about, chosen in words. */
import { LINK_TYPES } from '../../../resolver/link-types.ts';
import { Input, type Options, SelectInput } from '../../ui/fields.tsx';
import { say } from '../../words/say.ts';
import { wordsOf } from './link-words.ts';

/** Stands for the type of somebody else. */
const OTHER = '';

const CHOICES: Options<string> = [
  ...LINK_TYPES.map((rel) => [rel, wordsOf(rel)] as const).toSorted(([, a], [, b]) => a.localeCompare(b)),
  [OTHER, say('Something else, named by an address')],
];

interface LinkTypeInputProps {
  readonly rel: string;
  readonly fault: string | null;
  readonly onRel: (rel: string) => void;
}

/** Takes what a link is about: a type of GS1, or the address of another one. */
export const LinkTypeInput = ({ rel, fault, onRel }: LinkTypeInputProps) => {
  const isKnown = LINK_TYPES.includes(rel);
  return (
    <>
      <SelectInput
        label={say('What it is about')}
        {...(isKnown && { hint: rel })}
        options={CHOICES}
        value={isKnown ? rel : OTHER}
        fault={isKnown ? fault : null}
        onChoose={onRel}
      />
      {!isKnown && (
        <Input
          label={say('Address of the link type')}
          hint={say('as in https://schema.org/review')}
          required
          spellcheck={false}
          fault={fault}
          value={rel}
          onText={onRel}
        />
      )}
    </>
  );
};

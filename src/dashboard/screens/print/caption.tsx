/** The words beside codes, on labels and in files: what they say of each code, and what they may lose. */
import { Area, CheckInput, Pills } from '../../ui/fields.tsx';
import { say } from '../../words/say.ts';
import { NAMES } from './words.ts';

/** Returns a caption with what it said left out, or with more at its end. */
const toggled = (caption: string, name: string): string => {
  if (caption.includes(name)) return caption.replace(name, '').replace(/ {2,}/g, ' ').trim();
  return /^$|\s$/.test(caption) ? caption + name : `${caption} ${name}`;
};

interface CaptionInputProps {
  /** What it may say of each code. */
  readonly names: readonly string[];
  readonly caption: string;
  readonly fault: string | null;
  readonly hint?: string;
  readonly onCaption: (caption: string) => void;
}

/** Takes the text of a caption, and what it says of each code. */
export const CaptionInput = ({ names, caption, fault, hint, onCaption }: CaptionInputProps) => {
  const options = names.map((name) => [`{${name}}`, NAMES[name] ?? name] as const);
  const chosen = options.map(([name]) => name).filter((name) => caption.includes(name));
  return (
    <>
      <Pills
        legend={say('The caption says')}
        options={options}
        chosen={chosen}
        onChoose={(next) => {
          const changed = [...chosen, ...next].filter(
            (name) => next.includes(name) !== chosen.includes(name),
          );
          onCaption(changed.reduce(toggled, caption));
        }}
      />
      <Area
        label={say('Caption')}
        hint={hint ?? say('what stands in braces differs from code to code')}
        placeholder={say('Scan for the menu of {name}')}
        fault={fault}
        maxLength={500}
        value={caption}
        onText={onCaption}
      />
    </>
  );
};

interface LossInputsProps {
  readonly mayCut: boolean;
  readonly mayLackGlyphs: boolean;
  readonly onCut: (isOn: boolean) => void;
  readonly onGlyphs: (isOn: boolean) => void;
}

/** Asks what captions may lose. */
export const LossInputs = ({ mayCut, mayLackGlyphs, onCut, onGlyphs }: LossInputsProps) => (
  <>
    <CheckInput
      label={say('Cut captions that do not fit')}
      hint={say('Otherwise they are refused. Their digits shrink to 0.9 mm first.')}
      isOn={mayCut}
      onToggle={onCut}
    />
    <CheckInput
      label={say('Print □ for characters that the font lacks')}
      hint={say('Otherwise they are refused. The font has Latin, Greek and Cyrillic.')}
      isOn={mayLackGlyphs}
      onToggle={onGlyphs}
    />
  </>
);

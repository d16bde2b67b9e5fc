/** The fields of the options of files: each shows one as it is typed while it counts, and what is wrong with it. */
import type { FrameType } from '../../../../workers/lists.ts';
import { CheckInput, Input, SelectInput } from '../../ui/fields.tsx';
import { say } from '../../words/say.ts';
import {
  type ChoiceFault,
  counts,
  isNumber,
  NUMBERS,
  type OptionName,
  type PrintChoice,
  withOption,
} from './choice.ts';
import { CAPTION_SIDES } from './words.ts';

export interface OptionProps {
  readonly choice: PrintChoice;
  readonly fault: ChoiceFault | null;
  readonly onChoice: (choice: PrintChoice) => void;
}

/** Connects an input with an option; `null`: it does not count. */
const bind = ({ choice, fault, onChoice }: OptionProps, name: OptionName) =>
  counts(choice, name)
    ? {
        value: choice.options[name] ?? '',
        fault: fault?.name === name ? fault.text : null,
        set: (text: string) => onChoice(withOption(choice, name, text)),
      }
    : null;

/** With an example, or with what an empty field stands for. */
const ENTRIES = {
  width: [say('Width'), 'px', say('as designed')],
  width_mm: [say('Width'), 'mm', '30'],
  module_mm: [say('Module'), 'mm', '0.5'],
  dpi: [say('Resolution'), 'dpi', '600'],
  bleed_mm: [say('Bleed'), say('mm on each side'), '0'],
  quiet_zone: [say('Quiet zone'), say('modules'), '4'],
  paper: [say('Paper'), say('colour behind translucent parts of an EPS'), 'white'],
  caption_mm: [say('Height of digits'), 'mm', '2'],
  caption_color: [say('Colour of the text'), '', '#1a4b8c'],
  frame_color: [say('Colour of the frame'), '', '#1a4b8c'],
  spots: [say('Spot colours'), say('a colour of the design = its ink'), '1a4b8c=PANTONE 286 C'],
  dieline: [say('Cutting line'), say('name of its ink'), 'CutContour'],
  dieline_radius_mm: [say('Its corners'), say('radius in mm'), '3'],
  white: [say('White below'), say('name of its ink'), 'White'],
  varnish: [say('Varnish'), say('name of its ink'), 'Varnish'],
} as const satisfies Partial<Record<OptionName, readonly string[]>>;

const rangeOf = (name: OptionName) => {
  if (!isNumber(name)) return {};
  const { min, max, step } = NUMBERS[name];
  return { type: 'number', min, max, step } as const;
};

/** Takes a number or a text. */
export const Entry = ({ name, ...props }: OptionProps & { readonly name: keyof typeof ENTRIES }) => {
  const bound = bind(props, name);
  if (bound === null) return null;
  const { set, ...input } = bound;
  const [label, hint, placeholder] = ENTRIES[name];
  return (
    <Input
      look="narrow"
      label={label}
      hint={hint || undefined}
      placeholder={placeholder}
      {...rangeOf(name)}
      {...input}
      onText={set}
    />
  );
};

const FRAMES: Readonly<Record<FrameType, string>> = {
  line: say('Line'),
  rounded: say('Line with round corners'),
  corners: say('Four corners'),
  'banner-below': say('Band below, with the text'),
  'banner-above': say('Band above, with the text'),
};

/** With the value of an option that is left to the service. */
const CHOICES: Readonly<Record<ChoiceName, readonly [label: string, usual: string, options: object]>> = {
  caption_side: [say('Caption position'), 'below', CAPTION_SIDES],
  caption_align: [
    say('Alignment'),
    '',
    { '': say('As usual'), left: say('Left'), center: say('Centre'), right: say('Right') },
  ],
  caption_weight: [say('Weight'), 'regular', { regular: say('Regular'), bold: say('Bold') }],
  frame: [say('Frame'), '', { '': say('None'), ...FRAMES }],
};
type ChoiceName = 'caption_side' | 'caption_align' | 'caption_weight' | 'frame';

/** Takes one of a few values. */
export const Choice = ({ name, ...props }: OptionProps & { readonly name: ChoiceName }) => {
  const bound = bind(props, name);
  if (bound === null) return null;
  const { set, value, fault } = bound;
  const [label, usual, options] = CHOICES[name];
  return (
    <SelectInput
      look="narrow"
      label={label}
      value={value || usual}
      fault={fault}
      options={Object.entries(options)}
      onChoose={set}
    />
  );
};

/** With the value of an option that is switched on. */
const SWITCHES = {
  color: ['cmyk', 'CMYK', say('In PDF and EPS. Black is always pure black ink.')],
  round: ['down', say('Modules of whole dots'), say('For plates and printers with this resolution.')],
  till: ['true', say('For tills'), say('Refuses codes that tills might fail to read.')],
  text: ['gs1', say('Numbers below the code'), say('In readable form, (01)…')],
  overprint: ['true', say('Overprint'), say('Black and spot colours print over the background.')],
} as const satisfies Partial<Record<OptionName, readonly string[]>>;

/** Switches an option on and off. */
export const Switch = ({ name, ...props }: OptionProps & { readonly name: keyof typeof SWITCHES }) => {
  const bound = bind(props, name);
  if (bound === null) return null;
  const [on, label, hint] = SWITCHES[name];
  return (
    <CheckInput
      label={label}
      hint={hint}
      fault={bound.fault}
      isOn={bound.value === on}
      onToggle={(isOn) => bound.set(isOn ? on : '')}
    />
  );
};

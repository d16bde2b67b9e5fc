/** The fields of files: formats, size, what print needs, profiles, and what comes of it. */
import { useState } from 'preact/hooks';
import { Quiet } from '../../ui/buttons.tsx';
import { CheckInput, Input, Pills, Segments } from '../../ui/fields.tsx';
import { keep, readKept } from '../../ui/kept/stored.ts';
import { Failure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { GradeChip } from '../codes/grade.tsx';
import {
  type ChoiceFault,
  FOR_SCREENS,
  FORMAT_CHOICES,
  faultOf,
  hasBitmap,
  isEps,
  mayBeCmyk,
  NUMBERS,
  type NumberName,
  type PrintChoice,
  parseChoice,
  toChoiceFault,
} from './choice.ts';
import { Profiles } from './profiles.tsx';
import { sizeInWords, type Trial, warningsInWords } from './sized.ts';

const keyOf = (place: string): string => `tessera.print.${place}`;

/**
 * Holds a choice of files. It begins as it was left last in this browser.
 *
 * @param place Of the choice, such as `code`. Each has its own.
 * @param beginning The choice of somebody who has made none there.
 */
export const usePrintChoice = (place: string, beginning = FOR_SCREENS) => {
  const [choice, setChoice] = useState(() => parseChoice(readKept(keyOf(place)), beginning));
  return {
    choice,
    change: (next: PrintChoice): void => {
      setChoice(next);
      keep(keyOf(place), JSON.stringify(next));
    },
  };
};

const SIZES = [
  ['mm', say('Millimetres')],
  ['module', say('Module')],
  ['px', say('Pixels')],
] as const;

/** With what an empty field stands for. */
const LABELS: Readonly<Record<NumberName, readonly [label: string, hint: string, empty: string]>> = {
  widthPx: [say('Width'), 'px', say('as designed')],
  widthMm: [say('Width'), 'mm', ''],
  moduleMm: [say('Module'), 'mm', ''],
  dpi: [say('Resolution'), 'dpi', ''],
  bleedMm: [say('Bleed'), say('mm on each side'), '0'],
  quietZone: [say('Quiet zone'), say('modules'), '4'],
};

interface NumberInputProps {
  readonly name: NumberName;
  readonly choice: PrintChoice;
  readonly fault: ChoiceFault | null;
  readonly onChoice: (choice: PrintChoice) => void;
}

const NumberInput = ({ name, choice, fault, onChoice }: NumberInputProps) => {
  const { min, max, step } = NUMBERS[name];
  const [label, hint, placeholder] = LABELS[name];
  return (
    <Input
      look="narrow"
      type="number"
      label={label}
      hint={hint}
      placeholder={placeholder}
      min={min}
      max={max}
      step={step}
      value={choice[name]}
      fault={fault?.name === name ? fault.text : null}
      onText={(text) => onChoice({ ...choice, [name]: text })}
    />
  );
};

/** Says what else a profile sets, so that nothing applies unseen, and leaves it out on request. */
const Others = ({ choice, onChoice }: Pick<NumberInputProps, 'choice' | 'onChoice'>) => {
  const options = Object.entries(choice.others).map(([name, value]) => `${name} = ${value}`);
  if (options.length === 0) return null;
  return (
    <p class="hint">
      {say('The profile also sets: {options}.', { options: options.join(', ') })}{' '}
      <Quiet onClick={() => onChoice({ ...choice, others: {} })}>{say('Leave it out')}</Quiet>
    </p>
  );
};

/** What only some prints need, behind a fold that is open when any of it is chosen. */
const More = ({ isGs1, ...field }: Omit<NumberInputProps, 'name'> & { readonly isGs1: boolean }) => {
  const { choice, onChoice } = field;
  const { bleedMm, quietZone, isCmyk, paper, hasText, isForTills } = choice;
  const isOnPaper = choice.size !== 'px';
  const hasColours = mayBeCmyk(choice);
  if (!isOnPaper && !hasColours) return null;
  const ofPaper = isOnPaper && (`${bleedMm}${quietZone}` !== '' || hasText || isForTills);
  const ofColours = (hasColours && isCmyk) || (isEps(choice) && paper !== '');
  return (
    <details open={ofPaper || ofColours}>
      <summary>{isOnPaper ? say('More for print') : say('Colours')}</summary>
      <div class="stack">
        {isOnPaper && (
          <div class="print-numbers">
            <NumberInput name="bleedMm" {...field} />
            <NumberInput name="quietZone" {...field} />
          </div>
        )}
        {hasColours && (
          <CheckInput
            label="CMYK"
            hint={say('In PDF and EPS. Black is always pure black ink.')}
            isOn={isCmyk}
            onToggle={(isOn) => onChoice({ ...choice, isCmyk: isOn })}
          />
        )}
        {isEps(choice) && (
          <Input
            look="narrow"
            label={say('Paper')}
            hint={say('colour behind translucent parts of an EPS; empty: white')}
            value={paper}
            onText={(text) => onChoice({ ...choice, paper: text })}
          />
        )}
        {isOnPaper && (isGs1 || hasText || isForTills) && (
          <>
            <CheckInput
              label={say('For tills')}
              hint={say('Refuses codes that tills might fail to read.')}
              isOn={isForTills}
              onToggle={(isOn) => onChoice({ ...choice, isForTills: isOn })}
            />
            <CheckInput
              label={say('Numbers below the code')}
              hint={say('In readable form, (01)…')}
              isOn={hasText}
              onToggle={(isOn) => onChoice({ ...choice, hasText: isOn })}
            />
          </>
        )}
      </div>
    </details>
  );
};

interface ResultProps {
  readonly choice: PrintChoice;
  readonly trial: Trial;
  /** Which code the choice was tried on; absent: there is only one. */
  readonly about?: string | undefined;
}

/** Says what comes of the choice. */
const Result = ({ choice, trial: { sized }, about }: ResultProps) => (
  <div class="stack small" role="status">
    {sized !== null && (
      <>
        <p class="row">
          <span>{sizeInWords(sized, choice)}</span>
          <GradeChip grade={sized.grade} />
        </p>
        {warningsInWords(sized).map((text) => (
          <p key={text}>{text}</p>
        ))}
        {about !== undefined && <p class="muted">{about}</p>}
      </>
    )}
  </div>
);

export interface PrintSettingsProps extends ResultProps {
  /** Whether codes with GS1 data are among them: these may have text below, and be for tills. */
  readonly isGs1: boolean;
  /** Whether there may be several formats, in an archive or a batch. */
  readonly isMany: boolean;
  readonly onChoice: (choice: PrintChoice) => void;
}

/**
 * Asks for the formats and the size of files: `choice` and `onChoice` are those of `usePrintChoice`, `trial` is what
 * `useTrial` found out about it. A batch sends what `toBatchOptions` makes of the choice, once `faultOf` finds nothing.
 */
export const PrintSettings = ({ choice, trial, about, isGs1, isMany, onChoice }: PrintSettingsProps) => {
  const own = faultOf(choice);
  const fault = own ?? (trial.fault && toChoiceFault(trial.fault));
  const field = { choice, fault, onChoice };
  const [first = 'pdf'] = choice.formats;
  return (
    <div class="stack">
      <Profiles choice={choice} onChoice={onChoice} />
      {isMany ? (
        <Pills
          legend={say('Formats')}
          options={FORMAT_CHOICES}
          chosen={choice.formats}
          // There is always one.
          onChoose={(formats) => formats.length > 0 && onChoice({ ...choice, formats })}
        />
      ) : (
        <Segments
          label={say('Format')}
          value={first}
          options={FORMAT_CHOICES}
          onChoose={(format) => onChoice({ ...choice, formats: [format] })}
        />
      )}
      <Segments
        label={say('Size')}
        value={choice.size}
        options={SIZES}
        onChoose={(size) => onChoice({ ...choice, size })}
      />
      <div class="print-numbers">
        {choice.size === 'px' && <NumberInput name="widthPx" {...field} />}
        {choice.size === 'mm' && <NumberInput name="widthMm" {...field} />}
        {choice.size === 'module' && <NumberInput name="moduleMm" {...field} />}
        {choice.size !== 'px' && hasBitmap(choice) && <NumberInput name="dpi" {...field} />}
      </div>
      <More isGs1={isGs1} {...field} />
      <Others {...field} />
      {fault?.name === null && trial.fault !== null && <Failure fault={trial.fault} />}
      <Result choice={choice} trial={trial} about={about} />
    </div>
  );
};

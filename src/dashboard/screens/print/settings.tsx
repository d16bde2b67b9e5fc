/** The fields of files: formats, size, what print needs, words, inks, profiles, and what comes of it. */
import { useState } from 'preact/hooks';
import { Quiet } from '../../ui/buttons.tsx';
import { Fold, Pills, Segments } from '../../ui/fields.tsx';
import { keep, readKept } from '../../ui/kept/stored.ts';
import { Failure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { GradeChip } from '../codes/grade.tsx';
import { CaptionInput, LossInputs } from './caption.tsx';
import {
  FOR_SCREENS,
  FORMAT_CHOICES,
  faultOf,
  hasInks,
  INKS,
  isOnPaper,
  isUsed,
  type OptionName,
  type PrintChoice,
  parseChoice,
  textOf,
  toChoiceFault,
  WORDS,
  withOption,
} from './choice.ts';
import { Choice, Entry, type OptionProps, Switch } from './options.tsx';
import { Profiles } from './profiles.tsx';
import { sizeInWords, type Trial, warningsInWords } from './sized.ts';
import { OF_GS1 } from './words.ts';

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

/** Whether one of the options is used, or wrong. */
const isWanted = ({ choice, fault }: OptionProps, names: readonly OptionName[]) =>
  isUsed(choice, names) || names.some((name) => name === fault?.name);

/** What only some prints need. */
const More = ({ isGs1, ...field }: OptionProps & { readonly isGs1: boolean }) => {
  const { choice } = field;
  const onPaper = isOnPaper(choice);
  if (!onPaper && !hasInks(choice)) return null;
  return (
    <Fold
      title={onPaper ? say('More for print') : say('Colours')}
      isWanted={isWanted(field, ['bleed_mm', 'quiet_zone', 'round', 'color', 'paper', 'till', 'text'])}
    >
      <div class="stack">
        <div class="print-numbers">
          <Entry name="bleed_mm" {...field} />
          <Entry name="quiet_zone" {...field} />
        </div>
        <Switch name="color" {...field} />
        <Entry name="paper" {...field} />
        <Switch name="round" {...field} />
        {(isGs1 || isUsed(choice, ['till', 'text'])) && (
          <>
            <Switch name="till" {...field} />
            <Switch name="text" {...field} />
          </>
        )}
      </div>
    </Fold>
  );
};

/** What stands around the code. */
const Words = ({ names, ...field }: OptionProps & { readonly names: readonly string[] }) => {
  const { choice, fault, onChoice } = field;
  const allowed = textOf(choice, 'allow').split(',');
  const allow = (loss: string, isOn: boolean): void => {
    const losses = ['cut', 'glyphs'].filter((each) => (each === loss ? isOn : allowed.includes(each)));
    onChoice(withOption(choice, 'allow', losses.join(',')));
  };
  const isTyped = WORDS.some((name) => textOf(choice, name) !== '');
  return (
    <Fold title={say('Words and frame')} isWanted={isTyped || isWanted(field, WORDS)}>
      {isOnPaper(choice) ? (
        <div class="stack">
          <CaptionInput
            names={names}
            caption={choice.options.caption ?? ''}
            fault={fault?.name === 'caption' ? fault.text : null}
            onCaption={(caption) => onChoice(withOption(choice, 'caption', caption))}
          />
          {isUsed(choice, ['caption']) && (
            <>
              <div class="print-numbers">
                <Choice name="caption_side" {...field} />
                <Entry name="caption_mm" {...field} />
                <Choice name="caption_align" {...field} />
                <Choice name="caption_weight" {...field} />
                <Entry name="caption_color" {...field} />
              </div>
              <LossInputs
                mayCut={allowed.includes('cut')}
                mayLackGlyphs={allowed.includes('glyphs')}
                onCut={(isOn) => allow('cut', isOn)}
                onGlyphs={(isOn) => allow('glyphs', isOn)}
              />
            </>
          )}
          <div class="print-numbers">
            <Choice name="frame" {...field} />
            <Entry name="frame_color" {...field} />
          </div>
        </div>
      ) : (
        <p class="hint">
          {say('Words and frames need a size on paper.')}{' '}
          <Quiet onClick={() => onChoice({ ...choice, size: 'mm' })}>{say('Choose a size on paper')}</Quiet>
        </p>
      )}
    </Fold>
  );
};

/** What a press makes of a PDF or an EPS. */
const Inks = (field: OptionProps) =>
  hasInks(field.choice) && (
    <Fold title={say('Inks for the press')} isWanted={isWanted(field, [...INKS, 'dieline_radius_mm'])}>
      <div class="stack">
        <Entry name="spots" {...field} />
        <Switch name="overprint" {...field} />
        <div class="print-numbers">
          <Entry name="dieline" {...field} />
          <Entry name="dieline_radius_mm" {...field} />
          <Entry name="white" {...field} />
          <Entry name="varnish" {...field} />
        </div>
      </div>
    </Fold>
  );

interface ResultProps {
  readonly choice: PrintChoice;
  readonly trial: Trial;
  /** Which code the choice was tried on; absent: there is only one. */
  readonly about?: string | undefined;
}

/** Says what comes of the choice. */
export const Result = ({ choice, trial: { sized }, about }: ResultProps) => (
  <div class="stack small" role="status">
    {sized !== null && (
      <>
        <p class="row">
          <span>{sizeInWords(sized, choice)}</span>
          <GradeChip grade={sized.grade} />
        </p>
        {warningsInWords(sized, choice).map((text) => (
          <p key={text}>{text}</p>
        ))}
        {about !== undefined && <p class="muted">{about}</p>}
      </>
    )}
  </div>
);

export interface PrintSettingsProps extends Pick<OptionProps, 'choice' | 'onChoice'> {
  /** What the service found wrong with the choice; `null`: nothing. */
  readonly refusal: Trial['fault'];
  /** What captions may say of each code. */
  readonly names: readonly string[];
  /** Whether codes with GS1 data are among them: these may have text below, and be for tills. */
  readonly isGs1: boolean;
  /** Whether there may be several formats, in an archive or a batch. */
  readonly isMany: boolean;
}

/**
 * Asks for the formats and the size of files: `choice` and `onChoice` are those of `usePrintChoice`, `refusal` is what
 * `useTrial` found out about it. A batch sends what `toBatchOptions` makes of the choice, once `faultOf` finds nothing.
 */
export const PrintSettings = ({ choice, refusal, names, isGs1, isMany, onChoice }: PrintSettingsProps) => {
  const fault = faultOf(choice) ?? (refusal && toChoiceFault(refusal));
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
        {(['width', 'width_mm', 'module_mm', 'dpi'] as const).map((name) => (
          <Entry key={name} name={name} {...field} />
        ))}
      </div>
      <More isGs1={isGs1} {...field} />
      <Words names={isGs1 ? [...names, ...OF_GS1] : names} {...field} />
      <Inks {...field} />
      {fault?.name === null && refusal !== null && <Failure fault={refusal} />}
    </div>
  );
};

import { useState } from 'preact/hooks';
import type { Fault } from '../../../api/client.ts';
import { type FileChoice, FOR_PRINT, faultOf, numbersOf, toChoiceFault } from '../../download/file-choice.ts';

/**
 * Keeps the file that a person chooses for a new code. `told` is what is wrong with it, and `isAtField` whether that is
 * shown at a field. `check` says whether it may be sent, and from then on faults are shown.
 *
 * @param fault Why the service refused it.
 */
export const useFileChoice = (fault: Fault | null) => {
  const [choice, setChoice] = useState<FileChoice>({
    ...FOR_PRINT,
    ...{ format: 'png', unit: 'px', widthPx: '' },
  });
  const [isTried, setTried] = useState(false);
  // In pixels the design has the size.
  const wanted = numbersOf(choice).filter((name) => name !== 'widthPx');
  const own = faultOf(choice, wanted);
  const told = (isTried ? own : null) ?? (fault && toChoiceFault(fault));
  const check = (): boolean => {
    setTried(true);
    return own === null;
  };
  return { choice, setChoice, told, isAtField: wanted.some((name) => name === told?.name), check };
};

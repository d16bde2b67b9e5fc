/** Whether tills read the codes of a sheet. */
import type { ParameterName } from '../../workers/lists.ts';
import type { Design, Fault } from '../../workers/protocol.ts';
import { gradeFaultOfTill, namesIn } from '../../workers/quality/grades.ts';
import { layOutFile } from '../generate/file.ts';
import type { Graded } from '../generate/quality/graded.ts';
import type { Sheet } from './sheet.ts';

/** Returns why a till may not read a code at its size on the sheet, grade aside; `null`: it does. */
export const findTillFault = ({ isForTill, label }: Sheet, text: string, design: Design): Fault | null => {
  if (!isForTill) return null;
  const size = { widthMm: label.code.widthMm, till: true } as const;
  const print = { size, inks: { color: 'rgb', paper: '#ffffff' } } as const;
  const laid = layOutFile(text, design, { format: 'pdf', print });
  if (laid.ok) return null;
  return laid.fault.field === 'width_mm' ? { ...laid.fault, field: 'label.code_mm' } : laid.fault;
};

/** Parameters that depend on the size. */
const OF_SIZE: readonly (ParameterName | undefined)[] = ['quiet-zone', 'small-modules'];

/**
 * Returns why a till may not read a saved code, by the grade that its picture had when it was made; `null`: it may. A
 * grade that the size of the picture has lowered says nothing about a label.
 */
export const findSavedTillFault = ({ isForTill }: Sheet, { grade, warnings }: Graded): Fault | null =>
  isForTill ? gradeFaultOfTill(OF_SIZE.includes(namesIn(warnings)[0]) ? 4 : grade, warnings) : null;

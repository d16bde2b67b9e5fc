/** Whether tills read the codes of a sheet. */
import type { Design, Fault } from '../../workers/protocol.ts';
import { layOutFile } from '../generate/file.ts';
import type { Sheet } from './sheet.ts';

/** Returns why a till may not read a code at its size on the sheet, but for its grade; `null`: it does. */
export const findTillFault = ({ isForTill, label }: Sheet, text: string, design: Design): Fault | null => {
  if (!isForTill) return null;
  const size = { widthMm: label.code.widthMm, till: true } as const;
  const print = { size, inks: { color: 'rgb', paper: '#ffffff' } } as const;
  const laid = layOutFile(text, design, { format: 'pdf', print });
  if (laid.ok) return null;
  return laid.fault.field === 'width_mm' ? { ...laid.fault, field: 'label.codeMm' } : laid.fault;
};

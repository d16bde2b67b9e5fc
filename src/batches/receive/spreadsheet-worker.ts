/**
 * The entry point of a thread that reads one XLSX file. Loading what reads it takes longer than most files, so that the
 * priority is lowered before.
 */
import { lowerPriority } from '../../asked-thread.ts';

const NICE = 10;

lowerPriority(NICE);
void import('./spreadsheet-reader.ts');

/**
 * The entry point of a thread that reads one XLSX file. Loading the reader takes longer than reading most files, so the
 * priority is lowered first.
 */
import { lowerPriority } from '../../execution/asked-thread.ts';

const NICE = 10;

lowerPriority(NICE);
void import('./spreadsheet-reader.ts');

// What the command line says.
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { shots: { type: 'string' }, only: { type: 'string', default: '' } } });

/** The folder where pictures are kept, if any. */
export const SHOTS: string | undefined = values.shots;

/** A part of the names of the scenarios to play; all when it is empty. */
export const ONLY: string = values.only;

// The folder of one run of tests, by its name in the environment of Vitest and its workers (tools/steps/test-run.ts). Without one, as in
// `npx vitest run FILE`, nothing is kept.
export const RUN_FOLDER = 'TREFOIL_TEST_RUN';
/** Written by the reporter when the last test has ended. */
export const LIST_NAME = 'failures.json';
/** One line for each grave finding, written when it is made. */
export const GRAVES_NAME = 'graves.txt';

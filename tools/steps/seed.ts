// Set up before every test file: property tests take the seed of the run. `.ci/run` fixes it, so that a change is not refused for
// a case that another change's run would have met as well; `npm run prove` chooses one at random and prints it.
import fc from 'fast-check';

const seed = process.env['TREFOIL_TEST_SEED'];
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

// Set up before every test file.
import fc from 'fast-check';
import { takeServers } from '../own-services/servers.ts';

// Property tests take the seed of the run. `.ci/run` fixes it, so that a change is not refused for a case that another change's run
// would have met as well; `npm run prove` chooses one at random and prints it.
const seed = process.env['TREFOIL_TEST_SEED'];
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });

// No other worker's open transaction, lock or connection reaches the files of this one.
takeServers(Number(process.env['VITEST_POOL_ID'] ?? 1));

// How an operator calls this program, for hints that can be copied. `npm run package` puts the built pages into server/web,
// which a checkout does not have; the package, the image and the systemd machine all call it `trefoil`.
import { existsSync } from 'node:fs';

export const PROGRAM = existsSync(new URL('../../web', import.meta.url)) ? 'trefoil' : 'npm run trefoil --';

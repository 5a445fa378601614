// The version of Trefoil.
import packageJson from '../../package.json' with { type: 'json' };

export const VERSION = packageJson.version;

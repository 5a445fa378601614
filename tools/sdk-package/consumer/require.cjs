// The package is an ES module. These versions of Node give it to `require` all the same.
const { createTrefoil, TrefoilError } = require('@trefoil/sdk');

if (typeof createTrefoil !== 'function' || !(TrefoilError.prototype instanceof Error))
  throw new Error('not the library');

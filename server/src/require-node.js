// Loaded before anything else, and plain JavaScript: an older Node cannot read the TypeScript of the service, and would end with
// an error that names a file and not the cause.
const NODE_MIN = 24;

const { node } = process.versions;
if (Number(node.split('.')[0]) < NODE_MIN) {
  console.error(
    `Trefoil needs Node ${NODE_MIN} or later; this is ${node}. Use bin/trefoil of the package, which has one. In a checkout ` +
      '"npm ci" installs one on Linux; on other systems install Node 24 yourself.',
  );
  process.exit(1);
}

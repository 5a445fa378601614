// Imported before everything else: on an older Node the first thing to fail would be something in the middle of a start.
const NODE_MIN = 24;

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < NODE_MIN) {
  console.error(
    `Trefoil needs Node ${NODE_MIN} or later; this is ${process.versions.node}. Use bin/trefoil of the package, which has one, or ` +
      'npm in a checkout.',
  );
  process.exit(1);
}

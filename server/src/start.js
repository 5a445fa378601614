// What the launcher, the image and the units start: the service, on a Node that can run it.
import './require-node.js';

await import('./main.ts');

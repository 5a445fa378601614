// A rotation of the hash key over two nodes: one in the state `added`, the other in the next one, `swapped`.
import { testPair } from '../../support/ring-pair.ts';

testPair('added', 'swapped');

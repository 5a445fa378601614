// A rotation of the hash key over two nodes: one in the state `swapped`, the other in the next one, `after`.
import { testPair } from '../../support/ring-pair.ts';

testPair('swapped', 'after');

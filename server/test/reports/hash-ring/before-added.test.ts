// A rotation of the hash key over two nodes: one in the state `before`, the other in the next one, `added`.
import { testPair } from '../../support/ring-pair.ts';

testPair('before', 'added');

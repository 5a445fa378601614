// The benchmark's own random numbers: sfc32 on 32-bit integers, so a seed means the same people on every machine.
// No clock, no Math.random; two streams with different words are independent.
const TWO_32 = 4_294_967_296;

function mix(hash: number, word: number): number {
  let h = Math.imul(hash ^ word, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** Every word counts in full; a safe integer beyond 32 bits is used in two halves. */
  constructor(...words: readonly number[]) {
    let [a, b, c] = [0x9e3779b9, 0x243f6a88, 0xb7e15162];
    for (const word of words) {
      for (const half of [(word % TWO_32) | 0, Math.floor(word / TWO_32) | 0]) {
        a = mix(a, half);
        b = mix(b, half ^ a);
        c = mix(c, half ^ b);
      }
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    for (let round = 0; round < 16; round += 1) this.next();
  }

  /** An unsigned 32-bit integer. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }

  /** A whole number from 0 to below `limit`; limits stay under two million, so the product is exact. */
  below(limit: number): number {
    return Math.floor((this.next() * limit) / TWO_32);
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True in this percentage of cases; steps of a thousandth of a per cent. */
  chance(percent: number): boolean {
    return this.below(100_000) < Math.round(percent * 1000);
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('cannot pick from nothing');
    return item;
  }

  /** The items' weights are whole numbers. */
  pickWeighted<Item>(items: readonly Item[], weight: (item: Item) => number): Item {
    let left = this.below(items.reduce((total, item) => total + weight(item), 0));
    for (const item of items) {
      left -= weight(item);
      if (left < 0) return item;
    }
    throw new Error('cannot pick from nothing');
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const tagged = items.map((item) => ({ item, key: this.next() }));
    return tagged.sort((left, right) => left.key - right.key).map(({ item }) => item);
  }

  digits(count: number): string {
    let text = '';
    for (let place = 0; place < count; place += 1) text += String(this.below(10));
    return text;
  }
}

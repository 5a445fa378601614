// Sorting in nearly linear time: by counting where the numbers allow it. Pure.

/** Counting pays off while the range of the numbers is at most this many times the count of values. */
const SPREAD_MAX = 16;

function allPlaces(count: number): Int32Array {
  const places = new Int32Array(count);
  for (let place = 0; place < count; place += 1) places[place] = place;
  return places;
}

/**
 * The positions in order of their numbers, which are not negative; equal numbers keep their order. 0 means "none" and
 * may be far from the others: an unknown day, for instance.
 */
export function inOrderOf(numbers: Int32Array, places = allPlaces(numbers.length)): Int32Array {
  const numberAt = (at: number) => numbers[places[at] as number] as number;
  let least = 2 ** 31 - 1;
  let most = 0;
  for (let at = 0; at < places.length; at += 1) {
    const number = numberAt(at);
    if (number > 0 && number < least) least = number;
    if (number > most) most = number;
  }
  const size = Math.max(0, most - least + 1) + 1;
  if (size > places.length * SPREAD_MAX) {
    return places.toSorted((x, y) => (numbers[x] as number) - (numbers[y] as number));
  }
  const slotAt = (at: number) => Math.max(0, numberAt(at) - least + 1);
  const ends = new Int32Array(size);
  for (let at = 0; at < places.length; at += 1) ends[slotAt(at)] = (ends[slotAt(at)] as number) + 1;
  for (let slot = 1; slot < size; slot += 1) ends[slot] = (ends[slot] as number) + (ends[slot - 1] as number);
  const sorted = new Int32Array(places.length);
  for (let at = places.length - 1; at >= 0; at -= 1) {
    const end = (ends[slotAt(at)] as number) - 1;
    sorted[end] = places[at] as number;
    ends[slotAt(at)] = end;
  }
  return sorted;
}

/** Up to this many values, insertion beats the built-in sort, which first copies them all. */
const INSERTION_MAX = 20;

/** Sorts the range from `from` to before `to`, in place. */
export function sortPart<T>(values: T[], from: number, to: number, compare: (a: T, b: T) => number): void {
  if (to - from > INSERTION_MAX) {
    const sorted = values.slice(from, to).sort(compare);
    for (let place = from; place < to; place += 1) values[place] = sorted[place - from] as T;
    return;
  }
  for (let next = from + 1; next < to; next += 1) {
    const value = values[next] as T;
    let place = next;
    for (; place > from && compare(values[place - 1] as T, value) > 0; place -= 1)
      values[place] = values[place - 1] as T;
    values[place] = value;
  }
}

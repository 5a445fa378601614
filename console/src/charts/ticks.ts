// Round numbers for an axis, from zero to at least the highest value.
const STEPS = [1, 2, 2.5, 5, 10];

/** The finest round step that needs at most `count` of them. */
export function ticksTo(max: number, count = 5): readonly number[] {
  if (max <= 0) return [0];
  const power = 10 ** Math.floor(Math.log10(max / count));
  const step = STEPS.map((each) => each * power).find((each) => Math.ceil(max / each) <= count) ?? max;
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, index) => index * step);
}

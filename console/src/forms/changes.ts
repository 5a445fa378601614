// What a form changes, and what the service says about its fields. Pure.
import { TrefoilError } from '@trefoil/sdk';

/** Lists are sets: their order is no change. */
const textOf = (value: unknown) =>
  JSON.stringify(Array.isArray(value) ? value.map(String).toSorted((a, b) => (a < b ? -1 : 1)) : value);

/**
 * The fields that differ from those the form began with, which are the ones that the person changed. Only these are sent: what
 * another person changed since then stays.
 */
export const changesOf = <Fields extends object>(before: Fields, wanted: Partial<Fields>): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => textOf(before[name as keyof Fields]) !== textOf(value)),
  ) as Partial<Fields>;

/** The faults of these fields by their names. An error that is about none of them is thrown on. */
export function faultsIn<Name extends string>(error: unknown, names: readonly Name[]): Partial<Record<Name, string>> {
  const details = error instanceof TrefoilError ? error.details : [];
  const told = details.flatMap(({ path, message }) => {
    const name = names.find((each) => each === path.split('/')[1]);
    return name ? [[name, message]] : [];
  });
  if (told.length === 0) throw error;
  return Object.fromEntries(told) as Partial<Record<Name, string>>;
}

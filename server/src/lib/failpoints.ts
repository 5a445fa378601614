// Named places where a test can kill the process, to prove that a crash there loses nothing and doubles nothing.
// Without configuration a failpoint does nothing; the configuration names one of them and its fatal visit.

/** The fatal place and its fatal visit, counted from 1. */
export type ArmedFailpoint<Name extends string = string> = { readonly name: Name; readonly visit: number };

export type Failpoint<Name extends string = string> = (name: Name) => void;

export function createFailpoint<Name extends string>(
  armed: ArmedFailpoint<Name> | undefined,
  die: () => void,
): Failpoint<Name> {
  let visits = 0;
  return (name) => {
    if (name !== armed?.name) return;
    visits += 1;
    if (visits === armed.visit) die();
  };
}

// The names of changes to the wire, and who they concern. Decision: docs/decisions/0190-changes-of-the-wire-are-compared.md.

/** Clients send requests and read answers: the same change breaks clients on only one side. */
export type Side = 'request' | 'answer';

export type Change = {
  readonly isBreaking: boolean;
  /** An operation, or a named schema with the side it is used on, and the field in it. */
  readonly where: string;
  readonly what: string;
};

/** One line for people; an accepted breaking change is named by it. */
export const changeText = ({ where, what }: Change): string => `${where}: ${what}`;

export type Changes = {
  /** The same change to a schema that many operations use counts as one change. */
  breaking(where: string, what: string): void;
  additive(where: string, what: string): void;
  list(): Change[];
};

export function collectChanges(): Changes {
  const byText = new Map<string, Change>();
  const add = (change: Change) => byText.set(changeText(change), change);
  return {
    breaking: (where, what) => add({ isBreaking: true, where, what }),
    additive: (where, what) => add({ isBreaking: false, where, what }),
    list: () => [...byText.values()],
  };
}

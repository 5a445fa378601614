/** Whether a field for a time has a part of one: its value is then empty, as if nothing had been typed. */
export const isHalfTyped = (around: ParentNode | null, name: string): boolean =>
  around?.querySelector<HTMLInputElement>(`input[name=${name}]`)?.validity.badInput ?? false;

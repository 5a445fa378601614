// Which synthetic person a test request asks for. Interface, "Test mode": the text before the at sign decides, in any
// case; the domain does not matter. It must not know what each scenario contains.
export type Scenario = 'no-records' | 'single-pcp' | 'mixed' | 'all-settled' | 'default';

// A Map, because an object would also answer to names such as "constructor".
const SCENARIOS: ReadonlyMap<string, Scenario> = new Map([
  ['test001', 'no-records'],
  ['test002', 'single-pcp'],
  ['test003', 'mixed'],
  ['test004', 'all-settled'],
]);

export function chooseScenario(email: string | undefined): Scenario {
  const at = email?.lastIndexOf('@') ?? -1;
  if (email === undefined || at < 0) return 'default';
  return SCENARIOS.get(email.slice(0, at).toLowerCase()) ?? 'default';
}

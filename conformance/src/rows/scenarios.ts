// Test mode: which branch a request takes and which synthetic report it gets. Interface, "Test mode".
import { digList, equal, fits, holds } from '../expect.ts';
import { generate, startChallenge, submit } from '../journey.ts';
import { dataOf } from '../replies.ts';
import type { Row } from '../row.ts';
import { branch, RIGHT_CODE } from '../sample.ts';
import { absent, object } from '../shape.ts';

type Scenario = { readonly types: readonly string[]; readonly searches: number; readonly status?: string };

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  test001: { types: [], searches: 0 },
  test002: { types: ['hire-purchase'], searches: 2, status: 'open' },
  test003: { types: ['credit-card', 'hire-purchase', 'mortgage'], searches: 2 },
  test004: { types: ['credit-card', 'hire-purchase'], searches: 2, status: 'settled' },
  default: { types: ['credit-card', 'hire-purchase', 'hire-purchase', 'mortgage'], searches: 2 },
};

type AccountRecord = { accountType: string; accountStatus: string; balance: { amount: number } | null };

function expectScenario(name: string, creditReport: unknown): void {
  const scenario = SCENARIOS[name];
  if (!scenario) throw new Error(`no scenario ${name}`);
  const records = digList(creditReport, 'consumerData.records') as AccountRecord[];
  const types = records.map(({ accountType }) => accountType).toSorted((a, b) => a.localeCompare(b));
  equal(`account types of scenario ${name}`, types, scenario.types);
  if (scenario.status) {
    const statuses = records.map(({ accountStatus }) => accountStatus);
    equal(
      'account statuses',
      statuses,
      records.map(() => scenario.status),
    );
  }
  if (scenario.status === 'settled') {
    const balances = records.map(({ balance }) => balance?.amount);
    equal(
      'balances of settled accounts',
      balances,
      records.map(() => 0),
    );
  }
  const providers = digList(creditReport, 'previousSearches.providers');
  equal(`number of previous-search providers in scenario ${name}`, providers.length, scenario.searches);
}

const EMAILS: readonly (readonly [string, string | undefined, string])[] = [
  ['test001', 'test001@example.com', 'test001'],
  ['test002', 'test002@example.com', 'test002'],
  ['test003', 'test003@example.com', 'test003'],
  ['test004', 'test004@example.com', 'test004'],
  ['default', 'someone@example.com', 'default'],
  ['no-email', undefined, 'default'],
];

const PREFIXES: readonly (readonly [string, string, string, string])[] = [
  ['mixed-case', 'TeSt002@example.com', 'test002', 'the prefix is compared without regard to case'],
  ['upper-case', 'TEST001@EXAMPLE.COM', 'test001', 'an address in capitals selects its scenario'],
  ['other-domain', 'test002@anything.example', 'test002', 'the domain is ignored'],
  ['subdomain', 'test003@mail.department.example', 'test003', 'a longer domain is ignored too'],
  ['scenario-as-domain', 'someone@test002.example', 'default', 'a scenario name in the domain selects nothing'],
  ['longer', 'test0021@example.com', 'default', 'test0021 is not test002'],
  ['plus-tag', 'test002+x@example.com', 'default', 'a tag after the prefix makes it another prefix'],
  ['before', 'xtest002@example.com', 'default', 'text before the prefix makes it another prefix'],
  ['unlisted', 'test005@example.com', 'default', 'an unlisted number is the default scenario'],
];

const pins = 'Interface, "Test mode" 2 and 4';

export const scenarioRows: readonly Row[] = [
  ...EMAILS.flatMap(([name, email, scenario]): Row[] => [
    {
      id: `scenario/${name}/allow`,
      title: `${email ?? 'no e-mail'} with allow: completes at once with the ${scenario} report`,
      pins,
      run: async ({ api }) => {
        const data = dataOf(await generate(api, { ...branch('allow'), email }), 'complete');
        expectScenario(scenario, data['creditReport']);
      },
    },
    {
      id: `scenario/${name}/challenge`,
      title: `${email ?? 'no e-mail'} with challenge: no report until 123456, then the ${scenario} report`,
      pins,
      run: async ({ api }) => {
        const challenge = await startChallenge(api, { email });
        fits('data', dataOf(challenge.generated), object({ creditReport: absent }));
        const data = dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
        expectScenario(scenario, data['creditReport']);
      },
    },
    {
      id: `scenario/${name}/block`,
      title: `${email ?? 'no e-mail'} with block: HTTP 200 blocked, no report`,
      pins: `${pins}; "Errors", rules`,
      run: async ({ api }) => {
        const data = dataOf(await generate(api, { ...branch('block'), email }), 'blocked');
        fits('data', data, object({ creditReport: absent }));
      },
    },
  ]),
  ...PREFIXES.map(
    ([name, email, scenario, title]): Row => ({
      id: `scenario/prefix/${name}`,
      title: `${title}: ${email} gives the ${scenario} report`,
      pins: 'Interface, "Test mode" 4',
      run: async ({ api }) => {
        const data = dataOf(await generate(api, { ...branch('allow'), email }), 'complete');
        expectScenario(scenario, data['creditReport']);
      },
    }),
  ),
  {
    id: 'scenario/no-options',
    title: 'test mode without challengeOptions takes the allow branch',
    pins: 'Decision 30',
    run: async ({ api }) => {
      const data = dataOf(await generate(api), 'complete');
      expectScenario('default', data['creditReport']);
    },
  },
  {
    id: 'scenario/challenge-without-mobile',
    title: 'a test challenge without a mobile number goes on and completes',
    pins: 'Decision 32',
    run: async ({ api }) => {
      const challenge = await startChallenge(api, { mobileNumber: undefined });
      dataOf(await submit(api, challenge, RIGHT_CODE), 'complete');
    },
  },
  {
    id: 'scenario/ids-differ',
    title: 'the same request twice makes two reports with different ids',
    pins: 'Interface, "Generate and OTP response data"',
    run: async ({ api }) => {
      const ids = await Promise.all([1, 2].map(async () => dataOf(await generate(api))['creditReportId']));
      holds(ids[0] !== ids[1], 'two different creditReportIds', ids);
    },
  },
];

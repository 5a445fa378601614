import { expect, test } from 'vitest';
import type { RoleFacts } from '../../lib/postgres/role.ts';
import { judgeGrants, judgeRoles, judgeRowSecurity } from './access.ts';

const EXPECTED = [
  'grant trefoil_app select on wallets',
  'grant trefoil_system select (name) on migrations',
  'function public.current_tenants() reads trefoil.tenants',
  'policy tenants_of_the_transaction on wallets for all to trefoil_app by tenant',
  'row-security wallets',
];
const without = (line: string) => EXPECTED.filter((each) => each !== line);

const GRANTS = [
  [EXPECTED, 'ok', 'exactly the 2 rights'],
  [without('grant trefoil_app select on wallets'), 'fail', 'Missing: trefoil_app select on wallets.'],
  [[...EXPECTED, 'grant trefoil_app delete on wallets'], 'fail', 'Too much: trefoil_app delete on wallets.'],
  [[...EXPECTED, 'grant public select on wallets'], 'fail', 'Too much: public select on wallets.'],
  [[...EXPECTED, 'grant reporting select on wallets'], 'warn', 'not ours'],
  [without('row-security wallets'), 'ok', 'exactly'],
  [
    ['grant trefoil_app select on a', 'grant trefoil_app select on b'].concat(EXPECTED, [
      'grant public x on c',
      'grant public x on d',
    ]),
    'fail',
    'and 1 more',
  ],
] as const;
for (const [found, status, told] of GRANTS) {
  test(`grants: ${status}, ${told}`, () => {
    const finding = judgeGrants(EXPECTED, found);
    expect(finding.status).toBe(status);
    expect(finding.reason).toContain(told);
  });
}

const WALLS = [
  [EXPECTED, 'ok', 'all 1 table'],
  [without('row-security wallets'), 'fail', 'Missing: row-security wallets.'],
  [EXPECTED.map((line) => line.replace('by tenant', 'every row')), 'fail', 'every row'],
  [EXPECTED.map((line) => line.replace('reads trefoil.tenants', 'in another way')), 'fail', 'current_tenants'],
  [[...EXPECTED, 'policy open on wallets for select to public every row'], 'fail', 'Not ours: policy open'],
  [without('grant trefoil_app select on wallets'), 'ok', 'forced'],
] as const;
for (const [found, status, told] of WALLS) {
  test(`row-level security: ${status}, ${told}`, () => {
    const finding = judgeRowSecurity(EXPECTED, found);
    expect(finding.status).toBe(status);
    expect(finding.reason).toContain(told);
  });
}

const role = (name: string, changes: Partial<RoleFacts> = {}): RoleFacts => ({
  ...{ name, isSuperuser: false, canBypass: false, canCreateRoles: false, canCreateDatabases: false },
  ...{ canReplicate: false, memberOf: [], canCreateTables: false, ownedTables: 0 },
  ...changes,
});

const ROLES: [Partial<RoleFacts>, string, string][] = [
  [{}, 'ok', 'no more power'],
  [{ memberOf: ['pg_read_all_stats'] }, 'ok', 'no more power'],
  [{ isSuperuser: true, memberOf: ['everything'] }, 'fail', 'trefoil_app is a superuser. '],
  [{ canBypass: true }, 'fail', 'bypasses row-level security'],
  [{ canCreateRoles: true }, 'fail', 'may create roles'],
  [{ canCreateDatabases: true }, 'fail', 'may create databases'],
  [{ canReplicate: true }, 'fail', 'may replicate'],
  [{ canCreateTables: true }, 'fail', 'may create tables'],
  [{ ownedTables: 2 }, 'fail', 'owns 2 tables'],
  [{ memberOf: ['trefoil_owner'] }, 'fail', 'is a member of trefoil_owner'],
  [{ name: 'postgres' }, 'fail', 'The log-in is postgres and should be trefoil_app'],
];
for (const [changes, status, told] of ROLES) {
  test(`roles: ${JSON.stringify(changes)} is ${status}`, () => {
    const finding = judgeRoles(role('trefoil_app', changes), role('trefoil_system'));
    expect(finding.status).toBe(status);
    expect(`${finding.reason} `).toContain(told);
    expect(judgeRoles(role('trefoil_app'), role('trefoil_system', { ...changes, name: 'trefoil_system' })).status).toBe(
      changes.name ? 'ok' : status,
    );
  });
}

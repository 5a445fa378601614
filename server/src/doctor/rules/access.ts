// The rights in the database, as lines: what each role may do with which table, which tables are walled by row-level
// security, and by which policies. A release brings the lines that it needs; the installation must have exactly these.
import type { RoleFacts } from '../../lib/postgres/role.ts';
import { type Finding, fail, ok, plural, several, warn } from './finding.ts';

const SEE = 'docs/operate/configuration.md#three-roles-in-the-database';

/** The roles of the service, and everybody: more rights for them are a hole. Other roles are the operator's business. */
const OURS = ['trefoil_app', 'trefoil_system', 'public'];

const isGrant = (line: string) => line.startsWith('grant ');
const granteeOf = (line: string) => line.split(' ')[1] ?? '';

function compare(expected: readonly string[], found: readonly string[]) {
  const [wanted, present] = [new Set(expected), new Set(found)];
  return {
    missing: expected.filter((line) => !present.has(line)),
    extra: found.filter((line) => !wanted.has(line)),
  };
}

const told = (lines: readonly string[]) => several(lines.map((line) => line.replace(/^grant /, '')));

export function judgeGrants(expected: readonly string[], found: readonly string[]): Finding {
  const { missing, extra } = compare(expected.filter(isGrant), found.filter(isGrant));
  const ours = extra.filter((line) => OURS.includes(granteeOf(line)));
  const todo = 'Find out who changed it; as the owner, grant what is missing and revoke what is too much.';
  const faults = [
    ...(missing.length > 0 ? [`Missing: ${told(missing)}.`] : []),
    ...(ours.length > 0 ? [`Too much: ${told(ours)}.`] : []),
  ];
  if (faults.length > 0) return fail(faults.join(' '), todo, SEE);
  if (extra.length > 0) {
    return warn(
      `Roles that are not ours have rights: ${told(extra)}.`,
      'Make sure that each is meant; revoke the others.',
      SEE,
    );
  }
  return ok(`The roles have exactly the ${plural(expected.filter(isGrant).length, 'right')} that this version needs.`);
}

export function judgeRowSecurity(expected: readonly string[], found: readonly string[]): Finding {
  const isWall = (line: string) => !isGrant(line);
  const { missing, extra } = compare(expected.filter(isWall), found.filter(isWall));
  const count = expected.filter((line) => line.startsWith('row-security ')).length;
  if (missing.length === 0 && extra.length === 0) {
    return ok(`Row-level security is on and forced for all ${plural(count, 'table')} that need it.`);
  }
  const faults = [
    ...(missing.length > 0 ? [`Missing: ${several(missing)}.`] : []),
    ...(extra.length > 0 ? [`Not ours: ${several(extra)}.`] : []),
  ];
  return fail(
    faults.join(' '),
    'One tenant may see rows of another: find out who changed it, and restore it as the migrations have it.',
    SEE,
  );
}

/** They only read the server's figures; `doctor` itself sees more with them. */
const HARMLESS = ['pg_monitor', 'pg_read_all_stats', 'pg_read_all_settings'];

function faultsOf(expected: string, facts: RoleFacts): string[] {
  const { name, memberOf, ownedTables } = facts;
  // A superuser has every right and is a member of every role: the rest would only repeat that.
  if (facts.isSuperuser) return [`${name} is a superuser.`];
  const others = memberOf.filter((role) => !HARMLESS.includes(role));
  return [
    ...(name === expected ? [] : [`The log-in is ${name} and should be ${expected}.`]),
    ...(facts.canBypass ? [`${name} bypasses row-level security.`] : []),
    ...(facts.canCreateRoles ? [`${name} may create roles.`] : []),
    ...(facts.canCreateDatabases ? [`${name} may create databases.`] : []),
    ...(facts.canReplicate ? [`${name} may replicate.`] : []),
    ...(facts.canCreateTables ? [`${name} may create tables.`] : []),
    ...(ownedTables > 0 ? [`${name} owns ${plural(ownedTables, 'table')}.`] : []),
    ...(others.length > 0 ? [`${name} is a member of ${several(others)}.`] : []),
  ];
}

export function judgeRoles(app: RoleFacts, system: RoleFacts): Finding {
  const faults = [...faultsOf('trefoil_app', app), ...faultsOf('trefoil_system', system)];
  if (faults.length === 0) return ok('trefoil_app and trefoil_system have no more power than they need.');
  return fail(
    faults.join(' '),
    'Log in with the two roles that the migrations create, and take from them what they have beyond those.',
    SEE,
  );
}

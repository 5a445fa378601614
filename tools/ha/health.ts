// Whether a cluster is whole, from what its members say of themselves. Pure.
import { MACHINES, type MachineNumber, machineOf, memberOf } from './settings.ts';

/** The answer of Patroni's `GET /patroni`, as far as it is read here. */
export type MemberStatus = {
  readonly state?: string;
  readonly role?: string;
  readonly timeline?: number;
  /** Of a primary: its connected standbys. */
  readonly replication?: readonly {
    readonly application_name?: string;
    readonly state?: string;
    readonly sync_state?: string;
  }[];
};

export type Whole = {
  readonly isWhole: true;
  readonly primary: MachineNumber;
  readonly standbys: readonly MachineNumber[];
  /** The standby that commits wait for; undefined without synchronous replication. */
  readonly synchronous: MachineNumber | undefined;
  readonly timeline: number;
};

export type Health = Whole | { readonly isWhole: false; readonly reason: string };

const PRIMARY_ROLES = ['primary', 'master'];

const broken = (reason: string): Health => ({ isWhole: false, reason });

/** `members` are in the order of the machines; a machine without an answer is undefined. */
export function judgeHealth(members: readonly (MemberStatus | undefined)[], isSynchronous: boolean): Health {
  const silent = MACHINES.filter((_, place) => !members[place]);
  if (silent.length > 0) return broken(`${silent.map(memberOf).join(', ')} does not answer`);
  const idle = MACHINES.filter((_, place) => members[place]?.state !== 'running');
  if (idle.length > 0) return broken(`${idle.map(memberOf).join(', ')} is not running`);
  const primaries = MACHINES.filter((_, place) => PRIMARY_ROLES.includes(members[place]?.role ?? ''));
  const [primary] = primaries;
  if (primary === undefined || primaries.length > 1) return broken(`${primaries.length} primaries`);
  const { timeline, replication = [] } = members[primary - 1] ?? {};
  if (timeline === undefined) return broken('the primary has no timeline');
  const streaming = replication.filter(({ state }) => state === 'streaming');
  const standbys = MACHINES.filter((machine) => machine !== primary);
  const missing = standbys.filter(
    (machine) => !streaming.some(({ application_name: name }) => name === memberOf(machine)),
  );
  if (missing.length > 0) return broken(`${missing.map(memberOf).join(', ')} does not stream`);
  const astray = standbys.filter((machine) => (members[machine - 1]?.timeline ?? timeline) !== timeline);
  if (astray.length > 0) return broken(`${astray.map(memberOf).join(', ')} is on another timeline`);
  const confirming = streaming.find(({ sync_state: state }) => state === 'sync');
  if (isSynchronous && !confirming) return broken('no standby confirms commits');
  const synchronous = isSynchronous ? machineOf(confirming?.application_name ?? '') : undefined;
  return { isWhole: true, primary, standbys, synchronous, timeline };
}

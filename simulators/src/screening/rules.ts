// What the simulated provider decides, as a pure function of the request: the first matching rule wins (WIRE.md,
// "Screening").
import { BlockList, isIP } from 'node:net';

export type Decision = 'allow' | 'challenge' | 'block';

export type Verdict =
  | { readonly kind: 'decided'; readonly decision: Decision; readonly reasons: readonly string[] }
  | { readonly kind: 'down' };

export type Subject = {
  readonly email: string | null;
  readonly ipAddress: string;
  readonly hasDevice: boolean;
};

const EMAIL_RULES: readonly (readonly [beginning: string, decision: Decision | 'down'])[] = [
  ['allow', 'allow'],
  ['challenge', 'challenge'],
  ['block', 'block'],
  ['screening-down', 'down'],
];

const NETWORK_RULES: readonly (readonly [network: BlockList, decision: Decision, reason: string])[] = [
  [networkOf('203.0.113.0'), 'block', 'network-banned'],
  [networkOf('198.51.100.0'), 'challenge', 'network-suspect'],
];

export function decide({ email, ipAddress, hasDevice }: Subject): Verdict {
  const seen = hasDevice ? [] : ['device-unknown'];
  const localPart = (email ?? '').split('@', 1)[0]?.toLowerCase() ?? '';
  const byEmail = EMAIL_RULES.find(([beginning]) => localPart.startsWith(beginning))?.[1];
  if (byEmail === 'down') return { kind: 'down' };
  if (byEmail) return { kind: 'decided', decision: byEmail, reasons: [`email-says-${byEmail}`, ...seen] };
  const family = isIP(ipAddress) === 6 ? 'ipv6' : 'ipv4';
  const [, decision, reason] = NETWORK_RULES.find(([network]) => network.check(ipAddress, family)) ?? [];
  if (decision && reason) return { kind: 'decided', decision, reasons: [reason, ...seen] };
  return { kind: 'decided', decision: 'allow', reasons: ['nothing-found', ...seen] };
}

function networkOf(address: string): BlockList {
  const network = new BlockList();
  network.addSubnet(address, 24);
  return network;
}

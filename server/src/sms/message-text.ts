// The text of the one message we send: one GSM-7 segment, the tenant's name, nothing promotional
// (docs/decisions/0044-sms-text.md). It begins with the code, so that no name can pass for the origin-bound line, which
// must be the last one.
import { cutToSeptets, septetsOf, toGsm7 } from './gsm7.ts';

export type OtpMessage = {
  readonly tenantName: string;
  readonly code: string;
  /** The host of the page where the consumer types the code; browsers offer the code only there. */
  readonly host?: string | undefined;
};

const SEPTETS_MAX = 160;
/** A shorter part of a long name would not identify the tenant; then the line for browsers is left out instead. */
const NAME_SEPTETS_KEPT = 20;
const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

export function otpMessage({ tenantName, code, host }: OtpMessage): string {
  const bound = host !== undefined && HOST.test(host) ? `\n@${host} #${code}` : '';
  // Before measuring, since what is cut here must not count as used room.
  const name = withoutStop(toGsm7(tenantName));
  const isRoomForBoth = lengthOf(write(cutToSeptets(name, NAME_SEPTETS_KEPT), code) + bound) <= SEPTETS_MAX;
  const last = isRoomForBoth ? bound : '';
  const excess = Math.max(0, lengthOf(write(name, code) + last) - SEPTETS_MAX);
  return write(withoutStop(cutToSeptets(name, lengthOf(name) - excess)), code) + last;
}

function write(name: string, code: string): string {
  return `${code} is your code${name && ` for ${name}`}. It is valid for 5 minutes. Do not share it with anyone.`;
}

/** The sentence adds its own full stop: a name that was cut, or is an abbreviation, must not add a second one. */
const withoutStop = (name: string) => name.replace(/[\s.]+$/, '');

const lengthOf = (text: string) => septetsOf(text) ?? Number.POSITIVE_INFINITY;

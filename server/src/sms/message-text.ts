// The words of the one message we send: one GSM-7 segment, the tenant's name, nothing promotional (docs/decisions/0044).
// It begins with the code, so that no name can be taken for the origin-bound line, which has to be the last one.
import { cutToSeptets, septetsOf, toGsm7 } from './gsm7.ts';

export type OtpMessage = {
  readonly tenantName: string;
  readonly code: string;
  /** The host of the page where the code is typed; browsers offer the code there and nowhere else. */
  readonly host?: string | undefined;
};

const SEPTETS_MAX = 160;
/** Less of a long name would not name the tenant; before that, the line for browsers stays out. */
const NAME_SEPTETS_KEPT = 20;
const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

export function otpMessage({ tenantName, code, host }: OtpMessage): string {
  const bound = host !== undefined && HOST.test(host) ? `\n@${host} #${code}` : '';
  // Before it is measured, since what is cut away here must not count as room.
  const name = withoutStop(toGsm7(tenantName));
  const isRoomForBoth = lengthOf(write(cutToSeptets(name, NAME_SEPTETS_KEPT), code) + bound) <= SEPTETS_MAX;
  const last = isRoomForBoth ? bound : '';
  const excess = Math.max(0, lengthOf(write(name, code) + last) - SEPTETS_MAX);
  return write(withoutStop(cutToSeptets(name, lengthOf(name) - excess)), code) + last;
}

function write(name: string, code: string): string {
  return `${code} is your code${name && ` for ${name}`}. It is valid for 5 minutes. Do not share it with anyone.`;
}

/** The full stop is the sentence's: a name that was cut, or is an abbreviation, must not bring a second one. */
const withoutStop = (name: string) => name.replace(/[\s.]+$/, '');

const lengthOf = (text: string) => septetsOf(text) ?? Number.POSITIVE_INFINITY;

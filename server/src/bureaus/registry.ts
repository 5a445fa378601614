// Which wire speaks for which bureau. The public names are the interface's; the adapters know nothing of them, and the
// configuration joins the two.
import { BUREAUS, type Bureau } from '@trefoil/contract';
import { type Static, type TSchema, Type } from 'typebox';
import { unreachable } from '../lib/errors.ts';
import { GUARD_SETTINGS } from '../lib/outside/guard-calls.ts';
import { closed, HttpUrl } from '../lib/setting-schema.ts';
import { createAlbion } from './albion/adapter.ts';
import { AlbionCredentials } from './albion/request.ts';
import { type AskBureaus, type AskBureausOptions, createAskBureaus } from './ask-bureaus.ts';
import { createBeacon } from './beacon/adapter.ts';
import { BeaconCredentials } from './beacon/request.ts';
import { type BureauLine, openLine } from './call-bureau.ts';
import { createCygnet } from './cygnet/adapter.ts';
import { CygnetCredentials } from './cygnet/request.ts';
import { type GuardOptions, guardBureau } from './guard-bureau.ts';
import type { BureauAdapter } from './port.ts';
import { type ReadReply, readHere } from './read-reply.ts';

function settingsOf<Name extends string, Credentials extends TSchema>(adapter: Name, credentials: Credentials) {
  return closed({ adapter: Type.Literal(adapter), baseUrl: HttpUrl, credentials, ...GUARD_SETTINGS });
}

/** What an operator sets for a bureau, by the wire it speaks. */
export const BUREAU_SETTINGS = {
  albion: settingsOf('albion', AlbionCredentials),
  beacon: settingsOf('beacon', BeaconCredentials),
  cygnet: settingsOf('cygnet', CygnetCredentials),
};

type Wires = { [Name in keyof typeof BUREAU_SETTINGS]: Static<(typeof BUREAU_SETTINGS)[Name]> };
export type BureauWire = { [Name in keyof Wires]: Readonly<Pick<Wires[Name], 'adapter' | 'credentials'>> }[keyof Wires];

export type BureauSettings = BureauWire & GuardOptions & { readonly baseUrl: string };

/** One bureau at least, and not always all. */
export type BureausConfig = Readonly<Partial<Record<Bureau, BureauSettings>>>;

export type Bureaus = {
  /** Those that can be asked. */
  readonly configured: readonly Bureau[];
  /** Every chosen bureau once, in parallel; never rejects. */
  readonly ask: AskBureaus;
  close(): Promise<void>;
};

/** The adapter of a wire, without guards. */
export function createAdapter(line: BureauLine, wire: BureauWire, read: ReadReply = readHere): BureauAdapter {
  switch (wire.adapter) {
    case 'albion':
      return createAlbion(line, wire.credentials, read);
    case 'beacon':
      return createBeacon(line, wire.credentials, read);
    case 'cygnet':
      return createCygnet(line, wire.credentials, read);
    default:
      return unreachable(wire);
  }
}

export function createBureaus(
  config: BureausConfig,
  { read, ...options }: AskBureausOptions & { readonly read?: ReadReply } = {},
): Bureaus {
  const lines: BureauLine[] = [];
  const guarded = BUREAUS.flatMap((bureau) => {
    const settings = config[bureau];
    if (!settings) return [];
    const { baseUrl, timeoutMs, maxConcurrent } = settings;
    // One more than can be in flight, so that a token is never behind the enquiries that wait for it.
    const line = openLine({ baseUrl, timeoutMs, connections: maxConcurrent + 1 });
    lines.push(line);
    return [[bureau, guardBureau(createAdapter(line, settings, read), settings)] as const];
  });
  const adapters: Partial<Record<Bureau, BureauAdapter>> = Object.fromEntries(guarded);
  return {
    configured: guarded.map(([bureau]) => bureau),
    ask: createAskBureaus(adapters, options),
    close: async () => {
      await Promise.all(lines.map((line) => line.close()));
    },
  };
}

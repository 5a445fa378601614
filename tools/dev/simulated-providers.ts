// Live mode without other companies: starts the simulators in their own process and returns the settings for a
// server. For development and tests only.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUREAU_PARTS, listLenders, type SimulatorAddresses, startSimulators } from './ask-simulators.ts';

export type SimulatedProviders = {
  readonly addresses: SimulatorAddresses;
  /** The settings of a server that uses them. */
  readonly environment: Record<string, string>;
  stop(): Promise<void>;
};

export async function startProviders(): Promise<SimulatedProviders> {
  const { addresses, stop } = await startSimulators();
  const { credentials } = addresses;
  const directory = mkdtempSync(join(tmpdir(), 'trefoil-lenders-'));
  const lendersFile = join(directory, 'lenders.json');
  writeFileSync(lendersFile, JSON.stringify(await listLenders(addresses.albion)));
  const bureaus = Object.fromEntries(
    Object.entries(BUREAU_PARTS).map(([bureau, adapter]) => [
      bureau,
      { adapter, baseUrl: addresses[adapter], credentials: credentials[adapter] },
    ]),
  );
  return {
    addresses,
    environment: {
      TREFOIL_BUREAUS: JSON.stringify(bureaus),
      TREFOIL_SCREENING: JSON.stringify({ baseUrl: addresses.screening, ...credentials.screening }),
      TREFOIL_SMS: JSON.stringify({ carrier: 'twilio', apiBaseUrl: addresses.carrier, ...credentials.carrier }),
      TREFOIL_MAIL: JSON.stringify({ url: addresses.smtp, ...credentials.mail }),
      TREFOIL_LENDERS_FILE: lendersFile,
    },
    async stop() {
      rmSync(directory, { recursive: true, force: true });
      await stop();
    },
  };
}

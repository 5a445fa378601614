// Asks the three bureau simulators about one of their invented people and keeps the replies byte for byte. It calls only
// this machine: a real bureau must never be asked for a demonstration.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BUREAUS, type Bureau, COMPANY_TYPES } from '@trefoil/contract';
import { type BureauLine, openLine } from '../../server/src/bureaus/call-bureau.ts';
import type { BureauOutcome, Enquiry } from '../../server/src/bureaus/port.ts';
import { type BureauWire, createAdapter } from '../../server/src/bureaus/registry.ts';
import { Refusal } from '../../server/src/cli/command.ts';
import { newId } from '../../server/src/lib/ids.ts';
import type { Lender } from '../../server/src/merge/explain-report.ts';

type Wire = BureauWire['adapter'];

/** Which simulator plays which bureau. */
export const BUREAU_PARTS: Readonly<Record<Bureau, Wire>> = {
  equifax: 'albion',
  experian: 'beacon',
  transunion: 'cygnet',
};
const SIMULATORS = fileURLToPath(new URL('../../simulators/src/main.ts', import.meta.url));
const TIMEOUT_MS = 15_000;
const TOKEN_PATH = '/oauth/token';

/** The line that the simulators print when they are ready. */
export type SimulatorAddresses = Record<
  Wire | 'screening' | 'carrier' | 'inbox' | 'mail' | 'smtp' | 'mailInbox',
  string
> & {
  readonly credentials: Record<Wire | 'screening' | 'carrier' | 'mail', object>;
};

export type AskedBureau = {
  readonly bureau: Bureau;
  readonly simulator: Wire;
  readonly outcome: BureauOutcome;
  readonly rawReplies: readonly string[];
};

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Refused by address alone, before anything is sent. */
export function checkAddresses(addresses: SimulatorAddresses): void {
  for (const wire of Object.values(BUREAU_PARTS)) {
    const url = URL.parse(addresses[wire] ?? '');
    if (url?.protocol !== 'http:' || !LOOPBACK.test(url.hostname)) {
      throw new Refusal(`Only simulators on this machine are asked: the address of ${wire} is not one of them.`);
    }
  }
}

/**
 * They answer until they are stopped or this process has ended: a signal to its group, such as Ctrl+C, is not for them, because
 * a server that drains still waits for their answers.
 */
export async function startSimulators(): Promise<{ addresses: SimulatorAddresses; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [SIMULATORS, '--bureau', 'all', '--port', '0', '--json', '--until-eof'], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [undefined])]);
  if (typeof line !== 'string') throw new Refusal('The simulators did not start.');
  return {
    addresses: JSON.parse(line) as SimulatorAddresses,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.stdin.destroy();
      await exited;
    },
  };
}

async function getJson<T>(url: string, whatIsMissing: string): Promise<T> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error) => {
    throw new Refusal(`Nothing answers at ${new URL(url).origin}. Are the simulators running?`, { cause: error });
  });
  if (response.status === 404) throw new Refusal(whatIsMissing);
  if (!response.ok) throw new Refusal(`${url} is not a simulator: it answered ${response.status}.`);
  return (await response.json()) as T;
}

type SimulatedAddress = Partial<Record<string, string | boolean | null>>;
type SimulatedPerson = Omit<Enquiry['consumer'], 'addresses' | 'searchType'> & { addresses: SimulatedAddress[] };

function withoutNulls<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null)) as T;
}

export async function findPerson(address: string, personId: string): Promise<Enquiry['consumer']> {
  const url = `${address}/people/${encodeURIComponent(personId)}`;
  const person = await getJson<SimulatedPerson>(url, `The simulators have no person ${personId}; try person-0001.`);
  const { title, firstName, middleName, lastName, dateOfBirth } = person;
  const addresses = person.addresses.map(({ current, from: _since, ...ukAddress }) => ({
    type: current ? 'current' : 'previous',
    ukAddress: withoutNulls(ukAddress),
  }));
  return {
    ...withoutNulls({ title, middleName }),
    ...{ firstName, lastName, dateOfBirth, searchType: 'pcp' as const },
    addresses: addresses as unknown as Enquiry['consumer']['addresses'],
  } as Enquiry['consumer'];
}

type SimulatedLender = {
  id: string;
  trading: string;
  legal: string;
  former: string[];
  group: string | null;
  sector: string;
};

export async function listLenders(address: string): Promise<Lender[]> {
  const { lenders } = await getJson<{ lenders: SimulatedLender[] }>(`${address}/lenders`, 'This is not a simulator.');
  return lenders.map(({ id, trading, legal, former, group, sector }) => ({
    ...{ id, trading, legal, aliases: [], formerNames: former, group: group || null },
    companyType:
      sector === 'card-issuer' ? 'credit-card-issuer' : (COMPANY_TYPES.find((type) => type === sector) ?? 'other'),
  }));
}

/** Keeps every reply except the one with a token. */
function recordReplies(line: BureauLine, replies: string[]): BureauLine {
  return {
    async call(call, signal) {
      const reply = await line.call(call, signal);
      if (call.path !== TOKEN_PATH) replies.push(Buffer.from(reply.bytes).toString());
      return reply;
    },
    close: () => line.close(),
  };
}

async function askOne(addresses: SimulatorAddresses, bureau: Bureau, enquiry: Enquiry): Promise<AskedBureau> {
  const simulator = BUREAU_PARTS[bureau];
  const rawReplies: string[] = [];
  const line = recordReplies(
    openLine({ baseUrl: addresses[simulator], timeoutMs: TIMEOUT_MS, connections: 2 }),
    rawReplies,
  );
  const wire = { adapter: simulator, credentials: addresses.credentials[simulator] } as BureauWire;
  try {
    const outcome = await createAdapter(line, wire).ask(enquiry, AbortSignal.timeout(TIMEOUT_MS));
    return { bureau, simulator, outcome, rawReplies };
  } finally {
    await line.close();
  }
}

export async function askSimulators(addresses: SimulatorAddresses, personId: string) {
  checkAddresses(addresses);
  const [consumer, lenders] = await Promise.all([
    findPerson(addresses.albion, personId),
    listLenders(addresses.albion),
  ]);
  const enquiry: Enquiry = { enquiryId: newId(), consumer };
  const asked = await Promise.all(BUREAUS.map((bureau) => askOne(addresses, bureau, enquiry)));
  return { consumer, lenders, asked };
}

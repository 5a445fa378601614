// The mail simulator as the process it is: real SMTP for the server under test, its inbox over HTTP for the test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';

const SIMULATORS = fileURLToPath(new URL('../../../simulators/src/main.ts', import.meta.url));

export type ReceivedMail = {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type Mailbox = {
  /** The setting of a server that sends its mail here. */
  readonly environment: { readonly TREFOIL_MAIL: string };
  mails(to: string): Promise<readonly ReceivedMail[]>;
  /** The newest mail to this address, once there is one. */
  wait(to: string): Promise<ReceivedMail>;
  /** How often somebody tried to deliver to this address. */
  attempts(to: string): Promise<number>;
  behave(rule: object): Promise<void>;
  stop(): Promise<void>;
};

export async function startMailbox(): Promise<Mailbox> {
  const child = spawn(process.execPath, [SIMULATORS, '--bureau', 'mail', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { mail, smtp, credentials } = JSON.parse(line) as {
    mail: string;
    smtp: string;
    credentials: { mail: { from: string } };
  };
  const get = async <T>(path: string) => (await (await fetch(`${mail}${path}`)).json()) as T;
  const mails = async (to: string) =>
    (await get<{ mails: ReceivedMail[] }>(`/inbox.json?to=${encodeURIComponent(to)}`)).mails;
  return {
    environment: { TREFOIL_MAIL: JSON.stringify({ url: smtp, ...credentials.mail }) },
    mails,
    async wait(to) {
      await eventually(async () => expect(await mails(to)).not.toEqual([]));
      return (await mails(to))[0] as ReceivedMail;
    },
    attempts: async (to) =>
      (await get<{ attempts: Record<string, number> }>('/control/attempts')).attempts[to.toLowerCase()] ?? 0,
    async behave(rule) {
      const { status } = await fetch(`${mail}/control`, { method: 'POST', body: JSON.stringify(rule) });
      expect(status).toBe(201);
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The link of a mail, as somebody would click on it. */
export function linkOf({ text }: ReceivedMail): string {
  const [link] = /https?:\/\/\S+/.exec(text) ?? [];
  expect(link).toBeDefined();
  return link ?? '';
}

export const tokenOf = (mail: ReceivedMail) => linkOf(mail).split('/').at(-1) ?? '';

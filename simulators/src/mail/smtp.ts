// The SMTP side: accepts mail for any address, relays nothing, and misbehaves as its rules say.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { MailInbox } from './inbox.ts';
import { parseMail } from './parse.ts';
import type { MailControl, Plan } from './plan.ts';

const SIZE_MAX = 1_000_000;

export type SmtpOptions = {
  readonly port: number;
  readonly host: string;
  readonly inbox: MailInbox;
  readonly control: MailControl;
};

export async function startSmtp({
  port,
  host,
  inbox,
  control,
}: SmtpOptions): Promise<{ url: string; close(): Promise<void> }> {
  const plans = new Map<string, Plan>();
  const server = new SMTPServer({
    name: 'mail.example.com',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: SIZE_MAX,
    closeTimeout: 100,
    onRcptTo({ address }, session, answer) {
      const to = address.toLowerCase();
      inbox.countAttempt(to);
      const plan = control.planFor(to);
      plans.set(session.id, plan);
      if (plan.kind === 'drop') return hangUp(server, session);
      // Real servers' texts quote the address too.
      if (plan.kind === 'refuse' || plan.kind === 'greylist') return answer(fault(plan.value, `<${to}> is not taken`));
      answer();
    },
    onData(stream, session, answer) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const plan = plans.get(session.id);
        plans.delete(session.id);
        if (plan?.kind === 'spam') return answer(fault(plan.value, 'this looks like spam'));
        const raw = Buffer.concat(chunks).toString('utf8');
        const recipients = session.envelope.rcptTo.map(({ address }) => address.toLowerCase());
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : '';
        const receivedAt = new Date().toISOString();
        for (const to of recipients) inbox.add({ id: randomUUID(), to, from, receivedAt, raw, ...parseMail(raw) });
        if (plan?.kind === 'lost') return hangUp(server, session);
        setTimeout(() => answer(), plan?.kind === 'slow' ? plan.value : 0);
      });
    },
    onClose: (session) => void plans.delete(session.id),
  });
  // A sender that hangs up is not an error.
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const { port: taken } = server.server.address() as AddressInfo;
  return { url: `smtp://${host}:${taken}`, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

const fault = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode });

type Connection = { readonly id: string; readonly _socket: { destroy(): void } };

/** The library has no call for a server that vanishes in the middle. */
function hangUp(server: SMTPServer, { id }: SMTPServerSession): void {
  const { connections } = server as unknown as { connections: Set<Connection> };
  for (const connection of connections) if (connection.id === id) connection._socket.destroy();
}

// Mail over SMTP. One connection per mail: our mails are few, and an open connection can break unnoticed. Nothing
// leaves this machine unencrypted.
import { createTransport } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { Type } from 'typebox';
import { closed } from '../lib/setting-schema.ts';
import type { Mail, MailOutcome, MailSender } from './port.ts';

/** What an operator sets. */
export const SmtpAccount = closed({
  url: Type.String({ format: 'smtp-url', description: 'an address with smtp or smtps' }),
  from: Type.String({ format: 'mailbox', description: 'one e-mail address, alone or as Name <address>' }),
});

export type SmtpSettings = {
  /** smtp://… or smtps://…, with user and password where the server requires them. */
  readonly url: string;
  readonly from: { readonly name: string; readonly address: string };
};

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

function connectionTo(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  const isHere = LOOPBACK.test(hostname);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : isSecure ? 465 : 587,
    secure: isSecure,
    // Without it, a server in between could remove the offer of encryption.
    requireTLS: !isSecure && !isHere,
    ignoreTLS: !isSecure && isHere,
    tls: { minVersion: 'TLSv1.2' },
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  } as const;
}

/** How far a greeting came: `no-log-in` has none set; `not-offered` has one, and the server does not ask for it. */
export type Greeting = 'logged-in' | 'no-log-in' | 'not-offered';

/**
 * Greets the server, encrypts as for a mail, logs in and leaves; sends no mail. Throws with a code where that fails. It waits
 * as long as a mail would, or until the signal.
 */
export async function greetMailServer({ url }: SmtpSettings, signal: AbortSignal): Promise<Greeting> {
  const { auth, ...options } = connectionTo(url);
  const connection = new SMTPConnection(options);
  const { promise, resolve, reject } = Promise.withResolvers<Greeting>();
  const stop = () => reject(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' }));
  signal.addEventListener('abort', stop, { once: true });
  connection.on('error', reject);
  connection.on('end', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  connection.connect((fault) => {
    if (fault) reject(fault);
    else if (!auth) resolve('no-log-in');
    else if (!connection.allowsAuth) resolve('not-offered');
    else connection.login(auth, (refusal) => (refusal ? reject(refusal) : resolve('logged-in')));
  });
  try {
    const greeting = await promise;
    connection.quit();
    // A server that does not answer the farewell must not keep the process.
    if (connection._socket) connection._socket.unref();
    return greeting;
  } catch (error) {
    connection.close();
    if (connection._socket) connection._socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export function createSmtpSender({ url, from }: SmtpSettings): MailSender {
  const transport = createTransport({ ...connectionTo(url), disableFileAccess: true, disableUrlAccess: true });
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    async send({ id, to, subject, text, html }: Mail): Promise<MailOutcome> {
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          from,
          // An object is one address and never a list.
          to: { name: '', address: to },
          subject,
          text,
          html,
          // Automatic replies should not answer a machine.
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return { kind: 'accepted' };
      } catch (error) {
        return judgeFailure(error);
      }
    },
    close: () => transport.close(),
  };
}

type SmtpError = { readonly code?: string; readonly responseCode?: number; readonly syscall?: string };

/** Errors from before the mail was handed over: no server address, no encryption, no log-in. */
const BEFORE_THE_MAIL = ['EDNS', 'ETLS', 'EAUTH', 'ENOAUTH'];

/** Only codes are kept: the server's own text may quote the address. */
function judgeFailure(error: unknown): MailOutcome {
  const { code = 'unknown', responseCode, syscall } = error as SmtpError;
  if (responseCode !== undefined) {
    // A refused log-in or a protocol error of ours says nothing about this mail.
    const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
    return { kind: 'refused', isFinal: isAboutMail && responseCode >= 500, reason: `${code}-${responseCode}` };
  }
  // An address that cannot be written on an envelope at all.
  if (code === 'EENVELOPE') return { kind: 'refused', isFinal: true, reason: code };
  const isBefore = BEFORE_THE_MAIL.includes(code) || syscall === 'connect';
  // The library does not say how far a broken conversation had come: the server may have accepted the mail.
  return isBefore ? { kind: 'refused', isFinal: false, reason: code } : { kind: 'unknown', reason: code };
}

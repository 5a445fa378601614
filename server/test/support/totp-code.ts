// What an authenticator app with this secret shows now: for tests and tools, which have no app.
import { Secret, TOTP } from 'otpauth';

export const codeOf = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

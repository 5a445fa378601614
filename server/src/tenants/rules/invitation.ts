// How long invitations are valid and how many mails they may cause (docs/decisions/0133-members-and-invitations.md). Pure:
// `now` is the database's.
export const LIFETIME_DAYS = 7;
/** A tenant's mails in 24 hours, including resends of the invitations created in that time. */
export const DAILY_MAX = 50;
export const SENDS_MAX = 5;
const RESEND_AFTER_MS = 60_000;

export type InvitationState = {
  readonly expiresAt: Date;
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
};

export function isOpen({ expiresAt, acceptedAt, revokedAt }: InvitationState, now: Date): boolean {
  return acceptedAt === null && revokedAt === null && now < expiresAt;
}

export type ResendVerdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'too-often' }
  | { readonly kind: 'too-soon'; readonly retryAfterSeconds: number };

export function judgeResend({ sentCount, sentAt }: { sentCount: number; sentAt: Date }, now: Date): ResendVerdict {
  if (sentCount >= SENDS_MAX) return { kind: 'too-often' };
  const waitMs = sentAt.getTime() + RESEND_AFTER_MS - now.getTime();
  return waitMs > 0 ? { kind: 'too-soon', retryAfterSeconds: Math.ceil(waitMs / 1_000) } : { kind: 'allowed' };
}

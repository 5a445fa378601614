// The types of events as the outbox stores them. Stored values: none may change.
export type StoredType =
  | 'report.completed'
  | 'report.challenged'
  | 'report.blocked'
  | 'report.failed'
  | 'report.expired'
  | 'challenge.sent'
  | 'challenge.delivered'
  | 'challenge.undelivered'
  | 'challenge.verified'
  | 'wallet.charged'
  | 'wallet.refunded'
  | 'wallet.topped-up'
  | 'wallet.adjusted'
  | 'wallet.low';

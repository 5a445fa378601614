// The outbox's event types for a report, its challenge and its money. Stored values: none may change.
export type EventType =
  | 'report.completed'
  | 'report.challenged'
  | 'report.failed'
  | 'report.blocked'
  | 'report.expired'
  | 'wallet.charged'
  | 'wallet.refunded'
  | 'challenge.sent'
  | 'challenge.verified'
  | 'challenge.delivered'
  | 'challenge.undelivered';

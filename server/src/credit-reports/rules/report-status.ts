// The status of a report, as stored in its row.

export type ReportStatus = 'pending' | 'challenged' | 'fetching' | 'complete' | 'failed' | 'blocked' | 'expired';

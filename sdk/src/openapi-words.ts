// Generated from openapi.json by `npm run openapi`. Do not edit.

export interface Words {
  /**
   * Collect a device fingerprint.
   *
   * For the script. It takes requests from any origin, without a token and without cookies. The service seals what was collected into the answer and stores none of it. The body is JSON, also when it is sent as `text/plain`, as the script does to save a round trip.
   */
  collectFingerprint: unknown;
  /**
   * Generate a credit report.
   *
   * Screens the consumer and answers at once with one of the statuses `complete`, `authentication-required`, `blocked` or `failed`. `complete` with the coverage `not-traced` means that no bureau found the person: the lists are empty, and that is not a clean file. `failed` is final: `failureReason` says why, and `errorMessage` says it in words, with what became of the money and what to do. With `"test": true` no bureau is asked, no message is sent and nothing is charged to the live wallet.
   *
   * If a limit on messages is reached, the answer is also `failed`, not 429.
   *
   * The `Idempotency-Key` of a request can be used again, for the same request or another, if no bureau was asked: the request could not be assessed, the device could not be verified, the code could not be delivered, or the challenge failed or expired.
   */
  generate: unknown;
  /**
   * List credit reports.
   *
   * Live and test reports, newest first, without their contents. Reports whose data was erased, after their retention time or because the consumer asked, stay in the list with `isPurged`. A report must match all filters that you send. With a filter, a page may have fewer reports than `limit`, or none: continue until `nextCursor` is null.
   *
   * The role finance sees no `externalReference`. Every page is in the audit log.
   */
  listReports: unknown;
  /**
   * Ask what a report would cost.
   *
   * Validates the request exactly as generate does, prices it, and says whether the funds and the limits of the company allow it now. Free of charge. It asks no bureau and no screening, stores nothing and reserves nothing: a generate request a moment later may still be refused. It says nothing about limits over all companies.
   */
  quote: unknown;
  /**
   * Submit the one-time code.
   *
   * Checks the code: `complete` with the report, `retry`, or `failed` after the third wrong code. Three codes may be tried per challenge, within five minutes of the last message. Every string of 1 to 32 characters uses an attempt, six digits or not; any other value is 400 and uses none. In test mode the right code is 123456.
   *
   * `cost` is 0: the report was charged at generate. When the challenge fails or expires, that charge is refunded; delivered messages stay charged.
   */
  submitOtp: unknown;
  /**
   * Send the code again.
   *
   * Sends a new message and starts the five minutes again. A challenge has three messages in all, the first one included. Wrong codes already tried still count.
   */
  resendSms: unknown;
  /**
   * Count credit reports by status.
   *
   * How many reports match the filters, by the status that the list shows now. The figures are exact, erased reports included. 503 with Retry-After while the service has not counted older reports yet, which takes minutes after an upgrade; 400 if more than 10,000 reports have the `externalReference`. A count with `externalReference` is in the audit log.
   */
  countReports: unknown;
  /**
   * Read a credit report again.
   *
   * The state of a report and, once it is complete, its contents. Free of charge; no bureau is asked again. A report is kept for the retention time of the tenant (30 days unless agreed otherwise); after that, or once it was erased because the consumer asked, the answer is 410. While another request is working on the report, the answer is 409 with Retry-After. An open challenge shows the state of its messages. An expired one reads as `failed`. The role finance gets no `creditReport`, no `coverage`, no `bureauResults` and no `externalReference`. Every read is in the audit log.
   */
  getReport: unknown;
  /**
   * Read the timeline of a report.
   *
   * What happened to a report: the request, its messages, the right code, each bureau’s answer, the outcome, and every charge and refund. Live and test reports, while a request is working on them too. Of an erased report it shows what remains: times, status and money. Nothing of the consumer’s file is in it, and of the mobile number only the last three digits. The role finance gets no `bureaus` and no `mobileEnding`. Every read is in the audit log.
   */
  getTimeline: unknown;
  /**
   * Get the report as a document.
   *
   * A complete report for people to read: what was searched and where, car finance first with what each bureau reports and where they differ, other accounts, addresses, searches, and what no bureau can show. With `format=pdf` or `Accept: application/pdf` it is a PDF (PDF/UA-1 and PDF/A-3a), otherwise an HTML page that loads nothing and runs no script. The PDF lists at most 100 accounts and the page 1,000, and each says so.
   *
   * Free of charge; no bureau is asked again. The same report gives the same bytes. 409 `conflict` if the report is not complete, 410 once it is erased. The role finance gets 403. Every read is in the audit log. On one node a few dozen documents may wait, ten of them yours: beyond that the answer is 503 with Retry-After, and no audit row.
   */
  getDocument: unknown;
  /**
   * Get the evidence of a report.
   *
   * A signed statement about a complete report, and the files that it names: the report as it was stored, and what each bureau said about each record. Anybody can verify them with our published key, without us. The first request signs the statement; every later one gets the same. Free of charge, for live and test reports.
   *
   * A report that was completed before evidence was kept gets 409 `conflict`, as does one that is not complete. The role finance gets 403. Every read is in the audit log.
   */
  getEvidence: unknown;
  /**
   * Read the wallet.
   *
   * The balance, what is held for running operations, what a new operation can use, and how much of the day’s message budget is used. With `test=true` the test wallet, which holds nothing and uses nothing of that budget.
   *
   * A credential for test mode alone gets 403 without `test=true`.
   */
  getWallet: unknown;
  /**
   * List the lines of the wallet.
   *
   * The statement: every line that moved the wallet, newest first. A line must match all filters that you send. With a filter, a page may have fewer lines than `limit`: continue until `nextCursor` is null.
   *
   * With `format=csv` or `Accept: text/csv` the answer is a CSV file (RFC 4180). It has `limit` lines at most. Without `limit` it covers at most 100,000 entries of the journal, from the newest or from `cursor` on, and has those that match the filters. If older lines may follow, a `Link` header with rel="next" holds the address of the next file; without that header this file is the last. If a spreadsheet would read a text as a formula, the file puts an apostrophe in front of it.
   *
   * The audit log records when references of reports are read.
   *
   * With `test=true` these are the lines of the test wallet, of the last 91 days.
   *
   * A credential for test mode alone gets 403 without `test=true`.
   */
  listWalletEntries: unknown;
  /**
   * List the totals of the months.
   *
   * What the wallet began and ended each month with, and what moved it, exact to the statement. Months are those of London, from the first line to now, at most 120. All amounts are credits, signed as in the statement. 503 with Retry-After while the service has not counted the older lines of a very large wallet yet, which takes a moment after an upgrade.
   *
   * A credential for test mode alone gets 403.
   */
  listWalletMonths: unknown;
  /**
   * Get the statement of a month as a PDF.
   *
   * A month of the wallet on paper (PDF/UA-1 and PDF/A-3a): the company, the opening balance, the total of each kind, the closing balance, and the lines, oldest first, each with its time in the United Kingdom, what it is, its reference, amount, credits and the balance after it. The totals equal `GET …/wallet/months` and count every line. At most 1,000 lines are listed; the statement of a longer month says so, and `GET …/wallet/entries?format=csv` has all of them.
   *
   * Free of charge. The same lines and references give the same bytes; a reference is gone once its report is erased. The statement of the current month says that the month is not over. References are shown as in `GET …/wallet/entries`, and the audit log records when they are read. 404 `not-found` for a month before the first line or after the current month. A reference of more than 64 letters is cut short. On one node a few dozen documents may wait, two statements of them yours: beyond that the answer is 503 with Retry-After, as it is while the months of the wallet are not counted yet.
   *
   * A credential for test mode alone gets 403.
   */
  getStatement: unknown;
  /**
   * Read the prices.
   *
   * What the tenant pays now, since when, and which changes are known. A report costs `report` plus `bureau` for each bureau that answers.
   */
  getPrices: unknown;
  /**
   * Read the limits.
   *
   * The limits of the tenant, how much of each is used and when it is free again. The caps of a single mobile number (in 24 hours 4 challenges, 8 messages and 9 wrong codes) are not listed: they belong to the number.
   */
  getLimits: unknown;
  /**
   * See how the bureaus answer.
   *
   * How each bureau answered the live reports of your company in the last day, by half hours. The figures follow within seconds. They say nothing about other companies.
   */
  getBureaus: unknown;
  /**
   * List what happened last.
   *
   * The latest outcomes of reports, top-ups and a low wallet (with the scope `wallet:read`), and changes by people (with the scope `audit:read`), newest first, without anything about a consumer. For everything that happened, read the events and the audit log.
   */
  listActivity: unknown;
  /**
   * Read the usage.
   *
   * What the company spent on each day, what became of its reports, and how codes arrived. Credits are exact to the statement at this moment. Outcomes and codes are counted from events and follow within seconds. Days are those of London. 503 with Retry-After as for the months of the wallet.
   */
  getUsage: unknown;
  /**
   * Move the clock of a test report forward.
   *
   * For test reports only, so that nobody has to wait for an expiry. The times of the challenge count as if `advanceSeconds` more had passed: the five minutes of an open challenge, and the ten minutes in which the right code gets the report again. Times that other answers show stay as they are. The clock only moves forward. A report without a challenge has no clock: 409. A live report is 404.
   */
  advanceTestClock: unknown;
  /**
   * List the messages of test mode.
   *
   * The messages that challenges in test mode would have sent. Nothing was sent. Newest challenge first, and of one challenge the newest message first. A message is listed as long as its report is kept. A page may be short: continue until `nextCursor` is null.
   */
  listTestInbox: unknown;
  /**
   * Reset the test wallet.
   *
   * Sets the balance of the wallet that test reports with `testOptions.charges` are charged to: to 1,000,000, or to fewer `credits`, so that the next report meets 402. The difference is a line of its own, of the kind `adjust`, and an event `wallet.adjusted` with `test` true; without a difference there is neither. A wallet that was not used before gets its first credits before that, as a line and an event of their own. Reports that were charged before can still be refunded. All developers of the tenant share this wallet. It has nothing to do with the live wallet.
   */
  resetTestWallet: unknown;
  /**
   * List every test value.
   *
   * What test mode can be asked for, and what each value does. The same for every tenant.
   */
  getTestCatalogue: unknown;
  /**
   * List the API credentials.
   *
   * All credentials of the tenant, newest first. Live secrets appear by their ids, never by their values. A credential for test mode alone finds those for test mode alone.
   */
  listCredentials: unknown;
  /**
   * Create an API credential.
   *
   * Creates a credential for one of your servers. With `publicKeys` it signs assertions (private_key_jwt) and has no secret. Without them, this answer holds its first secret, and no later answer does. This operation takes no `Idempotency-Key`: the same request sent twice creates two credentials.
   */
  createCredential: unknown;
  /**
   * Read an API credential.
   *
   * One credential as in the list.
   */
  getCredential: unknown;
  /**
   * Change an API credential.
   *
   * Changes the fields that are sent and leaves the others. The caller must hold all scopes of the credential, except to disable it. A change takes effect within seconds.
   */
  changeCredential: unknown;
  /**
   * Add a secret.
   *
   * The new secret works at once, and the older one ends after the grace time. A credential has two secrets at most: while two work, another is 409, unless `graceSeconds` is 0, which ends both older ones.
   */
  addCredentialSecret: unknown;
  /**
   * End a secret now.
   *
   * The secret gets no more tokens. Tokens that it already got expire within 15 minutes; disable the credential to stop them at once.
   */
  endCredentialSecret: unknown;
  /**
   * Replace the public keys.
   *
   * Replaces all keys of a credential that signs assertions. Send the old key with the new one while both are in use.
   */
  replaceCredentialKeys: unknown;
  /**
   * Read the audit log.
   *
   * Who did what and when, newest first. A row must match all filters that you send. With a filter, a page may have fewer rows than `limit`: continue until `nextCursor` is null. Rows are chained by their hashes, so a page that you keep shows whether older rows changed.
   *
   * A credential for test mode alone gets 403.
   */
  listAudit: unknown;
  /**
   * Read events.
   *
   * What happened to reports, challenges and the wallet, oldest first unless `order` says otherwise, for 30 days. Events are in the order in which they became final: no event ever appears before your cursor, and the events of one report are in the order of its changes. `sequence` tells the later of two events. Store `nextCursor` with what you have processed, and continue from it. With a filter, a page may have fewer events than `limit`. An event has ids, a status, credits and, for readers of reports, your `externalReference`; nothing else about a person. A cursor that is older than 30 days continues with the oldest event that is kept. Test-only credentials see the events of test mode.
   */
  listEvents: unknown;
  /**
   * Read an event.
   *
   * One event as in the list, by its id: that of the list, or the `webhook-id` of a message that you received. 404 for an event that is older than 30 days, that the list does not show yet, or that this token may not see. Test messages of webhook endpoints are no events.
   */
  getEvent: unknown;
  /**
   * Read my profile.
   *
   * The person behind the token. For API credentials: the credential's accountable owner.
   */
  getProfile: unknown;
  /**
   * List my tenants.
   *
   * The tenants the token can work in. API credentials belong to exactly one.
   */
  listTenants: unknown;
  /**
   * Select a tenant.
   *
   * Remembers the tenant a person works in. The tenant in the path always decides the tenant of a request; with API credentials the call checks access and stores nothing.
   */
  selectTenant: unknown;
  /**
   * Read the settings.
   *
   * What the company has set for itself, and within which agreed limits.
   */
  getSettings: unknown;
  /**
   * Change the settings.
   *
   * Changes the fields that are sent and leaves the others. Of two changes to one field the later one holds. A change takes effect with the next request. A shorter retention also applies to existing reports: at once, an older report can no longer be read, and the next purge erases it for good. If that would happen to any report, the answer is 409 with `wouldErase`, until you send `confirm=true`. The audit log has a row `settings.changed` with the new values.
   */
  changeSettings: unknown;
  /**
   * See what a shorter retention would erase.
   *
   * Counts the reports, live and test, that can be read now and could not be with this retention. Changes nothing. For a credential for test mode alone there are no live reports.
   */
  previewRetention: unknown;
  /**
   * Find the reports of a consumer.
   *
   * Searches the reports of the company, live and test, for this name, birth date and postcode. One of the names and one of the addresses of the report must match, as they were requested or as the bureaus gave them. 503 with Retry-After while the service has not looked at all older reports yet, which takes minutes after an upgrade, and while the key service does not answer. A test-only credential finds test reports alone. Every search is in the audit log, without the person.
   */
  findSubject: unknown;
  /**
   * Export what is held of a consumer.
   *
   * Searches the reports of the company, live and test, for this name, birth date and postcode. One of the names and one of the addresses of the report must match, as they were requested or as the bureaus gave them. The answer is what the service holds of the person in these reports: requests, reports, what each bureau said, why a report was blocked or failed, challenges, messages, evidence and lines of the statement. Not in it: rows of the audit log and events, which have ids, and keyed hashes, which hold nothing that can be read. 503 with Retry-After while the service has not looked at all older reports yet, which takes minutes after an upgrade, and while the key service does not answer. Every page is in the audit log.
   */
  exportSubject: unknown;
  /**
   * Export what is held of a consumer as a PDF.
   *
   * The same for people to read (PDF/UA-1 and PDF/A-3a): 10 reports, the newest unless you send the `nextCursor` of an export as `cursor`, and of each list of a report the first 100 lines; the document says if there are more. It does not have what each bureau said about each record, nor the text of signed statements: the export as data has them. 404 `not-found` if nothing is held. On one node a few dozen documents may wait, two of these of them yours: beyond that the answer is 503 with Retry-After. 503 with Retry-After while the service has not looked at all older reports yet, which takes minutes after an upgrade, and while the key service does not answer. Every document is in the audit log.
   */
  exportSubjectDocument: unknown;
  /**
   * Erase what is held of a consumer.
   *
   * Erases the reports that a search finds, for good: requests, reports, what bureaus said, references, and the hashes of the person and the device. What stays is named in a signed receipt: lines of the statement, ids, times and outcomes, and for 25 hours the counts that limit codes to a number. The request can be repeated: what is erased stays erased, and a receipt over no report says that nothing is held. Nothing is erased, and the answer is 409, while a report of the person is in progress or waits for a code. 503 with Retry-After while the service has not looked at all older reports yet, which takes minutes after an upgrade, and while the key service does not answer. A backup from before still has the reports until it expires or its key is destroyed. The audit log has a row for the erasure and one for each report.
   */
  eraseSubject: unknown;
  /**
   * List the members.
   *
   * The people who may work in the tenant, newest account first.
   *
   * A credential for test mode alone gets 403.
   */
  listMembers: unknown;
  /**
   * Change the role of a member.
   *
   * Takes effect within a minute. You cannot give a role that can do more than your own, nor raise your own; only an owner can change an owner; and the last owner keeps that role (409). The member’s credentials can do no more than the new role.
   *
   * A credential for test mode alone gets 403.
   */
  changeMember: unknown;
  /**
   * Remove a member.
   *
   * Ends their access to this tenant within a minute, disables the API credentials they are accountable for, and ends the secrets and keys they made for other credentials, with the tokens those credentials hold. If any of these, an open invitation they sent, or a webhook endpoint they made or changed, would end, the answer is 409 with the list in `wouldEnd`, until you send `confirm=true`. The last owner cannot be removed (409).
   *
   * A credential for test mode alone gets 403.
   */
  removeMember: unknown;
  /**
   * List the open invitations.
   *
   * Invitations that can still be accepted, newest first.
   *
   * A credential for test mode alone gets 403.
   */
  listInvitations: unknown;
  /**
   * Invite a person.
   *
   * Mails a link that makes the reader a member, once, within seven days. A second invitation to the same address replaces the first, whose link then no longer works. A tenant may send 50 in 24 hours.
   *
   * A credential for test mode alone gets 403.
   */
  inviteMember: unknown;
  /**
   * Revoke an invitation.
   *
   * Its link stops working at once.
   *
   * A credential for test mode alone gets 403.
   */
  revokeInvitation: unknown;
  /**
   * Mail an invitation again.
   *
   * Mails the same link, which is then valid for seven days. At most once a minute, and five times in all: after that, revoke it and invite again.
   *
   * A credential for test mode alone gets 403.
   */
  resendInvitation: unknown;
  /**
   * List the webhook endpoints.
   *
   * All endpoints of the tenant, newest first. No secrets.
   */
  listWebhookEndpoints: unknown;
  /**
   * Create a webhook endpoint.
   *
   * Events of the tenant are posted to the address from now on, signed by the Standard Webhooks specification. This answer holds the secret, and no later answer does. A tenant has 20 endpoints at most, and makes 50 in any 24 hours at most (429). Send an `Idempotency-Key`: a repeat then answers the same endpoint, as it is now and without its secret. If you do not have the secret, rotate it.
   */
  createWebhookEndpoint: unknown;
  /**
   * Read a webhook endpoint.
   *
   * One endpoint as in the list.
   */
  getWebhookEndpoint: unknown;
  /**
   * Change a webhook endpoint.
   *
   * Changes the fields that are sent and leaves the others. When an endpoint is enabled again, everything that happened since it was disabled, or since it began to fail, is delivered. One whose receiver answered 410 is `confirming` first. A tenant moves endpoints to another host 500 times in any 24 hours at most (429).
   */
  changeWebhookEndpoint: unknown;
  /**
   * Delete a webhook endpoint.
   *
   * Nothing more is sent to it. What waits for it is dropped, and its secret is erased.
   */
  deleteWebhookEndpoint: unknown;
  /**
   * Replace the secret.
   *
   * This answer holds the new secret, and no later answer does. For 24 hours every message carries two signatures, one with each secret. A second rotation within that time ends the oldest secret. This operation takes no `Idempotency-Key`.
   */
  rotateWebhookSecret: unknown;
  /**
   * Send a test message.
   *
   * Queues a message of the type `webhook.test`, which is attempted once. The result is in the list of deliveries about a second later. With `type` in the body, an endpoint of test mode gets a message with the body of an event of this type, whatever types it is for. Its id is `evt_test_…`, its `sequence` is 0, and its other ids name nothing. A repeat with the same `Idempotency-Key` sends nothing and answers the delivery as it is by then.
   */
  testWebhookEndpoint: unknown;
  /**
   * Send events again.
   *
   * Sends all events since an instant again, delivered or not, with their `webhook-id` as before: also those from before the endpoint was made. `until` ends it at another instant; `onlyFailed` leaves out all but what was given up here. Events that still wait are not sent twice. It runs in the background: `replay` of the endpoint says how far it is. A tenant has one replay at a time (409 while one of another endpoint runs; one of the same endpoint begins anew) and 24 in any 24 hours (429).
   */
  replayWebhookEvents: unknown;
  /**
   * List the deliveries of an endpoint.
   *
   * Each event for the endpoint with its last ten attempts, newest first: status, time taken and the first kilobyte of the answer. A delivery must match all filters that you send. With `eventType`, `from` or `to`, a page may have fewer deliveries than `limit`, or none: continue until `nextCursor` is null. Kept for 30 days from the event; a tenant has 1,000,000 at most, and the oldest accepted ones go first.
   */
  listWebhookDeliveries: unknown;
  /**
   * Read a delivery.
   *
   * One delivery as in the list, with the headers and the body that were posted, or will be.
   */
  getWebhookDelivery: unknown;
  /**
   * Send one event again.
   *
   * Sends the event again at once, with the same `webhook-id` and up to ten attempts, whether it was delivered, failed or still waits. While an attempt is under way, that one counts as the first. A repeat with the same `Idempotency-Key` sends nothing and answers the delivery as it is by then.
   */
  resendWebhookDelivery: unknown;
}

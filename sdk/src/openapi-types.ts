// Generated from openapi.json by `npm run openapi`. Do not edit.
/** Every path of the API, with its operations. */
export interface paths {
    "/v1/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an access token
         * @description OAuth 2.0 client credentials. Authenticate with HTTP Basic, with `client_id` and `client_secret` in the form, or with a signed assertion (`private_key_jwt`). The token is a JWT that lives 900 seconds. Without `scope` it carries every scope of the credential. After ten failures in a minute from one network address, further requests from it are refused for a minute.
         *
         *     With curl: `curl -u CLIENT_ID:CLIENT_SECRET -d grant_type=client_credentials BASE_ADDRESS/v1/oauth/token`. (HTTP Basic sends id and secret in base64; curl does that by itself.)
         *
         *     The parameters are a form, not JSON. Errors have the two fields of RFC 6749 (`error`, `error_description`) beside those of every other error, and no `details`: `message` names the fault.
         *
         *     Applications that sign people in exchange their code here (`authorization_code`, with PKCE) and refresh (`refresh_token`): each refresh token works once, and the answer holds the next one.
         */
        post: operations["requestToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fingerprints/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The browser fingerprint script
         * @description Include it as a script tag on every page where a consumer submits details. It starts by itself and calls `window.service.deviceFingerprint` once, with an object that has a `sessionId`. No token. Browsers may cache it for five minutes and then revalidate it with its ETag.
         */
        get: operations["getFingerprintScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fingerprints/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Collect a device fingerprint
         * @description For the script. It takes requests from any origin, without a token and without cookies. The service seals what was collected into the answer and stores none of it. The body is JSON, also when it is sent as `text/plain`, as the script does to save a round trip.
         */
        post: operations["collectFingerprint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credit-reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List credit reports
         * @description Live and test reports, newest first, without their contents. Reports whose data was erased, after their retention time or because the consumer asked, stay in the list with `isPurged`. A report must match all filters that you send. With a filter, a page may have fewer reports than `limit`, or none: continue until `nextCursor` is null.
         *
         *     The role finance sees no `externalReference`. Every page is in the audit log.
         */
        get: operations["listCreditReports"];
        put?: never;
        /**
         * Generate a credit report
         * @description Screens the consumer and answers at once with one of the statuses `complete`, `authentication-required`, `blocked` or `failed`. `complete` with the coverage `not-traced` means that no bureau found the person: the lists are empty, and that is not a clean file. `failed` is final: `failureReason` says why, and `errorMessage` says it in words, with what became of the money and what to do. With `"test": true` no bureau is asked, no message is sent and nothing is charged to the live wallet.
         *
         *     If a limit on messages is reached, the answer is also `failed`, not 429.
         *
         *     The `Idempotency-Key` of a request can be used again, for the same request or another, if no bureau was asked: the request could not be assessed, the device could not be verified, the code could not be delivered, or the challenge failed or expired.
         */
        post: operations["generateCreditReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credit-reports/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask what a report would cost
         * @description Validates the request exactly as generate does, prices it, and says whether the funds and the limits of the company allow it now. Free of charge. It asks no bureau and no screening, stores nothing and reserves nothing: a generate request a moment later may still be refused. It says nothing about limits over all companies.
         */
        post: operations["quoteCreditReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credit-reports/{creditReportId}/otp-challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the one-time code
         * @description Checks the code: `complete` with the report, `retry`, or `failed` after the third wrong code. Three codes may be tried per challenge, within five minutes of the last message. Every string of 1 to 32 characters uses an attempt, six digits or not; any other value is 400 and uses none. In test mode the right code is 123456.
         *
         *     `cost` is 0: the report was charged at generate. When the challenge fails or expires, that charge is refunded; delivered messages stay charged.
         */
        post: operations["submitOtp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credit-reports/{creditReportId}/resend-sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the code again
         * @description Sends a new message and starts the five minutes again. A challenge has three messages in all, the first one included. Wrong codes already tried still count.
         */
        post: operations["resendSms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credit-reports/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count credit reports by status
         * @description How many reports match the filters, by the status that the list shows now. The figures are exact, erased reports included. 503 with Retry-After while the service has not counted older reports yet, which takes minutes after an upgrade; 400 if more than 10,000 reports have the `externalReference`. A count with `externalReference` is in the audit log.
         */
        get: operations["countCreditReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credit-reports/{creditReportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a credit report again
         * @description The state of a report and, once it is complete, its contents. Free of charge; no bureau is asked again. A report is kept for the retention time of the tenant (30 days unless agreed otherwise); after that, or once it was erased because the consumer asked, the answer is 410. While another request is working on the report, the answer is 409 with Retry-After. An open challenge shows the state of its messages. An expired one reads as `failed`. The role finance gets no `creditReport`, no `coverage`, no `bureauResults` and no `externalReference`. Every read is in the audit log.
         */
        get: operations["getCreditReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credit-reports/{creditReportId}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the timeline of a report
         * @description What happened to a report: the request, its messages, the right code, each bureau’s answer, the outcome, and every charge and refund. Live and test reports, while a request is working on them too. Of an erased report it shows what remains: times, status and money. Nothing of the consumer’s file is in it, and of the mobile number only the last three digits. The role finance gets no `bureaus` and no `mobileEnding`. Every read is in the audit log.
         */
        get: operations["getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credit-reports/{creditReportId}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the report as a document
         * @description A complete report for people to read: what was searched and where, car finance first with what each bureau reports and where they differ, other accounts, addresses, searches, and what no bureau can show. With `format=pdf` or `Accept: application/pdf` it is a PDF (PDF/UA-1 and PDF/A-3a), otherwise an HTML page that loads nothing and runs no script. The PDF lists at most 100 accounts and the page 1,000, and each says so.
         *
         *     Free of charge; no bureau is asked again. The same report gives the same bytes. 409 `conflict` if the report is not complete, 410 once it is erased. The role finance gets 403. Every read is in the audit log. On one node a few dozen documents may wait, ten of them yours: beyond that the answer is 503 with Retry-After, and no audit row.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credit-reports/{creditReportId}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the evidence of a report
         * @description A signed statement about a complete report, and the files that it names: the report as it was stored, and what each bureau said about each record. Anybody can verify them with our published key, without us. The first request signs the statement; every later one gets the same. Free of charge, for live and test reports.
         *
         *     A report that was completed before evidence was kept gets 409 `conflict`, as does one that is not complete. The role finance gets 403. Every read is in the audit log.
         */
        get: operations["getEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the wallet
         * @description The balance, what is held for running operations, what a new operation can use, and how much of the day’s message budget is used. With `test=true` the test wallet, which holds nothing and uses nothing of that budget.
         *
         *     A credential for test mode alone gets 403 without `test=true`.
         */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/wallet/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lines of the wallet
         * @description The statement: every line that moved the wallet, newest first. A line must match all filters that you send. With a filter, a page may have fewer lines than `limit`: continue until `nextCursor` is null.
         *
         *     With `format=csv` or `Accept: text/csv` the answer is a CSV file (RFC 4180). It has `limit` lines at most. Without `limit` it covers at most 100,000 entries of the journal, from the newest or from `cursor` on, and has those that match the filters. If older lines may follow, a `Link` header with rel="next" holds the address of the next file; without that header this file is the last. If a spreadsheet would read a text as a formula, the file puts an apostrophe in front of it.
         *
         *     The audit log records when references of reports are read.
         *
         *     With `test=true` these are the lines of the test wallet, of the last 91 days.
         *
         *     A credential for test mode alone gets 403 without `test=true`.
         */
        get: operations["listWalletEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/wallet/months": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the totals of the months
         * @description What the wallet began and ended each month with, and what moved it, exact to the statement. Months are those of London, from the first line to now, at most 120. All amounts are credits, signed as in the statement. 503 with Retry-After while the service has not counted the older lines of a very large wallet yet, which takes a moment after an upgrade.
         *
         *     A credential for test mode alone gets 403.
         */
        get: operations["listWalletMonths"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/wallet/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the statement of a month as a PDF
         * @description A month of the wallet on paper (PDF/UA-1 and PDF/A-3a): the company, the opening balance, the total of each kind, the closing balance, and the lines, oldest first, each with its time in the United Kingdom, what it is, its reference, amount, credits and the balance after it. The totals equal `GET …/wallet/months` and count every line. At most 1,000 lines are listed; the statement of a longer month says so, and `GET …/wallet/entries?format=csv` has all of them.
         *
         *     Free of charge. The same lines and references give the same bytes; a reference is gone once its report is erased. The statement of the current month says that the month is not over. References are shown as in `GET …/wallet/entries`, and the audit log records when they are read. 404 `not-found` for a month before the first line or after the current month. A reference of more than 64 letters is cut short. On one node a few dozen documents may wait, two statements of them yours: beyond that the answer is 503 with Retry-After, as it is while the months of the wallet are not counted yet.
         *
         *     A credential for test mode alone gets 403.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the prices
         * @description What the tenant pays now, since when, and which changes are known. A report costs `report` plus `bureau` for each bureau that answers.
         */
        get: operations["getPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the limits
         * @description The limits of the tenant, how much of each is used and when it is free again. The caps of a single mobile number (in 24 hours 4 challenges, 8 messages and 9 wrong codes) are not listed: they belong to the number.
         */
        get: operations["getLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/bureaus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how the bureaus answer
         * @description How each bureau answered the live reports of your company in the last day, by half hours. The figures follow within seconds. They say nothing about other companies.
         */
        get: operations["getBureaus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened last
         * @description The latest outcomes of reports, top-ups and a low wallet (with the scope `wallet:read`), and changes by people (with the scope `audit:read`), newest first, without anything about a consumer. For everything that happened, read the events and the audit log.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the usage
         * @description What the company spent on each day, what became of its reports, and how codes arrived. Credits are exact to the statement at this moment. Outcomes and codes are counted from events and follow within seconds. Days are those of London. 503 with Retry-After as for the months of the wallet.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credit-reports/{creditReportId}/test-clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the clock of a test report forward
         * @description For test reports only, so that nobody has to wait for an expiry. The times of the challenge count as if `advanceSeconds` more had passed: the five minutes of an open challenge, and the ten minutes in which the right code gets the report again. Times that other answers show stay as they are. The clock only moves forward. A report without a challenge has no clock: 409. A live report is 404.
         */
        post: operations["advanceTestClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/test/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the messages of test mode
         * @description The messages that challenges in test mode would have sent. Nothing was sent. Newest challenge first, and of one challenge the newest message first. A message is listed as long as its report is kept. A page may be short: continue until `nextCursor` is null.
         */
        get: operations["listTestInbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/test/wallet/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the test wallet
         * @description Sets the balance of the wallet that test reports with `testOptions.charges` are charged to: to 1,000,000, or to fewer `credits`, so that the next report meets 402. The difference is a line of its own, of the kind `adjust`, and an event `wallet.adjusted` with `test` true; without a difference there is neither. A wallet that was not used before gets its first credits before that, as a line and an event of their own. Reports that were charged before can still be refunded. All developers of the tenant share this wallet. It has nothing to do with the live wallet.
         */
        post: operations["resetTestWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every test value
         * @description What test mode can be asked for, and what each value does. The same for every tenant.
         */
        get: operations["getTestCatalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API credentials
         * @description All credentials of the tenant, newest first. Live secrets appear by their ids, never by their values. A credential for test mode alone finds those for test mode alone.
         */
        get: operations["listCredentials"];
        put?: never;
        /**
         * Create an API credential
         * @description Creates a credential for one of your servers. With `publicKeys` it signs assertions (private_key_jwt) and has no secret. Without them, this answer holds its first secret, and no later answer does. This operation takes no `Idempotency-Key`: the same request sent twice creates two credentials.
         */
        post: operations["createCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credentials/{credentialId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an API credential
         * @description One credential as in the list.
         */
        get: operations["getCredential"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an API credential
         * @description Changes the fields that are sent and leaves the others. The caller must hold all scopes of the credential, except to disable it. A change takes effect within seconds.
         */
        patch: operations["changeCredential"];
        trace?: never;
    };
    "/{tenantId}/v1/credentials/{credentialId}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a secret
         * @description The new secret works at once, and the older one ends after the grace time. A credential has two secrets at most: while two work, another is 409, unless `graceSeconds` is 0, which ends both older ones.
         */
        post: operations["addCredentialSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credentials/{credentialId}/secrets/{secretId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a secret now
         * @description The secret gets no more tokens. Tokens that it already got expire within 15 minutes; disable the credential to stop them at once.
         */
        delete: operations["endCredentialSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/credentials/{credentialId}/public-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the public keys
         * @description Replaces all keys of a credential that signs assertions. Send the old key with the new one while both are in use.
         */
        post: operations["replaceCredentialKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Who did what and when, newest first. A row must match all filters that you send. With a filter, a page may have fewer rows than `limit`: continue until `nextCursor` is null. Rows are chained by their hashes, so a page that you keep shows whether older rows changed.
         *
         *     A credential for test mode alone gets 403.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read events
         * @description What happened to reports, challenges and the wallet, oldest first unless `order` says otherwise, for 30 days. Events are in the order in which they became final: no event ever appears before your cursor, and the events of one report are in the order of its changes. `sequence` tells the later of two events. Store `nextCursor` with what you have processed, and continue from it. With a filter, a page may have fewer events than `limit`. An event has ids, a status, credits and, for readers of reports, your `externalReference`; nothing else about a person. A cursor that is older than 30 days continues with the oldest event that is kept. Test-only credentials see the events of test mode.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/events/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event
         * @description One event as in the list, by its id: that of the list, or the `webhook-id` of a message that you received. 404 for an event that is older than 30 days, that the list does not show yet, or that this token may not see. Test messages of webhook endpoints are no events.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/my/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read my profile
         * @description The person behind the token. For API credentials: the credential's accountable owner.
         */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/my/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List my tenants
         * @description The tenants the token can work in. API credentials belong to exactly one.
         */
        get: operations["listTenants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/my/tenants/select": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Select a tenant
         * @description Remembers the tenant a person works in. The tenant in the path always decides the tenant of a request; with API credentials the call checks access and stores nothing.
         */
        post: operations["selectTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings
         * @description What the company has set for itself, and within which agreed limits.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the settings
         * @description Changes the fields that are sent and leaves the others. Of two changes to one field the later one holds. A change takes effect with the next request. A shorter retention also applies to existing reports: at once, an older report can no longer be read, and the next purge erases it for good. If that would happen to any report, the answer is 409 with `wouldErase`, until you send `confirm=true`. The audit log has a row `settings.changed` with the new values.
         */
        patch: operations["changeSettings"];
        trace?: never;
    };
    "/{tenantId}/v1/settings/retention-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what a shorter retention would erase
         * @description Counts the reports, live and test, that can be read now and could not be with this retention. Changes nothing. For a credential for test mode alone there are no live reports.
         */
        get: operations["previewRetention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/subjects/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the reports of a consumer
         * @description Searches the reports of the company, live and test, for this name, birth date and postcode. One of the names and one of the addresses of the report must match, as they were requested or as the bureaus gave them. 503 with Retry-After while the service has not looked at all older reports yet, which takes minutes after an upgrade, and while the key service does not answer. A test-only credential finds test reports alone. Every search is in the audit log, without the person.
         */
        post: operations["findSubject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/subjects/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export what is held of a consumer
         * @description Searches the reports of the company, live and test, for this name, birth date and postcode. One of the names and one of the addresses of the report must match, as they were requested or as the bureaus gave them. The answer is what the service holds of the person in these reports: requests, reports, what each bureau said, why a report was blocked or failed, challenges, messages, evidence and lines of the statement. Not in it: rows of the audit log and events, which have ids, and keyed hashes, which hold nothing that can be read. 503 with Retry-After while the service has not looked at all older reports yet, which takes minutes after an upgrade, and while the key service does not answer. Every page is in the audit log.
         */
        post: operations["exportSubject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/subjects/export-document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export what is held of a consumer as a PDF
         * @description The same for people to read (PDF/UA-1 and PDF/A-3a): 10 reports, the newest unless you send the `nextCursor` of an export as `cursor`, and of each list of a report the first 100 lines; the document says if there are more. It does not have what each bureau said about each record, nor the text of signed statements: the export as data has them. 404 `not-found` if nothing is held. On one node a few dozen documents may wait, two of these of them yours: beyond that the answer is 503 with Retry-After. 503 with Retry-After while the service has not looked at all older reports yet, which takes minutes after an upgrade, and while the key service does not answer. Every document is in the audit log.
         */
        post: operations["exportSubjectDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/subjects/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase what is held of a consumer
         * @description Erases the reports that a search finds, for good: requests, reports, what bureaus said, references, and the hashes of the person and the device. What stays is named in a signed receipt: lines of the statement, ids, times and outcomes, and for 25 hours the counts that limit codes to a number. The request can be repeated: what is erased stays erased, and a receipt over no report says that nothing is held. Nothing is erased, and the answer is 409, while a report of the person is in progress or waits for a code. 503 with Retry-After while the service has not looked at all older reports yet, which takes minutes after an upgrade, and while the key service does not answer. A backup from before still has the reports until it expires or its key is destroyed. The audit log has a row for the erasure and one for each report.
         */
        post: operations["eraseSubject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members
         * @description The people who may work in the tenant, newest account first.
         *
         *     A credential for test mode alone gets 403.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Ends their access to this tenant within a minute, disables the API credentials they are accountable for, and ends the secrets and keys they made for other credentials, with the tokens those credentials hold. If any of these, an open invitation they sent, or a webhook endpoint they made or changed, would end, the answer is 409 with the list in `wouldEnd`, until you send `confirm=true`. The last owner cannot be removed (409).
         *
         *     A credential for test mode alone gets 403.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description Takes effect within a minute. You cannot give a role that can do more than your own, nor raise your own; only an owner can change an owner; and the last owner keeps that role (409). The member’s credentials can do no more than the new role.
         *
         *     A credential for test mode alone gets 403.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/{tenantId}/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open invitations
         * @description Invitations that can still be accepted, newest first.
         *
         *     A credential for test mode alone gets 403.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a person
         * @description Mails a link that makes the reader a member, once, within seven days. A second invitation to the same address replaces the first, whose link then no longer works. A tenant may send 50 in 24 hours.
         *
         *     A credential for test mode alone gets 403.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Its link stops working at once.
         *
         *     A credential for test mode alone gets 403.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/invitations/{invitationId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail an invitation again
         * @description Mails the same link, which is then valid for seven days. At most once a minute, and five times in all: after that, revoke it and invite again.
         *
         *     A credential for test mode alone gets 403.
         */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints
         * @description All endpoints of the tenant, newest first. No secrets.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events of the tenant are posted to the address from now on, signed by the Standard Webhooks specification. This answer holds the secret, and no later answer does. A tenant has 20 endpoints at most, and makes 50 in any 24 hours at most (429). Send an `Idempotency-Key`: a repeat then answers the same endpoint, as it is now and without its secret. If you do not have the secret, rotate it.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/webhook-endpoints/{endpointId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description One endpoint as in the list.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Nothing more is sent to it. What waits for it is dropped, and its secret is erased.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Changes the fields that are sent and leaves the others. When an endpoint is enabled again, everything that happened since it was disabled, or since it began to fail, is delivered. One whose receiver answered 410 is `confirming` first. A tenant moves endpoints to another host 500 times in any 24 hours at most (429).
         */
        patch: operations["changeWebhookEndpoint"];
        trace?: never;
    };
    "/{tenantId}/v1/webhook-endpoints/{endpointId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret
         * @description This answer holds the new secret, and no later answer does. For 24 hours every message carries two signatures, one with each secret. A second rotation within that time ends the oldest secret. This operation takes no `Idempotency-Key`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/webhook-endpoints/{endpointId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message
         * @description Queues a message of the type `webhook.test`, which is attempted once. The result is in the list of deliveries about a second later. With `type` in the body, an endpoint of test mode gets a message with the body of an event of this type, whatever types it is for. Its id is `evt_test_…`, its `sequence` is 0, and its other ids name nothing. A repeat with the same `Idempotency-Key` sends nothing and answers the delivery as it is by then.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/webhook-endpoints/{endpointId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events again
         * @description Sends all events since an instant again, delivered or not, with their `webhook-id` as before: also those from before the endpoint was made. `until` ends it at another instant; `onlyFailed` leaves out all but what was given up here. Events that still wait are not sent twice. It runs in the background: `replay` of the endpoint says how far it is. A tenant has one replay at a time (409 while one of another endpoint runs; one of the same endpoint begins anew) and 24 in any 24 hours (429).
         */
        post: operations["replayWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/webhook-endpoints/{endpointId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of an endpoint
         * @description Each event for the endpoint with its last ten attempts, newest first: status, time taken and the first kilobyte of the answer. A delivery must match all filters that you send. With `eventType`, `from` or `to`, a page may have fewer deliveries than `limit`, or none: continue until `nextCursor` is null. Kept for 30 days from the event; a tenant has 1,000,000 at most, and the oldest accepted ones go first.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/webhook-endpoints/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery
         * @description One delivery as in the list, with the headers and the body that were posted, or will be.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/{tenantId}/v1/webhook-endpoints/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one event again
         * @description Sends the event again at once, with the same `webhook-id` and up to ten attempts, whether it was delivered, failed or still waits. While an attempt is under way, that one counts as the first. A repeat with the same `Idempotency-Key` sends nothing and answers the delivery as it is by then.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "credit-report.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * credit-report.completed
         * @description Sent when the report is there. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreditReportCompletedEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credit-report.challenged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * credit-report.challenged
         * @description Sent when the consumer must enter a code. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreditReportChallengedEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credit-report.blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * credit-report.blocked
         * @description Sent when screening refused the request. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreditReportBlockedEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credit-report.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * credit-report.failed
         * @description Sent when there is no report, for another reason. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreditReportFailedEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credit-report.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * credit-report.expired
         * @description Sent when no right code came within five minutes. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreditReportExpiredEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "challenge.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * challenge.sent
         * @description Sent when a message with a code was queued. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChallengeSentEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "challenge.delivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * challenge.delivered
         * @description Sent when the message was delivered: by its receipt, or because its code was right. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChallengeDeliveredEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "challenge.undelivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * challenge.undelivered
         * @description Sent when the message was not delivered, or the carrier did not say. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChallengeUndeliveredEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "challenge.verified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * challenge.verified
         * @description Sent when the right code was entered. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChallengeVerifiedEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.charged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * wallet.charged
         * @description Sent when a report or a delivered message was charged. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WalletChargedEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * wallet.refunded
         * @description Sent when a charge was refunded, in full or in part. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WalletRefundedEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.topped-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * wallet.topped-up
         * @description Sent when credits were added. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WalletToppedUpEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.adjusted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * wallet.adjusted
         * @description Sent when the balance was corrected, up or down: by the operator, or by a reset of the test wallet. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WalletAdjustedEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * wallet.low
         * @description Sent when the balance fell below the threshold of the tenant. Posted to the endpoints for this type: those of test mode if `test` is true, otherwise those of live mode. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WalletLowEvent"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                default: components["responses"]["WebhookDefault"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook.test
         * @description Sent when you asked for a test of the endpoint. It is no event, so the feed does not have it. `POST …/webhook-endpoints/{endpointId}/test` sends it, whatever types the endpoint is for. Ignore fields that you do not know: more may be added.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
                    "webhook-id": components["parameters"]["webhook-id"];
                    /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
                    "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                    /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
                    "webhook-signature": components["parameters"]["webhook-signature"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookTestMessage"];
                };
            };
            responses: {
                410: components["responses"]["Webhook410"];
                "2XX": components["responses"]["Webhook2XX"];
                /** @description Not delivered: every other status, redirects too, and no answer within 15 seconds. A test is not sent again. */
                default: {
                    headers: {
                        /** @description The earliest time of the next attempt, in seconds or as a date: up to a day. Other messages to the endpoint wait as well, for up to an hour. */
                        "Retry-After"?: string;
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
/** Every schema of the API by its name. */
export interface components {
    schemas: {
        /** @description The body of every refusal. */
        Error: {
            /** @description What went wrong, for programs: one of these codes. `/docs/errors` has a page about each. */
            code: "validation-error" | "unauthorized" | "insufficient-funds" | "insufficient-credits" | "forbidden" | "step-up-required" | "second-factor-required" | "credit-report-not-found" | "challenge-not-found" | "not-found" | "method-not-allowed" | "conflict" | "challenge-closed" | "request-in-progress" | "challenge-expired" | "credit-report-purged" | "payload-too-large" | "unsupported-media-type" | "idempotency-key-reused" | "rate-limited" | "sms-limit-reached" | "internal-error" | "service-unavailable";
            /** @description A sentence for a developer: what happened and what to do. */
            message: string;
            /** @description The same value as the X-Request-Id response header. */
            requestId: string;
            /** @description The address of a page about the code: what it means and what to do. */
            docs: string;
            /** @description On validation-error: the faults, up to 100. */
            details?: {
                /** @description JSON pointer into the request body; /headers/… for a header, /query/… for a query parameter. */
                path: string;
                /** @description What is wrong there and what would be right. */
                message: string;
            }[];
            /** @description On 402: credits the operation needs. */
            required?: number;
            /** @description On 402: credits not held or spent. */
            available?: number;
            wouldEnd?: components["schemas"]["MemberEndings"];
            wouldErase?: components["schemas"]["RetentionEffect"];
            limit?: components["schemas"]["SmsLimit"];
            /** @description On service-unavailable, when the request may have started a report: read it by this id, or send the request again with its Idempotency-Key. */
            creditReportId?: string;
            /** @description On service-unavailable, when the request may have begun an erasure, which finishes by itself: the operator of this service has its receipt by this id. */
            erasureId?: string;
        };
        /** @description A refusal of the token endpoint: the fields of RFC 6749, and those of every other error. */
        TokenError: {
            /** @description The code of RFC 6749. */
            error: string;
            error_description: string;
            /** @description One code of the catalogue, as in every other error. */
            code: string;
            message: string;
            requestId: string;
            /** @description The address of a page about the code. */
            docs: string;
        };
        /** @description On sms-limit-reached: the limit that was reached. */
        SmsLimit: {
            /**
             * @description `challenge`: the challenge has used its three messages. `company-number`: your company has used up its messages or wrong codes for this number in 24 hours. `company-day`, `company-minute`: your company's budget of messages for the day or minute (UTC). `destination`: a number that your company's settings do not allow. `protection`: a limit over all companies that protects the number.
             * @enum {string}
             */
            kind: "challenge" | "company-number" | "company-day" | "company-minute" | "destination" | "protection";
            /** @description Null where waiting does not help, and with `protection`. */
            resetsAt: string | null;
        };
        /** @description An optional field that is `null` or an empty string counts as left out. This does not apply to `test`, `challengeOptions` and `testOptions`, where such a value is refused. */
        GenerateRequest: {
            /** @description The `sessionId` that the fingerprint script gave the page. In test mode, any string. */
            sessionId: string;
            /** @description Bureaus to ask, each at most once. An installation may have one or two of them: asking for another is 400 at its place in the list, which names those it has. Test mode takes all. */
            bureaus: ("equifax" | "experian" | "transunion")[];
            /**
             * Format: ip
             * @description The IP address of the consumer's browser, IPv4 or IPv6.
             */
            ipAddress: string;
            /**
             * @description Kind of search.
             * @enum {string}
             */
            searchType: "pcp";
            /**
             * Format: person-name
             * @description First name.
             */
            firstName: string;
            /**
             * Format: person-name
             * @description Last name.
             */
            lastName: string;
            /**
             * Format: adult-date
             * @description YYYY-MM-DD, a real date, aged 18 to 120.
             */
            dateOfBirth: string;
            /** @description One to ten addresses. */
            addresses: components["schemas"]["AddressEntry"][];
            /**
             * Format: plain-text
             * @description For example Mr, Mrs, Ms.
             */
            title?: string | null;
            /**
             * Format: person-name
             * @description Middle name.
             */
            middleName?: string | null;
            /**
             * @description `M` or `F`.
             * @enum {string|null}
             */
            gender?: "M" | "F" | "" | null;
            /**
             * Format: e164
             * @description With country code, such as +447700900123. Spaces, hyphens, dots, brackets and a national `(0)` are removed. A live challenge needs it.
             */
            mobileNumber?: string | null;
            /**
             * Format: email
             * @description The e-mail address of the consumer. In test mode, the part before the @ chooses the report.
             */
            email?: string | null;
            /** @description Your own reference, to find the report and its charges by. */
            externalReference?: string | null;
            /** @description True: test mode, in which no bureau is asked, nothing is sent, and the live wallet is not charged. Otherwise the request is live. Without this field, a field with a name like it (`Test`, `isTest`, `testMode`, `sandbox`, `tset`) is 400. */
            test?: boolean;
            /** @description For test mode only. Without it a test report completes at once, as with `allow`. */
            challengeOptions?: {
                /**
                 * @description Outcome of the simulated screening.
                 * @enum {string}
                 */
                status: "challenge" | "allow" | "block";
            };
            testOptions?: components["schemas"]["TestOptions"];
        };
        /** @description For test mode only: what should go wrong, and whether to charge the test wallet. `GET /v1/test/catalogue` lists every value. Options that contradict each other or the request are 400. */
        TestOptions: {
            /**
             * @description `failed`: the report fails, for `reason`. `insufficient-funds`, `insufficient-credits`: 402 with this code; live mode only sends the first. `rate-limited`: 429. `step-up-required`: 403, as a person gets it at operations that need a fresh second factor. `internal-error`: 500. `service-unavailable`: 503 without a report. `service-unavailable-with-report`: the report is made, and the answer is 503 with its `creditReportId`; the same request with its Idempotency-Key then gets the report. `credit-report-purged`: the report is made, answered and erased; from then on reads, codes and resends get 410.
             * @enum {string}
             */
            outcome?: "failed" | "insufficient-funds" | "insufficient-credits" | "rate-limited" | "step-up-required" | "internal-error" | "service-unavailable" | "service-unavailable-with-report" | "credit-report-purged";
            /**
             * @description Why the report fails; with `outcome` `failed` only. `no-bureau-answered` and `interrupted` come after the right code if a challenge is asked for. `screening-unavailable` comes before any screening. The others mean that a code was needed and could not be sent.
             * @enum {string}
             */
            reason?: "screening-unavailable" | "device-not-verified" | "mobile-missing" | "not-a-mobile" | "country-not-allowed" | "company-number" | "company-mistakes" | "company-day" | "company-minute" | "protection" | "no-bureau-answered" | "interrupted";
            /** @description What single bureaus do; those not named answer `ok`. If all are `unavailable`, the report fails with `no-bureau-answered`. */
            bureauResults?: {
                /**
                 * @description One of the bureaus asked.
                 * @enum {string}
                 */
                bureau: "equifax" | "experian" | "transunion";
                /**
                 * @description What it does.
                 * @enum {string}
                 */
                outcome: "ok" | "no-trace" | "unavailable";
            }[];
            /**
             * @description Every resend of the challenge is refused: 429 `sms-limit-reached` with this `limit.kind`, or 402 with this code.
             * @enum {string}
             */
            resend?: "company-number" | "company-day" | "company-minute" | "destination" | "protection" | "insufficient-funds" | "insufficient-credits";
            /**
             * @description What the carrier says about each message of the challenge. `never`: no receipt comes, and the message stays `submitted`.
             * @enum {string}
             */
            receipt?: "delivered" | "undelivered" | "refused" | "never";
            /** @description True: the report is charged and refunded as in live mode, to the test wallet of the tenant. `meta.wallet` shows that wallet, 402 `insufficient-funds` comes when it is short, and the statement with `test=true` and the events `wallet.…` with `test` true tell what moved. Left out or false: nothing is charged, and `meta.wallet` shows the live wallet. */
            charges?: boolean;
            /** @description The generate request waits this long before anything else happens. */
            delayMs?: number;
        };
        /** @description An address of the consumer, and its kind. */
        AddressEntry: {
            /**
             * Format: plain-text
             * @description Kind of address, for example `current`.
             */
            type: string;
            ukAddress: components["schemas"]["UkAddress"];
        };
        /** @description An address in the United Kingdom, as you send it. */
        UkAddress: {
            /**
             * Format: plain-text
             * @description Flat or unit. One of the three premises fields is needed.
             */
            subBuildingName?: string | null;
            /**
             * Format: plain-text
             * @description Building name. One of the three premises fields is needed.
             */
            buildingName?: string | null;
            /**
             * Format: plain-text
             * @description House or building number. One of the three premises fields is needed.
             */
            buildingNumber?: string | null;
            /**
             * Format: plain-text
             * @description Street name.
             */
            thoroughfare?: string | null;
            /**
             * Format: plain-text
             * @description District or locality.
             */
            district?: string | null;
            /**
             * Format: plain-text
             * @description Town or city.
             */
            townOrCity: string;
            /**
             * Format: plain-text
             * @description County.
             */
            county?: string | null;
            /**
             * Format: plain-text
             * @description Country code.
             */
            country?: string | null;
            /**
             * Format: uk-postcode
             * @description UK, Crown Dependency or BFPO postcode, in any case and spacing.
             */
            postcode: string;
        } | unknown | unknown | unknown;
        SubmitOtpRequest: {
            /** @description challengeId of the generate response. */
            challengeId: string;
            /** @description The code from the message. Spaces and hyphens are removed before it is checked. */
            code: string;
        };
        ResendSmsRequest: {
            /** @description challengeId of the generate response. */
            challengeId: string;
        };
        SelectTenantRequest: {
            /** @description The tenant to work in. */
            tenantId: string;
        };
        GenerateResponse: {
            meta: {
                request: {
                    /** @description How long the service took to answer, in milliseconds. */
                    timeTakenMs: number;
                };
                wallet: components["schemas"]["WalletMeta"];
            };
            data: components["schemas"]["CompleteAtOnce"] | components["schemas"]["AuthenticationRequired"] | components["schemas"]["Blocked"] | components["schemas"]["Failed"];
        };
        /** @description The report is there; no code was needed. */
        CompleteAtOnce: {
            /** @constant */
            status: "complete";
            /** @constant */
            challengeType: "none";
            /**
             * Format: uuid
             * @description The report. Use it with the challenge and to read the report again.
             */
            creditReportId: string;
            /** @description The reference that the report was generated with, if there was one. */
            externalReference?: string;
            /** @description The outcome of each bureau that was asked. Test mode asks none: each one is `ok` unless `testOptions` says otherwise. */
            bureauResults: components["schemas"]["BureauResult"][];
            coverage: components["schemas"]["Coverage"];
            creditReport: components["schemas"]["CreditReport"];
        };
        /** @description A code was sent to the consumer: submit it to get the report. */
        AuthenticationRequired: {
            /** @constant */
            status: "authentication-required";
            /** @constant */
            challengeType: "otp";
            /**
             * Format: uuid
             * @description The report. Use it with the challenge and to read the report again.
             */
            creditReportId: string;
            /** @description The reference that the report was generated with, if there was one. */
            externalReference?: string;
            challenge: {
                /**
                 * Format: uuid
                 * @description The challenge to answer.
                 */
                challengeId: string;
            };
        };
        /** @description Screening refused the request. */
        Blocked: {
            /** @constant */
            status: "blocked";
            /**
             * Format: uuid
             * @description The report. Use it with the challenge and to read the report again.
             */
            creditReportId: string;
            /** @description The reference that the report was generated with, if there was one. */
            externalReference?: string;
        };
        /** @description There is no report, and this is final. */
        Failed: {
            /** @constant */
            status: "failed";
            /**
             * Format: uuid
             * @description The report. Use it with the challenge and to read the report again.
             */
            creditReportId: string;
            /** @description The reference that the report was generated with, if there was one. */
            externalReference?: string;
            /** @description What happened, in a sentence. */
            errorMessage: string;
            /** @description Why it failed, for programs. Null in the repeat of an answer of a release that kept no reason. */
            failureReason: components["schemas"]["FailureReason"] | null;
        };
        /**
         * @description Why it failed, for programs; `errorMessage` says the same in words. From `mobile-missing` to `not-deliverable`: a code was needed and could not be sent. New reasons may be added.
         * @enum {string}
         */
        FailureReason: "screening-unavailable" | "device-not-verified" | "mobile-missing" | "not-a-mobile" | "country-not-allowed" | "company-number" | "company-mistakes" | "company-day" | "company-minute" | "not-deliverable" | "no-bureau-answered" | "interrupted" | "reservation-late" | "attempts-used" | "expired";
        SubmitOtpResponse: {
            meta: {
                request: {
                    /** @description How long the service took to answer, in milliseconds. */
                    timeTakenMs: number;
                };
                wallet: components["schemas"]["WalletMeta"];
            };
            data: components["schemas"]["CompleteAfterChallenge"] | components["schemas"]["Retry"] | components["schemas"]["Failed"];
        };
        /** @description The report is there. */
        CompleteAfterChallenge: {
            /** @constant */
            status: "complete";
            /**
             * Format: uuid
             * @description The report. Use it with the challenge and to read the report again.
             */
            creditReportId: string;
            /** @description The reference that the report was generated with, if there was one. */
            externalReference?: string;
            /** @description The outcome of each bureau that was asked. Test mode asks none: each one is `ok` unless `testOptions` says otherwise. */
            bureauResults: components["schemas"]["BureauResult"][];
            coverage: components["schemas"]["Coverage"];
            creditReport: components["schemas"]["CreditReport"];
        };
        /** @description The code was wrong, and another may be tried. */
        Retry: {
            /** @constant */
            status: "retry";
            /**
             * Format: uuid
             * @description The report. Use it with the challenge and to read the report again.
             */
            creditReportId: string;
            /** @description The reference that the report was generated with, if there was one. */
            externalReference?: string;
            /** @description What happened, in a sentence. */
            errorMessage: string;
            /** @description Codes that may still be tried. */
            attemptsRemaining: number;
        };
        ResendSmsResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /** @description Messages that may still be sent. */
                remainingSmsCount: number;
                /** @description Messages sent so far, the first one included. */
                smsSentCount: number;
            };
        };
        CollectionRequest: {
            /** @description Digest of traits of the device, made in the browser; the traits themselves stay there. */
            deviceDigest: string;
            /** @description As the browser names it. */
            timeZone?: string;
            /** @description Signs that a program controls the browser. */
            automation?: ("webdriver" | "headless" | "phantom" | "no-window" | "no-languages")[];
            /** @description True when the digest is random, since the traits came too late. */
            degraded?: boolean;
        };
        CollectionResponse: {
            /** @description `sessionId` of the generate request. Opaque, good for 30 minutes and for one person. */
            sessionId: string;
            /** @description The address that the request came from: `ipAddress` of a generate request about the person at this browser. */
            ipAddress: string;
        };
        /** @description What became of one bureau that was asked. */
        BureauResult: {
            /**
             * @description A bureau that was asked.
             * @enum {string}
             */
            bureau: "equifax" | "experian" | "transunion";
            /**
             * @description `no-trace`: it answered and found no such person. `unavailable`: it did not answer; not charged.
             * @enum {string}
             */
            outcome: "ok" | "no-trace" | "unavailable";
        };
        /** @description One message of a challenge, without its phone number. */
        ChallengeSend: {
            /**
             * @description `queued` and `submitted`: on its way. `delivered`: the carrier confirmed it, or its code was right. `undelivered`, `refused`: it will not arrive, so send another. `silent`: the carrier reported nothing for 72 hours. In test mode `delivered`, unless `testOptions.receipt` says otherwise.
             * @enum {string}
             */
            state: "queued" | "submitted" | "delivered" | "undelivered" | "refused" | "silent";
            /**
             * Format: date-time
             * @description When it was requested: its code works for five minutes from then. ISO 8601, UTC.
             */
            sentAt: string;
            /** @description When the state became final; null while it is on its way. */
            settledAt: string | null;
        };
        /** @description How far the person was found. Look at it before you read an empty list as a clean file. */
        Coverage: {
            /**
             * @description `traced`: every bureau asked found the person. `partly-traced`: at least one did. `not-traced`: none did, so the lists of the report are empty and say nothing about the person.
             * @enum {string}
             */
            status: "traced" | "partly-traced" | "not-traced";
            /** @description The same in words: which bureaus did not find the person or did not answer. */
            message: string;
        };
        CreditReportResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /** @constant */
                status: "complete";
                /**
                 * Format: uuid
                 * @description The report. Use it with the challenge and to read the report again.
                 */
                creditReportId: string;
                /** @description The reference that the report was generated with. Null if there was none, once the report is erased, and for the role finance. */
                externalReference: string | null;
                /** @description The outcome of each bureau that was asked. Test mode asks none: each one is `ok` unless `testOptions` says otherwise. */
                bureauResults?: components["schemas"]["BureauResult"][];
                coverage?: components["schemas"]["Coverage"];
                creditReport?: components["schemas"]["CreditReport"];
                /** @description Whether the report was requested in test mode. */
                test: boolean;
                /**
                 * Format: date-time
                 * @description When the report was requested. ISO 8601, UTC.
                 */
                createdAt: string;
                /** @description What the report costs, in credits: its charge without what was refunded. Messages are not included. 0 in test mode without `testOptions.charges`. */
                costCredits: number;
                /**
                 * @description `console`: a signed-in person requested it in the console. `api`: everything else. New sources may be added.
                 * @enum {string}
                 */
                source: "api" | "console";
            } | {
                /** @constant */
                status: "authentication-required";
                /** @constant */
                challengeType: "otp";
                /**
                 * Format: uuid
                 * @description The report. Use it with the challenge and to read the report again.
                 */
                creditReportId: string;
                /** @description The reference that the report was generated with. Null if there was none, once the report is erased, and for the role finance. */
                externalReference: string | null;
                challenge: {
                    /**
                     * Format: uuid
                     * @description The challenge to answer.
                     */
                    challengeId: string;
                    /** @description Its messages, oldest first: one to three. */
                    sends: components["schemas"]["ChallengeSend"][];
                };
                /** @description Whether the report was requested in test mode. */
                test: boolean;
                /**
                 * Format: date-time
                 * @description When the report was requested. ISO 8601, UTC.
                 */
                createdAt: string;
                /** @description What the report costs, in credits: its charge without what was refunded. Messages are not included. 0 in test mode without `testOptions.charges`. */
                costCredits: number;
                /**
                 * @description `console`: a signed-in person requested it in the console. `api`: everything else. New sources may be added.
                 * @enum {string}
                 */
                source: "api" | "console";
            } | {
                /** @constant */
                status: "blocked";
                /**
                 * Format: uuid
                 * @description The report. Use it with the challenge and to read the report again.
                 */
                creditReportId: string;
                /** @description The reference that the report was generated with. Null if there was none, once the report is erased, and for the role finance. */
                externalReference: string | null;
                /** @description Whether the report was requested in test mode. */
                test: boolean;
                /**
                 * Format: date-time
                 * @description When the report was requested. ISO 8601, UTC.
                 */
                createdAt: string;
                /** @description What the report costs, in credits: its charge without what was refunded. Messages are not included. 0 in test mode without `testOptions.charges`. */
                costCredits: number;
                /**
                 * @description `console`: a signed-in person requested it in the console. `api`: everything else. New sources may be added.
                 * @enum {string}
                 */
                source: "api" | "console";
            } | {
                /** @constant */
                status: "failed";
                /**
                 * Format: uuid
                 * @description The report. Use it with the challenge and to read the report again.
                 */
                creditReportId: string;
                /** @description The reference that the report was generated with. Null if there was none, once the report is erased, and for the role finance. */
                externalReference: string | null;
                /** @description What happened, in a sentence. */
                errorMessage: string;
                failureReason: components["schemas"]["FailureReason"];
                /** @description Whether the report was requested in test mode. */
                test: boolean;
                /**
                 * Format: date-time
                 * @description When the report was requested. ISO 8601, UTC.
                 */
                createdAt: string;
                /** @description What the report costs, in credits: its charge without what was refunded. Messages are not included. 0 in test mode without `testOptions.charges`. */
                costCredits: number;
                /**
                 * @description `console`: a signed-in person requested it in the console. `api`: everything else. New sources may be added.
                 * @enum {string}
                 */
                source: "api" | "console";
            };
        };
        CreditReportCountsResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /** @description All reports that match; the sum of the others. */
                total: number;
                /** @description Complete reports. */
                complete: number;
                /** @description Reports with an open challenge. */
                "authentication-required": number;
                /** @description Blocked reports. */
                blocked: number;
                /** @description Failed reports; those with an expired challenge too. */
                failed: number;
                /** @description Reports that a request is working on. */
                "in-progress": number;
            };
        };
        CreditReportListResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                items: components["schemas"]["CreditReportItem"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        /** @description A report in the list, without its contents. */
        CreditReportItem: {
            /**
             * Format: uuid
             * @description The report. Use it with the challenge and to read the report again.
             */
            creditReportId: string;
            /**
             * @description `in-progress` only while a request is working on it.
             * @enum {string}
             */
            status: "complete" | "authentication-required" | "blocked" | "failed" | "in-progress";
            /** @description Whether the report was requested in test mode. */
            test: boolean;
            /**
             * Format: date-time
             * @description When the report was requested. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description The reference that the report was generated with. Null if there was none, once the report is erased, and for the role finance. */
            externalReference: string | null;
            /** @description What the report costs, in credits: its charge without what was refunded. Messages are not included. 0 in test mode without `testOptions.charges`. */
            costCredits: number;
            /**
             * @description `console`: a signed-in person requested it in the console. `api`: everything else. New sources may be added.
             * @enum {string}
             */
            source: "api" | "console";
            /** @description Whether its data was erased: after its retention time, or because the consumer asked. */
            isPurged: boolean;
            /** @description Why it failed; null for every other status. */
            failureReason: components["schemas"]["FailureReason"] | null;
        };
        TimelineResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /**
                 * Format: uuid
                 * @description The report.
                 */
                creditReportId: string;
                /**
                 * @description As the list shows it.
                 * @enum {string}
                 */
                status: "complete" | "authentication-required" | "blocked" | "failed" | "in-progress";
                /** @description Whether the report was requested in test mode. */
                test: boolean;
                /**
                 * @description Where it was requested. New sources may be added.
                 * @enum {string}
                 */
                source: "api" | "console";
                /** @description Whether its data was erased: after its retention time, or because the consumer asked. */
                isPurged: boolean;
                /** @description The last three digits of the mobile number. Null if there was none, once the report is erased, and for the role finance. */
                mobileEnding: string | null;
                /** @description The bureaus that were asked for a complete report, in the order of the request; otherwise empty. The role finance does not get it. */
                bureaus?: components["schemas"]["TimelineBureau"][];
                /** @description What happened, oldest first. */
                items: components["schemas"]["TimelineItem"][];
            };
        };
        /** @description One thing that happened to a report. */
        TimelineItem: {
            /**
             * @description `message-…`: a text message with a code. `message-undelivered`: it will not arrive. `message-silent`: the carrier reported nothing for 72 hours. `code-verified`: the right code came. `failed`: an expired challenge too. `erased`: after its retention time, or because the consumer asked. New kinds may be added.
             * @enum {string}
             */
            kind: "requested" | "report-charged" | "message-sent" | "message-delivered" | "message-undelivered" | "message-silent" | "message-charged" | "code-verified" | "completed" | "blocked" | "failed" | "report-refunded" | "erased";
            /**
             * Format: date-time
             * @description When it happened. ISO 8601, UTC.
             */
            at: string;
            /** @description For `message-…`: which of the messages, from 1. */
            message?: number;
            /** @description For `…-charged` and `report-refunded`: how many credits. */
            credits?: number;
            failureReason?: components["schemas"]["FailureReason"];
        };
        /** @description What became of one bureau that was asked, and when it answered. */
        TimelineBureau: {
            /**
             * @description A bureau that was asked.
             * @enum {string}
             */
            bureau: "equifax" | "experian" | "transunion";
            /**
             * @description `no-trace`: it answered and found no such person. `unavailable`: it did not answer; not charged.
             * @enum {string}
             */
            outcome: "ok" | "no-trace" | "unavailable";
            /** @description When its answer was complete. Null if it did not answer, and where the time is not kept any more. */
            answeredAt: string | null;
        };
        EvidenceResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /**
                 * Format: uuid
                 * @description The evidence. It is in the address of the verification page.
                 */
                evidenceId: string;
                /**
                 * Format: date-time
                 * @description When the statement was signed. ISO 8601, UTC.
                 */
                issuedAt: string;
                /** @description The key that signed, as `/.well-known/trefoil-evidence-keys.json` lists it (RFC 7638 thumbprint). */
                kid: string;
                /** @description What was signed, as text: canonical JSON (RFC 8785). Its bytes in UTF-8 are signed exactly as they are, so do not write it anew. */
                statement: string;
                /** @description Ed25519 (RFC 8032) over the bytes of `statement`: 64 bytes in base64. */
                signature: string;
                /** @description The files that the statement names, with their contents. */
                files: components["schemas"]["EvidenceFile"][];
                /** @description The page where anybody can verify the document, without signing in. It shows nothing about the person. */
                verifyUrl: string;
            };
        };
        /** @description A file that the signed statement names. */
        EvidenceFile: {
            /** @description The name under which the statement lists it. New files may be added at any time. */
            name: string;
            /** @description The exact content. Its bytes in UTF-8 are what the digest is of. */
            text: string;
            /** @description SHA-256 of the content, as in the statement. */
            sha256: string;
        };
        /** @description About the answer itself. */
        AnswerMeta: {
            request: {
                /** @description How long the service took to answer, in milliseconds. */
                timeTakenMs: number;
            };
        };
        /** @description The wallet after the operation. */
        WalletMeta: {
            /** @description The balance of the wallet after the operation, in credits; 1,000 credits are one pound. In a replayed answer: after the first one. */
            balance: number;
            /** @description What this operation charged, in credits; 0 where it charged nothing. It is never negative: a refund shows in `balance` and as a `report-refund` line of the statement. Messages are not in it either: each is a line of its own. */
            cost: number;
        };
        WalletResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /** @description Top-ups less charges plus refunds, in credits. */
                balance: number;
                /** @description Set aside for operations that have not finished, and for messages without a final state. */
                held: number;
                /** @description What a new operation can use: `balance` less `held`. */
                available: number;
                /** @description How many credits are one pound sterling. */
                creditsPerPound: number;
                /** @description The message budget of the current day. Beyond either limit no message is sent. */
                smsDay: {
                    /** @description Maximum number of messages in a day. */
                    maxMessages: number;
                    /** @description Messages of the current day, whatever their outcome. */
                    usedMessages: number;
                    /** @description Maximum credits for messages in a day. */
                    maxCredits: number;
                    /** @description What the messages of the current day cost if delivered. */
                    usedCredits: number;
                    /**
                     * Format: date-time
                     * @description When the day ends: at midnight UTC. ISO 8601, UTC.
                     */
                    resetsAt: string;
                };
            };
        };
        WalletEntriesResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                items: components["schemas"]["WalletEntry"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        /** @description A line of the statement. */
        WalletEntry: {
            /** @description Place in the journal. Later lines have higher numbers; there may be gaps. */
            id: string;
            /**
             * @description What moved the credits.
             * @enum {string}
             */
            kind: "top-up" | "adjust" | "report-charge" | "report-refund" | "sms-charge";
            /** @description Effect on the wallet in credits: negative for a charge. */
            amount: number;
            /** @description The balance once this line was posted, in credits. */
            balanceAfter: number;
            /** @description The report it belongs to; null for top-ups and adjustments. */
            creditReportId: string | null;
            /** @description On a refund: `id` of the charge that it reverses. */
            reversesId: string | null;
            /** @description Reference of a top-up, or reason of an adjustment. */
            note: string | null;
            /**
             * Format: date-time
             * @description When it was posted. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description `amount` in pounds, exactly: two decimals, or three where it is not a whole penny. */
            amountPounds: string;
            /** @description `balanceAfter` in pounds, exactly. */
            balanceAfterPounds: string;
            /** @description The reference that the report was generated with; null without one, once the report is purged, and for readers who may not see reports (no `reports:read`, or the role finance). */
            externalReference: string | null;
            /** @description On a charge or refund of a report: how many bureaus it is for. Null on other lines, and while no bureau was asked. */
            bureauCount: number | null;
        };
        WalletMonthsResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /** @description Newest first, the current month included. */
                items: components["schemas"]["WalletMonth"][];
            };
        };
        /** @description The totals of a month of the wallet, in credits. */
        WalletMonth: {
            /** @description The month in London, such as 2026-03. */
            month: string;
            /**
             * Format: date-time
             * @description Its first instant: `from` for the lines of the month. ISO 8601, UTC.
             */
            startsAt: string;
            /**
             * Format: date-time
             * @description The first instant of the next month: `to` for the lines of the month. ISO 8601, UTC.
             */
            endsAt: string;
            /** @description The balance when it began, in credits. */
            opening: number;
            /** @description Top-ups. */
            topUps: number;
            /** @description Corrections by the operator, of either sign. */
            adjustments: number;
            /** @description Charges of reports: zero or negative. */
            reports: number;
            /** @description Refunds of reports: zero or positive. */
            refunds: number;
            /** @description Charges of messages: zero or negative. */
            messages: number;
            /** @description The balance at its end, or now: `opening` and all the others together. */
            closing: number;
            /** @description How many lines the statement has for it. */
            count: number;
        };
        PricesResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /** @description For a report, however many bureaus answer. */
                report: {
                    credits: number;
                    /**
                     * @description The price list, or a price agreed with this tenant.
                     * @enum {string}
                     */
                    source: "list" | "tenant";
                    /**
                     * Format: date-time
                     * @description When the price takes effect, or took effect. ISO 8601, UTC.
                     */
                    effectiveFrom: string;
                };
                /** @description For each bureau that answers, on top of the report. */
                bureau: {
                    credits: number;
                    /**
                     * @description The price list, or a price agreed with this tenant.
                     * @enum {string}
                     */
                    source: "list" | "tenant";
                    /**
                     * Format: date-time
                     * @description When the price takes effect, or took effect. ISO 8601, UTC.
                     */
                    effectiveFrom: string;
                };
                /** @description For each message that is delivered. */
                sms: {
                    credits: number;
                    /**
                     * @description The price list, or a price agreed with this tenant.
                     * @enum {string}
                     */
                    source: "list" | "tenant";
                    /**
                     * Format: date-time
                     * @description When the price takes effect, or took effect. ISO 8601, UTC.
                     */
                    effectiveFrom: string;
                };
                /** @description Prices already known to change, soonest first. An operation that has begun keeps its price. */
                changes: components["schemas"]["PriceChange"][];
            };
        };
        /** @description A price that is known to change. */
        PriceChange: {
            /** @enum {string} */
            item: "report" | "bureau" | "sms";
            credits: number;
            /**
             * @description The price list, or a price agreed with this tenant.
             * @enum {string}
             */
            source: "list" | "tenant";
            /**
             * Format: date-time
             * @description When the price takes effect, or took effect. ISO 8601, UTC.
             */
            effectiveFrom: string;
        };
        LimitsResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                items: components["schemas"]["Limit"][];
            };
        };
        /** @description A limit of the tenant, and what is used of it. */
        Limit: {
            /**
             * @description `requests`: calls of this API. `max` is how many may come at once; they become free again steadily, at the rate in the header `RateLimit-Policy` (50 a second unless agreed otherwise). `sms-…`: messages of challenges, counted when they are asked for; those of test mode are not, so a credential for test mode alone reads 0. `invitations-day`: mails that invite members, in any 24 hours. `webhook-attempts-minute`: messages to one host of your webhook endpoints, where `used` is that of the host with most; a host begins with 60 and gets twice as many after each 100 that it accepts; a minute may have a tenth more. `webhook-replays-day` and `webhook-endpoints-day`: replays of events, and endpoints made, in any 24 hours. New names may be added.
             * @enum {string}
             */
            name: "requests" | "sms-messages-day" | "sms-credits-day" | "sms-messages-minute" | "invitations-day" | "webhook-attempts-minute" | "webhook-replays-day" | "webhook-endpoints-day";
            /** @description The most that can be used. */
            max: number;
            /** @description What is used of it now; this request included. */
            used: number;
            /** @description For a day or minute of the calendar (UTC) its end; for `requests` when the bucket is full again; for `invitations-day` and those of webhooks for a day when the oldest one stops counting, null while none counts. */
            resetsAt: string | null;
        };
        UsageResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                test: boolean;
                /** @description Every day of the period, oldest first; today is the last. */
                days: components["schemas"]["UsageDay"][];
                /** @description The whole period. */
                spent: {
                    /** @description Credits: charges of reports less refunds, each on the day it was posted. Negative if refunds prevail. */
                    reports: number;
                    /** @description Credits: charges of messages. */
                    messages: number;
                };
                /** @description The period of the same length before it. */
                previous: {
                    /** @description Credits: charges of reports less refunds, each on the day it was posted. Negative if refunds prevail. */
                    reports: number;
                    /** @description Credits: charges of messages. */
                    messages: number;
                };
                /** @description Reports and messages of the last seven days, today included. */
                last7DaysCredits: number;
                /** @description What became of reports, each on the day it ended. */
                outcomes: {
                    /** @description Reports that were completed. */
                    complete: number;
                    /** @description Refused by screening. */
                    blocked: number;
                    /** @description No report, for another reason. */
                    failed: number;
                    /** @description No right code within five minutes. */
                    expired: number;
                };
                /** @description The commonest reason among `failed` and `expired`; null without one. */
                commonestFailure: {
                    /** @description Such as `no-bureau-answered` or `expired`. New reasons may be added. */
                    reason: string;
                    /** @description How often. */
                    count: number;
                } | null;
                /** @description Messages and codes, each on the day it happened. */
                codes: {
                    /** @description Messages with a code. */
                    sent: number;
                    /** @description Of these: delivered. */
                    delivered: number;
                    /** @description Not delivered, or the carrier did not say. */
                    undelivered: number;
                    /** @description Right codes. */
                    verified: number;
                    /** @description Half of the right codes came within this time after the first message; null without one. */
                    medianSeconds: number | null;
                };
            };
        };
        /** @description What was spent on one day. */
        UsageDay: {
            /**
             * Format: date
             * @description A day in London, as YYYY-MM-DD.
             */
            day: string;
            /** @description Credits: charges of reports less refunds, each on the day it was posted. Negative if refunds prevail. */
            reports: number;
            /** @description Credits: charges of messages. */
            messages: number;
        };
        BureausResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                items: components["schemas"]["BureauHealth"][];
            };
        };
        /** @description How a bureau answered your live reports in the last day. */
        BureauHealth: {
            /**
             * @description The bureau.
             * @enum {string}
             */
            bureau: "equifax" | "experian" | "transunion";
            /**
             * @description In the latest half hour in which your reports asked it: `answering` from nine of ten answers, `failing` below half, `unsteady` between. `not-asked`: not in the last day.
             * @enum {string}
             */
            state: "answering" | "unsteady" | "failing" | "not-asked";
            /** @description Null where it was not asked. */
            since: string | null;
            /** @description Share of the last day’s enquiries that were answered; null without any. No trace is an answer. */
            answeredShare: number | null;
            /** @description The last 48 half hours, oldest first, the current one included. */
            slots: {
                /**
                 * Format: date-time
                 * @description When the half hour began. ISO 8601, UTC.
                 */
                startsAt: string;
                /** @description How many of your reports asked it. */
                asked: number;
                /** @description How many of them got an answer. */
                answered: number;
            }[];
        };
        ActivityResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /** @description Newest first. */
                items: components["schemas"]["ActivityItem"][];
            };
        };
        /** @description One thing that happened: an event, or an action of the audit log. */
        ActivityItem: {
            /** @description Identifies the item: `evt_…` is the event with this id. */
            id: string;
            /** @description A type of event, such as `credit-report.completed`, or an action of the audit log, such as `member.joined`. */
            kind: string;
            /**
             * Format: date-time
             * @description When it happened. ISO 8601, UTC.
             */
            occurredAt: string;
            /** @description Null where it is about none. */
            creditReportId: string | null;
            /** @description For an action of the audit log; null for an event. */
            subjectId: string | null;
            /** @description Who did it, for an action of the audit log; null for an event. */
            actor: string | null;
            /** @description Credits, where the wallet moved; null otherwise. */
            amount: number | null;
        };
        QuoteResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /** @description Whether the request is for test mode. The amounts are then those of live mode, and with `testOptions.charges` `available` is that of the test wallet. */
                test: boolean;
                /** @description The part of the price that does not depend on bureaus. In credits. */
                report: number;
                bureaus: {
                    /**
                     * @description A bureau of the request.
                     * @enum {string}
                     */
                    bureau: "equifax" | "experian" | "transunion";
                    /** @description Charged if it answers. In credits. */
                    credits: number;
                }[];
                /** @description The price of one message of a challenge, charged when it is delivered. In credits. */
                message: number;
                /** @description The most that the report can cost: all bureaus answer and, if the request has a `mobileNumber`, three messages are delivered. In credits. */
                maximum: number;
                funds: {
                    /** @description What must be available when the report is generated: all bureaus and, if the request has a `mobileNumber`, one message. In credits. */
                    required: number;
                    /** @description What the wallet has available now. In credits. */
                    available: number;
                    /** @description False: generate would answer 402. */
                    sufficient: boolean;
                };
                /** @description The limits of the company on messages, each once. */
                limits: components["schemas"]["OwnLimit"][];
            };
        };
        /** @description A limit of the company on messages, and whether it would refuse one now. */
        OwnLimit: {
            /**
             * @description As `limit.kind` of sms-limit-reached.
             * @enum {string}
             */
            kind: "destination" | "company-number" | "company-day" | "company-minute";
            /** @description Whether it would refuse the message of a challenge now. A report that needs a code is then `failed`. */
            refuses: boolean;
            /** @description Null where it refuses nothing, and where waiting does not help. */
            resetsAt: string | null;
        };
        TestClockRequest: {
            /** @description How far the clock of the report moves forward. 301 ends an open challenge. */
            advanceSeconds: number;
        };
        TestClockResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /**
                 * Format: uuid
                 * @description The report.
                 */
                creditReportId: string;
                /**
                 * @description The status of the report now. An expired challenge reads as `failed`.
                 * @enum {string}
                 */
                status: "complete" | "authentication-required" | "blocked" | "failed" | "in-progress";
                /** @description How long the challenge is still open, rounded up; null where none is open. */
                expiresInSeconds: number | null;
            };
        };
        TestInboxResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                items: components["schemas"]["TestMessage"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        /** @description A message of test mode, which was never sent. */
        TestMessage: {
            /**
             * Format: uuid
             * @description The report of the challenge.
             */
            creditReportId: string;
            /**
             * Format: uuid
             * @description The challenge.
             */
            challengeId: string;
            /** @description Which message of the challenge this is. */
            number: number;
            /** @description The mobile number, masked except for its last four digits; null if the request had none, and for the role finance. */
            to: string | null;
            /** @description The text to the letter as the consumer would get it, with the name that the tenant has now. */
            text: string;
            /**
             * @description What the simulated carrier says: see `testOptions.receipt`.
             * @enum {string}
             */
            state: "queued" | "submitted" | "delivered" | "undelivered" | "refused" | "silent";
            /**
             * Format: date-time
             * @description When it was requested. ISO 8601, UTC.
             */
            sentAt: string;
        };
        TestWalletResetRequest: {
            /** @description The balance after the reset; 1,000,000 if left out. A low one lets you meet 402. */
            credits?: number;
        };
        TestWalletResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /** @description The balance of the test wallet, in credits. */
                balance: number;
            };
        };
        TestCatalogue: {
            /** @description Every value that test mode knows. New ones may be added. */
            items: components["schemas"]["TestValue"][];
            total: number;
        };
        /** @description A value of test mode, and what it does. */
        TestValue: {
            /** @description Where to send it: a JSON pointer into the body of generate, of the code submit (`/code`) or of the test clock (`/advanceSeconds`). */
            field: string;
            /** @description The value; text in angle brackets stands for a value of your own. */
            value: string;
            /** @description What it does. */
            effect: string;
        };
        CredentialsResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                items: components["schemas"]["CredentialItem"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        CredentialResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: components["schemas"]["CredentialItem"];
        };
        CreatedCredentialResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /**
                 * Format: uuid
                 * @description The client id.
                 */
                id: string;
                name: string;
                /**
                 * @description How it authenticates at the token endpoint.
                 * @enum {string}
                 */
                authMethod: "client_secret" | "private_key_jwt";
                /** @description What it was given. */
                scopes: ("reports:write" | "reports:read" | "wallet:read" | "wallet:write" | "credentials:write" | "webhooks:write" | "events:read" | "members:write" | "audit:read" | "settings:write" | "subjects:write")[];
                /**
                 * Format: uuid
                 * @description The member who is accountable for it.
                 */
                ownerUserId: string;
                /** @description False when the owner was disabled or has left: it does not work until it has another owner. */
                isOwnerActive: boolean;
                isEnabled: boolean;
                isTestOnly: boolean;
                /** @description Null: any network. */
                allowedNetworks: string[] | null;
                /** @description The secrets that work now, newest first; at most two. */
                secrets: components["schemas"]["CredentialSecret"][];
                /** @description The `kid` of each public key; null where it has none. */
                keyIds: (string | null)[];
                /** @description The public keys in the same order, with the member who added each. */
                keys: components["schemas"]["CredentialKey"][];
                /** @description True when its owner refused it: it stays disabled until it has another owner. */
                isRefused: boolean;
                /**
                 * Format: date-time
                 * @description When it was made. ISO 8601, UTC.
                 */
                createdAt: string;
                /** @description Null when it was never used. */
                lastUsedAt: string | null;
                /** @description Shown only in this answer. */
                clientSecret?: string;
            };
        };
        AddedSecretResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /**
                 * Format: uuid
                 * @description The client id.
                 */
                id: string;
                name: string;
                /**
                 * @description How it authenticates at the token endpoint.
                 * @enum {string}
                 */
                authMethod: "client_secret" | "private_key_jwt";
                /** @description What it was given. */
                scopes: ("reports:write" | "reports:read" | "wallet:read" | "wallet:write" | "credentials:write" | "webhooks:write" | "events:read" | "members:write" | "audit:read" | "settings:write" | "subjects:write")[];
                /**
                 * Format: uuid
                 * @description The member who is accountable for it.
                 */
                ownerUserId: string;
                /** @description False when the owner was disabled or has left: it does not work until it has another owner. */
                isOwnerActive: boolean;
                isEnabled: boolean;
                isTestOnly: boolean;
                /** @description Null: any network. */
                allowedNetworks: string[] | null;
                /** @description The secrets that work now, newest first; at most two. */
                secrets: components["schemas"]["CredentialSecret"][];
                /** @description The `kid` of each public key; null where it has none. */
                keyIds: (string | null)[];
                /** @description The public keys in the same order, with the member who added each. */
                keys: components["schemas"]["CredentialKey"][];
                /** @description True when its owner refused it: it stays disabled until it has another owner. */
                isRefused: boolean;
                /**
                 * Format: date-time
                 * @description When it was made. ISO 8601, UTC.
                 */
                createdAt: string;
                /** @description Null when it was never used. */
                lastUsedAt: string | null;
                /** @description Shown only in this answer. */
                clientSecret: string;
            };
        };
        /** @description A credential, without its secrets. */
        CredentialItem: {
            /**
             * Format: uuid
             * @description The client id.
             */
            id: string;
            name: string;
            /**
             * @description How it authenticates at the token endpoint.
             * @enum {string}
             */
            authMethod: "client_secret" | "private_key_jwt";
            /** @description What it was given. */
            scopes: ("reports:write" | "reports:read" | "wallet:read" | "wallet:write" | "credentials:write" | "webhooks:write" | "events:read" | "members:write" | "audit:read" | "settings:write" | "subjects:write")[];
            /**
             * Format: uuid
             * @description The member who is accountable for it.
             */
            ownerUserId: string;
            /** @description False when the owner was disabled or has left: it does not work until it has another owner. */
            isOwnerActive: boolean;
            isEnabled: boolean;
            isTestOnly: boolean;
            /** @description Null: any network. */
            allowedNetworks: string[] | null;
            /** @description The secrets that work now, newest first; at most two. */
            secrets: components["schemas"]["CredentialSecret"][];
            /** @description The `kid` of each public key; null where it has none. */
            keyIds: (string | null)[];
            /** @description The public keys in the same order, with the member who added each. */
            keys: components["schemas"]["CredentialKey"][];
            /** @description True when its owner refused it: it stays disabled until it has another owner. */
            isRefused: boolean;
            /**
             * Format: date-time
             * @description When it was made. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Null when it was never used. */
            lastUsedAt: string | null;
        };
        /** @description A secret of a credential, without its value. */
        CredentialSecret: {
            /**
             * Format: uuid
             * @description The secret. Use this id to end it.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was made. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Null while no end is set. */
            endsAt: string | null;
            /** @description Null when the operator of the service made it, or when it is older than this record. */
            madeBy: string | null;
        };
        /** @description A public key of a credential. */
        CredentialKey: {
            /** @description Its `kid`; null where it has none. */
            keyId: string | null;
            /** @description Null when the operator of the service made it, or when it is older than this record. */
            madeBy: string | null;
        };
        CreateCredentialRequest: {
            /** @description What it is for. */
            name: string;
            /** @description What it may do: no more than your token and its owner's role may. */
            scopes: ("reports:write" | "reports:read" | "wallet:read" | "wallet:write" | "credentials:write" | "webhooks:write" | "events:read" | "members:write" | "audit:read" | "settings:write" | "subjects:write")[];
            /**
             * Format: uuid
             * @description The member who is accountable for it; you, if left out.
             */
            ownerUserId?: string;
            /** @description A JSON Web Key Set of public keys: EC P-256, Ed25519 or RSA from 2,048 bits. */
            publicKeys?: {
                keys: {
                    [key: string]: unknown;
                }[];
            };
            /** @description The only networks it may be used from: IPv4 or IPv6, as an address or with a prefix length. */
            allowedNetworks?: string[];
            /** @description True: the credential works only in test mode. This can never be changed. */
            isTestOnly?: boolean;
        };
        ChangeCredentialRequest: {
            /** @description What it is for. */
            name?: string;
            /** @description False: the credential and its tokens stop within seconds. */
            isEnabled?: boolean;
            /** @description The only networks it may be used from; null for anywhere. */
            allowedNetworks?: string[] | null;
            /**
             * Format: uuid
             * @description The member who is accountable for it from now on.
             */
            ownerUserId?: string;
        };
        AddSecretRequest: {
            /** @description How long the older secret keeps working: 86400 (a day) if left out; 0 ends it now. */
            graceSeconds?: number;
        };
        ReplaceKeysRequest: {
            /** @description A JSON Web Key Set of public keys: EC P-256, Ed25519 or RSA from 2,048 bits. */
            publicKeys: {
                keys: {
                    [key: string]: unknown;
                }[];
            };
        };
        AuditResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                items: components["schemas"]["AuditItem"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        /** @description A row of the audit log. */
        AuditItem: {
            /** @description Its place in the chain of the tenant, without gaps. */
            seq: number;
            /**
             * Format: date-time
             * @description When it happened. ISO 8601, UTC.
             */
            occurredAt: string;
            /** @description A person's or credential's id, or `system`, or `operator`. */
            actor: string;
            /** @description What happened, such as `report.read`. New actions may be added at any time. */
            action: string;
            /**
             * Format: uuid
             * @description What it happened to: a report, a credential, a person, or the tenant itself.
             */
            subjectId: string;
            /** @description Ids, counts and names of fields; never a person’s data or a secret. */
            details: Record<string, never>;
            /** @description SHA-256 over this row and the hash before it, in hexadecimal. */
            hash: string;
            /** @description The hash of the row before; 64 zeros for the first. */
            previousHash: string;
        };
        EventResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: components["schemas"]["Event"];
        };
        EventsResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                items: components["schemas"]["Event"][];
                /** @description Send it as `cursor` for the events after these. It is never null, and it does not expire. */
                nextCursor: string;
                /** @description True: more events may be there already, so ask again at once. False: this was the last page for now. */
                hasMore: boolean;
            };
        };
        /** @description What happened to a report, a challenge or the wallet. `type` says which fields `data` has. New types may be added: ignore those you do not know. */
        Event: components["schemas"]["CreditReportCompletedEvent"] | components["schemas"]["CreditReportChallengedEvent"] | components["schemas"]["CreditReportBlockedEvent"] | components["schemas"]["CreditReportFailedEvent"] | components["schemas"]["CreditReportExpiredEvent"] | components["schemas"]["ChallengeSentEvent"] | components["schemas"]["ChallengeDeliveredEvent"] | components["schemas"]["ChallengeUndeliveredEvent"] | components["schemas"]["ChallengeVerifiedEvent"] | components["schemas"]["WalletChargedEvent"] | components["schemas"]["WalletRefundedEvent"] | components["schemas"]["WalletToppedUpEvent"] | components["schemas"]["WalletAdjustedEvent"] | components["schemas"]["WalletLowEvent"];
        /** @description `credit-report.completed`: the report is there. */
        CreditReportCompletedEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "credit-report.completed";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /**
                 * Format: uuid
                 * @description The report.
                 */
                creditReportId: string;
                /**
                 * @description The status of the report after the event.
                 * @constant
                 */
                status: "complete";
                /** @description What the report costs after the event, in credits, refunds deducted and messages not included. 0 in test mode without `testOptions.charges`. */
                cost: number;
                /** @description The reference that the report was generated with, in the feed. Absent if there was none, once the report is erased, for readers without `reports:read`, and in webhooks. */
                externalReference?: string;
            };
        };
        /** @description `credit-report.challenged`: the consumer must enter a code. */
        CreditReportChallengedEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "credit-report.challenged";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /**
                 * Format: uuid
                 * @description The report.
                 */
                creditReportId: string;
                /**
                 * Format: uuid
                 * @description The challenge of the report.
                 */
                challengeId: string;
                /**
                 * @description The status of the report after the event.
                 * @constant
                 */
                status: "authentication-required";
                /** @description What the report costs after the event, in credits, refunds deducted and messages not included. 0 in test mode without `testOptions.charges`. */
                cost: number;
                /** @description The reference that the report was generated with, in the feed. Absent if there was none, once the report is erased, for readers without `reports:read`, and in webhooks. */
                externalReference?: string;
            };
        };
        /** @description `credit-report.blocked`: screening refused the request. */
        CreditReportBlockedEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "credit-report.blocked";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /**
                 * Format: uuid
                 * @description The report.
                 */
                creditReportId: string;
                /**
                 * @description The status of the report after the event.
                 * @constant
                 */
                status: "blocked";
                /** @description What the report costs after the event, in credits, refunds deducted and messages not included. 0 in test mode without `testOptions.charges`. */
                cost: number;
                /** @description The reference that the report was generated with, in the feed. Absent if there was none, once the report is erased, for readers without `reports:read`, and in webhooks. */
                externalReference?: string;
            };
        };
        /** @description `credit-report.failed`: there is no report, for another reason. */
        CreditReportFailedEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "credit-report.failed";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /**
                 * Format: uuid
                 * @description The report.
                 */
                creditReportId: string;
                /**
                 * @description The status of the report after the event.
                 * @constant
                 */
                status: "failed";
                /** @description Why it failed, for programs. Null where no reason was kept. New reasons may be added. */
                failureReason: components["schemas"]["FailureReason"] | null;
                /** @description What the report costs after the event, in credits, refunds deducted and messages not included. 0 in test mode without `testOptions.charges`. */
                cost: number;
                /** @description The reference that the report was generated with, in the feed. Absent if there was none, once the report is erased, for readers without `reports:read`, and in webhooks. */
                externalReference?: string;
            };
        };
        /** @description `credit-report.expired`: no right code came within five minutes. */
        CreditReportExpiredEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "credit-report.expired";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /**
                 * Format: uuid
                 * @description The report.
                 */
                creditReportId: string;
                /**
                 * @description The status of the report after the event.
                 * @constant
                 */
                status: "failed";
                /** @description Why it failed, for programs. Null where no reason was kept. New reasons may be added. */
                failureReason: components["schemas"]["FailureReason"] | null;
                /** @description What the report costs after the event, in credits, refunds deducted and messages not included. 0 in test mode without `testOptions.charges`. */
                cost: number;
                /** @description The reference that the report was generated with, in the feed. Absent if there was none, once the report is erased, for readers without `reports:read`, and in webhooks. */
                externalReference?: string;
            };
        };
        /** @description `challenge.sent`: a message with a code was queued. */
        ChallengeSentEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "challenge.sent";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /**
                 * Format: uuid
                 * @description The report.
                 */
                creditReportId: string;
                /**
                 * Format: uuid
                 * @description The challenge of the report.
                 */
                challengeId: string;
                /**
                 * Format: uuid
                 * @description The message. `wallet.charged` has it where a message was charged. In test mode only of reports with `testOptions.charges`; no such message was sent.
                 */
                messageId?: string;
                /** @description The reference that the report was generated with, in the feed. Absent if there was none, once the report is erased, for readers without `reports:read`, and in webhooks. */
                externalReference?: string;
            };
        };
        /** @description `challenge.delivered`: the message was delivered: by its receipt, or because its code was right. */
        ChallengeDeliveredEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "challenge.delivered";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /**
                 * Format: uuid
                 * @description The report.
                 */
                creditReportId: string;
                /**
                 * Format: uuid
                 * @description The challenge of the report.
                 */
                challengeId: string;
                /**
                 * Format: uuid
                 * @description The message. `wallet.charged` has it where a message was charged. In test mode only of reports with `testOptions.charges`; no such message was sent.
                 */
                messageId?: string;
                /** @description The reference that the report was generated with, in the feed. Absent if there was none, once the report is erased, for readers without `reports:read`, and in webhooks. */
                externalReference?: string;
            };
        };
        /** @description `challenge.undelivered`: the message was not delivered, or the carrier did not say. */
        ChallengeUndeliveredEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "challenge.undelivered";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /**
                 * Format: uuid
                 * @description The report.
                 */
                creditReportId: string;
                /**
                 * Format: uuid
                 * @description The challenge of the report.
                 */
                challengeId: string;
                /**
                 * Format: uuid
                 * @description The message. `wallet.charged` has it where a message was charged. In test mode only of reports with `testOptions.charges`; no such message was sent.
                 */
                messageId?: string;
                /** @description The reference that the report was generated with, in the feed. Absent if there was none, once the report is erased, for readers without `reports:read`, and in webhooks. */
                externalReference?: string;
            };
        };
        /** @description `challenge.verified`: the right code was entered. */
        ChallengeVerifiedEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "challenge.verified";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /**
                 * Format: uuid
                 * @description The report.
                 */
                creditReportId: string;
                /**
                 * Format: uuid
                 * @description The challenge of the report.
                 */
                challengeId: string;
                /** @description The reference that the report was generated with, in the feed. Absent if there was none, once the report is erased, for readers without `reports:read`, and in webhooks. */
                externalReference?: string;
            };
        };
        /** @description `wallet.charged`: a report or a delivered message was charged. */
        WalletChargedEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "wallet.charged";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /**
                 * Format: uuid
                 * @description The report.
                 */
                creditReportId: string;
                /**
                 * Format: uuid
                 * @description The message. `wallet.charged` has it where a message was charged. In test mode only of reports with `testOptions.charges`; no such message was sent.
                 */
                messageId?: string;
                /** @description The effect on the wallet in credits, as in the statement; in test mode on the test wallet. */
                amount: number;
                /** @description The reference that the report was generated with, in the feed. Absent if there was none, once the report is erased, for readers without `reports:read`, and in webhooks. */
                externalReference?: string;
            };
        };
        /** @description `wallet.refunded`: a charge was refunded, in full or in part. */
        WalletRefundedEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "wallet.refunded";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /**
                 * Format: uuid
                 * @description The report.
                 */
                creditReportId: string;
                /** @description The effect on the wallet in credits, as in the statement; in test mode on the test wallet. */
                amount: number;
                /** @description The reference that the report was generated with, in the feed. Absent if there was none, once the report is erased, for readers without `reports:read`, and in webhooks. */
                externalReference?: string;
            };
        };
        /** @description `wallet.topped-up`: credits were added. */
        WalletToppedUpEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "wallet.topped-up";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /** @description The effect on the wallet in credits, as in the statement; in test mode on the test wallet. */
                amount: number;
            };
        };
        /** @description `wallet.adjusted`: the balance was corrected, up or down: by the operator, or by a reset of the test wallet. */
        WalletAdjustedEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "wallet.adjusted";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /** @description The effect on the wallet in credits, as in the statement; in test mode on the test wallet. */
                amount: number;
            };
        };
        /** @description `wallet.low`: the balance fell below the threshold of the tenant. */
        WalletLowEvent: {
            /** @description Identifies the event: if you receive an id again, it is the same event. `evt_test_…`: a test that you asked for. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "wallet.low";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test mode, and never changes. A reader with filters sees gaps. 0: a test that you asked for. */
            sequence: number;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Ids, status and credits. Read the report for everything else. */
            data: {
                /** @description The balance, in credits. */
                balance: number;
                /** @description The threshold of the tenant that the balance fell below, in credits. */
                threshold: number;
            };
        };
        /** @description `webhook.test`: you asked for a test of the endpoint. It is no event, so the feed does not have it. */
        WebhookTestMessage: {
            /** @description Identifies the test. */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When it happened. Events of the same moment are common: compare `sequence`. ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The tenant.
             */
            tenantId: string;
            /** @description True for an event of test mode. */
            test: boolean;
            /** @description Empty. */
            data: Record<string, never>;
        };
        /** @description What is posted to a webhook endpoint: an event, or the test message. `type` says which fields `data` has. New types may be added: ignore those you do not know. */
        WebhookMessage: components["schemas"]["CreditReportCompletedEvent"] | components["schemas"]["CreditReportChallengedEvent"] | components["schemas"]["CreditReportBlockedEvent"] | components["schemas"]["CreditReportFailedEvent"] | components["schemas"]["CreditReportExpiredEvent"] | components["schemas"]["ChallengeSentEvent"] | components["schemas"]["ChallengeDeliveredEvent"] | components["schemas"]["ChallengeUndeliveredEvent"] | components["schemas"]["ChallengeVerifiedEvent"] | components["schemas"]["WalletChargedEvent"] | components["schemas"]["WalletRefundedEvent"] | components["schemas"]["WalletToppedUpEvent"] | components["schemas"]["WalletAdjustedEvent"] | components["schemas"]["WalletLowEvent"] | components["schemas"]["WebhookTestMessage"];
        /** @description The report of all bureaus that answered, as one. */
        CreditReport: {
            person: {
                /** @description Title. */
                title: string | null;
                firstName: string;
                lastName: string;
                /**
                 * Format: date
                 * @description YYYY-MM-DD.
                 */
                dateOfBirth: string;
            };
            residencies: components["schemas"]["Residency"][];
            consumerData: {
                records: components["schemas"]["AccountRecord"][];
            };
            previousSearches: {
                providers: {
                    companyName: string;
                    records: {
                        /**
                         * Format: date-time
                         * @description When the search was made. ISO 8601, UTC.
                         */
                        date: string;
                    }[];
                }[];
            };
        };
        /** @description A place where the person lives or lived. */
        Residency: {
            /** @description Stable for the same premises, whichever bureau named it. */
            addressId: string;
            address: {
                /** @constant */
                type: "uk";
                ukAddress: components["schemas"]["ReportUkAddress"];
                /** @description All display lines in one text. */
                addressLine1: string;
                /** @description Display lines in postal order. */
                lines: string[];
            };
            /** @description Whole years at the address. */
            yearsAtAddress: number | null;
            /** @description Months beyond the whole years, 0 to 11. */
            monthsAtAddress: number | null;
            /** @description Whether the consumer lives there now. */
            isCurrent: boolean;
        };
        /** @description An address in the United Kingdom, as a bureau knows it. */
        ReportUkAddress: {
            /** @description Flat or unit. */
            subBuildingName: string | null;
            /** @description Building name. */
            buildingName: string | null;
            /** @description House or building number. */
            buildingNumber: string | null;
            /** @description Street name. */
            thoroughfare: string | null;
            /** @description District or locality. */
            district: string | null;
            /** @description Town or city. */
            townOrCity: string | null;
            /** @description County. */
            county: string | null;
            /** @description Country code. */
            country: string | null;
            /** @description Postcode, upper case with one space. */
            postcode: string | null;
        };
        /** @description A credit account of the person. */
        AccountRecord: {
            /** @description Title on the record. */
            title: string | null;
            /** @description First name on the record. */
            firstName: string | null;
            /** @description Last name on the record. */
            lastName: string | null;
            /** @description Masked except for the last digits. */
            accountNumber: string | null;
            /**
             * @description Kind of account. PCP agreements appear as hire-purchase.
             * @enum {string}
             */
            accountType: "hire-purchase" | "credit-card" | "mortgage" | "personal-loan" | "secured-loan" | "store-card" | "charge-card" | "current-account" | "mail-order" | "home-credit" | "student-loan" | "lease" | "communications" | "utility" | "insurance" | "rental" | "buy-now-pay-later" | "other";
            /**
             * @description State of the account.
             * @enum {string}
             */
            accountStatus: "open" | "settled" | "closed" | "default" | "arrears" | "arrangement" | "dormant" | "transferred" | "voluntary-termination" | "repossessed" | "partially-settled" | "query" | "unknown";
            /**
             * @description Kind of lender.
             * @enum {string}
             */
            companyType: "bank" | "building-society" | "finance-house" | "motor-finance" | "credit-card-issuer" | "retailer" | "mail-order" | "telecoms" | "utility" | "insurer" | "debt-purchaser" | "credit-union" | "public-sector" | "other";
            /** @description Lender name. */
            companyName: string | null;
            /** @description Number of instalments. */
            numberOfPayments: number | null;
            /** @description Length of the agreement in months. */
            repaymentPeriod: number | null;
            /** @description Regular instalment. */
            payment: components["schemas"]["Money"] | null;
            /** @description Balance at the start. */
            startBalance: components["schemas"]["Money"] | null;
            /** @description Balance now. */
            balance: components["schemas"]["Money"] | null;
            /** @description YYYY-MM-DD. */
            startDate: string | null;
            bureaus: {
                /**
                 * @description Bureau that reported the account.
                 * @enum {string}
                 */
                id: "equifax" | "experian" | "transunion";
                /** @description The bureau's own reference. */
                ref: string;
            }[];
        };
        /** @description An amount of money. */
        Money: {
            /** @description Pence, for pounds. */
            amount: number;
            /** @description Currency code, such as GBP. */
            currency: string;
        };
        Profile: {
            /**
             * Format: uuid
             * @description The person. For API credentials: their accountable owner.
             */
            id: string;
            firstName: string;
            lastName: string;
            email: string;
            totpEnabled: boolean;
            /**
             * Format: date-time
             * @description When the person was added. ISO 8601, UTC.
             */
            createdAt: string;
        };
        TenantList: {
            items: components["schemas"]["TenantItem"][];
            total: number;
        };
        /** @description A company that you can work for. */
        TenantItem: {
            /**
             * Format: uuid
             * @description The tenantId of the path.
             */
            id: string;
            name: string;
            /**
             * @description The person's role; for API credentials their owner's.
             * @enum {string}
             */
            role: "owner" | "admin" | "finance" | "developer" | "analyst" | "caseworker";
            isEnabled: boolean;
            /** @description Whether a person has selected this tenant. */
            isSelected: boolean;
            /**
             * Format: date-time
             * @description When the tenant was created. ISO 8601, UTC.
             */
            createdAt: string;
        };
        SelectedTenant: {
            /**
             * Format: uuid
             * @description The selected tenant.
             */
            id: string;
            name: string;
        };
        /** @description The settings of the company. */
        Settings: {
            /** @description The company, as the operator of the service knows it. */
            name: string;
            /** @description Whose code it is, in the words of a text message; null: `name`. A message may have room for less. */
            displayName: string | null;
            /** @description How many days a report is kept after it was settled. With 0, a report is only in the answer that completes it. */
            retentionDays: number;
            /** @description Countries whose numbers get messages, of those in `agreed`; null: all of them. */
            smsCountries: string[] | null;
            /** @description Most messages in a day (UTC); null: as in `agreed`. */
            smsDailyMessages: number | null;
            /** @description Most credits for messages in a day (UTC); null: as in `agreed`. */
            smsDailyCredits: number | null;
            /** @description Most messages in a minute; null: as in `agreed`. */
            smsMinuteMessages: number | null;
            /** @description Host of the page where consumers type the code: phones offer the code there and nowhere else. Null: the message names none. */
            otpHost: string | null;
            /** @description The first charge that leaves less is told, as `wallet.low` and by mail to owners and finance members; null: never. */
            lowBalanceCredits: number | null;
            /** @description Whether people need a second factor to do anything in this company: without one in their sign-in they get 403 `second-factor-required`. API credentials are not affected. Only an owner can turn it off. New companies have it on. */
            requireSecondFactor: boolean;
            /** @description The limits agreed with the operator of the service. Your own settings can be lower, not higher. The lower one holds. */
            agreed: {
                smsCountries: string[];
                smsDailyMessages: number;
                smsDailyCredits: number;
                smsMinuteMessages: number;
            };
        };
        SettingsResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: components["schemas"]["Settings"];
        };
        ChangeSettingsRequest: {
            /** @description Whose code it is, in the words of a text message; null: `name`. A message may have room for less. */
            displayName?: string | null;
            /** @description How many days a report is kept after it was settled. With 0, a report is only in the answer that completes it. */
            retentionDays?: number;
            /** @description Countries whose numbers get messages, of those in `agreed`; null: all of them. */
            smsCountries?: string[] | null;
            /** @description Most messages in a day (UTC); null: as in `agreed`. */
            smsDailyMessages?: number | null;
            /** @description Most credits for messages in a day (UTC); null: as in `agreed`. */
            smsDailyCredits?: number | null;
            /** @description Most messages in a minute; null: as in `agreed`. */
            smsMinuteMessages?: number | null;
            /** @description Host of the page where consumers type the code: phones offer the code there and nowhere else. Null: the message names none. */
            otpHost?: string | null;
            /** @description The first charge that leaves less is told, as `wallet.low` and by mail to owners and finance members; null: never. */
            lowBalanceCredits?: number | null;
            /** @description Whether people need a second factor to do anything in this company: without one in their sign-in they get 403 `second-factor-required`. API credentials are not affected. Only an owner can turn it off. New companies have it on. */
            requireSecondFactor?: boolean;
        };
        /** @description What a shorter retention would erase. */
        RetentionEffect: {
            /** @description Reports that can be read now and could then no longer be. */
            reports: number;
            /** @description Null without reports. */
            oldestSettledAt: string | null;
            /** @description Null without reports. */
            newestSettledAt: string | null;
        };
        RetentionPreviewResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /** @description How many days a report is kept after it was settled. With 0, a report is only in the answer that completes it. */
                retentionDays: number;
                /** @description How many days a report is kept after it was settled. With 0, a report is only in the answer that completes it. */
                currentDays: number;
                /** @description Reports that can be read now and could then no longer be. */
                reports: number;
                /** @description Null without reports. */
                oldestSettledAt: string | null;
                /** @description Null without reports. */
                newestSettledAt: string | null;
            };
        };
        SubjectRequest: {
            /**
             * Format: person-name
             * @description First name. Case, accents, spaces, hyphens and apostrophes do not matter.
             */
            firstName: string;
            /**
             * Format: person-name
             * @description Last name, compared in the same way.
             */
            lastName: string;
            /**
             * Format: adult-date
             * @description YYYY-MM-DD.
             */
            dateOfBirth: string;
            /**
             * Format: uk-postcode
             * @description The postcode of any address that the report knows of the person, in any case and spacing.
             */
            postcode: string;
        };
        ExportSubjectRequest: {
            /**
             * Format: person-name
             * @description First name. Case, accents, spaces, hyphens and apostrophes do not matter.
             */
            firstName: string;
            /**
             * Format: person-name
             * @description Last name, compared in the same way.
             */
            lastName: string;
            /**
             * Format: adult-date
             * @description YYYY-MM-DD.
             */
            dateOfBirth: string;
            /**
             * Format: uk-postcode
             * @description The postcode of any address that the report knows of the person, in any case and spacing.
             */
            postcode: string;
            /**
             * Format: uuid
             * @description `nextCursor` of the page before; the first page if left out.
             */
            cursor?: string;
        };
        FoundSubjectResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /** @description How many reports of the person there are. */
                total: number;
                /** @description Newest first; at most the newest 100. */
                reports: components["schemas"]["SubjectReport"][];
            };
        };
        /** @description A report about the person, without its contents. */
        SubjectReport: {
            /**
             * Format: uuid
             * @description The report.
             */
            creditReportId: string;
            /**
             * @description `in-progress` only while a request is working on it.
             * @enum {string}
             */
            status: "complete" | "authentication-required" | "blocked" | "failed" | "in-progress";
            /** @description Whether the report was requested in test mode. */
            test: boolean;
            /**
             * Format: date-time
             * @description When the report was requested. ISO 8601, UTC.
             */
            createdAt: string;
        };
        ExportedSubjectResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /** @description How many reports of the person there are. */
                total: number;
                /** @description Newest first, 10 on a page. */
                reports: components["schemas"]["HeldReport"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        /** @description Everything that is held of one report about the person. */
        HeldReport: {
            /**
             * Format: uuid
             * @description The report.
             */
            creditReportId: string;
            /**
             * @description `in-progress` only while a request is working on it.
             * @enum {string}
             */
            status: "complete" | "authentication-required" | "blocked" | "failed" | "in-progress";
            /** @description Whether the report was requested in test mode. */
            test: boolean;
            /**
             * Format: date-time
             * @description When the report was requested. ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * @description Where it was requested. New sources may be added.
             * @enum {string}
             */
            source: "api" | "console";
            /** @description When it ended; null before, and for reports of releases that kept no time. */
            settledAt: string | null;
            /** @description Why it failed; null for every other status. */
            failureReason: components["schemas"]["FailureReason"] | null;
            /** @description Codes of what the screening found, as it gave them, such as why a report was blocked or a code was asked for. Empty if it gave none, and in test mode. */
            screeningReasons: string[];
            /** @description Its challenge; null without one. */
            challenge: {
                /**
                 * Format: uuid
                 * @description The challenge.
                 */
                challengeId: string;
                /** @description How many wrong codes were tried. */
                attemptsUsed: number;
                /** @description How many other codes came after the right one. */
                lateAttempts: number;
                /** @description How many text messages were requested. */
                messagesSent: number;
                /**
                 * Format: date-time
                 * @description When the last of them was requested. ISO 8601, UTC.
                 */
                lastSentAt: string;
                /** @description When the right code came; null if none came. */
                completedAt: string | null;
            } | null;
            /** @description The signed statement about it; null if none was asked for. */
            evidence: {
                /**
                 * Format: uuid
                 * @description The evidence.
                 */
                evidenceId: string;
                /**
                 * Format: date-time
                 * @description When the statement was signed. ISO 8601, UTC.
                 */
                issuedAt: string;
                /** @description The key that signed. */
                kid: string;
                /** @description What was signed, as text. The files that it names are `creditReport` and `provenance`, with salts. */
                statement: string;
                /** @description Ed25519 over the bytes of `statement`, in base64. */
                signature: string;
            } | null;
            /** @description The request as it is stored; null if it can no longer be opened. */
            request: components["schemas"]["GenerateRequest"] | null;
            /** @description The outcome of each bureau; null if none was asked. */
            bureauResults: components["schemas"]["BureauResult"][] | null;
            /** @description The report; null unless it is complete. */
            creditReport: components["schemas"]["CreditReport"] | null;
            /** @description Null where none was kept. */
            provenance: Record<string, never> | null;
            /** @description The text messages of its challenge, oldest first. */
            messages: components["schemas"]["ChallengeSend"][];
            /** @description The lines of the statement about it, newest first. */
            statementLines: components["schemas"]["SubjectLine"][];
        };
        /** @description A line of the statement. It names the report and not the person, and stays when the report is erased. */
        SubjectLine: {
            /** @description `id` of the line in the statement of the wallet. */
            id: string;
            /**
             * @description What moved the credits.
             * @enum {string}
             */
            kind: "top-up" | "adjust" | "report-charge" | "report-refund" | "sms-charge";
            /** @description Effect on the wallet in credits: negative for a charge. */
            amount: number;
            /**
             * Format: date-time
             * @description When it was posted. ISO 8601, UTC.
             */
            createdAt: string;
        };
        ErasedSubjectResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /**
                 * Format: uuid
                 * @description The erasure. It is in the receipt and in the audit log.
                 */
                erasureId: string;
                /** @description How many reports were erased. */
                erased: number;
                /** @description How many are left: one call erases at most 500. Send the request again until it is 0. */
                remaining: number;
                /** @description What was signed, as text: canonical JSON (RFC 8785) with ids, counts and times, and nothing about the person. It names the lines of the statement that the law keeps. Its bytes in UTF-8 are signed exactly as they are. */
                receipt: string;
                /** @description Ed25519 (RFC 8032) over the bytes of `receipt`: 64 bytes in base64. */
                signature: string;
                /** @description The key that signed, as `/.well-known/trefoil-evidence-keys.json` lists it (RFC 7638 thumbprint). */
                kid: string;
            };
        };
        /** @description A person who works for the company. */
        Member: {
            /**
             * Format: uuid
             * @description The person.
             */
            userId: string;
            email: string;
            firstName: string;
            lastName: string;
            /**
             * @description What they may do in this tenant.
             * @enum {string}
             */
            role: "owner" | "admin" | "finance" | "developer" | "analyst" | "caseworker";
            /** @description Whether they have a second factor: an authenticator app or a passkey. */
            hasSecondFactor: boolean;
            /** @description False when the operator has disabled the person everywhere. */
            isEnabled: boolean;
            /**
             * Format: date-time
             * @description When they first joined. ISO 8601, UTC.
             */
            joinedAt: string;
        };
        MemberResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: components["schemas"]["Member"];
        };
        MemberListResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                items: components["schemas"]["Member"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        RemovedMemberResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /**
                 * Format: uuid
                 * @description The person who left.
                 */
                userId: string;
                /** @description API credentials they were accountable for. They are now disabled: give each another owner before you enable it. */
                stoppedCredentials: {
                    /**
                     * Format: uuid
                     * @description The client id.
                     */
                    credentialId: string;
                    name: string;
                }[];
                /** @description Secrets they had made, of any credential. They no longer work. */
                endedSecrets: {
                    /**
                     * Format: uuid
                     * @description The client id.
                     */
                    credentialId: string;
                    name: string;
                    /**
                     * Format: uuid
                     * @description The secret.
                     */
                    secretId: string;
                }[];
                /** @description Public keys they had added. They were removed. */
                endedKeys: {
                    /**
                     * Format: uuid
                     * @description The client id.
                     */
                    credentialId: string;
                    name: string;
                    /** @description Its `kid`, if any. */
                    keyId: string | null;
                }[];
                /** @description Webhook endpoints of `wouldEnd`. They are now disabled; look at the address and replace the secret before you enable one. */
                disabledWebhookEndpoints: {
                    /**
                     * Format: uuid
                     * @description The webhook endpoint.
                     */
                    endpointId: string;
                    /** @description Where its messages go. */
                    host: string;
                }[];
                /** @description With `webhooks=keep`: the webhook endpoints of `wouldEnd`, each with its new secret. Its address and state stay. For 24 hours messages carry a signature with the old one too. */
                rotatedWebhookSecrets: {
                    /**
                     * Format: uuid
                     * @description The webhook endpoint.
                     */
                    endpointId: string;
                    /** @description Where its messages go. */
                    host: string;
                    /** @description The new secret. Shown only in this answer. */
                    secret: string;
                }[];
            };
        };
        /** @description What ends with a membership besides the member's own access. */
        MemberEndings: {
            /** @description Credentials they are accountable for. They are disabled. */
            credentials: {
                /**
                 * Format: uuid
                 * @description The client id.
                 */
                credentialId: string;
                name: string;
            }[];
            /** @description Secrets they made, of any credential. */
            secrets: {
                /**
                 * Format: uuid
                 * @description The client id.
                 */
                credentialId: string;
                name: string;
                /**
                 * Format: uuid
                 * @description The secret.
                 */
                secretId: string;
            }[];
            /** @description Public keys they added, of any credential. */
            keys: {
                /**
                 * Format: uuid
                 * @description The client id.
                 */
                credentialId: string;
                name: string;
                /** @description Its `kid`, if any. */
                keyId: string | null;
            }[];
            /** @description Open invitations they sent. They are revoked. */
            invitations: {
                /**
                 * Format: uuid
                 * @description The invitation.
                 */
                invitationId: string;
                email: string;
            }[];
            /** @description Webhook endpoints that they made, whose address they chose or whose secret they replaced, or a credential did that they are accountable for or have made a secret or key of. They are disabled, and listed too if they are disabled already; with `webhooks=keep` their secrets are replaced instead. */
            webhookEndpoints: {
                /**
                 * Format: uuid
                 * @description The webhook endpoint.
                 */
                endpointId: string;
                /** @description Where its messages go. */
                host: string;
            }[];
        };
        ChangeMemberRequest: {
            /**
             * @description What they may do in this tenant.
             * @enum {string}
             */
            role: "owner" | "admin" | "finance" | "developer" | "analyst" | "caseworker";
        };
        /** @description An invitation to join the company. */
        Invitation: {
            /**
             * Format: uuid
             * @description The invitation.
             */
            invitationId: string;
            /** @description Where it was sent, in lower case. Only an account with this address can accept it. */
            email: string;
            /**
             * @description What they may do in this tenant.
             * @enum {string}
             */
            role: "owner" | "admin" | "finance" | "developer" | "analyst" | "caseworker";
            /** @description Null when the operator of the service sent it. */
            invitedBy: string | null;
            /**
             * Format: date-time
             * @description When it was made. ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it expires and can no longer be accepted. ISO 8601, UTC.
             */
            expiresAt: string;
            /** @description How many times it was mailed, the first time included. */
            sentCount: number;
        };
        InvitationResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: components["schemas"]["Invitation"];
        };
        InvitationListResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                items: components["schemas"]["Invitation"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        InviteMemberRequest: {
            /**
             * Format: email
             * @description Where the invitation goes.
             */
            email: string;
            /**
             * @description What they may do in this tenant.
             * @enum {string}
             */
            role: "owner" | "admin" | "finance" | "developer" | "analyst" | "caseworker";
        };
        /** @description Where events are posted to, without its secret. */
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description The endpoint.
             */
            id: string;
            /** @description Empty where it cannot be read any more: see `unreadable` in `disabledReason`. */
            url: string;
            /** @description Empty where none was given. */
            description: string;
            /** @description Null: all types. */
            eventTypes: ("credit-report.completed" | "credit-report.challenged" | "credit-report.blocked" | "credit-report.failed" | "credit-report.expired" | "challenge.sent" | "challenge.delivered" | "challenge.undelivered" | "challenge.verified" | "wallet.charged" | "wallet.refunded" | "wallet.topped-up" | "wallet.adjusted" | "wallet.low")[] | null;
            /** @description Whether it gets the events of test mode, or those of live mode. */
            test: boolean;
            ordered: boolean;
            /**
             * @description `confirming`: its receiver had answered 410. It was enabled again and gets one test message; if that is accepted, it is `enabled`, otherwise it stays `disabled`.
             * @enum {string}
             */
            status: "enabled" | "disabled" | "confirming";
            /** @description `requested`: a member, a credential or the operator disabled it. `gone`: the receiver answered 410. `failing`: it only failed for five days. `unreadable`: the service has lost the key to its address or its secret; send `url` again and rotate the secret, and what waits is sent. Null while it is enabled. */
            disabledReason: ("requested" | "gone" | "failing" | "unreadable") | null;
            /** @description How many deliveries were attempted without success and are attempted again, or wait until the endpoint is enabled. 100: that many or more. Above 0, their attempts say why. */
            retrying: number;
            /** @description Null where that was not kept yet. */
            createdBy: string | null;
            /**
             * Format: date-time
             * @description When it was made. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description The last replay and how far it is; null when there was none. */
            replay: components["schemas"]["WebhookReplay"] | null;
        };
        WebhookEndpointResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: components["schemas"]["WebhookEndpoint"];
        };
        WebhookEndpointsResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                items: components["schemas"]["WebhookEndpoint"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        WebhookSecretResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /**
                 * Format: uuid
                 * @description The endpoint.
                 */
                id: string;
                /** @description Empty where it cannot be read any more: see `unreadable` in `disabledReason`. */
                url: string;
                /** @description Empty where none was given. */
                description: string;
                /** @description Null: all types. */
                eventTypes: ("credit-report.completed" | "credit-report.challenged" | "credit-report.blocked" | "credit-report.failed" | "credit-report.expired" | "challenge.sent" | "challenge.delivered" | "challenge.undelivered" | "challenge.verified" | "wallet.charged" | "wallet.refunded" | "wallet.topped-up" | "wallet.adjusted" | "wallet.low")[] | null;
                /** @description Whether it gets the events of test mode, or those of live mode. */
                test: boolean;
                ordered: boolean;
                /**
                 * @description `confirming`: its receiver had answered 410. It was enabled again and gets one test message; if that is accepted, it is `enabled`, otherwise it stays `disabled`.
                 * @enum {string}
                 */
                status: "enabled" | "disabled" | "confirming";
                /** @description `requested`: a member, a credential or the operator disabled it. `gone`: the receiver answered 410. `failing`: it only failed for five days. `unreadable`: the service has lost the key to its address or its secret; send `url` again and rotate the secret, and what waits is sent. Null while it is enabled. */
                disabledReason: ("requested" | "gone" | "failing" | "unreadable") | null;
                /** @description How many deliveries were attempted without success and are attempted again, or wait until the endpoint is enabled. 100: that many or more. Above 0, their attempts say why. */
                retrying: number;
                /** @description Null where that was not kept yet. */
                createdBy: string | null;
                /**
                 * Format: date-time
                 * @description When it was made. ISO 8601, UTC.
                 */
                createdAt: string;
                /** @description The last replay and how far it is; null when there was none. */
                replay: components["schemas"]["WebhookReplay"] | null;
                /** @description The secret to verify signatures with: `whsec_` and base64. Shown only in this answer. */
                secret: string;
            };
        };
        CreatedWebhookEndpointResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /**
                 * Format: uuid
                 * @description The endpoint.
                 */
                id: string;
                /** @description Empty where it cannot be read any more: see `unreadable` in `disabledReason`. */
                url: string;
                /** @description Empty where none was given. */
                description: string;
                /** @description Null: all types. */
                eventTypes: ("credit-report.completed" | "credit-report.challenged" | "credit-report.blocked" | "credit-report.failed" | "credit-report.expired" | "challenge.sent" | "challenge.delivered" | "challenge.undelivered" | "challenge.verified" | "wallet.charged" | "wallet.refunded" | "wallet.topped-up" | "wallet.adjusted" | "wallet.low")[] | null;
                /** @description Whether it gets the events of test mode, or those of live mode. */
                test: boolean;
                ordered: boolean;
                /**
                 * @description `confirming`: its receiver had answered 410. It was enabled again and gets one test message; if that is accepted, it is `enabled`, otherwise it stays `disabled`.
                 * @enum {string}
                 */
                status: "enabled" | "disabled" | "confirming";
                /** @description `requested`: a member, a credential or the operator disabled it. `gone`: the receiver answered 410. `failing`: it only failed for five days. `unreadable`: the service has lost the key to its address or its secret; send `url` again and rotate the secret, and what waits is sent. Null while it is enabled. */
                disabledReason: ("requested" | "gone" | "failing" | "unreadable") | null;
                /** @description How many deliveries were attempted without success and are attempted again, or wait until the endpoint is enabled. 100: that many or more. Above 0, their attempts say why. */
                retrying: number;
                /** @description Null where that was not kept yet. */
                createdBy: string | null;
                /**
                 * Format: date-time
                 * @description When it was made. ISO 8601, UTC.
                 */
                createdAt: string;
                /** @description The last replay and how far it is; null when there was none. */
                replay: components["schemas"]["WebhookReplay"] | null;
                /** @description The secret to verify signatures with: `whsec_` and base64. Shown only in this answer. */
                secret?: string;
                /** @description Instead of the secret, in a repeat with the same `Idempotency-Key`: how to get a secret. */
                notice?: string;
            };
        };
        DeletedWebhookEndpointResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /**
                 * Format: uuid
                 * @description The endpoint that was deleted.
                 */
                id: string;
            };
        };
        /** @description One event for one endpoint, with its attempts. */
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description The delivery: one event for one endpoint.
             */
            id: string;
            /**
             * Format: uuid
             * @description The endpoint.
             */
            endpointId: string;
            /** @description The event, and the `webhook-id` header of every attempt. */
            eventId: string;
            /** @description A type of event, or `webhook.test`. */
            eventType: string;
            /**
             * @description `pending`: not accepted yet. `waiting`: the endpoint is disabled; it is sent once that is enabled. `delivered`: answered with a 2xx status. `failed`: given up.
             * @enum {string}
             */
            state: "pending" | "waiting" | "delivered" | "failed";
            /**
             * Format: date-time
             * @description When the event was handed to the endpoint. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Null unless it is `pending` with a time. */
            nextAttemptAt: string | null;
            /** @description What a pending delivery waits for, other than its own time. `earlier-event`: an earlier event of the same report at an endpoint that keeps the order. `budget`: the host has had what it gets for now (see the limits); nothing is lost and no attempt is used up. `receiver`: the host asked for a pause with `Retry-After`. More may be added. */
            waitsFor: ("earlier-event" | "budget" | "receiver") | null;
            /** @description Null while it is neither. */
            settledAt: string | null;
            /** @description The last ten attempts, newest first. Kept for 30 days from the event. */
            attempts: components["schemas"]["WebhookAttempt"][];
        };
        /** @description One attempt to deliver a message. */
        WebhookAttempt: {
            /**
             * Format: date-time
             * @description When it was sent. ISO 8601, UTC.
             */
            startedAt: string;
            /** @description How long it took, in milliseconds. */
            timeTakenMs: number;
            /** @description The HTTP status of the answer; null when there was no answer. */
            status: number | null;
            /** @description The first kilobyte of the answer; null when there was no answer. */
            answer: string | null;
            /** @description Why it counts as failed; null when it was accepted. */
            error: string | null;
        };
        WebhookDeliveryResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: components["schemas"]["WebhookDelivery"];
        };
        WebhookDeliveriesResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                items: components["schemas"]["WebhookDelivery"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        SentWebhookDeliveryResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /**
                 * Format: uuid
                 * @description The delivery: one event for one endpoint.
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description The endpoint.
                 */
                endpointId: string;
                /** @description The event, and the `webhook-id` header of every attempt. */
                eventId: string;
                /** @description A type of event, or `webhook.test`. */
                eventType: string;
                /**
                 * @description `pending`: not accepted yet. `waiting`: the endpoint is disabled; it is sent once that is enabled. `delivered`: answered with a 2xx status. `failed`: given up.
                 * @enum {string}
                 */
                state: "pending" | "waiting" | "delivered" | "failed";
                /**
                 * Format: date-time
                 * @description When the event was handed to the endpoint. ISO 8601, UTC.
                 */
                createdAt: string;
                /** @description Null unless it is `pending` with a time. */
                nextAttemptAt: string | null;
                /** @description What a pending delivery waits for, other than its own time. `earlier-event`: an earlier event of the same report at an endpoint that keeps the order. `budget`: the host has had what it gets for now (see the limits); nothing is lost and no attempt is used up. `receiver`: the host asked for a pause with `Retry-After`. More may be added. */
                waitsFor: ("earlier-event" | "budget" | "receiver") | null;
                /** @description Null while it is neither. */
                settledAt: string | null;
                /** @description The last ten attempts, newest first. Kept for 30 days from the event. */
                attempts: components["schemas"]["WebhookAttempt"][];
                request: components["schemas"]["WebhookRequest"];
            };
        };
        /** @description What was posted, or will be. Without `webhook-signature`: compute it from these with your secret, and compare it with what your receiver got. */
        WebhookRequest: {
            headers: {
                /** @description Always `application/json`. */
                "content-type": string;
                /** @description This service and its version. */
                "user-agent": string;
                /** @description The event. */
                "webhook-id": string;
                /** @description When the last attempt was sent, in seconds since 1970. Absent before the first. */
                "webhook-timestamp"?: string;
            };
            /** @description The exact text, as it is signed and sent. */
            body: string;
        };
        /** @description How far the last replay of an endpoint is. */
        WebhookReplay: {
            /**
             * @description `running`: events are still looked at. `ended`: all that were asked for are queued; the deliveries say what became of each.
             * @enum {string}
             */
            status: "running" | "ended";
            /**
             * Format: date-time
             * @description Events from then on. ISO 8601, UTC.
             */
            since: string;
            /** @description Null: all there were. */
            until: string | null;
            /** @description Whether only events that were given up are sent again. */
            onlyFailed: boolean;
            /**
             * Format: date-time
             * @description When it was asked for. ISO 8601, UTC.
             */
            startedAt: string;
            /** @description Null before the first. It moves from `since` to `until`, or to now. */
            reachedAt: string | null;
            /** @description How many events were queued to be sent again so far. */
            queued: number;
        };
        ReplayWebhookResponse: {
            meta: components["schemas"]["AnswerMeta"];
            data: {
                /**
                 * Format: uuid
                 * @description The endpoint.
                 */
                id: string;
                /**
                 * @description `running`: events are still looked at. `ended`: all that were asked for are queued; the deliveries say what became of each.
                 * @enum {string}
                 */
                status: "running" | "ended";
                /**
                 * Format: date-time
                 * @description Events from then on. ISO 8601, UTC.
                 */
                since: string;
                /** @description Null: all there were. */
                until: string | null;
                /** @description Whether only events that were given up are sent again. */
                onlyFailed: boolean;
                /**
                 * Format: date-time
                 * @description When it was asked for. ISO 8601, UTC.
                 */
                startedAt: string;
                /** @description Null before the first. It moves from `since` to `until`, or to now. */
                reachedAt: string | null;
                /** @description How many events were queued to be sent again so far. */
                queued: number;
            };
        };
        CreateWebhookEndpointRequest: {
            /** @description Where events are posted to: https, port 443 or from 1024 up, a host that can be reached from the internet, without user name, password or fragment. Redirects are not followed. */
            url: string;
            /** @description What it is for, in your own words. */
            description?: string;
            /** @description The types of events to send. Null: all of them, types that are added later included. */
            eventTypes?: ("credit-report.completed" | "credit-report.challenged" | "credit-report.blocked" | "credit-report.failed" | "credit-report.expired" | "challenge.sent" | "challenge.delivered" | "challenge.undelivered" | "challenge.verified" | "wallet.charged" | "wallet.refunded" | "wallet.topped-up" | "wallet.adjusted" | "wallet.low")[] | null;
            /** @description True: it gets the events of test mode and no others. False, or left out: those of live mode. */
            test?: boolean;
            /** @description True, or left out: events of one report are sent in their order, each after the one before it was accepted or given up. Events of different reports do not wait for each other. False: each is sent when it happens, and events of one report may overtake each other; `sequence` tells the later one. */
            ordered?: boolean;
        };
        ChangeWebhookEndpointRequest: {
            /** @description Where events are posted to: https, port 443 or from 1024 up, a host that can be reached from the internet, without user name, password or fragment. Redirects are not followed. */
            url?: string;
            /** @description What it is for, in your own words. */
            description?: string;
            /** @description The types of events to send. Null: all of them, types that are added later included. */
            eventTypes?: ("credit-report.completed" | "credit-report.challenged" | "credit-report.blocked" | "credit-report.failed" | "credit-report.expired" | "challenge.sent" | "challenge.delivered" | "challenge.undelivered" | "challenge.verified" | "wallet.charged" | "wallet.refunded" | "wallet.topped-up" | "wallet.adjusted" | "wallet.low")[] | null;
            /** @description True: events of one report are sent in their order, each after the one before it was accepted or given up. Events of different reports do not wait for each other. False: each is sent when it happens, and events of one report may overtake each other; `sequence` tells the later one. */
            ordered?: boolean;
            /**
             * @description `disabled`: nothing more is sent; what happens meanwhile waits for up to 30 days. `enabled`: what waits is sent; after a 410, only once the receiver has accepted a test message.
             * @enum {string}
             */
            status?: "enabled" | "disabled";
        };
        ReplayWebhookRequest: {
            /**
             * Format: date-or-instant
             * @description Events that happened from then on: a date (midnight UTC) or an instant with its offset, not in the future. Events are kept for 30 days.
             */
            since: string;
            /**
             * Format: date-or-instant
             * @description Events that happened before then, in the same form. Left out: all there are when the replay reaches its end.
             */
            until?: string;
            /** @description True: only events that were given up at this endpoint. False, or left out: delivered or not. */
            onlyFailed?: boolean;
        };
        TestWebhookRequest: {
            /**
             * @description The type of the message; `webhook.test` if left out. Another type has a body as an event of this type has, with ids that name nothing; only endpoints of test mode get it.
             * @enum {string}
             */
            type?: "credit-report.completed" | "credit-report.challenged" | "credit-report.blocked" | "credit-report.failed" | "credit-report.expired" | "challenge.sent" | "challenge.delivered" | "challenge.undelivered" | "challenge.verified" | "wallet.charged" | "wallet.refunded" | "wallet.topped-up" | "wallet.adjusted" | "wallet.low" | "webhook.test";
        };
    };
    responses: {
        /** @description `unauthorized`: The access token is missing, invalid or expired. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `forbidden`: The token does not give access to this tenant or operation.
         *
         *     `second-factor-required`: This company requires a second factor, and this sign-in has proved none: set one up at /v1/auth/security, then sign in with it.
         */
        ForbiddenOrSecondFactorRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `payload-too-large`: The request body or its headers are too large. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unsupported-media-type`: Send the body as application/json, uncompressed. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not-found`: Nothing is at this address. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description You want nothing more at this address: the endpoint is disabled at once. What happens meanwhile waits for up to 30 days. */
        Webhook410: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Delivered. Answer within 15 seconds, and work on the event afterwards. Your body decides nothing; its first kilobyte is kept for the list of deliveries. */
        Webhook2XX: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Not delivered: every other status, redirects too, and no answer within 15 seconds. There are up to ten attempts in about three days. */
        WebhookDefault: {
            headers: {
                /** @description The earliest time of the next attempt, in seconds or as a date: up to a day. Other messages to the endpoint wait as well, for up to an hour. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description `forbidden`: The token does not give access to this tenant or operation.
         *
         *     `step-up-required`: This needs a second factor proved in the last ten minutes: sign in again with /v1/auth/login?stepUp=true.
         *
         *     `second-factor-required`: This company requires a second factor, and this sign-in has proved none: set one up at /v1/auth/security, then sign in with it.
         */
        ForbiddenOrStepUpRequiredOrSecondFactorRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
        ValidationErrorQueryLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `idempotency-key-reused`: This Idempotency-Key was used for a different request. */
        IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `conflict`: The request conflicts with the current state; `message` says how. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `conflict`: The request conflicts with the current state; `message` says how.
         *
         *     `request-in-progress`: A request with this key, or for this report, is still running; try again after Retry-After.
         */
        ConflictOrRequestInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
        ValidationErrorDateOfBirth: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `credit-report-not-found`: No credit report with this id. */
        CreditReportNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `request-in-progress`: A request with this key, or for this report, is still running; try again after Retry-After. */
        RequestInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `credit-report-purged`: The data of the report was erased: after its retention time, or because the consumer asked. */
        CreditReportPurged: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `forbidden`: The token does not give access to this tenant or operation. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
        "getFingerprintScript-RateLimited": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `insufficient-funds`: The wallet cannot cover the operation. Nothing was charged. Ask the operator of this service to top it up.
         *
         *     `insufficient-credits`: The same as `insufficient-funds`. Only test mode answers with this code, when a request asks for it.
         */
        InsufficientFundsOrInsufficientCredits: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
        ValidationErrorChallengeId: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `credit-report-not-found`: No credit report with this id.
         *
         *     `challenge-not-found`: No challenge with this id belongs to the report.
         */
        CreditReportNotFoundOrChallengeNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `challenge-closed`: The challenge has ended and takes no more codes or messages.
         *
         *     `request-in-progress`: A request with this key, or for this report, is still running; try again after Retry-After.
         */
        ChallengeClosedOrRequestInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `challenge-expired`: More than five minutes passed since the last message; generate again. A charge for the report is refunded.
         *
         *     `credit-report-purged`: The data of the report was erased: after its retention time, or because the consumer asked.
         */
        ChallengeExpiredOrCreditReportPurged: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
        tenantId: string;
        /** @description `id` of the body, and the same in every attempt. Ignore a message whose id you have already seen. */
        "webhook-id": string;
        /** @description When this attempt was sent, in seconds since 1970. Refuse a message that is more than five minutes old or ahead. */
        "webhook-timestamp": string;
        /** @description Proves that the message comes from this service: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes that follow `whsec_` in the secret, in base64, as the key. For 24 hours after a rotation there are two, with a space between them: accept a message if one of them is right. Verify the bytes of the body as they arrived, before you parse them. */
        "webhook-signature": string;
        /** @description Maximum number of items on a page. */
        limit: number;
        /** @description Makes a retry safe: for 24 hours the same key with the same request gets the first answer again, marked `Idempotent-Replayed: true`. `meta.wallet` then repeats the first answer: nothing is charged again. Two requests are the same if the path and every value in the body are the same; the order of fields and the spaces between them do not matter. A different request with the key gets 422. Create a new key for each attempt, before the consumer can send it (when your form loads): without a key, a double click makes two reports. Do not use an order number: if the consumer tries again for that order, that is a new request and needs a new key. */
        "Idempotency-Key": string;
        /** @description `nextCursor` of the previous page. Keep the other filters. */
        cursor: string;
        /** @description creditReportId of the generate response. */
        creditReportId: string;
        /** @description The webhook endpoint. */
        endpointId: string;
        /** @description The credential, by its client id. */
        credentialId: string;
        /** @description Only reports generated with exactly this reference. */
        externalReference: string;
        /** @description Only test reports (true), or only live reports (false). */
        test: boolean;
        /** @description Requested at or after: a date (midnight UTC) or an instant with its offset. Write + as %2B. */
        from: string;
        /** @description Requested before: a date (midnight UTC) or an instant with its offset. */
        to: string;
        /** @description True: the test wallet, to which test reports with `testOptions.charges` are charged, instead of the live one. */
        "getWallet-test": boolean;
        /** @description At or after: a date (midnight UTC) or an instant with its offset. Write + as %2B. */
        "listAudit-from": string;
        /** @description Before: a date (midnight UTC) or an instant with its offset. */
        "listAudit-to": string;
        /** @description A member of the tenant. */
        userId: string;
        /** @description An open invitation of the tenant. */
        invitationId: string;
        /** @description The delivery, by its id in the list of deliveries. */
        deliveryId: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of this request; quote it when you ask about it. */
        "X-Request-Id": string;
        /** @description `r`: requests that the tenant may make at once now. `t`: seconds until the whole quota is free again. */
        RateLimit: string;
        /** @description `q`: the most requests that the tenant may make at once. `w`: seconds in which that many become free again, so `q` ÷ `w` is the lasting rate. */
        "RateLimit-Policy": string;
        /** @description `true` when this is the stored answer of an earlier request. */
        "Idempotent-Replayed": string;
        /** @description Seconds to wait before trying again. */
        "Retry-After": number;
        /** @description What the token lacks (RFC 6750). */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    requestToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @enum {unknown} */
                    grant_type: "client_credentials" | "authorization_code" | "refresh_token";
                    /** @description Separated by spaces; a scope that the credential lacks is refused. */
                    scope?: string;
                    /** @description For `authorization_code`: valid for a minute, used once. */
                    code?: string;
                    /** @description For `authorization_code`: the verifier of PKCE. */
                    code_verifier?: string;
                    /** @description For `authorization_code`: the `redirect_uri` of the authorization request. */
                    redirect_uri?: string;
                    /** @description For `refresh_token`. */
                    refresh_token?: string;
                    client_id?: string;
                    client_secret?: string;
                    /** @constant */
                    client_assertion_type?: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
                    /** @description Valid for at most ten minutes, used once. */
                    client_assertion?: string;
                };
            };
        };
        responses: {
            /** @description A token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        access_token: string;
                        /** @constant */
                        token_type: "Bearer";
                        expires_in: number;
                        scope: string;
                        /** @description Only where a person signed in, with offline access. */
                        refresh_token?: string;
                        /** @description Only where a person signed in, with the scope `openid`. */
                        id_token?: string;
                    };
                };
            };
            /** @description `invalid_request`, `invalid_scope`, `invalid_grant`, `unsupported_grant_type` */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description `invalid_client` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description `slow_down` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description `temporarily_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
        };
    };
    getFingerprintScript: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The script. */
            200: {
                headers: {
                    /** @description Names this version of the script. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description The version that `If-None-Match` names is still current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["getFingerprintScript-RateLimited"];
        };
    };
    collectFingerprint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionRequest"];
            };
        };
        responses: {
            /** @description A device session. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body or its headers are too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json, uncompressed. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["getFingerprintScript-RateLimited"];
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCreditReports: {
        parameters: {
            query?: {
                /** @description Maximum number of items on a page. */
                limit?: components["parameters"]["limit"];
                /** @description `nextCursor` of the previous page. Keep the other filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only reports in this state. */
                status?: "complete" | "authentication-required" | "blocked" | "failed" | "in-progress";
                /** @description Only reports generated with exactly this reference. */
                externalReference?: components["parameters"]["externalReference"];
                /** @description Only test reports (true), or only live reports (false). */
                test?: components["parameters"]["test"];
                /** @description Requested at or after: a date (midnight UTC) or an instant with its offset. Write + as %2B. */
                from?: components["parameters"]["from"];
                /** @description Requested before: a date (midnight UTC) or an instant with its offset. */
                to?: components["parameters"]["to"];
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditReportListResponse"];
                };
            };
            400: components["responses"]["ValidationErrorQueryLimit"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    generateCreditReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: for 24 hours the same key with the same request gets the first answer again, marked `Idempotent-Replayed: true`. `meta.wallet` then repeats the first answer: nothing is charged again. Two requests are the same if the path and every value in the body are the same; the order of fields and the spaces between them do not matter. A different request with the key gets 422. Create a new key for each attempt, before the consumer can send it (when your form loads): without a key, a double click makes two reports. Do not use an order number: if the consumer tries again for that order, that is a new request and needs a new key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerateResponse"];
                };
            };
            400: components["responses"]["ValidationErrorDateOfBirth"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["InsufficientFundsOrInsufficientCredits"];
            403: components["responses"]["ForbiddenOrStepUpRequiredOrSecondFactorRequired"];
            409: components["responses"]["RequestInProgress"];
            410: components["responses"]["CreditReportPurged"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    quoteCreditReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteResponse"];
                };
            };
            400: components["responses"]["ValidationErrorDateOfBirth"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    submitOtp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: for 24 hours the same key with the same request gets the first answer again, marked `Idempotent-Replayed: true`. `meta.wallet` then repeats the first answer: nothing is charged again. Two requests are the same if the path and every value in the body are the same; the order of fields and the spaces between them do not matter. A different request with the key gets 422. Create a new key for each attempt, before the consumer can send it (when your form loads): without a key, a double click makes two reports. Do not use an order number: if the consumer tries again for that order, that is a new request and needs a new key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description creditReportId of the generate response. */
                creditReportId: components["parameters"]["creditReportId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitOtpRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmitOtpResponse"];
                };
            };
            400: components["responses"]["ValidationErrorChallengeId"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["CreditReportNotFoundOrChallengeNotFound"];
            409: components["responses"]["ChallengeClosedOrRequestInProgress"];
            410: components["responses"]["ChallengeExpiredOrCreditReportPurged"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendSms: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: for 24 hours the same key with the same request gets the first answer again, marked `Idempotent-Replayed: true`. `meta.wallet` then repeats the first answer: nothing is charged again. Two requests are the same if the path and every value in the body are the same; the order of fields and the spaces between them do not matter. A different request with the key gets 422. Create a new key for each attempt, before the consumer can send it (when your form loads): without a key, a double click makes two reports. Do not use an order number: if the consumer tries again for that order, that is a new request and needs a new key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description creditReportId of the generate response. */
                creditReportId: components["parameters"]["creditReportId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendSmsRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendSmsResponse"];
                };
            };
            400: components["responses"]["ValidationErrorChallengeId"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["InsufficientFundsOrInsufficientCredits"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["CreditReportNotFoundOrChallengeNotFound"];
            409: components["responses"]["ChallengeClosedOrRequestInProgress"];
            410: components["responses"]["ChallengeExpiredOrCreditReportPurged"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            /**
             * @description `rate-limited`: Too many requests; wait for Retry-After seconds.
             *
             *     `sms-limit-reached`: No further message can be sent; `limit` says which limit was reached.
             */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countCreditReports: {
        parameters: {
            query?: {
                /** @description Only reports generated with exactly this reference. */
                externalReference?: components["parameters"]["externalReference"];
                /** @description Only test reports (true), or only live reports (false). */
                test?: components["parameters"]["test"];
                /** @description Requested at or after: a date (midnight UTC) or an instant with its offset. Write + as %2B. */
                from?: components["parameters"]["from"];
                /** @description Requested before: a date (midnight UTC) or an instant with its offset. */
                to?: components["parameters"]["to"];
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditReportCountsResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCreditReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description creditReportId of the generate response. */
                creditReportId: components["parameters"]["creditReportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditReportResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["CreditReportNotFound"];
            409: components["responses"]["RequestInProgress"];
            410: components["responses"]["CreditReportPurged"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description creditReportId of the generate response. */
                creditReportId: components["parameters"]["creditReportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["CreditReportNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDocument: {
        parameters: {
            query?: {
                /** @description The format of the answer, for clients that cannot set `Accept`. It overrides that header. */
                format?: "html" | "pdf";
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description creditReportId of the generate response. */
                creditReportId: components["parameters"]["creditReportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                    "application/pdf": string;
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["CreditReportNotFound"];
            409: components["responses"]["ConflictOrRequestInProgress"];
            410: components["responses"]["CreditReportPurged"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEvidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description creditReportId of the generate response. */
                creditReportId: components["parameters"]["creditReportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["CreditReportNotFound"];
            409: components["responses"]["ConflictOrRequestInProgress"];
            410: components["responses"]["CreditReportPurged"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWallet: {
        parameters: {
            query?: {
                /** @description True: the test wallet, to which test reports with `testOptions.charges` are charged, instead of the live one. */
                test?: components["parameters"]["getWallet-test"];
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWalletEntries: {
        parameters: {
            query?: {
                /** @description Maximum number of lines on a page (50 if left out) or in a CSV file (see above if left out). */
                limit?: number;
                /** @description `nextCursor` of the previous page. Keep the other filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description The format of the answer, for clients that cannot set `Accept`. It overrides that header. */
                format?: "json" | "csv";
                /** @description Posted at or after: a date (midnight UTC) or an instant with its offset. Write + as %2B. */
                from?: string;
                /** @description Posted before: a date (midnight UTC) or an instant with its offset. */
                to?: string;
                /** @description Only lines of this kind. */
                kind?: "top-up" | "adjust" | "report-charge" | "report-refund" | "sms-charge";
                /** @description Only lines of this report, its messages included. */
                creditReportId?: string;
                /** @description Only reports generated with exactly this reference. */
                externalReference?: components["parameters"]["externalReference"];
                /** @description True: the test wallet, to which test reports with `testOptions.charges` are charged, instead of the live one. */
                test?: components["parameters"]["getWallet-test"];
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description On CSV only: rel="next" holds the address of the next file, if older lines may follow. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletEntriesResponse"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["ValidationErrorQueryLimit"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWalletMonths: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletMonthsResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /** @description A month of London, as in `GET …/wallet/months`, such as 2026-03; the current month if left out. */
                month?: string;
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPrices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricesResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LimitsResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBureaus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BureausResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /** @description Maximum number of items on a page. */
                limit?: components["parameters"]["limit"];
                /** @description True: test mode instead of live mode. */
                test?: boolean;
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityResponse"];
                };
            };
            400: components["responses"]["ValidationErrorQueryLimit"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description How many days of London, today included. */
                days?: number;
                /** @description True: test mode instead of live mode. What the test wallet spends is not counted. */
                test?: boolean;
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    advanceTestClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: for 24 hours the same key with the same request gets the first answer again, marked `Idempotent-Replayed: true`. `meta.wallet` then repeats the first answer: nothing is charged again. Two requests are the same if the path and every value in the body are the same; the order of fields and the spaces between them do not matter. A different request with the key gets 422. Create a new key for each attempt, before the consumer can send it (when your form loads): without a key, a double click makes two reports. Do not use an order number: if the consumer tries again for that order, that is a new request and needs a new key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description creditReportId of the generate response. */
                creditReportId: components["parameters"]["creditReportId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestClockRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClockResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["CreditReportNotFound"];
            409: components["responses"]["ConflictOrRequestInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTestInbox: {
        parameters: {
            query?: {
                /** @description Maximum number of items on a page. */
                limit?: components["parameters"]["limit"];
                /** @description `nextCursor` of the previous page. Keep the other filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only the messages of this report. */
                creditReportId?: string;
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestInboxResponse"];
                };
            };
            400: components["responses"]["ValidationErrorQueryLimit"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resetTestWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: for 24 hours the same key with the same request gets the first answer again, marked `Idempotent-Replayed: true`. `meta.wallet` then repeats the first answer: nothing is charged again. Two requests are the same if the path and every value in the body are the same; the order of fields and the spaces between them do not matter. A different request with the key gets 422. Create a new key for each attempt, before the consumer can send it (when your form loads): without a key, a double click makes two reports. Do not use an order number: if the consumer tries again for that order, that is a new request and needs a new key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWalletResetRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWalletResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            409: components["responses"]["RequestInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTestCatalogue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestCatalogue"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCredentials: {
        parameters: {
            query?: {
                /** @description Maximum number of items on a page. */
                limit?: components["parameters"]["limit"];
                /** @description `nextCursor` of the previous page. Keep the other filters. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialsResponse"];
                };
            };
            400: components["responses"]["ValidationErrorQueryLimit"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCredentialRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedCredentialResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrStepUpRequiredOrSecondFactorRequired"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The credential, by its client id. */
                credentialId: components["parameters"]["credentialId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The credential, by its client id. */
                credentialId: components["parameters"]["credentialId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeCredentialRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrStepUpRequiredOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addCredentialSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The credential, by its client id. */
                credentialId: components["parameters"]["credentialId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddSecretRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedSecretResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrStepUpRequiredOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    endCredentialSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The credential, by its client id. */
                credentialId: components["parameters"]["credentialId"];
                /** @description The secret, by its id in the list. */
                secretId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrStepUpRequiredOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceCredentialKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The credential, by its client id. */
                credentialId: components["parameters"]["credentialId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceKeysRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrStepUpRequiredOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Maximum number of items on a page. */
                limit?: components["parameters"]["limit"];
                /** @description `nextCursor` of the previous page. Keep the other filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only this action, such as `report.read`, or all of a kind, such as `report`. */
                action?: string;
                /** @description Only what this actor did. */
                actor?: string;
                /** @description Only what happened to this. */
                subjectId?: string;
                /** @description At or after: a date (midnight UTC) or an instant with its offset. Write + as %2B. */
                from?: components["parameters"]["listAudit-from"];
                /** @description Before: a date (midnight UTC) or an instant with its offset. */
                to?: components["parameters"]["listAudit-to"];
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditResponse"];
                };
            };
            400: components["responses"]["ValidationErrorQueryLimit"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Maximum number of items on a page. */
                limit?: components["parameters"]["limit"];
                /** @description `nextCursor` of the previous page. Without it the page begins with the oldest event that is kept. Keep the other filters. `end`: begin after the last event that there is now. */
                cursor?: string;
                /** @description `oldest`, or left out: the oldest event first, for a program that must miss none. `newest`: the newest first, and `nextCursor` continues with older ones; `hasMore` false: there are none. It takes no `wait`. */
                order?: "oldest" | "newest";
                /** @description Only these types: one, or several with commas, such as `credit-report.completed,wallet.low`. A part before the dot, such as `challenge`, stands for all its types. */
                type?: string;
                /** @description Only events of this report. */
                creditReportId?: string;
                /** @description At or after: a date (midnight UTC) or an instant with its offset. Write + as %2B. */
                from?: components["parameters"]["listAudit-from"];
                /** @description Before: a date (midnight UTC) or an instant with its offset. */
                to?: components["parameters"]["listAudit-to"];
                /** @description Only events of test mode (true), or only live events (false). */
                test?: boolean;
                /** @description If there is no event yet, wait up to this many seconds for one. The answer may come earlier, also without an event: then ask again with its `nextCursor`. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsResponse"];
                };
            };
            400: components["responses"]["ValidationErrorQueryLimit"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The event: `evt_…`. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTenants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    selectTenant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SelectTenantRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SelectedTenant"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeSettings: {
        parameters: {
            query?: {
                /** @description `true`: shorten the retention even though reports are erased. */
                confirm?: "false" | "true";
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSettingsRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrStepUpRequiredOrSecondFactorRequired"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    previewRetention: {
        parameters: {
            query?: {
                /** @description The retention to try; the current one if left out. */
                retentionDays?: number;
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionPreviewResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    findSubject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubjectRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundSubjectResponse"];
                };
            };
            400: components["responses"]["ValidationErrorDateOfBirth"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportSubject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportSubjectRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportedSubjectResponse"];
                };
            };
            400: components["responses"]["ValidationErrorDateOfBirth"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportSubjectDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportSubjectRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            400: components["responses"]["ValidationErrorDateOfBirth"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    eraseSubject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubjectRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasedSubjectResponse"];
                };
            };
            400: components["responses"]["ValidationErrorDateOfBirth"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrStepUpRequiredOrSecondFactorRequired"];
            409: components["responses"]["RequestInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Maximum number of items on a page. */
                limit?: components["parameters"]["limit"];
                /** @description `nextCursor` of the previous page. Keep the other filters. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberListResponse"];
                };
            };
            400: components["responses"]["ValidationErrorQueryLimit"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: {
                /** @description `true`: remove the member even though credentials, secrets, keys, invitations or webhook endpoints end too. */
                confirm?: "false" | "true";
                /** @description What becomes of webhook endpoints that they made or changed. `disable`, or left out: nothing more is sent to them, and what happens waits for up to 30 days. `keep`: they go on as they are, and each gets a new secret, which is in the answer. */
                webhooks?: "disable" | "keep";
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description A member of the tenant. */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedMemberResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrStepUpRequiredOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description A member of the tenant. */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMemberRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrStepUpRequiredOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Maximum number of items on a page. */
                limit?: components["parameters"]["limit"];
                /** @description `nextCursor` of the previous page. Keep the other filters. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationListResponse"];
                };
            };
            400: components["responses"]["ValidationErrorQueryLimit"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteMemberRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrStepUpRequiredOrSecondFactorRequired"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description An open invitation of the tenant. */
                invitationId: components["parameters"]["invitationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrStepUpRequiredOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description An open invitation of the tenant. */
                invitationId: components["parameters"]["invitationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrStepUpRequiredOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description Maximum number of items on a page. */
                limit?: components["parameters"]["limit"];
                /** @description `nextCursor` of the previous page. Keep the other filters. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointsResponse"];
                };
            };
            400: components["responses"]["ValidationErrorQueryLimit"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: for 24 hours the same key with the same request gets the first answer again, marked `Idempotent-Replayed: true`. `meta.wallet` then repeats the first answer: nothing is charged again. Two requests are the same if the path and every value in the body are the same; the order of fields and the spaces between them do not matter. A different request with the key gets 422. Create a new key for each attempt, before the consumer can send it (when your form loads): without a key, a double click makes two reports. Do not use an order number: if the consumer tries again for that order, that is a new request and needs a new key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpointResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrRequestInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The webhook endpoint. */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The webhook endpoint. */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedWebhookEndpointResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The webhook endpoint. */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The webhook endpoint. */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecretResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: for 24 hours the same key with the same request gets the first answer again, marked `Idempotent-Replayed: true`. `meta.wallet` then repeats the first answer: nothing is charged again. Two requests are the same if the path and every value in the body are the same; the order of fields and the spaces between them do not matter. A different request with the key gets 422. Create a new key for each attempt, before the consumer can send it (when your form loads): without a key, a double click makes two reports. Do not use an order number: if the consumer tries again for that order, that is a new request and needs a new key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The webhook endpoint. */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrRequestInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: for 24 hours the same key with the same request gets the first answer again, marked `Idempotent-Replayed: true`. `meta.wallet` then repeats the first answer: nothing is charged again. Two requests are the same if the path and every value in the body are the same; the order of fields and the spaces between them do not matter. A different request with the key gets 422. Create a new key for each attempt, before the consumer can send it (when your form loads): without a key, a double click makes two reports. Do not use an order number: if the consumer tries again for that order, that is a new request and needs a new key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The webhook endpoint. */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayWebhookResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists the faults. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrRequestInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of items on a page. */
                limit?: components["parameters"]["limit"];
                /** @description `nextCursor` of the previous page. Keep the other filters. */
                cursor?: components["parameters"]["cursor"];
                /** @description Only deliveries in this state. `pending` finds those that are `waiting` too: what is neither accepted nor given up. */
                state?: "pending" | "waiting" | "delivered" | "failed";
                /** @description Only the delivery of this event: `evt_…`. */
                eventId?: string;
                /** @description Only these types: one, or several with commas. A part before the dot, such as `wallet`, stands for all its types. */
                eventType?: string;
                /** @description Handed to the endpoint at or after: a date (midnight UTC) or an instant with its offset. Write + as %2B. */
                from?: string;
                /** @description Handed to the endpoint before: a date (midnight UTC) or an instant with its offset. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The webhook endpoint. */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveriesResponse"];
                };
            };
            400: components["responses"]["ValidationErrorQueryLimit"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The delivery, by its id in the list of deliveries. */
                deliveryId: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentWebhookDeliveryResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: for 24 hours the same key with the same request gets the first answer again, marked `Idempotent-Replayed: true`. `meta.wallet` then repeats the first answer: nothing is charged again. Two requests are the same if the path and every value in the body are the same; the order of fields and the spaces between them do not matter. A different request with the key gets 422. Create a new key for each attempt, before the consumer can send it (when your form loads): without a key, a double click makes two reports. Do not use an order number: if the consumer tries again for that order, that is a new request and needs a new key. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The tenant's id. An unknown tenant and another company's tenant get the same 403. */
                tenantId: components["parameters"]["tenantId"];
                /** @description The delivery, by its id in the list of deliveries. */
                deliveryId: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrSecondFactorRequired"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrRequestInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}

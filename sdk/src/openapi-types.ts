// Generated from openapi.json by `npm run openapi`. Do not edit.
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
         * @description OAuth 2.0 client credentials. Authenticate with HTTP Basic, with `client_id` and `client_secret` in the form, or with a signed assertion (`private_key_jwt`). The token is a JWT that lives 900 seconds. Without `scope` it carries every scope of the credential. Ten failures a minute lock the credential's and the address's tries.
         *
         *     Applications that sign people in exchange their code here (`authorization_code`, with PKCE) and refresh (`refresh_token`): each refresh token is good once and comes with its successor.
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
         * @description Include it as a script tag on every page where a consumer submits details. It starts by itself and calls `window.service.deviceFingerprint` once, with an object that has a `sessionId`. No token. May be cached for five minutes, and asked for again by its ETag.
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
         * Where the script posts
         * @description For the script. From any origin, without a token and without cookies. What was collected is sealed into the answer and stored nowhere. The body is JSON, also when it is sent as `text/plain`, as the script does to save a round trip.
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
         * @description Live and test reports, newest first, without their contents. Reports that were erased after their retention time stay in the list with `isPurged`.
         */
        get: operations["listCreditReports"];
        put?: never;
        /**
         * Generate a credit report
         * @description Screens the consumer and answers at once with one of the statuses `complete`, `authentication-required`, `blocked` or `failed`. With `test: true` no bureau is asked, no message is sent and nothing is charged.
         */
        post: operations["generateCreditReport"];
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
         * @description Judges the code. Three codes may be tried per challenge, within five minutes of the last message; a malformed code (400) uses none of them. In test mode the right code is 123456.
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
         * @description Sends a new message and starts the five minutes again. A challenge has three messages in all, the first one included; attempts already used stay used.
         */
        post: operations["resendSms"];
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
         * @description The state of a report and, once it is complete, its contents. Free of charge; nobody is asked again. A report is kept for the retention time of the tenant (30 days unless set otherwise), then this is 410. While a request still works on the report: 409 with Retry-After. The role finance gets no `creditReport` and no `bureauResults`. Every read is in the audit log.
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
    "/{tenantId}/v1/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the wallet
         * @description What is in the wallet, what is held for running operations, and what a new one can use.
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
         * @description Every line that moved the wallet, newest first. Filters are joined by "and"; with one, a page may be short: go on until `nextCursor` is null. With `Accept: text/csv` the lines come as one CSV file (RFC 4180; `limit` does not apply) over at most 100,000 lines of the journal: if it goes on, a `Link` header with rel="next" says where, and without that header the file is whole.
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
    "/{tenantId}/v1/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API credentials
         * @description All credentials of the tenant, newest first, with their live secrets by id; never a secret.
         */
        get: operations["listCredentials"];
        put?: never;
        /**
         * Make an API credential
         * @description Makes a credential for one of your servers. With `publicKeys` it signs assertions (private_key_jwt) and has no secret; without, the answer holds its first secret, this once. Nothing is kept for a repeated request.
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
         * @description Changes what is sent and leaves the rest. Whoever changes a credential must hold all of its scopes, except to disable it. It works within seconds on every node.
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
         * @description The new secret works at once and the older one ends after the grace time. Two work at a time: while an older one still has its grace time a third is 409, unless `graceSeconds` is 0.
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
         * @description The secret gets no more tokens. Tokens got with it run out within 15 minutes; disable the credential to stop those too.
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
         * @description All keys of a credential that signs assertions. Send the old key beside the new one while both are in use.
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
         * @description Who did what and when, newest first. Filters are joined by "and"; with one, a page may be short: go on until `nextCursor` is null. Rows are chained by their hashes, so that a kept page shows whether older rows changed.
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
    "/v1/my/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who am I
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
    "/{tenantId}/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members
         * @description The people who may work in the tenant, those added last first.
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
         * @description Ends their access to this tenant within a minute and disables the API credentials they are accountable for, which the answer lists. The last owner cannot be removed (409).
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description Works within a minute everywhere. Nobody gives a role that can do more than their own, only an owner changes an owner, nobody raises themselves, and the last owner stays one (409). Their credentials can do no more than the new role.
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
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite somebody
         * @description Mails a link that makes the reader a member, once, within seven days. A second invitation to the same address replaces the first, whose link then no longer works. A tenant may send 50 in 24 hours.
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
         * @description The same link, good for seven days from now. Once a minute at most, and five times in all: after that revoke it and invite again.
         */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @description One code of the closed catalogue. */
            code: "validation-error" | "unauthorized" | "insufficient-funds" | "forbidden" | "step-up-required" | "credit-report-not-found" | "challenge-not-found" | "not-found" | "method-not-allowed" | "conflict" | "challenge-closed" | "request-in-progress" | "challenge-expired" | "credit-report-purged" | "payload-too-large" | "unsupported-media-type" | "idempotency-key-reused" | "rate-limited" | "sms-limit-reached" | "internal-error" | "service-unavailable";
            /** @description A sentence for a developer: what happened and what to do. */
            message: string;
            /** @description The same value as the X-Request-Id response header. */
            requestId: string;
            /** @description On validation-error: every fault found. */
            details?: {
                /** @description JSON pointer into the request body; /headers/… for a header, /query/… for a query parameter. */
                path: string;
                /** @description What is wrong there and what would be right. */
                message: string;
            }[];
            /** @description On insufficient-funds: credits the operation needs. */
            required?: number;
            /** @description On insufficient-funds: credits not held or spent. */
            available?: number;
        };
        GenerateRequest: {
            /** @description What the fingerprint script gave the page. */
            sessionId: string;
            /** @description Bureaus to ask, each at most once. */
            bureaus: ("equifax" | "experian" | "transunion")[];
            /**
             * Format: ip
             * @description Where the consumer's browser calls from, IPv4 or IPv6.
             */
            ipAddress: string;
            /**
             * @description Kind of search.
             * @enum {string}
             */
            searchType: "pcp";
            /** @description First name. */
            firstName: string;
            /** @description Last name. */
            lastName: string;
            /**
             * Format: adult-date
             * @description YYYY-MM-DD, a real date, aged 18 to 120.
             */
            dateOfBirth: string;
            /** @description One to ten addresses. */
            addresses: components["schemas"]["AddressEntry"][];
            /** @description For example Mr, Mrs, Ms. */
            title?: string;
            /** @description Middle name. */
            middleName?: string;
            /** @enum {string} */
            gender?: "M" | "F";
            /**
             * Format: e164
             * @description With country code, such as +447700900123. A live challenge needs it.
             */
            mobileNumber?: string;
            /**
             * Format: email
             * @description Where the consumer reads mail. In a test, the part before the @ chooses the report.
             */
            email?: string;
            /** @description Your own name for the request, to find it by. */
            externalReference?: string;
            /** @description Whether this is a test: nothing is asked, sent or charged. */
            test?: boolean;
            /** @description Test mode only. */
            challengeOptions?: {
                /**
                 * @description Outcome of the simulated screening.
                 * @enum {string}
                 */
                status: "challenge" | "allow" | "block";
            };
        };
        AddressEntry: {
            /** @description Kind of address, for example `current`. */
            type: string;
            ukAddress: components["schemas"]["UkAddress"];
        };
        UkAddress: {
            /** @description Flat or unit. One of the three premises fields is needed. */
            subBuildingName?: string;
            /** @description Building name. One of the three premises fields is needed. */
            buildingName?: string;
            /** @description House or building number. One of the three premises fields is needed. */
            buildingNumber?: string;
            /** @description Street name. */
            thoroughfare?: string;
            /** @description District or locality. */
            district?: string;
            /** @description Town or city. */
            townOrCity: string;
            /** @description County. */
            county?: string;
            /** @description Country code. */
            country?: string;
            /**
             * Format: uk-postcode
             * @description UK, Crown Dependency or BFPO postcode, in any case and spacing.
             */
            postcode: string;
        } | unknown | unknown | unknown;
        SubmitOtpRequest: {
            /** @description challengeId of the generate response. */
            challengeId: string;
            /** @description The code from the message. Spaces and hyphens are removed before it is judged. */
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
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
                wallet: components["schemas"]["WalletMeta"];
            };
            data: components["schemas"]["CompleteAtOnce"] | components["schemas"]["AuthenticationRequired"] | components["schemas"]["Blocked"] | components["schemas"]["Failed"];
        };
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
            creditReport: components["schemas"]["CreditReport"];
            /** @description What each bureau asked did. */
            bureauResults?: components["schemas"]["BureauResult"][];
        };
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
            challenge: {
                /**
                 * Format: uuid
                 * @description The challenge to answer.
                 */
                challengeId: string;
            };
        };
        Blocked: {
            /** @constant */
            status: "blocked";
            /**
             * Format: uuid
             * @description The report. Use it with the challenge and to read the report again.
             */
            creditReportId: string;
        };
        Failed: {
            /** @constant */
            status: "failed";
            /**
             * Format: uuid
             * @description The report. Use it with the challenge and to read the report again.
             */
            creditReportId: string;
            /** @description What happened, in a sentence. */
            errorMessage: string;
        };
        SubmitOtpResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
                wallet: components["schemas"]["WalletMeta"];
            };
            data: components["schemas"]["CompleteAfterChallenge"] | components["schemas"]["Retry"] | components["schemas"]["Failed"];
        };
        CompleteAfterChallenge: {
            /** @constant */
            status: "complete";
            /**
             * Format: uuid
             * @description The report. Use it with the challenge and to read the report again.
             */
            creditReportId: string;
            creditReport: components["schemas"]["CreditReport"];
            /** @description What each bureau asked did. */
            bureauResults?: components["schemas"]["BureauResult"][];
        };
        Retry: {
            /** @constant */
            status: "retry";
            /**
             * Format: uuid
             * @description The report. Use it with the challenge and to read the report again.
             */
            creditReportId: string;
            /** @description What happened, in a sentence. */
            errorMessage: string;
            /** @description Codes that may still be tried. */
            attemptsRemaining: number;
        };
        ResendSmsResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
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
            /** @description Signs of a browser that is driven by a program. */
            automation?: ("webdriver" | "headless" | "phantom" | "no-window" | "no-languages")[];
            /** @description True when the digest is random, since the traits came too late. */
            degraded?: boolean;
        };
        CollectionResponse: {
            /** @description `sessionId` of the generate request. Opaque, good for 30 minutes and for one person. */
            sessionId: string;
        };
        BureauResult: {
            /**
             * @description A bureau that was asked.
             * @enum {string}
             */
            bureau: "equifax" | "experian" | "transunion";
            /**
             * @description `no-trace`: it answered and knows nobody like this. `unavailable`: it did not answer; not charged.
             * @enum {string}
             */
            outcome: "ok" | "no-trace" | "unavailable";
        };
        CreditReportResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
            data: {
                /** @constant */
                status: "complete";
                /**
                 * Format: uuid
                 * @description The report. Use it with the challenge and to read the report again.
                 */
                creditReportId: string;
                creditReport?: {
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
                /** @description What each bureau asked did. */
                bureauResults?: components["schemas"]["BureauResult"][];
                /** @description Whether it was asked for in test mode. */
                test: boolean;
                /**
                 * Format: date-time
                 * @description When it was asked for. ISO 8601, UTC.
                 */
                createdAt: string;
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
                challenge: {
                    /**
                     * Format: uuid
                     * @description The challenge to answer.
                     */
                    challengeId: string;
                };
                /** @description Whether it was asked for in test mode. */
                test: boolean;
                /**
                 * Format: date-time
                 * @description When it was asked for. ISO 8601, UTC.
                 */
                createdAt: string;
            } | {
                /** @constant */
                status: "blocked";
                /**
                 * Format: uuid
                 * @description The report. Use it with the challenge and to read the report again.
                 */
                creditReportId: string;
                /** @description Whether it was asked for in test mode. */
                test: boolean;
                /**
                 * Format: date-time
                 * @description When it was asked for. ISO 8601, UTC.
                 */
                createdAt: string;
            } | {
                /** @constant */
                status: "failed";
                /**
                 * Format: uuid
                 * @description The report. Use it with the challenge and to read the report again.
                 */
                creditReportId: string;
                /** @description What happened, in a sentence. */
                errorMessage: string;
                /** @description Whether it was asked for in test mode. */
                test: boolean;
                /**
                 * Format: date-time
                 * @description When it was asked for. ISO 8601, UTC.
                 */
                createdAt: string;
            };
        };
        CreditReportListResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
            data: {
                items: components["schemas"]["CreditReportItem"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        CreditReportItem: {
            /**
             * Format: uuid
             * @description The report. Use it with the challenge and to read the report again.
             */
            creditReportId: string;
            /**
             * @description `in-progress` only while a request works on it.
             * @enum {string}
             */
            status: "complete" | "authentication-required" | "blocked" | "failed" | "in-progress";
            /** @description Whether it was asked for in test mode. */
            test: boolean;
            /**
             * Format: date-time
             * @description When it was asked for. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Whether the report was kept for its time and then erased. */
            isPurged: boolean;
        };
        WalletMeta: {
            /** @description What the wallet holds once the operation is done, in credits; 1,000 credits are one pound. */
            balance: number;
            /** @description What this operation took from the wallet, in credits; 0 for a free one. */
            cost: number;
        };
        WalletResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
            data: {
                /** @description Top-ups less charges plus refunds, in credits. */
                balance: number;
                /** @description Set aside for operations that are still running or on their way. */
                held: number;
                /** @description What a new operation can use: `balance` less `held`. */
                available: number;
                /** @description How many credits are one pound sterling. */
                creditsPerPound: number;
            };
        };
        WalletEntriesResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
            data: {
                items: components["schemas"]["WalletEntry"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
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
            /** @description The report it belongs to; null for top-ups and such. */
            creditReportId: string | null;
            /** @description On a refund: `id` of the charge that it takes back. */
            reversesId: string | null;
            /** @description Reference of a top-up, or reason of an adjustment. */
            note: string | null;
            /**
             * Format: date-time
             * @description When it was posted. ISO 8601, UTC.
             */
            createdAt: string;
        };
        PricesResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
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
                     * @description Since when, or from when on, it holds. ISO 8601, UTC.
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
                     * @description Since when, or from when on, it holds. ISO 8601, UTC.
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
                     * @description Since when, or from when on, it holds. ISO 8601, UTC.
                     */
                    effectiveFrom: string;
                };
                /** @description Prices already known to change, soonest first. An operation that has begun keeps its price. */
                changes: components["schemas"]["PriceChange"][];
            };
        };
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
             * @description Since when, or from when on, it holds. ISO 8601, UTC.
             */
            effectiveFrom: string;
        };
        CredentialsResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
            data: {
                items: components["schemas"]["CredentialItem"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        CredentialResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
            data: components["schemas"]["CredentialItem"];
        };
        CreatedCredentialResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
            data: {
                /**
                 * Format: uuid
                 * @description The client id.
                 */
                id: string;
                name: string;
                /**
                 * @description How it proves itself for a token.
                 * @enum {string}
                 */
                authMethod: "client_secret" | "private_key_jwt";
                /** @description What it was given. */
                scopes: ("reports:write" | "reports:read" | "wallet:read" | "wallet:write" | "credentials:write" | "webhooks:write" | "events:read" | "members:write" | "audit:read")[];
                /**
                 * Format: uuid
                 * @description The member who answers for it.
                 */
                ownerUserId: string;
                /** @description False when the owner was disabled or has left: it does not work until it is given another. */
                isOwnerActive: boolean;
                isEnabled: boolean;
                isTestOnly: boolean;
                /** @description Null: from anywhere. */
                allowedNetworks: string[] | null;
                /** @description Those that work now, newest first: two at most. */
                secrets: components["schemas"]["CredentialSecret"][];
                /** @description The `kid` of each public key; null where it has none. */
                keyIds: (string | null)[];
                /**
                 * Format: date-time
                 * @description When it was made. ISO 8601, UTC.
                 */
                createdAt: string;
                /** @description Null when it never was. */
                lastUsedAt: string | null;
                /** @description Shown this once and kept nowhere. */
                clientSecret?: string;
            };
        };
        AddedSecretResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
            data: {
                /**
                 * Format: uuid
                 * @description The client id.
                 */
                id: string;
                name: string;
                /**
                 * @description How it proves itself for a token.
                 * @enum {string}
                 */
                authMethod: "client_secret" | "private_key_jwt";
                /** @description What it was given. */
                scopes: ("reports:write" | "reports:read" | "wallet:read" | "wallet:write" | "credentials:write" | "webhooks:write" | "events:read" | "members:write" | "audit:read")[];
                /**
                 * Format: uuid
                 * @description The member who answers for it.
                 */
                ownerUserId: string;
                /** @description False when the owner was disabled or has left: it does not work until it is given another. */
                isOwnerActive: boolean;
                isEnabled: boolean;
                isTestOnly: boolean;
                /** @description Null: from anywhere. */
                allowedNetworks: string[] | null;
                /** @description Those that work now, newest first: two at most. */
                secrets: components["schemas"]["CredentialSecret"][];
                /** @description The `kid` of each public key; null where it has none. */
                keyIds: (string | null)[];
                /**
                 * Format: date-time
                 * @description When it was made. ISO 8601, UTC.
                 */
                createdAt: string;
                /** @description Null when it never was. */
                lastUsedAt: string | null;
                /** @description Shown this once and kept nowhere. */
                clientSecret: string;
            };
        };
        CredentialItem: {
            /**
             * Format: uuid
             * @description The client id.
             */
            id: string;
            name: string;
            /**
             * @description How it proves itself for a token.
             * @enum {string}
             */
            authMethod: "client_secret" | "private_key_jwt";
            /** @description What it was given. */
            scopes: ("reports:write" | "reports:read" | "wallet:read" | "wallet:write" | "credentials:write" | "webhooks:write" | "events:read" | "members:write" | "audit:read")[];
            /**
             * Format: uuid
             * @description The member who answers for it.
             */
            ownerUserId: string;
            /** @description False when the owner was disabled or has left: it does not work until it is given another. */
            isOwnerActive: boolean;
            isEnabled: boolean;
            isTestOnly: boolean;
            /** @description Null: from anywhere. */
            allowedNetworks: string[] | null;
            /** @description Those that work now, newest first: two at most. */
            secrets: components["schemas"]["CredentialSecret"][];
            /** @description The `kid` of each public key; null where it has none. */
            keyIds: (string | null)[];
            /**
             * Format: date-time
             * @description When it was made. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Null when it never was. */
            lastUsedAt: string | null;
        };
        CredentialSecret: {
            /**
             * Format: uuid
             * @description The secret, to end it by.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was made. ISO 8601, UTC.
             */
            createdAt: string;
            /** @description Null while no end is set. */
            endsAt: string | null;
        };
        CreateCredentialRequest: {
            /** @description What it is for. */
            name: string;
            /** @description What it may do: no more than your token and its owner's role may. */
            scopes: ("reports:write" | "reports:read" | "wallet:read" | "wallet:write" | "credentials:write" | "webhooks:write" | "events:read" | "members:write" | "audit:read")[];
            /**
             * Format: uuid
             * @description The member who answers for it; you, unless told.
             */
            ownerUserId?: string;
            /** @description A JSON Web Key Set of public keys: EC P-256, Ed25519 or RSA from 2,048 bits. */
            publicKeys?: {
                keys: Record<string, never>[];
            };
            /** @description The only networks it may be used from: IPv4 or IPv6, as an address or with a prefix length. */
            allowedNetworks?: string[];
            /** @description Such a credential knows test mode alone. This can never be changed. */
            isTestOnly?: boolean;
        };
        ChangeCredentialRequest: {
            /** @description What it is for. */
            name?: string;
            /** @description Disabled, it stops within seconds, its tokens included. */
            isEnabled?: boolean;
            /** @description The only networks it may be used from; null for anywhere. */
            allowedNetworks?: string[] | null;
            /**
             * Format: uuid
             * @description The member who answers for it from now on.
             */
            ownerUserId?: string;
        };
        AddSecretRequest: {
            /** @description How long the older secret goes on working; 86400 (a day) unless told, 0 ends it now. */
            graceSeconds?: number;
        };
        ReplaceKeysRequest: {
            /** @description A JSON Web Key Set of public keys: EC P-256, Ed25519 or RSA from 2,048 bits. */
            publicKeys: {
                keys: Record<string, never>[];
            };
        };
        AuditResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
            data: {
                items: components["schemas"]["AuditItem"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
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
            /** @description What happened, such as `report.read`. New words may come at any time. */
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
        AccountRecord: {
            /** @description Title on the record. */
            title: string | null;
            /** @description First name on the record. */
            firstName: string | null;
            /** @description Last name on the record. */
            lastName: string | null;
            /** @description Hidden but for the last digits. */
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
            role: "owner" | "admin" | "finance" | "developer" | "analyst";
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
            role: "owner" | "admin" | "finance" | "developer" | "analyst";
            /** @description Whether they can prove a second factor: an app with codes, or a passkey. */
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
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
            data: components["schemas"]["Member"];
        };
        MemberListResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
            data: {
                items: components["schemas"]["Member"][];
                /** @description Send it as `cursor` to get the next page; null on the last one. */
                nextCursor: string | null;
            };
        };
        RemovedMemberResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
            data: {
                /**
                 * Format: uuid
                 * @description The person who left.
                 */
                userId: string;
                /** @description API credentials that were theirs. They were disabled with this: give each another owner before you enable it. */
                stoppedCredentials: {
                    /**
                     * Format: uuid
                     * @description The client id.
                     */
                    credentialId: string;
                    name: string;
                }[];
            };
        };
        ChangeMemberRequest: {
            /**
             * @description What they may do in this tenant.
             * @enum {string}
             */
            role: "owner" | "admin" | "finance" | "developer" | "analyst";
        };
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
            role: "owner" | "admin" | "finance" | "developer" | "analyst";
            /** @description Null: the operator of the service. */
            invitedBy: string | null;
            /**
             * Format: date-time
             * @description When it was made. ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description From when on it can no longer be accepted. ISO 8601, UTC.
             */
            expiresAt: string;
            /** @description How often it was mailed, the first time included. */
            sentCount: number;
        };
        InvitationResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
            data: components["schemas"]["Invitation"];
        };
        InvitationListResponse: {
            meta: {
                request: {
                    /** @description How long the answer took us, in milliseconds. */
                    timeTakenMs: number;
                };
            };
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
            role: "owner" | "admin" | "finance" | "developer" | "analyst";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
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
                    /** @description Space-separated; a scope the credential lacks is refused. */
                    scope?: string;
                    /** @description For `authorization_code`: valid for a minute, used once. */
                    code?: string;
                    code_verifier?: string;
                    /** @description The one the code was asked for with. */
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
                        /** @description For people alone, with offline access. */
                        refresh_token?: string;
                        /** @description With the code of a person, and the scope `openid`. */
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
                    "application/json": {
                        /** @description The code of RFC 6749. */
                        error: string;
                        error_description: string;
                        /** @description One code of the catalogue, as in every other error. */
                        code: string;
                        message: string;
                        requestId: string;
                    };
                };
            };
            /** @description `invalid_client` */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The code of RFC 6749. */
                        error: string;
                        error_description: string;
                        /** @description One code of the catalogue, as in every other error. */
                        code: string;
                        message: string;
                        requestId: string;
                    };
                };
            };
            /** @description `slow_down` */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The code of RFC 6749. */
                        error: string;
                        error_description: string;
                        /** @description One code of the catalogue, as in every other error. */
                        code: string;
                        message: string;
                        requestId: string;
                    };
                };
            };
            /** @description `server_error` */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The code of RFC 6749. */
                        error: string;
                        error_description: string;
                        /** @description One code of the catalogue, as in every other error. */
                        code: string;
                        message: string;
                        requestId: string;
                    };
                };
            };
            /** @description `temporarily_unavailable` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The code of RFC 6749. */
                        error: string;
                        error_description: string;
                        /** @description One code of the catalogue, as in every other error. */
                        code: string;
                        message: string;
                        requestId: string;
                    };
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
            /** @description The version that `If-None-Match` names is still the right one. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
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
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /** @description Most items on a page. */
                limit?: number;
                /** @description `nextCursor` of the page before. Keep the other filters. */
                cursor?: string;
                /** @description Only reports in this state. A page may then be short: go on until `nextCursor` is null. */
                status?: "complete" | "authentication-required" | "blocked" | "failed" | "in-progress";
                /** @description Only reports generated with exactly this reference. */
                externalReference?: string;
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditReportListResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    generateCreditReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: for 24 hours the same key with the same request gives the first answer again, marked `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
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
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description `true` when this is the kept answer of an earlier request. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GenerateResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient-funds`: The wallet cannot cover the operation. Nothing was charged. */
            402: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `request-in-progress`: The same request is still running; try again after Retry-After. */
            409: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `credit-report-purged`: The report was kept for its retention time and then erased. */
            410: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body or its headers are too large. */
            413: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json, uncompressed. */
            415: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: This Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitOtp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: for 24 hours the same key with the same request gives the first answer again, marked `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
                /** @description creditReportId of the generate response. */
                creditReportId: string;
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
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description `true` when this is the kept answer of an earlier request. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmitOtpResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
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
            404: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `challenge-closed`: The challenge has ended and takes no more codes or messages.
             *
             *     `request-in-progress`: The same request is still running; try again after Retry-After.
             */
            409: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `challenge-expired`: More than five minutes passed since the last message; generate again.
             *
             *     `credit-report-purged`: The report was kept for its retention time and then erased.
             */
            410: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body or its headers are too large. */
            413: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json, uncompressed. */
            415: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: This Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resendSms: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a retry safe: for 24 hours the same key with the same request gives the first answer again, marked `Idempotent-Replayed: true`. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
                /** @description creditReportId of the generate response. */
                creditReportId: string;
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
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description `true` when this is the kept answer of an earlier request. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendSmsResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient-funds`: The wallet cannot cover the operation. Nothing was charged. */
            402: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
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
            404: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `challenge-closed`: The challenge has ended and takes no more codes or messages.
             *
             *     `request-in-progress`: The same request is still running; try again after Retry-After.
             */
            409: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `challenge-expired`: More than five minutes passed since the last message; generate again. */
            410: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body or its headers are too large. */
            413: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json, uncompressed. */
            415: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency-key-reused`: This Idempotency-Key was used for a different request. */
            422: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `rate-limited`: Too many requests; wait for Retry-After seconds.
             *
             *     `sms-limit-reached`: The challenge has used all its messages; generate again.
             */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCreditReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
                /** @description creditReportId of the generate response. */
                creditReportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditReportResponse"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `credit-report-not-found`: No credit report with this id. */
            404: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `request-in-progress`: The same request is still running; try again after Retry-After. */
            409: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `credit-report-purged`: The report was kept for its retention time and then erased. */
            410: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletResponse"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWalletEntries: {
        parameters: {
            query?: {
                /** @description Most items on a page. */
                limit?: number;
                /** @description `nextCursor` of the page before. Keep the other filters. */
                cursor?: string;
                /** @description Posted at or after: a date (midnight UTC) or an instant with its offset. Write + as %2B. */
                from?: string;
                /** @description Posted before: a date (midnight UTC) or an instant with its offset. */
                to?: string;
                /** @description Only lines of this kind. */
                kind?: "top-up" | "adjust" | "report-charge" | "report-refund" | "sms-charge";
                /** @description Only lines of this report, its messages included. */
                creditReportId?: string;
                /** @description Only reports generated with exactly this reference. */
                externalReference?: string;
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    /** @description On CSV only: rel="next" where to go on, when the file is not whole. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletEntriesResponse"];
                    "text/csv": string;
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPrices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PricesResponse"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCredentials: {
        parameters: {
            query?: {
                /** @description Most items on a page. */
                limit?: number;
                /** @description `nextCursor` of the page before. Keep the other filters. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialsResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
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
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedCredentialResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The token does not give access to this tenant or operation.
             *
             *     `step-up-required`: This needs a second factor proved in the last ten minutes: sign in again with /v1/auth/login?stepUp=true.
             */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: The request does not fit what is there; the message says why. */
            409: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body or its headers are too large. */
            413: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json, uncompressed. */
            415: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
                /** @description The credential, by its client id. */
                credentialId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialResponse"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not-found`: Nothing is at this address. */
            404: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changeCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
                /** @description The credential, by its client id. */
                credentialId: string;
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
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The token does not give access to this tenant or operation.
             *
             *     `step-up-required`: This needs a second factor proved in the last ten minutes: sign in again with /v1/auth/login?stepUp=true.
             */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not-found`: Nothing is at this address. */
            404: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: The request does not fit what is there; the message says why. */
            409: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body or its headers are too large. */
            413: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json, uncompressed. */
            415: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addCredentialSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
                /** @description The credential, by its client id. */
                credentialId: string;
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
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedSecretResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The token does not give access to this tenant or operation.
             *
             *     `step-up-required`: This needs a second factor proved in the last ten minutes: sign in again with /v1/auth/login?stepUp=true.
             */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not-found`: Nothing is at this address. */
            404: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: The request does not fit what is there; the message says why. */
            409: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body or its headers are too large. */
            413: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json, uncompressed. */
            415: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endCredentialSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
                /** @description The credential, by its client id. */
                credentialId: string;
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
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialResponse"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The token does not give access to this tenant or operation.
             *
             *     `step-up-required`: This needs a second factor proved in the last ten minutes: sign in again with /v1/auth/login?stepUp=true.
             */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not-found`: Nothing is at this address. */
            404: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replaceCredentialKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
                /** @description The credential, by its client id. */
                credentialId: string;
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
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The token does not give access to this tenant or operation.
             *
             *     `step-up-required`: This needs a second factor proved in the last ten minutes: sign in again with /v1/auth/login?stepUp=true.
             */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not-found`: Nothing is at this address. */
            404: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: The request does not fit what is there; the message says why. */
            409: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body or its headers are too large. */
            413: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json, uncompressed. */
            415: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Most items on a page. */
                limit?: number;
                /** @description `nextCursor` of the page before. Keep the other filters. */
                cursor?: string;
                /** @description Only this action, such as `report.read`, or all of a kind, such as `report`. */
                action?: string;
                /** @description Only what this actor did. */
                actor?: string;
                /** @description Only what happened to this. */
                subjectId?: string;
                /** @description At or after: a date (midnight UTC) or an instant with its offset. Write + as %2B. */
                from?: string;
                /** @description Before: a date (midnight UTC) or an instant with its offset. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantList"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SelectedTenant"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body or its headers are too large. */
            413: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json, uncompressed. */
            415: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Most items on a page. */
                limit?: number;
                /** @description `nextCursor` of the page before. Keep the other filters. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberListResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
                /** @description A member of the tenant. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedMemberResponse"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The token does not give access to this tenant or operation.
             *
             *     `step-up-required`: This needs a second factor proved in the last ten minutes: sign in again with /v1/auth/login?stepUp=true.
             */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not-found`: Nothing is at this address. */
            404: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: The request does not fit what is there; the message says why. */
            409: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
                /** @description A member of the tenant. */
                userId: string;
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
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The token does not give access to this tenant or operation.
             *
             *     `step-up-required`: This needs a second factor proved in the last ten minutes: sign in again with /v1/auth/login?stepUp=true.
             */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not-found`: Nothing is at this address. */
            404: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: The request does not fit what is there; the message says why. */
            409: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body or its headers are too large. */
            413: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json, uncompressed. */
            415: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Most items on a page. */
                limit?: number;
                /** @description `nextCursor` of the page before. Keep the other filters. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationListResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: The token does not give access to this tenant or operation. */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
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
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationResponse"];
                };
            };
            /** @description `validation-error`: Fields of the request are missing or invalid; `details` lists every fault. */
            400: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The token does not give access to this tenant or operation.
             *
             *     `step-up-required`: This needs a second factor proved in the last ten minutes: sign in again with /v1/auth/login?stepUp=true.
             */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: The request does not fit what is there; the message says why. */
            409: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload-too-large`: The request body or its headers are too large. */
            413: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported-media-type`: Send the body as application/json, uncompressed. */
            415: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
                /** @description An open invitation of the tenant. */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationResponse"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The token does not give access to this tenant or operation.
             *
             *     `step-up-required`: This needs a second factor proved in the last ten minutes: sign in again with /v1/auth/login?stepUp=true.
             */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not-found`: Nothing is at this address. */
            404: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The tenant's id. An unknown tenant and someone else's get the same 403. */
                tenantId: string;
                /** @description An open invitation of the tenant. */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What is left of the tenant's limit and when it is whole again. */
                    RateLimit?: string;
                    /** @description The tenant's limit: quota and window in seconds. */
                    "RateLimit-Policy"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationResponse"];
                };
            };
            /** @description `unauthorized`: The access token is missing, invalid or expired. */
            401: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `forbidden`: The token does not give access to this tenant or operation.
             *
             *     `step-up-required`: This needs a second factor proved in the last ten minutes: sign in again with /v1/auth/login?stepUp=true.
             */
            403: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description What the token lacks (RFC 6750). */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not-found`: Nothing is at this address. */
            404: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: The request does not fit what is there; the message says why. */
            409: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate-limited`: Too many requests; wait for Retry-After seconds. */
            429: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal-error`: A fault on our side. Quote the requestId when you report it. */
            500: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service-unavailable`: The service cannot do this now; try again after Retry-After. */
            503: {
                headers: {
                    /** @description Names this answer; quote it when you ask about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds to wait before trying again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}

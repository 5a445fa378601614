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
         */
        post: operations["requestToken"];
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
        get?: never;
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @description One code of the closed catalogue. */
            code: "validation-error" | "unauthorized" | "insufficient-funds" | "forbidden" | "credit-report-not-found" | "challenge-not-found" | "not-found" | "method-not-allowed" | "challenge-closed" | "request-in-progress" | "challenge-expired" | "credit-report-purged" | "payload-too-large" | "unsupported-media-type" | "idempotency-key-reused" | "rate-limited" | "sms-limit-reached" | "internal-error" | "service-unavailable";
            /** @description A sentence for a developer: what happened and what to do. */
            message: string;
            /** @description The same value as the X-Request-Id response header. */
            requestId: string;
            /** @description On validation-error: every fault found. */
            details?: {
                /** @description JSON pointer into the request body, or /headers/… for a header. */
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
        WalletMeta: {
            /** @description What the wallet holds once the operation is done, in credits; 1,000 credits are one pound. */
            balance: number;
            /** @description What this operation took from the wallet, in credits; 0 for a free one. */
            cost: number;
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
                    /** @constant */
                    grant_type: "client_credentials";
                    /** @description Space-separated; a scope the credential lacks is refused. */
                    scope?: string;
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
                    };
                };
            };
            /** @description `invalid_request`, `invalid_scope`, `unsupported_grant_type` */
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
}

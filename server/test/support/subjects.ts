// Consumers in tests of their rights: invented people whose every word is found again wherever it lies, and calls in the name of
// a company's owner.
import type { ErasedSubject, ExportedSubject, FoundSubject, GenerateRequest, SubjectRequest } from '@trefoil/contract';
import { expect } from 'vitest';
import { createVault, type Vault } from '../../src/lib/crypto/vault.ts';
import type { TestServer } from '../harness.ts';
import { formsOf } from './canaries.ts';
import { addPerson, type CallReply, callAs, type TestPerson } from './people.ts';

/** A person of whom nothing is a word of the language. */
export type Canary = {
  readonly request: Partial<GenerateRequest> & Pick<GenerateRequest, 'firstName' | 'lastName' | 'dateOfBirth'>;
  readonly subject: SubjectRequest;
  /** What must not be found. */
  readonly words: readonly string[];
};

let made = 0;

export function newCanary(lastName: string): Canary {
  made += 1;
  const digits = String(100 + made);
  const subject = { firstName: 'Quillonette', lastName, dateOfBirth: '1957-11-23', postcode: 'ZE3 9JZ' };
  const street = `${lastName} Peregrinators Row`;
  const email = `allow.${lastName.toLowerCase()}@canary.example.org`;
  const mobileNumber = `+447700900${digits}`;
  const externalReference = `ref-canary-${lastName}`;
  const { postcode, ...person } = subject;
  return {
    subject,
    request: {
      ...person,
      ...{ email, mobileNumber, externalReference, middleName: `Xanthippa${lastName}` },
      addresses: [
        {
          type: 'current',
          ukAddress: { buildingNumber: '14', thoroughfare: street, townOrCity: 'Fiddlersham', postcode },
        },
      ],
    },
    words: [lastName, street, email, mobileNumber, mobileNumber.slice(3), externalReference],
  };
}

/** What all canaries share: nothing of it may lie anywhere in clear text, whoever was erased. */
export const SHARED_WORDS = ['Quillonette', '1957-11-23', 'ZE3 9JZ', 'Fiddlersham'];

/** Each form in which one of the words is in the text. */
export const findWords = (text: string, words: readonly string[]): string[] =>
  words.flatMap((word) => formsOf(word).filter((form) => text.includes(form)));

export type Rights = {
  readonly owner: TestPerson;
  find(subject: SubjectRequest): Promise<FoundSubject>;
  export(subject: SubjectRequest, cursor?: string): Promise<ExportedSubject>;
  erase(subject: SubjectRequest): Promise<ErasedSubject>;
  call(action: string, body: object, who?: { readonly token: string }): Promise<CallReply>;
};

/** As an owner who has just proved a second factor. */
export async function rightsOf(server: TestServer, tenantId: string = server.demo.tenantId): Promise<Rights> {
  const owner = await addPerson(server, tenantId, 'owner');
  const call = (action: string, body: object, who: { readonly token: string } = owner) =>
    callAs(server, who, 'POST', `/${tenantId}/v1/subjects/${action}`, body);
  async function done<T>(action: string, body: object): Promise<T> {
    const { status, data, reply } = await call(action, body);
    expect(status, reply.text.slice(0, 500)).toBe(200);
    return data as T;
  }
  return {
    owner,
    call,
    find: (subject) => done<FoundSubject>('find', subject),
    export: (subject, cursor) => done<ExportedSubject>('export', { ...subject, ...(cursor && { cursor }) }),
    erase: (subject) => done<ErasedSubject>('erase', subject),
  };
}

type SealedRow = {
  readonly id: string;
  readonly tenantId: string;
  readonly request: Buffer;
  readonly report: Buffer | null;
  readonly provenance: Buffer | null;
  readonly ringKeyId: string | null;
  readonly wrappedKey: Buffer | null;
};

function tryOpen<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

/** Every sealed column of every report, as far as these keys open it: what a thief of the database and the keys would read. */
export async function openEverything(
  { query }: Pick<TestServer, 'query'>,
  vault: Pick<Vault, 'openDataKey'>,
): Promise<Map<string, string>> {
  const rows = await query<SealedRow>(
    `select id, credit_reports.tenant_id as "tenantId", sealed_request as request, sealed_report as report,
            sealed_provenance as provenance, ring_key_id as "ringKeyId", wrapped_key as "wrappedKey"
       from credit_reports left join data_keys
         on data_keys.tenant_id = credit_reports.tenant_id and credit_report_id = id`,
  );
  const opened = new Map<string, string>();
  for (const { id, tenantId, ringKeyId, wrappedKey, ...columns } of rows) {
    if (ringKeyId === null || wrappedKey === null) continue;
    const dataKey = tryOpen(() => vault.openDataKey({ tenantId, subjectId: id }, { ringKeyId, wrappedKey }));
    if (!dataKey) continue;
    const texts = (['request', 'report', 'provenance'] as const).flatMap((column) => {
      const sealed = columns[column];
      return sealed && sealed.length > 0 ? [dataKey.openBytes(column, sealed).toString('latin1')] : [];
    });
    opened.set(id, texts.join('\n'));
  }
  return opened;
}

export const vaultOf = ({ config }: Pick<TestServer, 'config'>): Vault => createVault(config.vaultKeys);

/** Opens a data key with any of these keys, whichever key its row names. */
export const vaultOfAny = (keys: readonly Buffer[]): Pick<Vault, 'openDataKey'> => ({
  openDataKey(place, wrapped) {
    for (const key of keys) {
      const opened = tryOpen(() => createVault([{ id: wrapped.ringKeyId, key }]).openDataKey(place, wrapped));
      if (opened) return opened;
    }
    throw new Error('no key opens it');
  },
});

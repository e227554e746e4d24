/** Ports of the load of one member: accounts and store. Adapters in `loads/aws` and `loads/store` implement them. */

import type { ResourceName } from '../../catalog/fhir/resource-name.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { ContactData } from '../../platform/kernel/contact-data.ts';
import type { MemberLoad } from './ingest-contract.ts';

/** Ports and functions that load a member; adapters in `loads/aws` and `loads/store` implement the ports. */
export interface Ingest {
  readonly accounts: MemberAccounts;
  readonly store: MemberStore;
  /** Makes the serialized search values of a resource, always the same text for the same resource. */
  readonly searchValues: (json: string) => string;
  /** SHA-256 of a text's UTF-8, in hex. */
  readonly sha256: (text: string) => string;
  /** Extracts contact and matching data from a serialized Patient. */
  readonly contactData: (json: string) => ContactData;
}

/** The member's data in the user pool. */
export type MemberAccount = Pick<
  MemberLoad,
  'memberId' | 'email' | 'phoneNumber' | 'givenName' | 'familyName' | 'password'
>;

/** Refusal of account data: another member has the e-mail address, or the password violates the pool's policy. Nothing was changed. */
export interface AccountRefusal {
  readonly kind: 'refusal';
  readonly refusal: 'email_taken' | 'password_refused';
}

/** Result of a creation. `exists`: an account has this user name or e-mail address already. */
export type AccountCreated =
  | { readonly kind: 'created'; readonly sub: string }
  | { readonly kind: 'exists' }
  | AccountRefusal;

/** Result of an update. `unknown`: the account does not exist. */
export type AccountUpdated = { readonly kind: 'updated' } | { readonly kind: 'unknown' } | AccountRefusal;

/** Accounts in the user pool, by member ID. */
export interface MemberAccounts {
  /** Creates the account, with the password if one is given. */
  create(account: MemberAccount): Promise<AccountCreated>;
  /** Finds the account; `complete` if it has these values and a password of its own. */
  find(account: MemberAccount): Promise<{ readonly sub: string; readonly complete: boolean } | undefined>;
  /** Updates the account's contact data to these values, in one call. */
  update(account: MemberAccount): Promise<AccountUpdated>;
  /** Sets the first password of an account that never had one. Does nothing if the account has one, or no password is given. */
  setFirstPassword(account: MemberAccount): Promise<void>;
}

export type LoadedResource = MemberLoad['resources'][number];

/** The member that a patient's record belongs to, and a digest of the account data last written. */
export interface PatientMember {
  readonly memberId: string;
  /** Absent while the member has no account: drops load members without accounts. */
  readonly sub?: string | undefined;
  /** SHA-256 (hex) of the account's values. */
  readonly accountSha256?: string | undefined;
}

/** The Patient that a member identifier belongs to. */
export interface NamedPatient {
  readonly patientId: string;
  /** Whether a drop withdrew the member. */
  readonly isWithdrawn: boolean;
}

export interface MemberStore {
  /** Ends the sessions of an account, in all LOBs. */
  endSessions(sub: string): Promise<void>;
  /** The member a patient's record belongs to in a LOB; undefined before the first load. */
  memberOf(lob: LineOfBusiness, patientId: string): Promise<PatientMember | undefined>;
  /** The patient an account signs in to in a LOB. */
  patientOf(lob: LineOfBusiness, sub: string): Promise<string | undefined>;
  /** The Patient that a member identifier belongs to in a LOB, after merges; undefined before the first load. */
  namedPatient(lob: LineOfBusiness, memberId: string): Promise<NamedPatient | undefined>;
  /** The stored versions of the resources, in the order asked for. */
  stored(
    lob: LineOfBusiness,
    patientId: string,
    resources: readonly ResourceName[],
  ): Promise<readonly (StoredVersion | undefined)[]>;
  /** Whether a resource and its search values fit into items of the store. Their compressed size counts. */
  holds(lob: LineOfBusiness, patientId: string, resource: LoadedResource, values: string): boolean;
  /**
   * Writes a load in one or more transactions, in the order of its changes. The first also writes which member the patient's record belongs
   * to. The last also writes the links from account and member identifier to the patient, with the contact data.
   *
   * @returns `conflict` if another writer changed an item since it was read and nothing was written; `interrupted` if some transactions
   * were written before. In both cases read again and repeat.
   */
  write(load: LinkedLoad): Promise<'written' | 'conflict' | 'interrupted'>;
}

export interface StoredVersion
  extends Pick<LoadedResource, 'versionId' | 'lastUpdated' | 'json' | 'fhirJson'> {
  /** Whether these are the stored search values. */
  readonly isFoundBy: (values: string) => boolean;
}

/** A change of a resource. `values` are its search values (`searchValues`); `replaces` is the version that must still be stored. */
export type ResourceChange =
  | {
      readonly kind: 'put';
      readonly resource: LoadedResource;
      readonly values: string;
      readonly replaces?: Pick<StoredVersion, 'versionId'>;
    }
  /** Keeps the resource and replaces its search values. */
  | { readonly kind: 'values'; readonly resource: LoadedResource; readonly values: string }
  | {
      readonly kind: 'remove';
      readonly resource: ResourceName;
      readonly replaces: Pick<StoredVersion, 'versionId'>;
    };

export interface LinkedLoad extends PatientMember {
  readonly sub: string;
  readonly accountSha256: string;
  readonly lob: LineOfBusiness;
  readonly patientId: string;
  readonly displayName: string;
  /** The account's e-mail address and phone number, with the Patient's matching data. */
  readonly contact: ContactData;
  /** The member that the patient's record belonged to when it was read. */
  readonly replaces?: PatientMember | undefined;
  /** Only the differences from what is stored, each resource once. */
  readonly changes: readonly ResourceChange[];
}

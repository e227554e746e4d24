import * as z from 'zod/mini';
import { issueMessage } from '../catalog/issue-message.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import { type IngestAnswer, type MemberLoad, memberLoad } from './ingest-contract.ts';
import { type IngestIssue, loadIssues } from './ingest-rules.ts';

/** What loading a member needs from outside; adapters in `lambdas/identity` and `lambdas/storage` implement it. */
export interface Ingest {
  readonly accounts: MemberAccounts;
  readonly store: MemberStore;
}

/** The member as the user pool knows them. */
export type MemberAccount = Pick<
  MemberLoad,
  'memberId' | 'email' | 'phoneNumber' | 'givenName' | 'familyName' | 'password'
>;

export interface MemberAccounts {
  /**
   * Makes the account, or brings the one there is to these values.
   *
   * @returns the account's subject (`sub`), or why the pool refuses: the e-mail address signs another member in, or
   * the password isn't good enough.
   */
  ensure(
    account: MemberAccount,
  ): Promise<
    | { readonly ok: true; readonly sub: string }
    | { readonly ok: false; readonly reason: 'email_taken' | 'password_refused' }
  >;
}

export type StoredResource = MemberLoad['resources'][number];

export interface MemberStore {
  /** The resources as they are stored, in the order asked for. */
  stored(
    lob: LineOfBusiness,
    patientId: string,
    resources: readonly Pick<StoredResource, 'resourceType' | 'id'>[],
  ): Promise<readonly (StoredVersion | undefined)[]>;
  /**
   * Writes resources, then the link from the account to the patient.
   *
   * @returns `conflict` when somebody else wrote one of them since it was read (some may be written: read again and
   * repeat); `linked_elsewhere` when the account is another patient's already (nothing is written).
   */
  write(load: LinkedLoad): Promise<'written' | 'conflict' | 'linked_elsewhere'>;
}

export type StoredVersion = Pick<StoredResource, 'versionId' | 'lastUpdated' | 'json' | 'fhirJson'>;

export interface LinkedLoad {
  readonly lob: LineOfBusiness;
  readonly patientId: string;
  readonly memberId: string;
  readonly displayName: string;
  readonly sub: string;
  /** Only those that differ from what is stored; `replaces` is the version each one takes the place of. */
  readonly resources: readonly { readonly resource: StoredResource; readonly replaces?: StoredVersion }[];
}

/** Loads of the same member at the same time; one more than this in a row has lost every time. */
const mostAttempts = 5;

/**
 * Loads one member: account, link and resources. Repeatable: what is there already stays as it is, and an attempt that
 * ended half-way is completed by the next. The link comes last, so that nobody signs in to a patient half loaded.
 */
export async function ingestMember({ accounts, store }: Ingest, payload: unknown): Promise<IngestAnswer> {
  const parsed = z.safeParse(memberLoad, payload);
  if (!parsed.success) {
    return refused(
      parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issueMessage(issue) })),
    );
  }
  const load = parsed.data;
  const { lob, patientId, memberId } = load;
  const issues = loadIssues(load);
  if (issues.length > 0) return refused(issues);
  const early = compared(load, await store.stored(lob, patientId, load.resources));
  if ('issues' in early) return refused(early.issues);

  const account = await accounts.ensure(load);
  if (!account.ok) return refused([accountIssues[account.reason]]);
  const link = {
    lob,
    patientId,
    memberId,
    displayName: `${load.givenName} ${load.familyName}`,
    sub: account.sub,
  };
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const comparison = compared(load, await store.stored(lob, patientId, load.resources));
    if ('issues' in comparison) return refused(comparison.issues);
    const outcome = await store.write({ ...link, resources: comparison.changed });
    if (outcome === 'linked_elsewhere') {
      return refused([{ path: 'patientId', message: 'the patient this member already is in this LOB' }]);
    }
    if (outcome === 'written') return { ok: true, patientId, resources: load.resources.length };
  }
  throw new Error('a member changes faster than it can be loaded');
}

const accountIssues = {
  email_taken: { path: 'email', message: 'an address that signs no other member in' },
  password_refused: { path: 'password', message: "a password the user pool's policy accepts" },
} as const;

/** Which resources are new or newer; a version says one thing only, and an older one takes no newer one's place. */
function compared(
  load: MemberLoad,
  stored: readonly (StoredVersion | undefined)[],
): { readonly changed: LinkedLoad['resources'] } | { readonly issues: readonly IngestIssue[] } {
  const changed: { resource: StoredResource; replaces?: StoredVersion }[] = [];
  const issues: IngestIssue[] = [];
  load.resources.forEach((resource, index) => {
    const present = stored[index];
    if (present === undefined) changed.push({ resource });
    else if (present.versionId === resource.versionId) {
      if (present.json === resource.json && present.fhirJson === resource.fhirJson) return;
      issues.push({
        path: `resources.${index}.versionId`,
        message: 'a new version for new content: this one is stored with other content',
      });
    } else if (Date.parse(resource.lastUpdated) < Date.parse(present.lastUpdated)) {
      issues.push({ path: `resources.${index}.lastUpdated`, message: 'not older than the stored version' });
    } else changed.push({ resource, replaces: present });
  });
  return issues.length > 0 ? { issues } : { changed };
}

function refused(issues: readonly IngestIssue[]): IngestAnswer {
  return { ok: false, code: 'invalid_request', issues };
}

/** Downloads of job files: authorizes a request, records it in the audit, and finds the object to send. */

import * as z from 'zod/mini';
import type { BackendContext } from '../../catalog/oauth/authorizer-context.ts';
import type { MatchStore, PayerCall } from '../permission/member-match-port.ts';
import { type AdmissionRefusal, admitPayer } from '../permission/payer-admission.ts';
import { endedGrantReason, type PayerGrants } from '../permission/payer-grant-port.ts';
import type { JobFiles, JobStore } from './job-ports.ts';
import { ownJob } from './job-requests.ts';
import { fileMembersKey, jobFileKey } from './payer-job.ts';

const filedMembers = z.array(
  z.object({ patientId: z.string(), grantId: z.string(), resources: z.array(z.string()) }),
);

export interface JobFileDependencies {
  readonly store: JobStore;
  readonly files: JobFiles;
  readonly payers: Pick<MatchStore, 'organization' | 'recordRefusal' | 'recordDisclosure'>;
  readonly grants: PayerGrants;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface JobFileRequest extends PayerCall {
  readonly context: BackendContext;
  readonly jobId: string;
  readonly name: string;
}

export type JobFileAnswer =
  | { readonly kind: 'file'; readonly key: string }
  | { readonly kind: 'refusal'; readonly refusal: AdmissionRefusal | 'not-found' | 'file-withheld' };

/**
 * Finds a file that a manifest names. If any member in the file no longer consents, the whole file is withheld. The audit events are
 * durable before the caller sends the file.
 *
 * @throws StoreUnavailable
 */
export async function requestJobFile(
  { store, files, payers, grants, now }: JobFileDependencies,
  { context, jobId, name, ...call }: JobFileRequest,
): Promise<JobFileAnswer> {
  const admission = await admitPayer({ store: payers, now }, context, call, 'Patient');
  if (admission.kind === 'refusal') return admission;
  const { organization } = admission;
  const job = await ownJob({ store, now }, context.clientId, jobId);
  const part = job?.state === 'complete' ? await store.part(jobId, partOf(name)) : undefined;
  const file = part?.files.find((each) => each.name === name);
  if (file === undefined) {
    await payers.recordRefusal(call, 'resource_unknown');
    return { kind: 'refusal', refusal: 'not-found' };
  }
  if (!file.hasMembers) {
    await payers.recordDisclosure(call, `job/${jobId}/${name}`);
    return { kind: 'file', key: jobFileKey(jobId, name) };
  }
  const index = await files.readText(fileMembersKey(jobId, name));
  const members = index === undefined ? undefined : filedMembers.parse(JSON.parse(index));
  const found = members === undefined ? [undefined] : await grants.find(members);
  const ended = found.map((grant) => endedGrantReason(grant, context.clientId, organization, now()));
  const reason = ended.find((each) => each !== undefined);
  if (members === undefined || reason !== undefined) {
    await payers.recordRefusal(call, reason ?? 'resource_unknown');
    return { kind: 'refusal', refusal: 'file-withheld' };
  }
  await grants.recordDisclosures(call, members);
  return { kind: 'file', key: jobFileKey(jobId, name) };
}

/** Number of the part in a file's name; -1 if the text is not a file's name. */
function partOf(name: string): number {
  const [, part] = /^(\d{6})\.[A-Za-z]+\.\d+\.ndjson$/.exec(name) ?? [];
  return part === undefined ? -1 : Number(part);
}

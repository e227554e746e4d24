/** The trading partner's client that the self-test uses: matches, jobs, groups and files. */

import type { OrganizationIdentifier } from '../../lambdas/catalog/payer/organization-identifiers.ts';
import { type CohortCase, cohortCase } from '../../lambdas/catalog/payer/payer-cohort.ts';
import {
  type CohortParameter,
  cohortBulkBody,
  cohortMatchBody,
  cohortParameters,
} from '../../lambdas/catalog/payer/payer-cohort-requests.ts';
import { type HttpResponse, headerText } from '../http/client.ts';
import { CheckFailure, expectStatus, jsonBody } from './expectations.ts';
import { createPartnerCalls, once, type PartnerCredentials, type PartnerPorts } from './partner-calls.ts';

export interface ManifestFile {
  readonly type: string;
  readonly url: string;
  readonly count: number;
}

export interface Manifest {
  readonly transactionTime: string;
  readonly request: string;
  readonly requiresAccessToken: boolean;
  readonly output: readonly ManifestFile[];
  readonly error: readonly ManifestFile[];
}

/** A job that has ended. */
export interface EndedJob {
  readonly address: string;
  readonly manifest: Manifest;
}

export type Partner = ReturnType<typeof createPartner>;

/** Longest time in seconds for which a job is polled. */
const longestJobSeconds = 300;
/** Makes the client. Results that several checks need, such as a token or an export, are fetched once. */
export function createPartner(credentials: PartnerCredentials, ports: PartnerPorts) {
  const { lob } = credentials;
  const { download, wait } = ports;
  const calls = createPartnerCalls(credentials, ports);
  const { get, post } = calls;

  /** Begins a job. */
  async function begin(path: string, body: object, isPatient = true): Promise<HttpResponse> {
    return await post(path, body, { headers: { prefer: 'respond-async' }, isPatient });
  }

  /** Polls an accepted job until it ends. */
  async function finish(begun: HttpResponse): Promise<EndedJob> {
    expectStatus(begun, 202);
    const address = headerText(begun, 'content-location');
    if (address === undefined) throw new CheckFailure('Content-Location', 'none');
    for (let waited = 0; waited < longestJobSeconds; ) {
      const status = await get(address);
      if (status.status === 200) return { address, manifest: jsonBody(status) as unknown as Manifest };
      expectStatus(status, 202);
      const seconds = Math.max(1, Number(headerText(status, 'retry-after')) || 1);
      await wait(seconds);
      waited += seconds;
    }
    throw new CheckFailure(`a job that ends within ${longestJobSeconds} seconds`, 'it is still running');
  }

  /** Downloads a file of a manifest: the redirect, the response and the lines. */
  async function file({ url }: ManifestFile) {
    const redirect = await get(url, { 'accept-encoding': 'gzip' });
    expectStatus(redirect, 307);
    const response = await download(headerText(redirect, 'location') ?? '');
    expectStatus(response, 200);
    const lines = response.body.split('\n').filter((line) => line !== '');
    return {
      response,
      resources: lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
    };
  }

  async function files(list: readonly ManifestFile[]) {
    const all: {
      readonly entry: ManifestFile;
      readonly response: HttpResponse;
      readonly resources: readonly Readonly<Record<string, unknown>>[];
    }[] = [];
    for (const entry of list) all.push({ entry, ...(await file(entry)) });
    return all;
  }

  /** The partner's organization as the operator verified it, read from a group. */
  const organization = once(async (): Promise<OrganizationIdentifier> => {
    const nobody = { system: 'http://hl7.org/fhir/sid/us-npi', value: '0000000000' };
    const unknown = cohortParameters(nobodysCase(), lob, nobody);
    const { manifest } = await finish(await begin('Group/$bulk-member-match', cohortBulkBody([unknown])));
    const [group] = (await files(manifest.output.filter(({ type }) => type === 'Group'))).flatMap(
      ({ resources }) => resources,
    );
    const [first] = (group?.identifier ?? []) as readonly OrganizationIdentifier[];
    if (first === undefined)
      throw new CheckFailure('a Group with an identifier of your organization', 'none');
    return first;
  });

  const parametersOf = async (given: CohortCase): Promise<readonly CohortParameter[]> =>
    cohortParameters(given, lob, await organization());

  async function match(given: CohortCase): Promise<HttpResponse> {
    return await post('Patient/$member-match', cohortMatchBody(await parametersOf(given)));
  }

  /**
   * Sends a match that must be refused, and then correct matches with the same identifiers. Repeated failures would otherwise delay the
   * next requests of this partner and of others.
   */
  async function refusedMatch(given: CohortCase): Promise<HttpResponse> {
    const response = await match(given);
    await settle(given);
    return response;
  }

  /** Matches the members of a case with their correct data. */
  async function settle({ member, numbers }: CohortCase): Promise<void> {
    for (const number of numbers ?? [undefined]) {
      await match({
        member,
        outcome: 'match',
        about: '',
        ...(number !== undefined && { numbers: [number] }),
      });
    }
  }

  /** The ID of the Patient that a case matches. */
  async function matchedPatient(given: CohortCase): Promise<string> {
    const response = await match(given);
    expectStatus(response, 200);
    const parameters = (jsonBody(response).parameter ?? []) as readonly {
      readonly name: string;
      readonly valueReference?: { readonly reference?: string };
    }[];
    const reference = parameters.find(({ name }) => name === 'MemberId')?.valueReference?.reference;
    if (reference === undefined) throw new CheckFailure('MemberId with a reference', response.body);
    return reference.replace('Patient/', '');
  }

  /** A bulk match with cases of every outcome, and a MemberBundle without parts. */
  const bulkMatch = once(async () => {
    const cases = (
      ['match', 'different', 'twice', 'expired', 'other-recipient', 'other-patient'] as const
    ).map(cohortCase);
    const submitted = [...cases, nobodysCase()];
    const bundles = await Promise.all(submitted.map(parametersOf));
    const job = await finish(await begin('Group/$bulk-member-match', cohortBulkBody([...bundles, []])));
    for (const given of cases.filter(({ outcome }) => outcome !== 'match')) await settle(given);
    const groups = (await files(job.manifest.output.filter(({ type }) => type === 'Group'))).flatMap(
      ({ resources }) => resources,
    );
    return { ...job, submitted, groups };
  });

  const matchedGroup = once(async (): Promise<string> => {
    const { groups } = await bulkMatch();
    const [first] = groups.filter((group) => JSON.stringify(group.code).includes('"match"'));
    if (typeof first?.id !== 'string')
      throw new CheckFailure('a Group with the code match', `${groups.length} others`);
    return first.id;
  });

  /** Begins an export of the group of matched members. */
  async function beginExport(
    parameters: Readonly<Record<string, string>> = {},
    isPatient = true,
  ): Promise<HttpResponse> {
    const all = { exportType: 'hl7.fhir.us.davinci-pdex#payertopayer', ...parameters };
    const parameter = Object.entries(all).map(([name, valueString]) => ({ name, valueString }));
    const path = `Group/${await matchedGroup()}/$davinci-data-export`;
    return await begin(path, { resourceType: 'Parameters', parameter }, isPatient);
  }

  const exported = once(async () => {
    const job = await finish(await beginExport());
    return { ...job, files: await files(job.manifest.output) };
  });

  return {
    ...calls,
    ...{ begin, finish, files },
    ...{
      organization,
      parametersOf,
      match,
      refusedMatch,
      matchedPatient,
      bulkMatch,
      matchedGroup,
      beginExport,
      exported,
    },
  };
}

/** A member that does not exist, with new identifiers each time, so that no identifier collects failures. */
export function nobodysCase(): CohortCase {
  const digits = String(Math.floor(Math.random() * 10 ** 10)).padStart(10, '0');
  return { ...cohortCase('unknown'), numbers: [`X${digits}`] };
}

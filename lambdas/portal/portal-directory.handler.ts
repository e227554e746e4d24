/** Handler of `portal-directory`: the public pages "Find a doctor" and the status, which work without scripts. */

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { FhirResource } from 'fhir/r4.js';
import { fhirBase } from '../catalog/addresses.ts';
import type { Environment } from '../catalog/environments.ts';
import { queryParameters } from '../platform/http/parameters.ts';
import { createPipeline } from '../platform/http/pipeline.ts';
import { jsonValue } from '../platform/kernel/json-members.ts';
import { systemClock } from '../platform/runtime/clock.ts';
import { readEnvironment } from '../platform/runtime/environment.ts';
import { createHttpGet } from '../platform/runtime/http-get.ts';
import { consoleLog } from '../platform/runtime/log.ts';
import { sdkRetries } from '../platform/runtime/sdk-retries.ts';
import { createSdkTable } from '../platform/table/sdk-table.ts';
import { createPortalLimits } from './adapters/limits-store.ts';
import { frameMarker, framePath, frameTitle } from './catalog/find-a-doctor.ts';
import { createStatusPages } from './compose-status-pages.ts';
import { doctorPage, tooManySearches } from './find-a-doctor/doctor-page.ts';
import { doctorPageTitle } from './find-a-doctor/doctor-words.ts';
import { type DirectoryAnswer, type DirectoryApi, findDoctors } from './find-a-doctor/find-doctors.ts';
import { callerOf } from './http/caller.ts';
import { createPortalDialect, createProblemWriter } from './http/problem-details.ts';

const { tableName, portalOrigin, environmentAddresses, directoryKeysSecret, doctorEnvironment } =
  readEnvironment([
    'tableName',
    'portalOrigin',
    'environmentAddresses',
    'directoryKeysSecret',
    'doctorEnvironment',
  ]);
/** Timeout of a call: the first search may wait for a publication that is fetched. */
const get = createHttpGet(4_000);
const secrets = new SecretsManagerClient({ retryStrategy: sdkRetries });
/** Keys and the frame of the page are read again after a minute. */
const keptMs = 60_000;
/** Networks and languages of a plan are read again after ten minutes. */
const keptAnswerMs = 600_000;

const keys = kept(async (): Promise<Readonly<Partial<Record<Environment, string>>>> => {
  const { SecretString = '{}' } = await secrets.send(
    new GetSecretValueCommand({ SecretId: directoryKeysSecret }),
  );
  return JSON.parse(SecretString);
});

const frame = kept(async () => {
  const answer = await get(`${portalOrigin}${framePath}`);
  if (answer?.status !== 200 || !answer.text.includes(frameMarker))
    throw new Error('the frame of the page is missing');
  return answer.text;
});

/**
 * Searches of one address: a person makes a few in a minute, an office that shares its address some dozens. All searches use the page's own
 * key, so that without a limit by address one visitor could use it up for all.
 */
const searchesByAddress = { name: 'find-a-doctor', limit: 60, periodSeconds: 60 } as const;
const table = createSdkTable({ tableName });
const limits = createPortalLimits(table);
const statusPages = createStatusPages({ table, get, origin: portalOrigin });

/** Responses that are the same for all visitors, by URL. A plan's networks and languages change with a publication. */
const keptAnswers = new Map<string, () => Promise<DirectoryAnswer>>();

const api: DirectoryApi = {
  environment: doctorEnvironment,
  base: (environment, lob) => {
    const origins = environmentAddresses.environments[environment];
    return fhirBase(origins, lob, 'provider-directory');
  },
  get: async (environment, url) => {
    const key = (await keys())[environment];
    const headers = {
      accept: 'application/fhir+json',
      ...(key !== undefined && { 'x-api-subscription-key': key }),
    };
    const answer = await get(url, headers);
    return answer && { status: answer.status, body: jsonValue(answer.text) as FhirResource | undefined };
  },
  getKept: async (environment, url) => {
    const read = keptAnswers.get(url) ?? kept(() => successOf(environment, url), keptAnswerMs);
    keptAnswers.set(url, read);
    try {
      return await read();
    } catch {
      return undefined;
    }
  },
};

/** @throws Error where the API did not answer, so that the last answer stays. */
async function successOf(environment: Environment, url: string): Promise<DirectoryAnswer> {
  const answer = await api.get(environment, url);
  if (answer?.status !== 200) throw new Error('the directory did not answer');
  return answer;
}

/** Reads a value again after some time; after a failure, the last one that was read. */
function kept<Value>(read: () => Promise<Value>, forMs = keptMs): () => Promise<Value> {
  let last: { readonly value: Value; readonly until: number } | undefined;
  return async () => {
    if (last !== undefined && systemClock() < last.until) return last.value;
    try {
      last = { value: await read(), until: systemClock() + forMs };
    } catch (error) {
      if (last === undefined) throw error;
    }
    return last.value;
  };
}

const html = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' } as const;

/**
 * A part of the page in its frame. The replacements are functions, because the texts may have a dollar sign.
 *
 * @param title starts the title of the document. It is made of the page's own words and numbers, so it needs no escaping.
 */
async function framed(title: string, main: string): Promise<string> {
  return (await frame())
    .replace(`<title>${frameTitle}`, () => `<title>${title}`)
    .replace(frameMarker, () => main);
}

/**
 * Serves the page "Find a doctor", the status and its feed. Called by anybody's browser through the portal's host. Calls the Provider Directory
 * API with keys of its own; of the portal's table it reaches the limits of visitors, and reads the status.
 */
export const handler = createPipeline({
  dialect: createPortalDialect(createProblemWriter(portalOrigin)),
  log: consoleLog,
  handler: async (event) => {
    const status = await statusPages(event);
    if (status !== undefined) return status;
    const parameters = queryParameters(event);
    // An empty form needs no call of the API.
    const verdict = parameters.has('lob')
      ? await limits.attempt(searchesByAddress, callerOf(event))
      : ({ kind: 'allowed' } as const);
    if (verdict.kind === 'limited') {
      const { retryAfterSeconds } = verdict;
      return {
        statusCode: 429,
        headers: { ...html, 'Retry-After': String(retryAfterSeconds) },
        body: await framed(frameTitle, tooManySearches(retryAfterSeconds)),
      };
    }
    const page = await findDoctors(api, parameters);
    const { environment, lob } = page.query;
    return {
      statusCode:
        page.problem?.kind === 'unavailable' ? 503 : Object.keys(page.errors).length > 0 ? 400 : 200,
      headers: html,
      body: await framed(
        doctorPageTitle(page),
        doctorPage(page, lob === undefined ? '' : api.base(environment, lob)),
      ),
    };
  },
});

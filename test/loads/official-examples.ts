import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import { isPatientAccessType, servedResource } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { type LineOfBusiness, lineOfBusinessCodes } from '../../lambdas/catalog/lines-of-business.ts';
import type {
  Credentials,
  ProvisioningAnswer,
} from '../../lambdas/clients/provisioning/provisioning-contract.ts';
import type { LoadSummary } from '../../lambdas/loads/course/load-operations-contract.ts';
import { isSharedType, loadTypes } from '../../lambdas/loads/ledger/load-types.ts';
import { createInvoke } from '../../ops/command-line/invoke.ts';
import { localOrigins } from '../../ops/command-line/system.ts';
import { table } from '../../ops/command-line/table.ts';
import { type SyntheticMember, syntheticMembers } from '../../ops/generator/members.ts';
import { createHttp } from '../../ops/http/client.ts';
import { runOps } from '../../ops/program.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { memberToken } from '../support/member-token.ts';
import { type RunningSystem, startRunningSystem } from '../support/running-system.ts';
import { searchTexts } from '../support/search-texts.ts';

/**
 * `npm run examples:loads -- --folder FOLDER`: loads the guides' official examples as drops through a running system, each guide into a
 * line of business of its own. Requests each loaded resource by a read, by a search of its type and by every search parameter for which it
 * has a value, and prints refusals with their reasons. With `--out FILE`, writes the resources that were read.
 *
 * FOLDER has a file `<package>#<version>.ndjson.gz` for each guide, one resource a line. Only what every row of a drop must have is added
 * to the examples: a version, a time, a member identifier, and the Patient among the targets of a Provenance. The two Patients with the
 * most resources get the IDs of the line of business's test members, whose accounts can sign in.
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: join(repositoryRoot, '..', 'shared', 'conformance', 'examples') },
    out: { type: 'string' },
  },
});
const guides = [
  'carin-bb#2.0.0',
  'carin-bb#1.1.0',
  'core#6.1.0',
  'core#3.1.1',
  'davinci-pdex#2.2.0',
  'davinci-pdex#2.0.0',
];
const redirectUri = 'https://app.example.org/callback';

interface Reference {
  readonly reference: string;
}

interface Example {
  readonly resourceType: string;
  readonly id: string;
  readonly meta?: object;
  readonly identifier?: readonly unknown[];
  readonly target?: readonly Reference[];
}

if (!existsSync(values.folder)) {
  console.error(`there is no folder ${values.folder} with examples`);
  process.exit(2);
}
const system = await startRunningSystem();
const directory = mkdtempSync(join(tmpdir(), 'member-data-examples-'));
let isEverythingRead = true;
try {
  const files = readdirSync(values.folder);
  for (const [at, guide] of guides.entries()) {
    const file = files.find((name) => name.endsWith(`.${guide}.ndjson.gz`));
    const lob = lineOfBusinessCodes[at];
    if (file === undefined || lob === undefined) continue;
    isEverythingRead = (await loadGuide(guide, join(values.folder, file), lob)) && isEverythingRead;
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
  await system.stop();
}
process.exitCode = isEverythingRead ? 0 : 1;

async function loadGuide(guide: string, file: string, lob: LineOfBusiness): Promise<boolean> {
  const all = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n');
  const members = syntheticMembers('sandbox').filter((member) => member.lob === lob);
  const examples = asRows(
    all.map((line) => JSON.parse(line)),
    members,
  );
  const served = examples.filter(({ resourceType }) => Object.hasOwn(loadTypes, resourceType));
  const folder = join(directory, guide.replace(/\W/g, '-'));
  mkdirSync(folder);
  for (const [type, rows] of Map.groupBy(served, ({ resourceType }) => resourceType)) {
    writeFileSync(join(folder, `${type}.ndjson`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
  const load = JSON.parse((await ops('start', folder, '--lob', lob, '--json')).join('\n')) as LoadSummary;
  const rejects = (await ops('rejects', load.jobId, '--lob', lob))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, string>);
  const loaded = served.filter(
    ({ resourceType, id }) => !rejects.some(({ resource }) => resource === `${resourceType}/${id}`),
  );
  const missing = await notReadBack(loaded, members, lob);
  const unserved = examples.filter((each) => !served.includes(each)).map(({ resourceType }) => resourceType);
  console.log(
    `\n${guide} into ${lob}: ${load.counts.loaded} of ${load.controlTotal} loaded, ${rejects.length} refused`,
  );
  console.log(`of types no drop holds: ${unserved.length} (${[...new Set(unserved)].sort().join(', ')})`);
  const rows = rejects.map(({ resource = '', code = '', element = '', problem = '' }) => [
    resource,
    code,
    element,
    problem,
  ]);
  if (rows.length > 0) console.log(table(['refused', 'code', 'element', ''], rows));
  for (const line of missing) console.log(`not read back: ${line}`);
  return missing.length === 0;
}

/** Makes rows of a drop from the examples. */
function asRows(examples: readonly Example[], members: readonly SyntheticMember[]): readonly Example[] {
  const text = JSON.stringify(examples);
  const uses = (id: string) => text.split(`"Patient/${id}"`).length;
  const patients = examples.filter(({ resourceType }) => resourceType === 'Patient').map(({ id }) => id);
  const chosen = [...patients].sort((a, b) => uses(b) - uses(a)).slice(0, members.length);
  const memberOf = (id: string) => members[chosen.indexOf(id)];
  const renamed = chosen.reduce(
    (all, id) => all.replaceAll(`"Patient/${id}"`, `"Patient/${memberOf(id)?.patientId}"`),
    text,
  );
  const all = JSON.parse(renamed) as readonly Example[];
  return all.map((example) => {
    const meta = { ...example.meta, versionId: 'example-1', lastUpdated: '2026-11-22T12:00:00Z' };
    if (example.resourceType === 'Provenance') return { ...example, meta, target: targetsOf(example, all) };
    if (example.resourceType !== 'Patient') return { ...example, meta };
    const member = memberOf(example.id);
    const others = (example.identifier ?? []).filter((each) => !JSON.stringify(each).includes('"MB"'));
    const coding = [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MB' }];
    const identifier = {
      type: { coding },
      system: 'https://plan.example/member',
      value: member?.memberId ?? `EXAMPLE-${example.id}`,
    };
    return { ...example, id: member?.patientId ?? example.id, meta, identifier: [identifier, ...others] };
  });
}

/** The targets of a Provenance, and the Patient of these targets. */
function targetsOf({ target = [] }: Example, examples: readonly Example[]): readonly Reference[] {
  if (target.some(({ reference }) => reference.startsWith('Patient/'))) return target;
  const about = examples.filter(({ resourceType, id }) =>
    target.some(({ reference }) => reference === `${resourceType}/${id}`),
  );
  const [, patient] = /"reference":"(Patient\/[^"]+)"/.exec(JSON.stringify(about)) ?? [];
  return patient === undefined ? target : [...target, { reference: patient }];
}

/** @returns a line for each resource of the test members that a read or a search does not find. */
async function notReadBack(
  loaded: readonly Example[],
  members: readonly SyntheticMember[],
  lob: LineOfBusiness,
): Promise<readonly string[]> {
  const http = createHttp();
  const app = await register(system, lob);
  const origins = localOrigins(system.system, 'sandbox');
  const missing: string[] = [];
  for (const member of members) {
    let searches = 0;
    const token = await memberToken(http, origins, member, app, redirectUri);
    const get = async (path: string): Promise<{ readonly status: number; readonly body: string }> => {
      const url = path.startsWith('http') ? path : `${fhirBase(origins, lob, 'patient-access')}/${path}`;
      const headers = { authorization: `Bearer ${token}`, 'x-api-subscription-key': app.subscriptionKey };
      const answer = await http({ method: 'GET', url, headers });
      if (answer.status !== 429) return answer;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return await get(path);
    };
    const own = loaded.filter(
      (each) =>
        each.id === member.patientId ||
        (!isSharedType(each.resourceType) && JSON.stringify(each).includes(`"Patient/${member.patientId}"`)),
    );
    for (const [type, ofType] of Map.groupBy(own, ({ resourceType }) => resourceType)) {
      const found = await searched(get, `${type}?_count=100`);
      for (const example of ofType) {
        const { id } = example;
        const { status, body } = await get(`${type}/${id}`);
        if (status !== 200) missing.push(`${type}/${id}: read answers ${status}`);
        else if (values.out !== undefined) appendFileSync(values.out, `${body}\n`);
        if (!found.has(id)) missing.push(`${type}/${id}: no search finds it`);
        for (const [name, text] of searchesFor(example)) {
          searches += 1;
          const query = new URLSearchParams([[name, escapedText(text)]]);
          const bySearch = await searched(get, `${type}?${query}&_count=100`);
          if (!bySearch.has(id)) missing.push(`${type}/${id}: ${name}=${text} does not find it`);
        }
      }
    }
    console.log(
      `${lob}: ${own.length} resources of ${member.memberId} read and asked for by ${searches} searches`,
    );
  }
  return missing;
}

/** Searches that must find an example: for each parameter the first value that the example has. */
function searchesFor(example: Example): readonly (readonly [name: string, text: string])[] {
  const { resourceType } = example;
  if (!isPatientAccessType(resourceType)) return [];
  const { interactions, searchParameters } = servedResource(resourceType);
  if (!interactions.includes('search-type')) return [];
  return searchParameters.flatMap((parameter) => {
    const text = searchTexts(example, parameter).at(-1);
    return text === undefined || text.startsWith('#') ? [] : [[parameter.name, text] as const];
  });
}

/** Escapes the characters of a value that separate values in a query (R4, search.html#escaping). */
function escapedText(text: string): string {
  return text.replaceAll(/[\\,$]/g, '\\$&');
}

async function searched(
  get: (path: string) => Promise<{ readonly status: number; readonly body: string }>,
  path: string,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body } = await get(next);
    if (status !== 200) return ids;
    const { entry = [], link = [] } = JSON.parse(body) as {
      entry?: { resource: Example }[];
      link?: { relation: string; url: string }[];
    };
    for (const { resource } of entry) ids.add(resource.id);
    next = link.find(({ relation }) => relation === 'next')?.url;
  }
  return ids;
}

async function register(
  { system: local }: RunningSystem,
  lob: LineOfBusiness,
): Promise<Required<Credentials>> {
  const answer = (await createInvoke(local)(local.functions.sandbox.provisioning, {
    action: 'register',
    requestId: `examples-${lob}`,
    registration: {
      clientName: 'Official examples',
      grantTypes: ['authorization_code'],
      tokenEndpointAuthMethod: 'client_secret_basic',
      linesOfBusiness: [lob],
      products: ['patient-access'],
      redirectUris: [redirectUri],
      attested: true,
      pkceRequired: false,
      tier: 'standard',
    },
  })) as ProvisioningAnswer;
  if (answer.kind !== 'credentials')
    throw new Error(`the registration was refused: ${JSON.stringify(answer)}`);
  return answer.credentials as Required<Credentials>;
}

async function ops(...args: string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  const err = (line: string) => void console.error(line);
  await runOps(
    ['loads', ...args, '--system', join(system.stateDirectory, 'system.json')],
    {},
    {
      out: (line) => lines.push(line),
      err,
    },
  );
  return lines.flatMap((line) => line.split('\n'));
}

/** Reads coverage, claims, prior authorizations and laboratory results in the demo, and tries to read another member's. */

import { headerText } from '../http/client.ts';
import { type BundlePage, checkNewestFirst, checkPage, type ExpectedResource } from './bundle-check.ts';
import { expectEqual, expectMatch, expectTrue } from './expect.ts';
import { type AppCredentials, expectRefusals, get, headersOf } from './patient-access.ts';
import type { ExpectedMember } from './patient-check.ts';
import type { Scene } from './scene.ts';

const base = '/extfhirpatientaccess/v1';
const claimType = 'ExplanationOfBenefit';
/** Claims on a page: few enough that there is a next page to follow. */
const pageSize = 10;

function ofType({ resources }: ExpectedMember, resourceType: string): readonly ExpectedResource[] {
  return resources.filter((resource) => resource.resourceType === resourceType);
}

/** The elements of a generated claim by which the demo selects claims. */
function claimOf(json: string) {
  return JSON.parse(json) as {
    readonly use: string;
    readonly status: string;
    readonly identifier: readonly { readonly value: string }[];
    readonly related?: unknown;
  };
}

/** Reads the member's coverage, and shows the plan and its start. */
export async function readCoverage(
  scene: Scene,
  member: ExpectedMember,
  access: AppCredentials,
): Promise<void> {
  const { transcript, environment, lob } = scene;
  transcript.heading(`${environment} ${lob}: the member’s coverage`);
  const matches = ofType(member, 'Coverage');
  const path = `${base}/Coverage?patient=${member.patientId}`;
  await page(scene, path, access, 'Coverage', { matches, size: matches.length, more: false });
}

/** Reads the newest claims, the page after them, and the insurer that a claim refers to. */
export async function readClaims(
  scene: Scene,
  member: ExpectedMember,
  access: AppCredentials,
): Promise<void> {
  const { transcript, environment, lob } = scene;
  transcript.heading(`${environment} ${lob}: the member’s newest claims`);
  const matches = ofType(member, claimType);
  const sizeOfPage = (number: number) => Math.max(0, Math.min(pageSize, matches.length - number * pageSize));
  const path = `${base}/${claimType}?patient=${member.patientId}&_count=${pageSize}`;
  const more = matches.length > pageSize;
  const first = await page(scene, path, access, claimType, { matches, size: sizeOfPage(0), more });
  checkNewestFirst(first.resources);
  if (first.next !== undefined) {
    transcript.heading(`${environment} ${lob}: the next page, by its link`);
    const path = first.next.slice(scene.baseUrl.length);
    const size = sizeOfPage(1);
    const second = await page(scene, path, access, claimType, {
      matches,
      size,
      more: matches.length > 2 * pageSize,
    });
    const both = [...first.resources, ...second.resources];
    checkNewestFirst(both);
    expectEqual('claims on two pages', new Set(both.map(({ id }) => id)).size, both.length);
  }
  await readInsurer(scene, member, access);
}

/** Reads the member's prior authorizations, which only the first member of a line of business has. */
export async function readPriorAuthorizations(
  scene: Scene,
  member: ExpectedMember,
  access: AppCredentials,
): Promise<void> {
  const { transcript, environment, lob } = scene;
  transcript.heading(`${environment} ${lob}: the member’s prior authorizations`);
  const matches = ofType(member, claimType).filter(({ json }) => claimOf(json).use === 'preauthorization');
  expectTrue('the member has prior authorizations', matches.length > 0, member.memberId);
  const path = `${base}/${claimType}?patient=${member.patientId}&use=preauthorization`;
  await page(scene, path, access, claimType, { matches, size: matches.length, more: false });
}

/** Searches for a replaced claim and its replacement: the number of either finds both. */
export async function readClaimChain(
  scene: Scene,
  member: ExpectedMember,
  access: AppCredentials,
): Promise<void> {
  const { transcript, environment, lob } = scene;
  const matches = ofType(member, claimType).filter(({ json }) => claimOf(json).related !== undefined);
  expectEqual('claims of a chain', matches.length, 2);
  for (const { json } of matches) {
    const { identifier, status } = claimOf(json);
    const [number] = identifier.map(({ value }) => value);
    transcript.heading(`${environment} ${lob}: the chain of claim ${number} (${status})`);
    const path = `${base}/${claimType}?patient=${member.patientId}&related-claim=${number}`;
    await page(scene, path, access, claimType, { matches, size: matches.length, more: false });
  }
}

/** Reads the newest laboratory results, searched by category. */
export async function readLaboratoryResults(
  scene: Scene,
  member: ExpectedMember,
  access: AppCredentials,
): Promise<void> {
  const { transcript, environment, lob } = scene;
  transcript.heading(`${environment} ${lob}: the member’s laboratory results`);
  const matches = ofType(member, 'Observation').filter(({ json }) => json.includes('"code":"laboratory"'));
  const path = `${base}/Observation?patient=${member.patientId}&category=laboratory&_count=${pageSize}`;
  const size = Math.min(pageSize, matches.length);
  await page(scene, path, access, 'Observation', { matches, size, more: matches.length > size });
}

/** Follows a reference of a claim, and reads the insurer. */
async function readInsurer(scene: Scene, member: ExpectedMember, access: AppCredentials): Promise<void> {
  const insurer = ofType(member, 'Organization')[0];
  if (insurer === undefined) return;
  const { transcript, environment, lob } = scene;
  transcript.heading(`${environment} ${lob}: the member’s insurer`);
  const response = await get(scene, `${base}/Organization/${insurer.id}`, headersOf(access));
  expectEqual('the status of the Organization', response.status, 200);
  expectEqual('the Organization', response.body, insurer.json);
}

/** Searches for another member's claims; finds nothing, as for a member who doesn't exist. */
export async function readClaimsOfOthers(
  scene: Scene,
  otherPatientId: string,
  access: AppCredentials,
): Promise<void> {
  const { transcript, environment, lob } = scene;
  transcript.heading(`${environment} ${lob}: another member’s claims are not found`);
  const path = `${base}/${claimType}?patient=${otherPatientId}`;
  await page(scene, path, access, claimType, { matches: [], size: 0, more: false });
}

/** Searches for claims with a token that covers coverage only, and is refused. */
export async function readUngrantedType(
  scene: Scene,
  patientId: string,
  access: AppCredentials,
): Promise<void> {
  const { transcript, environment, lob } = scene;
  transcript.heading(`${environment} ${lob}: claims are refused, because the app did not request them`);
  const path = `${base}/${claimType}?patient=${patientId}`;
  await expectRefusals(scene, 'for a type the scope leaves out', path, headersOf(access), 403);
}

async function page(
  scene: Scene,
  path: string,
  access: AppCredentials,
  resourceType: string,
  expected: { readonly matches: readonly ExpectedResource[]; readonly size: number; readonly more: boolean },
): Promise<BundlePage> {
  const response = await get(scene, path, headersOf(access));
  expectEqual(`the status of a search for ${resourceType}`, response.status, 200);
  expectMatch('Content-Type', headerText(response, 'content-type'), /^application\/(fhir\+)?json/);
  return checkPage(response.body, { base: scene.audience, resourceType, ...expected });
}

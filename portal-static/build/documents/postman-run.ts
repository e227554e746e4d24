/**
 * A script of the Postman collection. The order of requests and the scripts let the collection run from its first request to its last, by
 * hand or by Newman: each request comes after those it depends on, and scripts store values of responses for later requests.
 */
export interface PostmanEvent {
  readonly listen: 'test';
  readonly script: { readonly type: 'text/javascript'; readonly exec: readonly string[] };
}

/**
 * Scripts that run after each response.
 *
 * @see https://learning.postman.com/docs/tests-and-scripts/write-scripts/test-scripts/
 */
export const postmanEvents: readonly PostmanEvent[] = [
  {
    listen: 'test',
    script: {
      type: 'text/javascript',
      exec: [
        `pm.test('is answered with success', () => pm.expect(pm.response.code).to.be.below(400));`,
        '',
        `// Keep the member's tokens for the requests that follow.`,
        'const path = pm.request.url.getPath();',
        'if (pm.response.code === 200 && /fhir-oauth2.*\\/token$/.test(path)) {',
        '  const { access_token, refresh_token, patient } = pm.response.json();',
        `  pm.collectionVariables.set('access_token', access_token);`,
        `  pm.collectionVariables.set('token', access_token);`,
        `  pm.collectionVariables.set('patient_id', patient);`,
        `  if (refresh_token !== undefined) pm.collectionVariables.set('refresh_token', refresh_token);`,
        '}',
        '',
        '// Keep the IDs of search results for reads: the first of each type.',
        `if (pm.response.code === 200 && pm.response.text().startsWith('{"resourceType":"Bundle"')) {`,
        '  for (const { resource } of (pm.response.json().entry ?? []).reverse()) {',
        `    pm.collectionVariables.set(resource.resourceType.toLowerCase() + '_id', resource.id);`,
        '  }',
        '}',
        '',
        '// Keep the Patient of a match, the job that was accepted, and the first file of its manifest.',
        `const answer = pm.response.text().startsWith('{') ? pm.response.json() : {};`,
        `const member = answer.parameter?.find(({ name }) => name === 'MemberId')?.valueReference.reference;`,
        `if (member !== undefined) pm.collectionVariables.set('matched_patient_id', member.split('/').pop());`,
        `const job = pm.response.headers.get('Content-Location');`,
        `if (job !== undefined) pm.collectionVariables.set('job_id', job.split('/').pop());`,
        `const file = answer.requiresAccessToken && answer.output[0]?.url;`,
        `if (file) pm.collectionVariables.set('job_file', file.split('/').pop());`,
        '',
        '// Ask again for a job that is under way, after the time that its response says.',
        `if (pm.response.headers.has('X-Progress')) {`,
        `  setTimeout(() => {}, 1000 * Number(pm.response.headers.get('Retry-After')));`,
        '  pm.execution.setNextRequest(pm.info.requestName);',
        '}',
      ],
    },
  },
];

const lastFolder = 'At the end';
const order = ['Discovery', 'Authorization', 'Machine to machine'];

/** The folder of a request: its tag, or the last folder for a request that ends the access that others need. */
export function folderOf(tag: string, operationId: string): string {
  return operationId === 'revoke' ? lastFolder : tag;
}

/** Sorts the folders: requests without a token, requests that get a token, requests that use it. */
export function inCallOrder(folders: readonly string[]): readonly string[] {
  const place = (folder: string) => {
    if (folder === lastFolder) return folders.length;
    return order.includes(folder) ? order.indexOf(folder) - order.length : folders.indexOf(folder);
  };
  return [...new Set(folders)].sort((one, other) => place(one) - place(other));
}

/** Position of requests within their folder, by their names. */
const places: readonly (readonly [name: RegExp, place: number])[] = [
  // The bulk match starts a job; requests for the job's status and file follow it.
  [/^Match /, 0],
  [/^Get the status of a job$/, 1],
  [/^Download a file of a job$/, 2],
  [/^Read an? (?!Patient)/, 4],
  // Exports need the group that a search returned. The last export is cancelled.
  [/^Export the data of a group/, 5],
  [/^Cancel a job$/, 6],
];
const usualPlace = 3;

/** Position of a request within its folder: first requests that return an ID, then those that need one, then the cancellation of a job. */
export function placeInFolder(name: string): number {
  return places.find(([pattern]) => pattern.test(name))?.[1] ?? usualPlace;
}

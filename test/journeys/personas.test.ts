import { expect, it } from 'vitest';
import { fhirBase } from '../../lambdas/catalog/addresses.ts';
import { patientAccessTypes } from '../../lambdas/catalog/fhir/fhir-resources.ts';
import { sandboxPersonas } from '../../ops/generator/personas.ts';
import { runOps } from '../../ops/program.ts';
import { memberToken } from '../support/member-token.ts';
import { http, originsOf, redirectUri, register, registrationOf } from './journey.ts';
import { systemFile } from './system-file.ts';

/** The sandbox's personas as `npm start` loads them: each signs in, and an app reads the whole record of the persona with every type. */

const lob = 'EGWP';

it('a seed with --personas loads them all, and an app takes the whole record of one with hundreds of claims', async () => {
  const lines: string[] = [];
  const terminal = {
    out: (line: string) => void lines.push(line),
    err: (line: string) => void lines.push(line),
  };
  expect(await runOps(['seed', '--personas', '--system', systemFile()], {}, terminal)).toBe(0);
  expect(lines.at(-1)).toBe('12 of 12 personas loaded');
  const [first, second] = sandboxPersonas().filter(({ member }) => member.lob === lob);
  const app = await register('sandbox', registrationOf(lob, { pkceRequired: false }));
  for (const persona of [first, second]) {
    if (persona === undefined) throw new Error(`no two personas of ${lob}`);
    const { member } = persona;
    const origins = originsOf('sandbox');
    const token = await memberToken(http, origins, member, app, redirectUri);
    const headers = { authorization: `Bearer ${token}`, 'x-api-subscription-key': app.subscriptionKey };
    const found = new Set<string>();
    const path = `Patient/${member.patientId}/$everything?_count=100`;
    for (let next: string | undefined = `${fhirBase(origins, lob, 'patient-access')}/${path}`; next; ) {
      const { status, body } = await http({ method: 'GET', url: next, headers });
      expect(status, body).toBe(200);
      const { entry = [], link } = JSON.parse(body) as {
        entry?: { resource: { resourceType: string; id: string } }[];
        link: { relation: string; url: string }[];
      };
      for (const { resource } of entry) found.add(`${resource.resourceType}/${resource.id}`);
      next = link.find(({ relation }) => relation === 'next')?.url;
    }
    const loaded = member.resources.map(({ resourceType, id }) => `${resourceType}/${id}`);
    expect([...found].sort()).toEqual(loaded.sort());
    const types = new Set(loaded.map((name) => name.split('/', 1)[0]));
    if (persona === first) expect(types.size).toBe(patientAccessTypes.length);
  }
});

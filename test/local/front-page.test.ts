import { describe, expect, it } from 'vitest';
import { frontPage } from '../../local/front-page.ts';

const hosts = [
  { name: 'portal.localhost', what: 'developer portal' },
  { name: 'dsnp.api.sandbox.localhost', what: 'FHIR: <Dual>' },
];
const silent = {
  name: 'a',
  description: 'A. What to do: b',
  state: 'OK',
  since: '2026-01-01T00:00:00.000Z',
} as const;
const ringing = { ...silent, name: 'b', state: 'ALARM' } as const;
const alarms = [silent, ringing];
const ask = (path: string, method = 'GET') =>
  frontPage(
    hosts,
    8080,
    () => alarms,
    (parameters) => (parameters.has('none') ? undefined : 'metrics'),
  )(new Request(`http://localhost:8080${path}`, { method }));

describe('the page of this machine itself', () => {
  it('names every host, and links to those that have pages', async () => {
    const answer = ask('/');
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain('<a href="http://portal.localhost:8080/">http://portal.localhost:8080</a>');
    expect(page).toContain('<dt>http://dsnp.api.sandbox.localhost:8080</dt>');
    expect(page).toContain('FHIR: &lt;Dual&gt;');
  });

  it('lists the alarms, and first those that ring', async () => {
    expect(await ask('/alarms').json()).toEqual({ alarms: [ringing, silent] });
  });

  it('has the page of metrics, and leads to it', async () => {
    expect(await ask('/').text()).toContain('<a href="/metrics">Metrics</a>');
    expect(await ask('/metrics').text()).toBe('metrics');
    expect(ask('/metrics?none').status).toBe(404);
  });

  it('says so where nothing is', async () => {
    expect([ask('/extfhirpatientaccess').status, ask('/', 'POST').status]).toEqual([404, 405]);
  });
});

import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { authorizationServerEndpoints } from '../../lambdas/catalog/addresses.ts';
import { type App, memberToken } from './app-calls.ts';
import { baseOf, createDataCalls, type DataAnswer, namesOn, nextOf } from './data-calls.ts';
import { localFetch, memberOf, originsOf, register, registrationOf } from './journey.ts';

/** An application with a member's consent reads the member's coverage and claims. */

const lob = 'DSNP';
const all = 'launch/patient patient/*.rs';
const member = memberOf('sandbox', lob);
const other = memberOf('sandbox', lob, 1);
const ofType = (type: string, { resources } = member) =>
  resources.filter(({ resourceType }) => resourceType === type);
const namesOf = (type: string, whose = member) => ofType(type, whose).map(({ id }) => `${type}/${id}`);
const stored = (name: string) =>
  member.resources.find(({ resourceType, id }) => name === `${resourceType}/${id}`)?.json;

let app: App;
let token: string;
const calls = () => createDataCalls(app, lob, () => token);
const call = (...asked: Parameters<ReturnType<typeof calls>['call']>) => calls().call(...asked);
const page = (...asked: Parameters<ReturnType<typeof calls>['page']>) => calls().page(...asked);
const issueOf = ({ text }: DataAnswer) => JSON.parse(text).issue[0] as { code: string; diagnostics: string };

beforeAll(async () => {
  app = await register('sandbox', registrationOf(lob));
  token = await memberToken(app, lob, 0, all);
});

async function revoke(given: string): Promise<void> {
  const answer = await localFetch(authorizationServerEndpoints(originsOf('sandbox'), lob).revocation, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ token: given }),
  });
  expect(answer.status).toBe(200);
}

describe('a member’s claims', () => {
  it('are found from the coverage on, page by page, each once, and read as they lie', async () => {
    expect(namesOn(await page('/Coverage'))).toEqual(expect.arrayContaining(namesOf('Coverage')));

    const pages = await calls().pages('/ExplanationOfBenefit?_count=7&_include=ExplanationOfBenefit:*');
    const found = pages.flatMap((each) => namesOn(each));
    expect(pages).toHaveLength(Math.ceil(namesOf('ExplanationOfBenefit').length / 7));
    expect(found).toHaveLength(new Set(found).size);
    expect([...found].sort()).toEqual([...namesOf('ExplanationOfBenefit')].sort());
    for (const { total } of pages) expect(total).toBe(found.length);

    // Expects claims before prior authorizations, and each kind newest first.
    const places = found.map((name) => {
      const { use, billablePeriod } = JSON.parse(stored(name) ?? '');
      return `${use === 'claim' ? 1 : 0} ${billablePeriod.start}`;
    });
    expect(places).toEqual([...places].sort().reverse());

    const entries = pages.flatMap(({ entry = [] }) => entry);
    const included = new Set(pages.flatMap((each) => namesOn(each, 'include')));
    expect([...included].map((name) => name.split('/')[0])).toEqual(
      expect.arrayContaining(['Patient', 'Coverage', 'Organization', 'Practitioner']),
    );
    const first = entries.slice(0, 7).map(({ fullUrl = '' }) => fullUrl);
    const named = [...included].map((name) => `${baseOf(lob)}/${name}`);
    for (const url of new Set([...first, ...named])) {
      const answer = await call(url);
      expect([answer.status, answer.text], url).toEqual([200, stored(url.slice(`${baseOf(lob)}/`.length))]);
    }
  });

  it('are all there at $everything, by either spelling', async () => {
    for (const operation of ['$everything', '%24everything']) {
      const pages = await calls().pages(`/Patient/${member.patientId}/${operation}?_count=25`);
      const found = pages.flatMap((each) => namesOn(each));
      expect(found[0]).toBe(`Patient/${member.patientId}`);
      expect([...found].sort()).toEqual(
        member.resources.map(({ resourceType, id }) => `${resourceType}/${id}`).sort(),
      );
    }
  });

  it('are found by a form as by the URL', async () => {
    const query = { type: 'pharmacy', 'service-date': 'ge2016-01-01', _count: '3' };
    const asked = await page(`/ExplanationOfBenefit?${new URLSearchParams(query)}`);
    const posted = await page('/ExplanationOfBenefit/_search', { method: 'POST', form: query });
    expect(namesOn(posted).length).toBeGreaterThan(0);
    expect(namesOn(posted)).toEqual(namesOn(asked));
    const mixed = await page('/ExplanationOfBenefit/_search?_count=1', {
      method: 'POST',
      form: { type: 'pharmacy' },
    });
    expect(namesOn(mixed)).toEqual(namesOn(asked).slice(0, 1));
    const next = nextOf(posted);
    expect(next).toMatch(/\/ExplanationOfBenefit\?_cursor=/);
    expect(namesOn(await page(next ?? '')).filter((name) => namesOn(posted).includes(name))).toEqual([]);
  });

  it('are told apart by kind, without a system or with one, by dates and by claim number', async () => {
    const system = 'http://terminology.hl7.org/CodeSystem/claim-type';
    const kinds = ['institutional', 'oral', 'pharmacy', 'professional'];
    const found = new Set<string>();
    for (const kind of kinds) {
      const plain = await page(`/ExplanationOfBenefit?type=${kind}&_count=100`);
      const whole = await page(
        `/ExplanationOfBenefit?type=${encodeURIComponent(`${system}|${kind}`)}&_count=100`,
      );
      expect(namesOn(whole)).toEqual(namesOn(plain));
      for (const name of namesOn(plain)) {
        expect(stored(name)).toContain(`"code":"${kind}"`);
        expect(found.has(name)).toBe(false);
        found.add(name);
      }
    }
    expect([...found].sort()).toEqual([...namesOf('ExplanationOfBenefit')].sort());
    const [name = ''] = found;
    const { identifier, billablePeriod } = JSON.parse(stored(name) ?? '');
    const number = await page(`/ExplanationOfBenefit?identifier=${identifier[0].value}`);
    expect(namesOn(number)).toEqual([name]);
    const day = await page(`/ExplanationOfBenefit?billable-period-start=${billablePeriod.start}&_count=100`);
    expect(namesOn(day)).toContain(name);
  });

  it('are sent as valid FHIR and as the plan writes them', async () => {
    for (const type of ['application/fhir+json', 'application/json']) {
      const answer = await call('/ExplanationOfBenefit?_count=1', { headers: { accept: type } });
      expect([answer.status, answer.header('content-type')]).toEqual([200, type]);
      expect(answer.header('cache-control')).toBe('private, no-store');
    }
    expect((await call('/Coverage?_format=xml')).status).toBe(406);
  });

  it('come compressed for who takes gzip, and say the same', async () => {
    const path = '/ExplanationOfBenefit?_count=10&_sort=_id';
    const plain = await call(path);
    const zipped = await call(path, { headers: { 'accept-encoding': 'gzip' } });
    expect(zipped.header('content-encoding')).toBe('gzip');
    expect(zipped.bytes.length * 5).toBeLessThan(plain.bytes.length);
    const entries = (text: string) => JSON.parse(text).entry;
    expect(entries(gunzipSync(zipped.bytes).toString())).toEqual(entries(plain.text));
  });

  it('are not sent again to who has them: 304 by the ETag of a read', async () => {
    const [name = ''] = namesOf('ExplanationOfBenefit');
    const etag = (await call(`/${name}`)).header('etag') ?? '';
    const again = await call(`/${name}`, { headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.header('etag')]).toEqual([304, '', etag]);
    expect((await call(`/${name}`, { headers: { 'if-none-match': 'W/"0"' } })).status).toBe(200);
  });

  it('answer HEAD without a body, and a browser’s question with the methods there are', async () => {
    const head = await call('/Coverage', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const [path, methods] of [
      ['/Coverage', 'GET,HEAD'],
      ['/Coverage/_search', 'POST'],
    ] as const) {
      const preflight = await call(path, {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example.org', 'access-control-request-method': 'GET' },
      });
      expect([preflight.status, preflight.header('access-control-allow-methods')]).toEqual([204, methods]);
    }
  });
});

describe('another member’s claims', () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  const bare = (answer: DataAnswer) => [answer.status, answer.text];

  it('are like claims that don’t exist', async () => {
    for (const type of ['ExplanationOfBenefit', 'Coverage', 'Patient', 'Organization']) {
      const theirs = namesOf(type, other).find((name) => stored(name) === undefined);
      const answer = await call(`/${theirs ?? `${type}/${other.patientId}`}`);
      expect(bare(answer), type).toEqual(bare(await call(`/${type}/${unknown}`)));
      expect(answer.status).toBe(404);
    }
    const everything = await call(`/Patient/${other.patientId}/$everything`);
    expect(bare(everything)).toEqual(bare(await call(`/Patient/${unknown}/$everything`)));
    expect(everything.status).toBe(404);
  });

  it('are found by no search', async () => {
    const [claim = ''] = namesOf('ExplanationOfBenefit', other);
    const id = claim.split('/')[1];
    for (const path of [
      `/ExplanationOfBenefit?_id=${id}`,
      `/ExplanationOfBenefit?patient=${other.patientId}`,
      `/ExplanationOfBenefit?patient=Patient/${other.patientId}&_id=${id}`,
      `/Coverage?beneficiary=${other.patientId}`,
      `/Patient?_id=${other.patientId}`,
      `/Patient?identifier=${other.memberId}`,
    ]) {
      const { total, entry = [] } = await page(path);
      expect([total, entry], path).toEqual([0, []]);
    }
  });

  it('don’t come by a cursor that was given for them, or to another application', async () => {
    const theirs = createDataCalls(app, lob, () => theirToken);
    const theirToken = await memberToken(app, lob, 1, all);
    const next = nextOf(await theirs.page('/ExplanationOfBenefit?_count=2')) ?? '';
    expect(next).not.toBe('');
    const refused = await call(next);
    expect([refused.status, issueOf(refused).code]).toEqual([400, 'invalid']);
    const someone = await register('sandbox', registrationOf(lob));
    const elsewhere = await memberToken(someone, lob, 1, all);
    expect((await createDataCalls(someone, lob, () => elsewhere).call(next)).status).toBe(400);
    expect((await theirs.call(next)).status).toBe(200);
  });
});

describe('what can’t be searched', () => {
  it.each([
    ['a cursor that was changed', '/Coverage?_cursor=AAAA', 400, 'invalid'],
    ['a date that is none', '/ExplanationOfBenefit?service-date=soon', 400, 'invalid'],
    ['a size that is none', '/ExplanationOfBenefit?_count=-1', 400, 'invalid'],
    [
      'an include nobody knows',
      '/ExplanationOfBenefit?_include=ExplanationOfBenefit:item',
      400,
      'not-supported',
    ],
    ['a type that isn’t held', '/Appointment?code=x', 404, 'not-found'],
    ['an operation nobody knows', `/Patient/${member.patientId}/$other`, 404, 'not-supported'],
  ])('%s is refused', async (_what, path, status, code) => {
    const answer = await call(path);
    expect([answer.status, issueOf(answer).code]).toEqual([status, code]);
    expect(answer.header('content-type')).toBe('application/fhir+json');
  });

  it('is ignored where nobody knows the parameter, and refused where that was asked for', async () => {
    const answer = await page('/Coverage?colour=red');
    expect(namesOn(answer)).toEqual(namesOf('Coverage'));
    expect(answer.link[0]?.url).toBe(`${baseOf(lob)}/Coverage`);
    const told = answer.entry?.filter(({ search }) => search.mode === 'outcome');
    expect(JSON.stringify(told)).toContain('colour');
    const strict = await call('/Coverage?colour=red', { headers: { prefer: 'handling=strict' } });
    expect([strict.status, issueOf(strict).code]).toEqual([400, 'not-supported']);
  });

  it('is refused in a body that is no form', async () => {
    const path = '/Coverage/_search';
    const json = await call(path, {
      method: 'POST',
      form: '_id=x',
      headers: { 'content-type': 'application/json' },
    });
    expect([json.status, issueOf(json).code]).toEqual([415, 'not-supported']);
    const long = await call(path, { method: 'POST', form: { _id: 'x'.repeat(8200) } });
    expect([long.status, issueOf(long).code]).toEqual([413, 'too-long']);
  });
});

describe('consent', () => {
  it('that ends in the middle of a walk ends the walk at its next page', async () => {
    let own = await memberToken(app, lob, 0, all);
    const walk = createDataCalls(app, lob, () => own);
    const first = await walk.page('/ExplanationOfBenefit?_count=5');
    const second = await walk.page(nextOf(first) ?? '');
    await revoke(own);
    const third = await walk.call(nextOf(second) ?? '');
    expect([third.status, issueOf(third).code]).toEqual([401, 'login']);
    expect(third.text).not.toContain('ExplanationOfBenefit');
    // A cursor is no credential, so it continues to work with the token of a new consent.
    own = await memberToken(app, lob, 0, all);
    expect(namesOn(await walk.page(nextOf(second) ?? ''))).toHaveLength(5);
  });

  it('to the coverage alone shows no claim, and includes nothing it doesn’t cover', async () => {
    const narrow = await memberToken(app, lob, 0, 'patient/Coverage.rs');
    const narrowed = createDataCalls(app, lob, () => narrow);
    const { entry = [] } = await narrowed.page('/Coverage?_include=Coverage:payor');
    expect(entry.map(({ resource }) => resource.resourceType)).toEqual(entry.map(() => 'Coverage'));
    expect(entry.length).toBeGreaterThan(0);
    for (const path of ['/ExplanationOfBenefit', `/${namesOf('ExplanationOfBenefit')[0]}`, '/Patient']) {
      const answer = await narrowed.call(path);
      expect([answer.status, issueOf(answer).code], path).toEqual([403, 'forbidden']);
    }
  });

  it('reads the Patient by the older path as ever', async () => {
    // A new token: the narrower consent above ended the grant that the other tests use (ADR 52).
    const own = await memberToken(app, lob, 0, all);
    const older = baseOf(lob).replace('/extfhirpatientaccess/v1', '/v1/fhir/patientaccess');
    const answer = await createDataCalls(app, lob, () => own).call(`${older}/Patient/${member.patientId}`);
    expect([answer.status, answer.text]).toEqual([200, stored(`Patient/${member.patientId}`)]);
    expect(answer.header('deprecation')).toMatch(/^@\d+$/);
  });
});

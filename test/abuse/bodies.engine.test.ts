import { afterAll, describe, expect, it } from 'vitest';
import { eventOf, headerOf } from '../authorization/events.ts';
import { startHandlerWorld } from '../authorization/handler-world.ts';
import { authorizationQuery, basic } from '../authorization/journey.ts';

/** Request bodies that are made to cost much time or memory. Each is answered as bad input, with CPU time in proportion to its size. */

const world = await startHandlerWorld();
afterAll(() => world.stop());
const { clientId } = await world.register();

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';
/** Limit in CPU milliseconds: far above the tens that these bodies take, and far below what a quadratic algorithm would take. */
const longestMs = 2_000;

/** Measures the CPU time of this process for a task, which does not depend on other load of the machine. */
async function workedMs<Answer>(
  act: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly ms: number }> {
  const before = process.cpuUsage();
  const answer = await act();
  const { user, system } = process.cpuUsage(before);
  return { answer, ms: (user + system) / 1_000 };
}

const bodies: readonly (readonly [string, string, () => string])[] = [
  ['10 MB of JSON text', json, () => `{"code":"${'x'.repeat(10_000_000)}"}`],
  ['10 MB of one parameter', form, () => `code=${'x'.repeat(10_000_000)}`],
  ['10 MB of escapes', form, () => `code=${'%41'.repeat(3_300_000)}`],
  ['100,000 parameters', form, () => Array.from({ length: 100_000 }, (_, at) => `p${at}=1`).join('&')],
  ['100,000 times one parameter', form, () => 'p=1&'.repeat(100_000)],
  ['as many parameters of one name as fit', form, () => 'p&'.repeat(8_000)],
  ['as many parameters as fit', form, () => Array.from({ length: 2_400 }, (_, at) => `p${at}`).join('&')],
  ['nothing but separators', form, () => '&'.repeat(16_000)],
  ['nothing but equals signs', form, () => '='.repeat(16_000)],
  ['lists 100,000 deep', json, () => '['.repeat(100_000)],
  ['lists as deep as fit', json, () => `${'['.repeat(8_000)}${']'.repeat(8_000)}`],
  ['objects as deep as fit', json, () => `${'{"a":'.repeat(2_700)}1${'}'.repeat(2_700)}`],
  [
    'members as many as fit',
    json,
    () => `{${Array.from({ length: 1_600 }, (_, at) => `"m${at}":""`).join()}}`,
  ],
  ['a string that never ends', json, () => `{"a":"${'\\'.repeat(16_000)}`],
  ['a number of 16,000 digits', json, () => `{"a":${'9'.repeat(16_000)}}`],
  ['nulls', json, () => '\0'.repeat(16_000)],
  ['a billion laughs', 'application/xml', () => '<!DOCTYPE a [<!ENTITY b "x">]><a>&b;</a>'],
  ['several parts', 'multipart/form-data; boundary=x', () => '--x\r\n\r\nx\r\n--x--'],
  ['another character set', `${form}; charset=utf-7`, () => '+ADw-script+AD4-'],
];

describe.each(bodies)('%s', (_what, type, body) => {
  it('is refused by the token endpoint in time', async () => {
    const event = eventOf({
      method: 'POST',
      path: '/fhir-oauth2/pub/dsnp/token',
      form: body(),
      headers: { 'content-type': type, authorization: basic(clientId) },
    });
    const { answer, ms } = await workedMs(() => world.token(event));
    expect(ms).toBeLessThan(longestMs);
    expect(answer.statusCode).toBe(400);
    expect(JSON.parse(answer.body).error).toBe('invalid_request');
    expect(answer.body.length).toBeLessThan(500);
  });

  it.each(['authorize', 'sign-in', 'consent'])('is refused by the %s page in time', async (page) => {
    const event = eventOf({
      method: 'POST',
      path: `/fhir-oauth2/sec/dsnp/${page}`,
      form: body(),
      headers: { 'content-type': type },
    });
    const { answer, ms } = await workedMs(() => world.authorize(event));
    expect(ms).toBeLessThan(longestMs);
    expect([400, 403, 413]).toContain(answer.statusCode);
    expect(headerOf(answer, 'content-type')).toBe('text/html; charset=utf-8');
    expect(answer.body.length).toBeLessThan(15_000);
  });
});

describe('bytes', () => {
  it.each([
    ['half a UTF-8 sequence', Buffer.from([0x61, 0x3d, 0xc3])],
    ['an overlong slash', Buffer.from([0x61, 0x3d, 0xc0, 0xaf])],
    ['a surrogate in UTF-8', Buffer.from([0x61, 0x3d, 0xed, 0xa0, 0x80])],
    ['UTF-16', Buffer.from('a=b', 'utf16le')],
    ['gzip', Buffer.from([0x1f, 0x8b, 0x08, 0x00])],
  ])('of %s, encoded for the gateway, are bad input', async (_what, bytes) => {
    const event = eventOf({
      method: 'POST',
      path: '/fhir-oauth2/pub/dsnp/token',
      form: bytes.toString('base64'),
    });
    const answer = await world.token({ ...event, isBase64Encoded: true });
    expect([400, 401]).toContain(answer.statusCode);
  });

  it.each([
    '%',
    '%4',
    '%zz',
    '%c3%28',
    '%ed%a0%80',
    '%c0%af',
    '%ff',
  ])('behind a broken escape %s are bad input', async (broken) => {
    for (const text of [`code=${broken}`, `${broken}=x`]) {
      const token = await world.token(
        eventOf({ method: 'POST', path: '/fhir-oauth2/pub/dsnp/token', form: text }),
      );
      expect(token.statusCode).toBe(400);
      const page = await world.authorize(eventOf({ path: '/fhir-oauth2/sec/dsnp/authorize', form: text }));
      expect(page.statusCode).toBe(400);
    }
  });
});

describe('a header', () => {
  it.each([
    ['authorization', `Basic ${'A'.repeat(100_000)}`],
    ['authorization', `Basic ${' '.repeat(100_000)}x`],
    ['authorization', 'Basic '.repeat(20_000)],
    ['authorization', `Bearer ${'x'.repeat(100_000)}`],
    ['cookie', `${'a=b; '.repeat(20_000)}`],
    ['cookie', '='.repeat(100_000)],
    ['cookie', `__Host-interaction-AAAAAAAAAAA=${'A'.repeat(100_000)}`],
    ['x-request-id', 'x'.repeat(100_000)],
    ['content-type', `${'application/x-www-form-urlencoded'.repeat(3_000)};`],
    ['accept-language', `${'es;q=0.1,'.repeat(12_000)}`],
    ['origin', 'x'.repeat(100_000)],
  ])('%s that is far too long costs no time', async (name, value) => {
    const headers = { [name]: value };
    const { answer: answers, ms } = await workedMs(
      async () =>
        await Promise.all([
          world.token(eventOf({ path: '/fhir-oauth2/pub/dsnp/token', json: { grant_type: 'x' }, headers })),
          world.authorize(
            eventOf({
              path: '/fhir-oauth2/sec/dsnp/authorize',
              query: authorizationQuery(clientId),
              headers,
            }),
          ),
          world.authorize(
            eventOf({ path: '/fhir-oauth2/sec/dsnp/consent', form: 'interaction=AAAAAAAAAAA', headers }),
          ),
        ]),
    );
    expect(ms).toBeLessThan(longestMs);
    for (const { statusCode } of answers) expect(statusCode).toBeLessThan(500);
  });
});

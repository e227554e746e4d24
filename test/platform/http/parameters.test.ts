import { describe, expect, it } from 'vitest';
import { cookiesOf } from '../../../lambdas/platform/http/cookies.ts';
import { lineOfBusinessPath } from '../../../lambdas/platform/http/line-of-business-path.ts';
import {
  bodyText,
  formParameters,
  jsonParameters,
  queryParameters,
} from '../../../lambdas/platform/http/parameters.ts';
import { eventOf } from '../../authorization/events.ts';

describe('a form', () => {
  it.each<[string, [string, string[]][] | undefined]>([
    ['', []],
    ['a=b', [['a', ['b']]]],
    [
      'a=b&a=c&d=',
      [
        ['a', ['b', 'c']],
        ['d', ['']],
      ],
    ],
    ['a', [['a', ['']]]],
    ['a=b=c', [['a', ['b=c']]]],
    ['a+b=c+d%20e', [['a b', ['c d e']]]],
    ['a=%C3%A9', [['a', ['é']]]],
    ['&&a=b&', [['a', ['b']]]],
    ['__proto__=x', [['__proto__', ['x']]]],
    ['a=%', undefined],
    ['a=%zz', undefined],
    ['a=%ff', undefined],
    ['%e9=1', undefined],
  ])('%j has the parameters %j', (text, expected) => {
    const parameters = formParameters(text);
    expect(parameters && [...parameters]).toEqual(expected);
  });
});

describe('a JSON body', () => {
  it.each([
    null,
    [],
    'x',
    1,
    { a: 1 },
    { a: null },
    { a: ['b'] },
    { a: { b: 'c' } },
  ])('%j is no parameters', (body) => {
    expect(jsonParameters(body)).toBeUndefined();
  });

  it('of strings is', () => {
    expect([...(jsonParameters({ a: 'b', c: '' }) ?? [])]).toEqual([
      ['a', ['b']],
      ['c', ['']],
    ]);
  });
});

describe('a query', () => {
  it('keeps every value of a repeated name', () => {
    const parameters = queryParameters(eventOf({ path: '/', query: 'a=1&b=2&a=3' }));
    expect(parameters.get('a')).toEqual(['1', '3']);
  });

  it('may be none at all', () => {
    expect(queryParameters(eventOf({ path: '/' })).size).toBe(0);
  });
});

describe('a body', () => {
  const sized = (length: number) => bodyText(eventOf({ path: '/', form: 'é'.repeat(length / 2) }));
  it('is read up to 16 KiB, counted in bytes', () => {
    expect(sized(16_384)).toHaveLength(8_192);
    expect(sized(16_386)).toBeUndefined();
  });

  it('that is no UTF-8 is not read', () => {
    const event = {
      ...eventOf({ path: '/' }),
      body: Buffer.from([0xff]).toString('base64'),
      isBase64Encoded: true,
    };
    expect(bodyText(event)).toBeUndefined();
  });
});

describe('cookies', () => {
  const cookies = (cookie: string) => [...cookiesOf(eventOf({ path: '/', headers: { Cookie: cookie } }))];
  it.each<[string, [string, string][]]>([
    ['', []],
    ['a=b', [['a', 'b']]],
    [
      'a=b; c=d=e',
      [
        ['a', 'b'],
        ['c', 'd=e'],
      ],
    ],
    [
      ' a = b ;c=',
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
    ['a=b; a=c; d=e', [['d', 'e']]],
    ['a=b; a=b; a=b', []],
    ['=x; y', []],
  ])('%j are %j', (header, expected) => {
    expect(cookies(header)).toEqual(expected);
  });
});

describe('the LOB of a path', () => {
  it.each<[string, string | undefined]>([
    ['/fhir-oauth2/pub/dsnp/token', 'DSNP token'],
    ['/fhir-oauth2/pub/DSNP/token/', 'DSNP token'],
    ['/fhir-oauth2/pub/mhbe/a/b', 'MHBE a/b'],
    ['/fhir-oauth2/pub/egwp', 'EGWP '],
    ['/fhir-oauth2/pub/Dsnp/token', undefined],
    ['/fhir-oauth2/pub//token', undefined],
    ['/fhir-oauth2/pub/', undefined],
    ['/other/dsnp/token', undefined],
    ['/x/fhir-oauth2/pub/dsnp/token', undefined],
  ])('%s is %s', (path, expected) => {
    const found = lineOfBusinessPath(eventOf({ path }), '/fhir-oauth2/pub/');
    expect(found && `${found.lob} ${found.rest}`).toBe(expected);
  });
});

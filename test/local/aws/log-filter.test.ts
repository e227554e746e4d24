import { describe, expect, it } from 'vitest';
import { compileLogFilter } from '../../../local/aws/logs/log-filter.ts';

const event = JSON.stringify({ status: '429', route: '/Patient/{id}', apiKeyId: 'k1', latency: 12.5 });

describe('a filter pattern', () => {
  it.each([
    ['', true],
    ['{ $.status = "429" }', true],
    ['{$.status="429"}', true],
    ['{ $.status = "200" }', false],
    ['{ $.route = "/Patient/{id}" }', true],
    ['{ $.missing = "x" }', false],
    ['{ $.toString = "x" }', false],
    ['{ $.latency = "12.5" }', false],
    ['{ $.apiKeyId = "k2" || $.apiKeyId = "k1" }', true],
    ['{ $.apiKeyId = "k2" || $.apiKeyId = "k3" || $.status = "200" }', false],
    ['{ $.apiKeyId = "k1" && $.status = "429" }', true],
    ['{ $.apiKeyId = "k1" && $.status = "200" }', false],
    ['{ $.apiKeyId = "k1" && ($.status = "4*" || $.status = "5*") }', true],
    ['{ $.apiKeyId = "k2" && $.status = "200" || $.status = "429" }', true],
    ['{ $.apiKeyId = "k2" && ($.status = "200" || $.status = "429") }', false],
    ['{ $.route = "*Patient/{id}*" }', true],
    ['{ $.route = "*Patient" }', false],
    ['{ $.route = "/P.tient*" }', false],
    ['{ $.latency = "12*" }', false],
    ['{ $.missing NOT EXISTS }', true],
    ['{ $.latency NOT EXISTS }', false],
    ['{ $.status = "429" && ($.missing NOT EXISTS || $.apiKeyId = "k2") }', true],
  ])('%s matches: %s', (pattern, matches) => {
    expect(compileLogFilter(pattern)(event)).toBe(matches);
  });

  it.each([
    'plain text',
    'null',
    '"text"',
    '[1]',
  ])('matches no event that is not an object: %s', (message) => {
    expect(compileLogFilter('{ $.a = "x" }')(message)).toBe(false);
  });

  it.each([
    'ERROR',
    '[ip, user]',
    '%regex%',
    '{ $.a }',
    '{ $.a = }',
    '{ $.a = true }',
    '{ $.a = 1 }',
    '{ $.a != "x" }',
    String.raw`{ $.a = "say \"x\"" }`,
    '{ $.a.b = "x" }',
    '{ $.a = "x" && }',
    '{ ($.a = "x" }',
    '{ $.a = "x") }',
    '{ $.a = "x" || }',
    '{ $.a = "x" } }',
    '{ }',
    '{ $.a = "x" $.b = "y" }',
    '{ $[0] = "x" }',
  ])('is refused, not guessed at: %s', (pattern) => {
    expect(() => compileLogFilter(pattern)).toThrow(expect.objectContaining({ name: 'NotImplemented' }));
  });
});

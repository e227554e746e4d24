import { describe, expect, it } from 'vitest';
import { compileLogFilter } from '../../../local/aws/logs/log-filter.ts';

const event = JSON.stringify({
  status: '429',
  route: '/Patient/{id}',
  apiKeyId: 'k1',
  latency: 12.5,
  error: { type: 'THROTTLED' },
  flag: true,
});

describe('a filter pattern', () => {
  it.each([
    ['', true],
    ['{ $.status = "429" }', true],
    ['{$.status="429"}', true],
    ['{ $.status = "4*" }', true],
    ['{ $.status != "429" }', false],
    ['{ $.status != "200" }', true],
    ['{ $.status = 429 }', false],
    ['{ $.route = "/Patient/{id}" }', true],
    ['{ $.error.type = "THROTTLED" }', true],
    ['{ $.error.other = "THROTTLED" }', false],
    ['{ $.missing != "x" }', false],
    ['{ $.latency > 12 }', true],
    ['{ $.latency >= 12.5 && $.latency <= 12.5 }', true],
    ['{ $.latency < -1 }', false],
    ['{ $.latency != 3 }', true],
    ['{ $.apiKeyId = "k2" || $.apiKeyId = "k1" }', true],
    ['{ $.status = "429" || $.status = "500" && $.apiKeyId = "k2" }', true],
    ['{ ($.status = "429" || $.status = "500") && $.apiKeyId = "k2" }', false],
  ])('%s matches: %s', (pattern, matches) => {
    expect(compileLogFilter(pattern)(event)).toBe(matches);
  });

  it('reads escapes in quotes', () => {
    expect(compileLogFilter(String.raw`{ $.a = "say \"x\"" }`)('{"a":"say \\"x\\""}')).toBe(true);
  });

  it('matches no event that is not JSON', () => {
    expect(compileLogFilter('{ $.a != "x" }')('plain text')).toBe(false);
  });

  it.each([
    'ERROR',
    '[ip, user]',
    '%regex%',
    '{ $.a }',
    '{ $.a = }',
    '{ $.a = true }',
    '{ $.a IS NULL }',
    '{ $.a NOT EXISTS }',
    '{ $.a > "x" }',
    '{ $.a = 123.* }',
    '{ $.a = "x" && }',
    '{ ($.a = "x" }',
    '{ $.a = "x" $.b = "y" }',
    '{ $[0] = "x" }',
  ])('is refused, not guessed at: %s', (pattern) => {
    expect(() => compileLogFilter(pattern)).toThrow(expect.objectContaining({ name: 'NotImplemented' }));
  });
});

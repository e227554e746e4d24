import { describe, expect, it } from 'vitest';
import { negotiate } from '../../../lambdas/fhir/query/media-type.ts';
import { anyText } from '../../support/any-text.ts';
import fc from '../../support/property.ts';

const json = 'application/json';
const fhir = 'application/fhir+json';

describe('the form a resource is sent in', () => {
  it.each([
    [undefined, json],
    ['', json],
    ['*/*', json],
    ['*', json],
    ['application/*', json],
    ['application/json', json],
    ['APPLICATION/JSON; charset=utf-8', json],
    ['application/fhir+json', fhir],
    ['application/fhir+json; fhirVersion=4.0', fhir],
    ['application/fhir+json;fhirVersion="4.0"', fhir],
    ['application/fhir+json, */*;q=0.1', fhir],
    ['application/json;q=0.5, application/fhir+json;q=0.9', fhir],
    ['application/json, application/fhir+json', json],
    ['text/html, application/xhtml+xml, */*;q=0.8', json],
    ['application/json+fhir', fhir],
    ['application/json;q=0, */*', fhir],
    ['application/fhir+xml', undefined],
    ['text/html', undefined],
    ['application/json;q=0', undefined],
    ['application/fhir+json; fhirVersion=3.0', undefined],
    ['application/json;q=2', undefined],
    [',;=,', undefined],
    [' , ,', json],
    [', application/fhir+json ,', fhir],
  ])('for Accept %j is %j', (accept, expected) => {
    expect(negotiate(accept, undefined)).toBe(expected);
  });

  it.each([
    ['json', json],
    ['application/json', json],
    ['application/fhir+json', fhir],
    ['application/fhir json', fhir],
    ['xml', undefined],
    ['application/fhir+xml', undefined],
    ['ttl', undefined],
  ])('for _format=%s is %j, whatever Accept says', (format, expected) => {
    expect(negotiate('text/html', format)).toBe(expected);
    expect(negotiate(fhir, format)).toBe(expected);
  });

  it('follows Accept where _format is empty', () => {
    expect(negotiate(fhir, '')).toBe(fhir);
  });

  it('is the preferred one where the client has no preference', () => {
    expect(negotiate('*/*', undefined, fhir)).toBe(fhir);
    expect(negotiate(undefined, undefined, fhir)).toBe(fhir);
    expect(negotiate(json, undefined, fhir)).toBe(json);
  });

  it('is never one the client excluded, and always one for a client that takes all', () => {
    const quality = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
    fc.assert(
      fc.property(quality, quality, (q1, q2) => {
        const chosen = negotiate(`application/json;q=${q1}, application/fhir+json;q=${q2}`, undefined);
        if (q1 === 0 && q2 === 0) expect(chosen).toBeUndefined();
        else expect(chosen).toBe(q2 > q1 ? fhir : json);
      }),
    );
  });

  it('is decided for any header text without a fault', () => {
    fc.assert(
      fc.property(anyText(), fc.string(), (accept, format) => {
        expect([json, fhir, undefined]).toContain(negotiate(accept, format));
        expect([json, fhir]).toContain(negotiate(`${accept.replaceAll('"', '')},*/*;q=0.001`, undefined));
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import {
  decodeResource,
  decodeValues,
  encodeResource,
  encodeValues,
} from '../../../lambdas/fhir/store/stored-resource.ts';
import { anyText } from '../../support/any-text.ts';
import fc from '../../support/property.ts';

const claim = { resourceType: 'ExplanationOfBenefit' };
const bytes = (form: object) =>
  Object.values(form).reduce((sum, value) => sum + Buffer.byteLength(value as string), 0);

describe('the stored form of a resource', () => {
  it('gives back every text it was made from', () => {
    const text = fc.tuple(anyText(), fc.integer({ min: 1, max: 9_000 })).map(([some, times]) => {
      const whole = some.toWellFormed();
      return whole.repeat(Math.ceil(times / (whole.length + 1)));
    });
    fc.assert(
      fc.property(text, fc.option(text, { nil: undefined }), (json, fhirJson) => {
        const form = encodeResource({ ...claim, json, fhirJson });
        expect(decodeResource(form)).toEqual({ json, fhirJson });
      }),
    );
  });

  it('is the text while that fills one read unit, and gzip above', () => {
    expect(encodeResource({ ...claim, json: 'x'.repeat(3_840) })).toEqual({ json: 'x'.repeat(3_840) });
    expect(encodeResource({ ...claim, json: 'x'.repeat(3_841) })).toEqual({ gz: expect.any(Uint8Array) });
    // The limit counts bytes, not characters, and both renditions together.
    expect(encodeResource({ ...claim, json: '€'.repeat(1_300) })).toHaveProperty('gz');
    const both = encodeResource({ ...claim, json: 'x'.repeat(2_000), fhirJson: 'y'.repeat(2_000) });
    expect(Object.keys(both)).toEqual(['gz', 'fhirGz']);
    expect(bytes(both)).toBeLessThan(200);
  });

  it('is text of a Patient, as long as an item can hold it', () => {
    const json = 'x'.repeat(384 * 1024);
    expect(encodeResource({ resourceType: 'Patient', json })).toEqual({ json });
    expect(encodeResource({ resourceType: 'Patient', json: `${json}x` })).toHaveProperty('gz');
  });
});

describe('the stored form of what a search asks for', () => {
  it('is the text of what is usual, gzip of what is unusual, and gives back either', () => {
    for (const length of [2, 32 * 1024, 32 * 1024 + 1, 450 * 1024]) {
      const values = JSON.stringify('é'.repeat((length - 2) / 2));
      const form = encodeValues(values);
      expect(Object.keys(form)).toEqual([Buffer.byteLength(values) <= 32 * 1024 ? 'values' : 'gzValues']);
      expect(decodeValues(form)).toBe(values);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { contactDataOf } from '../../../lambdas/loads/rows/contact-data.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const phone = (value: string, use?: string, rank?: number) => ({ system: 'phone', value, use, rank });

describe('contact data of a Patient', () => {
  it('has the name, the matching data and the contacts', () => {
    const patient = {
      name: [{ family: 'Sampleton', given: ['Ada', 'B.'] }],
      birthDate: '1950-03-01',
      address: [{ postalCode: '20001-1234' }],
      telecom: [{ system: 'email', value: 'ada@example.org' }, phone('(202) 555-0123', 'mobile')],
    };
    expect(contactDataOf(patient, now)).toEqual({
      name: 'Ada B. Sampleton',
      birthDate: '1950-03-01',
      postalCodes: ['20001-1234'],
      emails: ['ada@example.org'],
      phones: ['(202) 555-0123'],
    });
  });

  it('orders numbers by how a text reaches a person, and then by rank', () => {
    const telecom = [
      phone('work', 'work', 1),
      phone('second', 'mobile', 2),
      phone('first', 'mobile', 1),
      phone('home', 'home'),
    ];
    expect(contactDataOf({ telecom }, now).phones).toEqual(['first', 'second', 'home']);
    const sms = { system: 'sms', value: 'sms' };
    expect(contactDataOf({ telecom: [phone('none'), sms] }, now).phones).toEqual(['none', 'sms'].reverse());
  });

  it('orders e-mail addresses by rank, and keeps what is one', () => {
    const telecom = ['b@x.org', 'no address', 'a@x.org', 'a@x.org', 'c@x.org', 'd@x.org'].map(
      (value, at) => ({
        system: 'email',
        value,
        rank: value === 'a@x.org' ? 1 : at + 2,
      }),
    );
    expect(contactDataOf({ telecom }, now).emails).toEqual(['a@x.org', 'b@x.org', 'c@x.org']);
  });

  it.each([
    { use: 'old' },
    { period: { end: '2026-11-21' } },
    { period: { end: '2020-01-01T00:00:00Z' } },
  ])('leaves out what is over: %j', (over) => {
    const patient = {
      name: [{ text: 'Old Name', ...over }, { text: 'New Name' }],
      address: [{ postalCode: '10001', ...over }],
      telecom: [
        { ...phone('1', 'mobile'), ...over },
        { system: 'email', value: 'a@x.org', ...over },
      ],
    };
    expect(contactDataOf(patient, now)).toEqual({
      name: 'New Name',
      postalCodes: [],
      emails: [],
      phones: [],
    });
  });

  it('is empty where the Patient says nothing, or nonsense', () => {
    const nothing = { name: '', postalCodes: [], emails: [], phones: [] };
    expect(contactDataOf({}, now)).toEqual(nothing);
    expect(contactDataOf({ telecom: 'x', name: [1, null], address: [[]], birthDate: 7 }, now)).toEqual(
      nothing,
    );
    expect(contactDataOf({ telecom: [{ system: 'phone', value: '1'.repeat(50) }] }, now)).toEqual(nothing);
  });
});

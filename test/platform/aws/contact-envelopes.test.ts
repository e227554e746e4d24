import { describe, expect, it } from 'vitest';
import { createContactEnvelopes } from '../../../lambdas/platform/aws/contact-envelopes.ts';
import type { DataKeys } from '../../../lambdas/platform/aws/data-keys.ts';
import { memoryDataKeys } from '../../support/memory-data-keys.ts';

const place = { lob: 'DSNP', patientId: 'p-1', memberId: 'M1' } as const;
const contact = { name: 'Ada', birthDate: '1950-03-01', postalCodes: ['20001'], emails: [], phones: ['+1'] };

function counted() {
  const counts = { generated: 0 };
  const dataKeys: DataKeys = {
    ...memoryDataKeys,
    generate: (context) => {
      counts.generated += 1;
      return memoryDataKeys.generate(context);
    },
  };
  return { counts, dataKeys };
}

describe('envelopes of contact data', () => {
  it('open for the member they were sealed for', async () => {
    const { seal, open } = createContactEnvelopes(memoryDataKeys, Date.now);
    const envelope = await seal(place, contact);
    expect(Buffer.from(envelope).toString('latin1')).not.toContain('20001');
    expect(await open(place, envelope)).toEqual(contact);
  });

  it.each([
    { lob: 'MAPD' as const },
    { patientId: 'p-2' },
    { memberId: 'M2' },
  ])('do not open for another: %j', async (other) => {
    const { seal, open } = createContactEnvelopes(memoryDataKeys, Date.now);
    const envelope = await seal(place, contact);
    await expect(open({ ...place, ...other }, envelope)).rejects.toThrow();
  });

  it('do not open when they were changed', async () => {
    const { seal, open } = createContactEnvelopes(memoryDataKeys, Date.now);
    const envelope = await seal(place, contact);
    for (const at of [0, 2, envelope.length - 1]) {
      const changed = Uint8Array.from(envelope, (byte, index) => (index === at ? byte ^ 1 : byte));
      await expect(open(place, changed)).rejects.toThrow();
    }
  });

  it('ask for a data key once an hour and LOB, whatever is sealed at the same time', async () => {
    const { counts, dataKeys } = counted();
    let now = 0;
    const { seal } = createContactEnvelopes(dataKeys, () => now);
    await Promise.all(Array.from({ length: 50 }, () => seal(place, contact)));
    expect(counts.generated).toBe(1);
    await seal({ ...place, lob: 'MAPD' }, contact);
    expect(counts.generated).toBe(2);
    now = 60 * 60 * 1000;
    await Promise.all(Array.from({ length: 50 }, () => seal(place, contact)));
    expect(counts.generated).toBe(3);
  });

  it('ask again after KMS refused', async () => {
    let fails = true;
    const dataKeys: DataKeys = {
      ...memoryDataKeys,
      generate: async (context) => {
        if (fails) throw new Error('ThrottlingException');
        return await memoryDataKeys.generate(context);
      },
    };
    const { seal, open } = createContactEnvelopes(dataKeys, Date.now);
    await expect(seal(place, contact)).rejects.toThrow('ThrottlingException');
    fails = false;
    expect(await open(place, await seal(place, contact))).toEqual(contact);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CodeUse } from '../../../lambdas/portal/accounts/code-store-port.ts';
import { createPortalCodeStore } from '../../../lambdas/portal/adapters/verification-code-store.ts';
import { createEmptyTable } from '../../support/empty-table.ts';

/** The store of verification codes. A code is used once, also if another request uses or replaces it after it was read. */

const store = createPortalCodeStore(await createEmptyTable());
const sentAt = 1_790_000_000.5;
const expiresAt = sentAt + 600;

async function sent(): Promise<CodeUse> {
  const owner = randomUUID();
  const code = {
    mac: 'mac-of-the-code',
    destination: { channel: 'email', to: 'dana@example.org' },
    sentAt,
    expiresAt,
    tries: 0,
  } as const;
  expect(await store.replace(owner, 'sign_up_email', code, 0)).toBe(true);
  return { owner, purpose: 'sign_up_email', code };
}
const left = async ({ owner, purpose }: CodeUse) => (await store.find(owner, purpose)) !== undefined;

describe('a code', () => {
  it('is used once', async () => {
    const use = await sent();
    expect(await store.use(use, sentAt)).toBe(true);
    expect(await store.use(use, sentAt)).toBe(false);
  });

  it('is not used up as another code', async () => {
    const use = await sent();
    expect(await store.use({ ...use, code: { ...use.code, mac: 'mac-of-another' } }, sentAt)).toBe(false);
    expect(await left(use)).toBe(true);
  });

  it('is used up by whoever had it right, whatever was tried meanwhile', async () => {
    const use = await sent();
    await store.attempt(use.owner, use.purpose, sentAt);
    expect(await store.use(use, sentAt)).toBe(true);
  });

  it.each([
    [599.999, true],
    [600, false],
    [600.001, false],
  ])('is used %s seconds after it was sent: %s', async (seconds, used) => {
    const use = await sent();
    expect(await store.use(use, sentAt + seconds)).toBe(used);
    expect(await left(use)).toBe(!used);
  });

  it.each([4, 8, 16])('hands itself out to be compared five times, of %s tries at once too', async (wave) => {
    const { owner, purpose } = await sent();
    const tried: number[] = [];
    for (let waves = 0; waves < 3; waves += 1) {
      const attempts = Array.from({ length: wave }, () => store.attempt(owner, purpose, sentAt));
      for (const code of await Promise.all(attempts)) if (code !== undefined) tried.push(code.tries);
    }
    expect(tried.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([
    [599.999, true],
    [600, false],
  ])('is compared %s seconds after it was sent: %s', async (seconds, compared) => {
    const { owner, purpose } = await sent();
    expect((await store.attempt(owner, purpose, sentAt + seconds)) !== undefined).toBe(compared);
  });

  it('that was never sent is not compared, and no try of it is kept', async () => {
    const owner = randomUUID();
    expect(await store.attempt(owner, 'sign_in', sentAt)).toBeUndefined();
    expect(await store.find(owner, 'sign_in')).toBeUndefined();
  });

  it.each([
    [0, true],
    [-0.001, false],
  ])('gives way to a newer one that may follow codes sent %s s later: %s', async (later, gives) => {
    const use = await sent();
    const newer = { ...use.code, mac: 'mac-of-the-newer' };
    expect(await store.replace(use.owner, use.purpose, newer, sentAt + later)).toBe(gives);
    expect((await store.find(use.owner, use.purpose))?.mac === newer.mac).toBe(gives);
  });
});

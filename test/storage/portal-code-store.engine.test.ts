import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CodeUse } from '../../lambdas/developers/ports.ts';
import { createPortalCodeStore } from '../../lambdas/storage/portal-code-store.ts';
import { createSdkTable } from '../../lambdas/storage/sdk-table.ts';
import { anEmptyTable } from '../support/empty-table.ts';

/** A code sent to somebody, between the look at it and its use: another request may have been faster. */

const store = createPortalCodeStore(await anEmptyTable(createSdkTable));
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

  it.each([
    ['another code', { mac: 'mac-of-another' }],
    ['one tried in between', { tries: 1 }],
  ])('is not used up as %s', async (_what, changes) => {
    const use = await sent();
    expect(await store.use({ ...use, code: { ...use.code, ...changes } }, sentAt)).toBe(false);
    expect(await left(use)).toBe(true);
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

  it('counts a wrong try on what was read, of two at the same time one', async () => {
    const use = await sent();
    const both = await Promise.all([store.wrong(use), store.wrong(use)]);
    expect(both.sort()).toEqual([false, true]);
    expect((await store.find(use.owner, use.purpose))?.tries).toBe(1);
    expect(await store.wrong({ ...use, code: { ...use.code, tries: 1, mac: 'mac-of-another' } })).toBe(false);
    expect(await store.use(use, sentAt)).toBe(false);
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

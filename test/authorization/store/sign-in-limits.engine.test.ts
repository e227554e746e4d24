import { describe, expect, it } from 'vitest';
import { createSignInLimits } from '../../../lambdas/authorization/store/sign-in-limits.ts';
import { createEmptyTable } from '../../support/empty-table.ts';

const table = await createEmptyTable();
const startMs = Date.UTC(2026, 10, 20, 12, 0, 0);

/** An instance of the function, with its own memory and the shared table. */
function instance(clock = { ms: startMs }) {
  return createSignInLimits(table, () => clock.ms);
}

describe('wrong passwords from one address', () => {
  it('stop after 60 accounts, each tried once, however many instances see them', async () => {
    const instances = [instance(), instance(), instance()];
    const tries = Array.from({ length: 120 }, (_, n) => instances[n % 3]?.begin(`a${n}`, '198.51.100.7'));
    const verdicts = await Promise.all(tries);
    expect(verdicts.filter((verdict) => verdict?.kind === 'allowed')).toHaveLength(60);
    const refused = await instance().begin('another', '198.51.100.7');
    expect(refused).toEqual({ kind: 'limited', retryAfterSeconds: 900 });
    expect(await instance().begin('another', '198.51.100.8')).toMatchObject({ kind: 'allowed' });
    expect(await instance({ ms: startMs + 900_000 }).begin('b', '198.51.100.7')).toMatchObject({
      kind: 'allowed',
    });
  });

  it('are all that is counted: an office of 500 signs in from one address', async () => {
    const office = instance();
    for (let person = 0; person < 500; person += 1) {
      expect(await office.begin(`person ${person}`, '203.0.113.9')).toMatchObject({ kind: 'allowed' });
      await office.forgetAddressFailure('203.0.113.9');
    }
  });

  it('are open again where one of the attempts that reached the limit was right', async () => {
    const limits = instance();
    for (let n = 0; n < 60; n += 1) await limits.begin(`c${n}`, '203.0.113.10');
    expect(await limits.begin('late', '203.0.113.10')).toMatchObject({ kind: 'limited' });
    await limits.forgetAddressFailure('203.0.113.10');
    expect(await limits.begin('later', '203.0.113.10')).toMatchObject({ kind: 'allowed' });
    expect(await limits.begin('latest', '203.0.113.10')).toMatchObject({ kind: 'limited' });
  });

  it('never count below none', async () => {
    const limits = instance();
    for (let n = 0; n < 5; n += 1) await limits.forgetAddressFailure('203.0.113.11');
    const verdicts = [];
    for (let n = 0; n < 61; n += 1) verdicts.push(await limits.begin(`d${n}`, '203.0.113.11'));
    expect(verdicts.filter(({ kind }) => kind === 'allowed')).toHaveLength(60);
  });

  it('count against the network of an IPv6 address, not the address', async () => {
    const limits = instance();
    for (let n = 0; n < 60; n += 1) await limits.begin(`e${n}`, `2001:db8:1:2::${n.toString(16)}`);
    expect(await limits.begin('e', '2001:db8:1:2:ffff::1')).toMatchObject({ kind: 'limited' });
    expect(await limits.begin('e', '2001:db8:1:3::1')).toMatchObject({ kind: 'allowed' });
  });
});

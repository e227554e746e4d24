import { afterAll, describe, expect, it } from 'vitest';
import { createSignedTable } from '../../../lambdas/platform/table/signed-table.ts';
import fc from '../../support/property.ts';
import { interleaving } from './interleaving.ts';
import { individual, startPortalWorld } from './portal-world.ts';

/**
 * A code that is entered twice, in two tabs or by a double click: whatever the order of the calls, one of the requests changes the account.
 */

const orders = interleaving();
const world = await startPortalWorld({}, async (engine) => orders.wrap(createSignedTable(engine)));
afterAll(() => world.stop());

async function bothEnter(
  path: string,
  code: string,
  turns: readonly number[],
  cookies: Record<string, string>,
) {
  const enter = async () => await world.browser({ ...cookies }).send('POST', path, { code });
  const { one, two } = await orders.race({ one: enter, two: enter }, turns);
  return [one, two].map((answer) => answer?.body.code ?? answer?.body.state).sort();
}

const turns = fc.array(fc.nat({ max: 1 }), { minLength: 24, maxLength: 24 });

describe('a code that is entered twice at once', () => {
  it('moves the account once, and the other is told where the account is now', async () => {
    await fc.assert(
      fc.asyncProperty(turns, turns, async (first, second) => {
        const form = individual();
        const browser = world.browser();
        await browser.send('POST', '/api/accounts', form);
        const email = await bothEnter(
          '/api/account/email-code',
          world.code(form.email),
          first,
          browser.cookies,
        );
        expect(email).toEqual(['account_state', 'pending_phone']);
        const texted = `+1${form.mobilePhone.replace(/\D/g, '')}`;
        const phone = await bothEnter('/api/account/phone-code', world.code(texted), second, browser.cookies);
        expect(phone).toEqual(['account_state', 'pending_terms']);
      }),
      { numRuns: 25 },
    );
  });
});

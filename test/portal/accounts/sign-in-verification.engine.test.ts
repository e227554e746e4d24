import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  anActiveDeveloper,
  anOperator,
  type PortalWorld,
  password,
  person,
  startPortalWorld,
} from './portal-world.ts';

const worlds = new Map<string, PortalWorld>();
beforeAll(async () => {
  for (const signInVerification of ['never', 'always', 'risk'] as const) {
    worlds.set(signInVerification, await startPortalWorld({ signInVerification }));
  }
});
afterAll(async () => {
  for (const world of worlds.values()) await world.stop();
});

function worldOf(setting: string): PortalWorld {
  const world = worlds.get(setting);
  if (world === undefined) throw new Error(`no world for ${setting}`);
  return world;
}

/**
 * Signs in after some wrong passwords.
 *
 * @returns `signed_in` or `code`.
 */
async function outcome(
  world: PortalWorld,
  browser: ReturnType<PortalWorld['browser']>,
  email: string,
  failures = 0,
) {
  const send = async (given: string) =>
    await browser.send('POST', '/api/session', { identifier: email, password: given, botCheck: person() });
  for (let tries = 0; tries < failures; tries += 1) await send('not the password at all');
  world.after(61);
  return (await send(password)).body.next;
}

describe('whether a code is asked for beside the password', () => {
  it.each([
    ['never', 'unknown', 0, 'signed_in'],
    ['never', 'known', 4, 'signed_in'],
    ['risk', 'known', 0, 'signed_in'],
    ['risk', 'known', 2, 'signed_in'],
    ['risk', 'known', 3, 'code'],
    ['risk', 'unknown', 0, 'code'],
    ['always', 'known', 0, 'code'],
  ])('%s, in a browser that is %s, after %i failures: %s', async (setting, whose, failures, expected) => {
    const world = worldOf(setting);
    const { browser, email } = await anActiveDeveloper(world);
    const cookies = whose === 'known' ? { '__Host-browser': String(browser.cookies['__Host-browser']) } : {};
    expect(await outcome(world, world.browser(cookies), email, failures)).toBe(expected);
  });

  it('is no question for operators, whatever is set', async () => {
    expect((await (await anOperator(worldOf('never'))).send('GET', '/api/account')).status).toBe(200);
  });

  it('knows a browser for the account whose code was right there, and no other', async () => {
    const world = worldOf('risk');
    const [one, other] = [await anActiveDeveloper(world), await anActiveDeveloper(world)];
    const cookies = { '__Host-browser': String(one.browser.cookies['__Host-browser']) };
    expect(await outcome(world, world.browser(cookies), other.email)).toBe('code');
  });

  it('forgets a browser after 180 days', async () => {
    const world = worldOf('risk');
    const { browser, email } = await anActiveDeveloper(world);
    const cookies = { '__Host-browser': String(browser.cookies['__Host-browser']) };
    world.after(179 * 86_400);
    expect(await outcome(world, world.browser({ ...cookies }), email)).toBe('signed_in');
    world.after(86_400);
    expect(await outcome(world, world.browser({ ...cookies }), email)).toBe('code');
  });
});

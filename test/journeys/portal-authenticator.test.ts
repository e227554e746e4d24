import { beforeAll, describe, expect, it } from 'vitest';
import { totp } from '../../lambdas/platform/runtime/totp.ts';
import { runningSystem } from './journey.ts';
import { anOperator, bodyOf, type Door, ops, portalDoor, signIn } from './portal-door.ts';
import { systemFile } from './system-file.ts';

/** An operator's authenticator app, from its set-up to its loss, through the functions and the stand-ins of Cognito and KMS. */

let door: Door;
beforeAll(() => {
  door = portalDoor(runningSystem());
});

/**
 * The code that an authenticator app shows.
 *
 * @param key base32
 */
function shownBy(key: string, later = 0): string {
  const bits = [...key]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return totp.code(bytes.toString('base64url'), Math.floor(Date.now() / 30_000) + later);
}

describe('an operator', () => {
  it('signs in by an authenticator app, loses it, and is let in again by the command line', async () => {
    const { visitor, email, password } = await anOperator(door, systemFile());
    const begun = bodyOf(await visitor.send('POST', '/api/account/authenticator', { body: { password } }));
    const { enrollment, key } = begun as unknown as { readonly enrollment: string; readonly key: string };
    const confirm = await visitor.send('POST', '/api/account/authenticator/confirm', {
      body: { enrollment, code: shownBy(key) },
    });
    expect(confirm.status).toBe(200);

    const again = await signIn(door, email, password);
    expect(bodyOf(again.answer)).toMatchObject({ next: 'code', channel: 'authenticator' });
    // The present code was used for the set-up. The next one is accepted already, within the tolerance for clocks.
    const done = await again.visitor.send('POST', '/api/session/code', { body: { code: shownBy(key, 1) } });
    expect(done.status).toBe(200);
    expect((await again.visitor.send('GET', '/api/operations/queue')).status).toBe(200);

    expect(await ops(systemFile(), 'operators', 'list')).toMatch(new RegExp(`since .*${email}`));
    await ops(systemFile(), 'operators', 'reset-authenticator', email);
    expect((await again.visitor.send('GET', '/api/operations/queue')).status).toBe(401);
    expect(bodyOf((await signIn(door, email, password)).answer)).toMatchObject({
      next: 'code',
      channel: 'sms',
    });
  });
});

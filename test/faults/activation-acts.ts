import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { activationDigestInput } from '../../lambdas/authorization/activation/activation.ts';
import { createActivationStore } from '../../lambdas/authorization/store/activation-store.ts';
import { createCodeDigest } from '../../lambdas/platform/aws/code-digest.ts';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import { theMember } from '../authorization/builders.ts';
import { type Call, eventOf, headerOf } from '../authorization/events.ts';
import { authorizationQuery, openSignIn, signInForm } from '../authorization/journey.ts';
import type { Application, WholeWorld } from '../support/whole-world.ts';
import { type Act, recorded } from './act.ts';

/** Acts on the code of an account activation: a right code leads to the password page once, and each wrong code counts as a try. */

const code = '271828';
const wrong = '314159';

/** Begins an activation and returns it after its code was sent. */
async function asked(world: WholeWorld, { client }: Application) {
  const opened = await openSignIn(world, authorizationQuery(client.clientId));
  const interactionId = digests.sha256Hex(opened.cookie.slice(opened.cookie.indexOf('=') + 1));
  const requestId = randomUUID();
  const memberId = `M${requestId}`;
  const now = Math.floor(Date.now() / 1000);
  const mac = await createCodeDigest('arn:code-digest-key')(
    activationDigestInput('DSNP', { interactionId, requestId }, code),
  );
  const store = createActivationStore(world.table);
  await store.begin('DSNP', {
    ...{ interactionId, requestId, memberId, state: 'asked', tries: 0 },
    ...{ requestedAt: now, expiresAt: now + 600 },
    proof: { mac, memberId, patientId: theMember.patientId, destinationSha256: '0' },
  });
  const typed = (text: string): Call => ({
    ...signInForm(opened),
    path: '/fhir-oauth2/sec/dsnp/activation-code',
    form: { ...opened.fields, code: text, answer: 'check' },
  });
  return { typed, find: () => store.find('DSNP', interactionId) };
}

const right: Act = {
  name: 'a right code of an activation',
  dialect: 'page',
  async ready(world, application) {
    const { typed, find } = await asked(world, application);
    const { run, count } = recorded(world, application, 'authorize', typed(code));
    return {
      run,
      async settle(first) {
        const proven = () => count({ reason: 'code_right' });
        if (first.statusCode === 303) {
          expect(new URL(headerOf(first, 'location')).pathname).toMatch(/\/activation-password$/);
          expect(await proven()).toBe(1);
        }
        await run();
        expect(await proven()).toBe(1);
        expect(await find()).toMatchObject({ state: 'proven', tries: 0 });
      },
    };
  },
};

const mistyped: Act = {
  name: 'a wrong code of an activation',
  dialect: 'page',
  async ready(world, application) {
    const { typed, find } = await asked(world, application);
    const { run, count } = recorded(world, application, 'authorize', typed(wrong));
    return {
      run,
      async settle(first) {
        const tries = await count({ reason: 'code_wrong' });
        expect(await find()).toMatchObject({ state: 'asked', tries });
        if (first.statusCode === 400) expect(tries).toBe(1);
        expect((await run()).statusCode).toBe(400);
        expect(await find()).toMatchObject({ state: 'asked', tries: tries + 1 });
        expect((await world.authorize(eventOf(typed(code)))).statusCode).toBe(303);
      },
    };
  },
};

export const activationActs: readonly Act[] = [right, mistyped];

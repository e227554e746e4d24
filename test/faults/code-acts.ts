import { expect } from 'vitest';
import { digests } from '../../lambdas/platform/runtime/digests.ts';
import { interactionKey } from '../../lambdas/platform/table/table-keys.ts';
import { theMember } from '../authorization/builders.ts';
import { type Call, eventOf, headerOf } from '../authorization/events.ts';
import { anotherName } from '../authorization/handler-world.ts';
import { authorizationQuery, openSignIn, signInForm } from '../authorization/journey.ts';
import type { Application, WholeWorld } from '../support/whole-world.ts';
import { type Act, recorded } from './act.ts';

/** Acts of a sign-in that requires a verification code. */

type Opened = Awaited<ReturnType<typeof openSignIn>>;

async function open(world: WholeWorld, { client }: Application) {
  const opened = await openSignIn(world, authorizationQuery(client.clientId));
  return { opened, signIn: signInForm(opened, { username: anotherName(), password: theMember.password }) };
}

/**
 * Signs in and opens the page that asks for the code.
 *
 * @returns the code that was sent
 */
async function toCode(world: WholeWorld, application: Application) {
  const { opened, signIn } = await open(world, application);
  expect((await world.authorize(eventOf(signIn))).statusCode).toBe(303);
  return { opened, code: codeOf(world.mails().at(-1)) };
}

function codeOf(mail = ''): string {
  return /\b\d{6}\b/.exec(mail)?.[0] ?? '';
}

function typed(opened: Opened, code: string): Call {
  return {
    ...signInForm(opened),
    path: '/fhir-oauth2/sec/dsnp/code',
    form: { ...opened.fields, code, answer: 'check' },
  };
}

/** The name of the page where the member is: `code`, or `consent` after sign-in. */
async function standsAt(world: WholeWorld, { cookie, fields }: Opened): Promise<string> {
  const query = `interaction=${fields.interaction}`;
  const path = '/fhir-oauth2/sec/dsnp/consent';
  const page = await world.authorize(eventOf({ path, query, headers: { cookie } }));
  return page.statusCode === 200 ? 'consent' : pageOf(headerOf(page, 'location'));
}

function pageOf(location: string): string {
  return new URL(location).pathname.split('/').at(-1) ?? '';
}

const ask: Act = {
  name: 'a code asked for',
  dialect: 'page',
  async ready(world, application) {
    const { opened, signIn } = await open(world, application);
    const { run, count } = recorded(world, application, 'authorize', signIn);
    const mailsBefore = world.mails().length;
    return {
      run,
      async settle(first) {
        const asked = await count({ reason: 'code_asked' });
        if (first.statusCode === 303) expect(asked).toBe(1);
        const again = await run();
        expect([again.statusCode, pageOf(headerOf(again, 'location'))]).toEqual([303, 'code']);
        expect(await count({ reason: 'code_asked' })).toBe(1);
        expect(await standsAt(world, opened)).toBe('code');
        // A stored digest whose code was never sent is harmless; sending a second code is not allowed.
        const mails = world.mails().slice(mailsBefore);
        expect(mails).toHaveLength(first.statusCode !== 303 && asked === 1 ? 0 : 1);
        for (const mail of mails) {
          expect((await world.authorize(eventOf(typed(opened, codeOf(mail))))).statusCode).toBe(303);
        }
      },
    };
  },
};

const right: Act = {
  name: 'a code that is right',
  dialect: 'page',
  async ready(world, application) {
    const { opened, code } = await toCode(world, application);
    const { run, count } = recorded(world, application, 'authorize', typed(opened, code));
    return {
      run,
      async settle(first) {
        if (first.statusCode === 303) expect(await count()).toBe(1);
        // A browser that has passed the page is redirected to its present page.
        expect((await run()).statusCode).toBe(303);
        expect(await count()).toBe(1);
        expect(await standsAt(world, opened)).toBe('consent');
      },
    };
  },
};

const wrong: Act = {
  name: 'a code that is wrong',
  dialect: 'page',
  async ready(world, application) {
    const { opened, code } = await toCode(world, application);
    const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const { run, count } = recorded(world, application, 'authorize', typed(opened, other));
    const tries = async () => {
      const secret = opened.cookie.slice(opened.cookie.indexOf('=') + 1);
      const item = await world.table.get(interactionKey('DSNP', digests.sha256Hex(secret)));
      return (item as { verification: { tries: number } }).verification.tries;
    };
    return {
      run,
      async settle(first) {
        // The count of tries and its event are written together or not at all. A wrong code that was answered has used up a try.
        if (first.statusCode === 400) expect(await tries()).toBe(1);
        expect(await tries()).toBe(await count({ reason: 'code_wrong' }));
        expect(await tries()).toBeLessThanOrEqual(1);
        expect(await standsAt(world, opened)).toBe('code');
        expect((await world.authorize(eventOf(typed(opened, code)))).statusCode).toBe(303);
        expect(await standsAt(world, opened)).toBe('consent');
      },
    };
  },
};

export const codeActs: readonly Act[] = [ask, right, wrong];

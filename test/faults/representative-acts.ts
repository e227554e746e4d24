import { decodeJwt } from 'jose';
import { expect } from 'vitest';
import { representationKey } from '../../lambdas/platform/table/table-keys.ts';
import { theMember } from '../authorization/builders.ts';
import { type Call, eventOf, headerOf, hiddenFields, redirectOf } from '../authorization/events.ts';
import {
  authorizationQuery,
  consentForm,
  openSignIn,
  signInForm,
  tokenCall,
  Unprepared,
} from '../authorization/journey.ts';
import type { Application, WholeWorld } from '../support/whole-world.ts';
import { type Act, named, onRecord } from './act.ts';

/** Acts of a personal representative: the choice of a patient, and the consent for this patient. */

const child = 'represented-patient';

/** Makes the member the personal representative of a child. */
export async function represent({ table }: WholeWorld): Promise<void> {
  const { memberId } = theMember;
  await table.put({
    ...representationKey('DSNP', memberId, child),
    ...{ representativeId: memberId, patientId: child, memberId: 'CHILD1', displayName: 'Ada Sampleton' },
    ...{ name: 'Mia Sampleton', birthDate: '1985-04-02', role: 'MTH', state: 'active' },
    lastUpdated: '2026-11-20T10:00:00Z',
  });
}

/** Follows a redirect to a page with the browser's cookies. */
async function follow(
  world: WholeWorld,
  cookie: string,
  answer: Awaited<ReturnType<WholeWorld['authorize']>>,
) {
  if (answer.statusCode !== 303) throw new Unprepared(answer);
  const { pathname, search } = new URL(headerOf(answer, 'location'));
  const page = await world.authorize(
    eventOf({ path: pathname, query: search.slice(1), headers: { cookie } }),
  );
  return { page, cookie, fields: hiddenFields(page.body) };
}

/** A form's call with a request ID of its own, and the count of its events in the child's audit. */
function onChildsRecord(world: WholeWorld, application: Application, call: Call) {
  const { requestId } = onRecord(world, application);
  return {
    run: () => world.authorize(eventOf(named(call, requestId))),
    async count(action: string): Promise<number> {
      const { items } = await world.table.query({
        pk: `AUDIT#DSNP#PATIENT#${child}`,
        descending: true,
        limit: 200,
      });
      return items.filter((item) => item.clientRequestId === requestId && item.action === action).length;
    },
  };
}

async function choiceForm(world: WholeWorld, { client }: Application) {
  const opened = await openSignIn(world, authorizationQuery(client.clientId));
  const page = await follow(world, opened.cookie, await world.authorize(eventOf(signInForm(opened))));
  const form = { ...page.fields, patient: child };
  const call: Call = { ...signInForm(page), path: '/fhir-oauth2/sec/dsnp/patient', form };
  return { call, cookie: opened.cookie };
}

const choice: Act = {
  name: 'the choice of a patient',
  dialect: 'page',
  async ready(world, application) {
    const { call, cookie } = await choiceForm(world, application);
    const { run, count } = onChildsRecord(world, application, call);
    return {
      run,
      async settle(first) {
        if (first.statusCode === 303) expect(await count('patient.choose')).toBe(1);
        // A representative who has already chosen is redirected to the next page.
        const again = await run();
        expect(await count('patient.choose')).toBe(1);
        const { page } = await follow(world, cookie, again);
        expect(page.body).toContain('Ada Sampleton');
      },
    };
  },
};

const consent: Act = {
  name: 'a consent for a represented patient',
  dialect: 'page',
  async ready(world, application) {
    const { call, cookie } = await choiceForm(world, application);
    const opened = await follow(world, cookie, await world.authorize(eventOf(call)));
    const { run, count } = onChildsRecord(world, application, consentForm(opened, 'share'));
    return {
      run,
      async settle(first) {
        const applied = await count('grant.create');
        if (first.statusCode === 303) expect(applied).toBe(1);
        const again = await run();
        expect(again.statusCode).toBe(303);
        expect(await count('grant.create')).toBe(1);
        const code = redirectOf(again).get('code') ?? '';
        if (first.statusCode === 303) expect(redirectOf(first).get('code')).toBe(code);
        const { body } = await world.token(eventOf(tokenCall(application.client.clientId, code)));
        expect(decodeJwt(JSON.parse(body).access_token)).toMatchObject({ patient: child });
      },
    };
  },
};

export const representativeActs: readonly Act[] = [choice, consent];

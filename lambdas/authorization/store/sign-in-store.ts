/** Store of verification codes, sessions at the connected apps and known browsers. Each step is a conditional transaction. */

import * as z from 'zod/mini';
import { auditWrite } from '../../audit/store/audit-events-contract.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Transition } from '../../platform/kernel/transition.ts';
import { conditionHolds, putIfAbsent } from '../../platform/table/conditional-writes.ts';
import type { Table, Update, Write } from '../../platform/table/table.ts';
import { connectedAppsSessionKey, interactionKey, knownBrowserKey } from '../../platform/table/table-keys.ts';
import { type TransitionConditions, transition } from '../../platform/table/transition.ts';
import type { InteractionTransition } from '../authorize/authorization-store-port.ts';
import type { KnownBrowser, RightCode, SignInStore } from '../authorize/sign-in-store-port.ts';
import type { SentVerificationCode } from '../authorize/verification-code.ts';
import { type AccountReference, referenceTo, type SignedInMember } from '../oauth/member-account.ts';
import { storedSignedInMember } from './authorization-items.ts';
import { authTimeOf, ofAuthenticationRequest } from './provider-answers.ts';
import { createdSsoSession, ssoSessionReference } from './sso-session-store.ts';
import { interactionTransitions } from './states-contract.ts';

const storedSession = z.object({
  sessionId: z.string(),
  member: storedSignedInMember,
  expiresAt: z.number(),
});
const storedBrowser = z.object({ browserId: z.string(), sub: z.string(), expiresAt: z.number() });

/** Stores verification codes, sessions at the connected apps and known browsers. */
export function createSignInStore(table: Table): SignInStore {
  return {
    async askCode(step) {
      const whose = signedIn(step.account, step.member);
      const update = advance(step, interactionTransitions['ask-code'], {
        sets: `${whose.sets}, authTime = :now, verification = :verification, expiresAt = :expiresAt, #keep = :keep`,
        names: { ...whose.names, '#keep': 'keep' },
        values: {
          ...whose.values,
          ':verification': step.verification,
          ':expiresAt': step.expiresAt,
          ':keep': step.keep,
        },
      });
      return await conditionHolds(table, [{ update }, auditWrite(step.audit)]);
    },
    async askCodeAgain(step) {
      const update = advance(step, interactionTransitions['ask-code-again'], {
        sets: 'verification = :verification, expiresAt = :expiresAt',
        condition: 'verification.sentAt <= :notBefore',
        values: {
          ':verification': step.verification,
          ':expiresAt': step.expiresAt,
          ':notBefore': step.notBefore,
        },
      });
      return await conditionHolds(table, [{ update }, auditWrite(step.audit)]);
    },
    async wrongCode(step) {
      const beside = unchanged(step.verification);
      const update = advance(step, interactionTransitions['wrong-code'], {
        sets: 'verification.tries = :next',
        ...beside,
        values: { ...beside.values, ':next': step.verification.tries + 1 },
      });
      return await conditionHolds(table, [{ update }, auditWrite(step.audit)]);
    },
    async rightCode(step) {
      const keeps = ssoSessionReference(step.ssoSession);
      const beside = inTime(step.verification);
      const update = advance(step, interactionTransitions['right-code'], {
        ...beside,
        // The time of the sign-in is that of the code, not of the password before.
        sets: `#member = :member, authTime = :now${keeps.sets}`,
        names: { '#member': 'member' },
        values: { ...beside.values, ':member': step.member, ...keeps.values },
      });
      const also = [known(step.lob, step.browser), ...createdSsoSession(step.lob, step.ssoSession)];
      return await conditionHolds(table, [{ update }, auditWrite(step.audit), ...also]);
    },
    async askPatient(step) {
      const { lob, right } = step;
      const beside = right === undefined ? {} : inTime(right.verification);
      const update = advance(step, withCode(interactionTransitions['ask-patient'], right), {
        ...beside,
        sets: 'account = :account, authTime = :authTime, #keep = :keep',
        names: { '#keep': 'keep' },
        values: {
          ...beside.values,
          ':authTime': authTimeOf(step),
          ':account': referenceTo(step.account),
          ':keep': step.keep,
        },
      });
      const browser = right === undefined ? [] : [known(lob, right.browser)];
      return await conditionHolds(table, [{ update }, auditWrite(step.audit), ...browser]);
    },
    async choosePatient(step) {
      const keeps = ssoSessionReference(step.ssoSession);
      const update = advance(step, interactionTransitions['choose-patient'], {
        sets: `#member = :member${keeps.sets}`,
        // The choice must come from the account that was authenticated.
        condition: 'account.#sub = :sub',
        names: { '#member': 'member', '#sub': 'sub' },
        values: { ':member': step.member, ':sub': step.member.sub, ...keeps.values },
      });
      const opened = createdSsoSession(step.lob, step.ssoSession);
      return await conditionHolds(table, [{ update }, auditWrite(step.audit), ...opened]);
    },
    async visit(step) {
      const { lob, session, right } = step;
      const edge = withCode(interactionTransitions.visit, right);
      const update = advance(step, edge, right === undefined ? {} : inTime(right.verification));
      const put = { ...connectedAppsSessionKey(lob, session.sessionId), ...session, ttl: session.expiresAt };
      const browser = right === undefined ? [] : [known(lob, right.browser)];
      return await conditionHolds(table, [{ update }, putIfAbsent(put), ...browser, auditWrite(step.audit)]);
    },
    async otherMember(step) {
      const update = advance(step, interactionTransitions['other-member']);
      return await conditionHolds(table, [{ update }, auditWrite(step.audit)]);
    },
    async sendToProvider(step) {
      const update = advance(step, interactionTransitions['send-to-provider'], {
        sets: 'providerAttempt = :next',
        values: { ':next': step.openRequest },
      });
      return await conditionHolds(table, [{ update }, auditWrite(step.audit)]);
    },
    async refuseProvider(step) {
      const update = advance(step, interactionTransitions['refuse-provider'], {
        sets: 'providerAttempt.sha256 = :ended',
        values: { ':ended': 'ended' },
      });
      return await conditionHolds(table, [{ update }, auditWrite(step.audit)]);
    },
    async switchAccount(step) {
      const update = advance(step, interactionTransitions['switch-account']);
      const { next, lob } = step;
      const put = { ...interactionKey(lob, next.interactionId), ...next, ttl: next.expiresAt };
      return await conditionHolds(table, [{ update }, putIfAbsent(put), auditWrite(step.audit)]);
    },
    async session(lob, sessionId) {
      const item = await table.get(connectedAppsSessionKey(lob, sessionId));
      return item === undefined ? undefined : storedSession.parse(item);
    },
    async endSession(lob, sessionId) {
      await table.transact([{ delete: connectedAppsSessionKey(lob, sessionId) }]);
    },
    async knownBrowser(lob, browserId) {
      const item = await table.get(knownBrowserKey(lob, browserId));
      return item === undefined ? undefined : storedBrowser.parse(item);
    },
  };
}

/** Narrows a transition's start state: `verifying` with a right code, `signing-in` without a code. */
function withCode({ from, to }: Transition, right: RightCode | undefined): Transition {
  return { from: from.filter((state) => (state === 'verifying') === (right !== undefined)), to };
}

/** The update that stores the authenticated account, and its patient if it has only one. `member` is a reserved word in DynamoDB. */
function signedIn(reference: AccountReference, member: SignedInMember | undefined) {
  const account = { sets: 'account = :account', names: {}, values: { ':account': referenceTo(reference) } };
  if (member === undefined) return account;
  return {
    sets: `${account.sets}, #member = :member`,
    names: { '#member': 'member' },
    values: { ...account.values, ':member': member },
  };
}

/** The condition that code and number of tries are as they were read, so that only one of several concurrent tries counts. */
function unchanged({
  mac,
  tries,
}: SentVerificationCode): TransitionConditions & { readonly values: Readonly<Record<string, unknown>> } {
  return {
    condition: 'verification.mac = :mac AND verification.tries = :tries',
    values: { ':mac': mac, ':tries': tries },
  };
}

function inTime(verification: SentVerificationCode): TransitionConditions {
  const { condition, values } = unchanged(verification);
  return { condition: `${condition} AND verification.expiresAt > :now`, values };
}

function known(lob: LineOfBusiness, browser: KnownBrowser): Write {
  return putIfAbsent({ ...knownBrowserKey(lob, browser.browserId), ...browser, ttl: browser.expiresAt });
}

/** The update for a transition of an interaction that has not expired. `member` is a reserved word in DynamoDB. */
function advance(
  { lob, interactionId, now, provider }: InteractionTransition,
  edge: Transition,
  also: TransitionConditions = {},
): Update {
  const beside = also.condition === undefined ? '' : ` AND ${also.condition}`;
  const answered = ofAuthenticationRequest(provider);
  return transition(interactionKey(lob, interactionId), edge, {
    ...also,
    condition: `expiresAt > :now${beside}${answered.condition}`,
    values: { ':now': now, ...answered.values, ...also.values },
  });
}

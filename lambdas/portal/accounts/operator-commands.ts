/** Creates, lists and removes operators of the portal (`ops operators`). */

import { e164 } from '../api/fields.ts';
import type { NewOperator } from '../api/operations.ts';
import type { OperatorView } from '../api/operations-contract.ts';
import { type PortalResult, problem, response } from '../api/route-handler.ts';
import { type Account, fullName } from './account.ts';
import { accountEvent } from './account-event.ts';
import type { AccountEvent } from './account-store-port.ts';
import { resetAuthenticator } from './authenticator-routes.ts';
import { takeAct } from './change-account.ts';
import type { OperatorDirectory } from './developer-directory-port.ts';
import type { DeveloperServices } from './developer-services.ts';
import { hasProvenAddress } from './email-claims.ts';

type Services = Pick<DeveloperServices, 'origin' | 'accounts' | 'random' | 'now'> & {
  readonly operators: OperatorDirectory;
};

/** The operator who gives a command, and the request ID for the log. */
export interface OperatorRequest {
  readonly by: AccountEvent['actor'];
  readonly requestId: string;
  /** Check only: nothing is written. */
  readonly dryRun: boolean;
}

/** Random bytes of an initial password: 144 bits. */
const passwordBytes = 18;

/**
 * Makes the commands that create, list and remove operators. Operators sign in as developers do, but always with a code; only the command
 * line can create or remove them.
 */
export function createOperatorCommands(services: Services) {
  return {
    list: async (): Promise<PortalResult> => response(200, { operators: await listOperators(services) }),
    create: async (person: NewOperator, request: OperatorRequest) =>
      await createOperator(services, person, request),
    remove: async (operatorId: string, request: OperatorRequest) =>
      await removeOperator(services, operatorId, request),
    resetAuthenticator: async (operatorId: string, request: OperatorRequest) =>
      await resetOf(services, operatorId, request),
  };
}
/** The commands about operators. `operatorId`: an account ID, or an e-mail address. */
export type OperatorCommands = ReturnType<typeof createOperatorCommands>;

async function listOperators({ accounts, operators }: Services): Promise<readonly OperatorView[]> {
  const people = await operators.list();
  return await Promise.all(
    people.map(async ({ accountId: operatorId, name, email }) => {
      const account = await accounts.find(operatorId);
      return account === undefined ? { operatorId, name, email } : viewOf(account, account.state);
    }),
  );
}

async function createOperator(
  services: Services,
  person: NewOperator,
  { by, requestId, dryRun }: OperatorRequest,
): Promise<PortalResult> {
  const { email } = person;
  const phone = e164(person.phone);
  const holder = await services.accounts.findByEmail(email);
  if (hasProvenAddress(holder)) return taken;
  if (dryRun) return response(200, { email });
  const account = newAccount(services, person, phone);
  const password = services.random.token(passwordBytes);
  // Creates the user first: a user without an account has no effect, an account without a user would block the address.
  if (!(await services.operators.create(account.accountId, person, password))) {
    throw new Error('the user pool refused a password of ours');
  }
  const event = accountEvent(services, account, 'make_operator', { requestId, by });
  const supersedes = holder === undefined ? [] : [holder];
  const result = await services.accounts.create({ account, event, joins: undefined, supersedes });
  if (result !== 'created') {
    await services.operators.remove(account.accountId);
    return taken;
  }
  return response(201, { email, made: { operatorId: account.accountId, password } });
}

const taken: PortalResult = problem('invalid_request', {
  errors: [
    {
      pointer: '/person/email',
      code: 'taken',
      expected: 'this e-mail address already has an account; enter another one',
    },
  ],
});

function newAccount(
  { random, now }: Services,
  { firstName, lastName, email }: NewOperator,
  phone: string,
): Account {
  const accountId = random.uuid();
  return {
    accountId,
    version: 1,
    state: 'active',
    role: 'operator',
    firstName,
    lastName,
    email,
    phone,
    // Nobody enters a code for this phone number: a wrong number only keeps the operator from signing in.
    phoneVerified: true,
    company: '',
    teamId: accountId,
    createdAt: new Date(now()).toISOString(),
    signUp: {},
    sessionEpoch: 0,
    decoy: false,
  };
}

async function resetOf(
  services: Services,
  operatorId: string,
  { by, requestId, dryRun }: OperatorRequest,
): Promise<PortalResult> {
  const account = await operatorNamed(services, operatorId);
  if (account?.role !== 'operator') return problem('not_found');
  const done = dryRun
    ? ({ kind: 'changed', account } as const)
    : await resetAuthenticator(services, account, { by, requestId });
  return done.kind === 'problem' ? done : response(200, viewOf(done.account, done.account.state));
}

async function operatorNamed({ accounts }: Services, operatorId: string): Promise<Account | undefined> {
  return operatorId.includes('@') ? await accounts.findByEmail(operatorId) : await accounts.find(operatorId);
}

/** Removes an operator: every session ends, and the address becomes free. */
async function removeOperator(
  services: Services,
  operatorId: string,
  { by, requestId, dryRun }: OperatorRequest,
): Promise<PortalResult> {
  const account = await operatorNamed(services, operatorId);
  if (account === undefined) return await removeBeforeSignIn(services, operatorId, { by, requestId, dryRun });
  if (account.role !== 'operator') return problem('not_found');
  if (!dryRun && account.state !== 'closed') {
    const fields = { sessionEpoch: account.sessionEpoch + 1 };
    const closed = await takeAct(services, account, 'close', fields, { requestId, by });
    if (closed.kind === 'problem') return closed;
  }
  // Repeated for an account that is closed already, because the answer to an earlier removal may have been lost.
  if (!dryRun) await services.operators.remove(account.accountId);
  return response(200, viewOf(account, dryRun ? account.state : 'closed'));
}

/**
 * Removes an operator who was made directly in the user pool and has no account before the first sign-in. Writes a closed account, so that
 * a concurrent sign-in fails; if the sign-in came first, closes its account.
 */
async function removeBeforeSignIn(
  services: Services,
  operatorId: string,
  request: OperatorRequest,
): Promise<PortalResult> {
  const person = (await services.operators.list()).find(({ accountId }) => accountId === operatorId);
  if (person === undefined) return problem('not_found');
  const { name, email } = person;
  if (request.dryRun) return response(200, { operatorId, name, email });
  await services.accounts.ensureOperator(closedAccount(services, person));
  const account = await services.accounts.find(operatorId);
  if (account?.state !== 'closed') return await removeOperator(services, operatorId, request);
  await services.operators.remove(operatorId);
  return response(200, { operatorId, name, email });
}

function closedAccount(
  { now }: Services,
  { accountId, name, email }: { readonly accountId: string; readonly name: string; readonly email: string },
): Account {
  return {
    accountId,
    version: 1,
    state: 'closed',
    role: 'operator',
    firstName: name,
    lastName: '',
    email,
    phoneVerified: false,
    company: '',
    teamId: accountId,
    createdAt: new Date(now()).toISOString(),
    signUp: {},
    sessionEpoch: 0,
    decoy: false,
  };
}

function viewOf(account: Account, state: Account['state']): OperatorView {
  const { accountId: operatorId, email, authenticator } = account;
  const since = authenticator === undefined ? {} : { authenticatorSince: authenticator.since };
  return { operatorId, name: fullName(account), email, state, ...since };
}

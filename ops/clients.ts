/** The commands `clients …`: register, change, show and end clients of an environment. */

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { authorizationServerEndpoints, fhirBase } from '../lambdas/catalog/addresses.ts';
import {
  type OrganizationIdentifier,
  organizationIdentifierKindNames,
  organizationIdentifierKinds,
  readOrganizationIdentifier,
} from '../lambdas/catalog/payer/organization-identifiers.ts';
import type {
  CallPosition,
  Credentials,
  LoggedCall,
  ProvisioningAnswer,
  ProvisioningRefusal,
  ProvisioningRequest,
  ShownCredential,
  ShownCredentials,
} from '../lambdas/clients/provisioning/provisioning-contract.ts';
import { portalLimits } from '../lambdas/portal/catalog/limits.ts';
import {
  allowOnly,
  environmentOf,
  linesOfBusinessOf,
  type OptionName,
  type OptionValues,
  UsageError,
} from './command-line.ts';
import { isConfirmed } from './confirm.ts';
import { InvocationFailed } from './invoke.ts';
import { type CommandContext, dryRunOptions, functionName } from './operation.ts';
import { registrationFrom, registrationOptions } from './registration.ts';
import { localOrigins } from './system.ts';
import { pairs, table } from './table.ts';
import type { ExitCode } from './terminal.ts';

/** Ten minutes: a deployed app picks its new credential up well within that. */
const overlapSecondsUnlessTold = 600;

/** `health` is about no client: nothing an operator asks here. */
type Action = Exclude<ProvisioningRequest['action'], 'health'>;

const extraOptions: Readonly<Record<Action, readonly OptionName[]>> = {
  register: ['request-id', 'suspended', ...registrationOptions],
  update: ['request-id', ...registrationOptions],
  suspend: ['request-id'],
  resume: ['request-id'],
  revoke: ['request-id', 'yes'],
  'rotate-secret': ['request-id', 'overlap-seconds'],
  'rotate-key': ['request-id', 'overlap-seconds'],
  'stop-secret': ['request-id', 'created-at'],
  'stop-key': ['request-id', 'created-at'],
  'verify-organization': ['request-id', ...organizationIdentifierKindNames],
  describe: [],
  credentials: ['request-id'],
  calls: ['limit'],
  usage: ['from', 'to'],
};

/** `clients <action> …`: one request to the environment's provisioning function. */
export async function clientsCommand(action: string, operation: CommandContext): Promise<ExitCode> {
  if (!isAction(action)) {
    throw new UsageError(`clients ${action} is not a command; use ${Object.keys(extraOptions).join(', ')}`);
  }
  const { values, print } = operation;
  allowOnly(values, [...dryRunOptions, ...extraOptions[action]], `clients ${action}`);
  const request = requestFrom(action, operation);
  if (values['dry-run'] === true) {
    print(JSON.stringify(request, undefined, 2));
    return 0;
  }
  const question = `Revoke ${operation.words[0] ?? ''}? It is final: its grants end, and it can't be resumed.`;
  if (action === 'revoke' && !(await isConfirmed(operation, question))) return 1;
  const answer = await provision(operation, request);
  if (values.json === true) print(JSON.stringify(answer, undefined, 2));
  else print(answer.kind === 'refusal' ? refusalText(answer.refusal) : answerText(answer, operation));
  return answer.kind === 'refusal' ? 1 : 0;
}

function isAction(text: string): text is Action {
  return Object.hasOwn(extraOptions, text);
}

async function provision(
  operation: CommandContext,
  request: ProvisioningRequest,
): Promise<ProvisioningAnswer> {
  try {
    const name = functionName(operation, 'provisioning');
    return (await operation.invoke(name, request)) as ProvisioningAnswer;
  } catch (error) {
    if (error instanceof InvocationFailed && 'requestId' in request) {
      throw new InvocationFailed(
        `${error.message}\nThe outcome is unknown. Repeat the command with --request-id ${request.requestId}; it is carried out once.`,
      );
    }
    throw error;
  }
}

function requestFrom(action: Action, operation: CommandContext): ProvisioningRequest {
  const { values, words } = operation;
  const requestId = values['request-id'] ?? randomUUID();
  if (action === 'register') {
    expectWords(words, 0, 'clients register');
    const suspended = values.suspended === true ? ({ suspended: true } as const) : {};
    return { action, requestId, registration: registrationFrom(values), ...suspended };
  }
  expectWords(words, 1, `clients ${action} <client id>`);
  const clientId = words[0] ?? '';
  switch (action) {
    case 'update':
      return { action, requestId, clientId, registration: registrationFrom(values) };
    case 'rotate-secret':
    case 'rotate-key':
      return { action, requestId, clientId, overlapSeconds: overlapSeconds(values['overlap-seconds']) };
    case 'stop-secret':
    case 'stop-key':
      return { action, requestId, clientId, createdAt: values['created-at'] ?? '' };
    case 'verify-organization':
      return { action, requestId, clientId, organization: organizationFrom(values) };
    case 'describe':
      return { action, clientId };
    case 'calls': {
      const now = Date.now();
      const from = now - portalLimits.callLogDays * 86_400_000;
      return { action, clientId, from, to: now + 1, limit: limitOf(values.limit) };
    }
    case 'usage': {
      const today = new Date().toISOString().slice(0, 10);
      return { action, clientId, from: values.from ?? today, to: values.to ?? today };
    }
    default:
      return { action, requestId, clientId };
  }
}

/** The identifiers of an organization, as the operator has verified them; none takes away what was verified before. */
function organizationFrom(values: OptionValues): OrganizationIdentifier[] {
  return organizationIdentifierKindNames.flatMap((kind) =>
    (values[kind] ?? []).map((value) => {
      const found = readOrganizationIdentifier(kind, value);
      if (found !== undefined) return found;
      throw new UsageError(`--${kind} is not a valid ${organizationIdentifierKinds[kind].name}`);
    }),
  );
}

function expectWords(words: readonly string[], count: number, command: string): void {
  if (words.length !== count) throw new UsageError(`expected: ${command}`);
}

function overlapSeconds(text: string | undefined): number {
  if (text === undefined) return overlapSecondsUnlessTold;
  if (!/^\d{1,7}$/.test(text)) throw new UsageError('--overlap-seconds must be a whole number');
  return Number(text);
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return 50;
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > 200) {
    throw new UsageError('--limit must be a whole number from 1 to 200');
  }
  return Number(text);
}

function answerText(
  answer: Exclude<ProvisioningAnswer, { readonly kind: 'refusal' }>,
  operation: CommandContext,
): string {
  if (answer.kind === 'credentials') return registeredText(answer.credentials, operation);
  if (answer.kind === 'rotated') {
    const { clientId, clientSecret, subscriptionKey, previousExpiresAt } = answer.rotated;
    return pairs([
      ['client id', clientId],
      ...(clientSecret === undefined ? [] : [['client secret', clientSecret] as const]),
      ...(subscriptionKey === undefined ? [] : [['subscription key', subscriptionKey] as const]),
      [
        subscriptionKey === undefined ? 'previous secret' : 'previous key',
        previousExpiresAt === undefined
          ? `stops ${subscriptionKey === undefined ? 'at once' : 'within 30 seconds'}`
          : `stops at ${previousExpiresAt}`,
      ],
    ]);
  }
  if (answer.kind === 'client') return JSON.stringify(answer.client, undefined, 2);
  if (answer.kind === 'usage') {
    const rows = answer.usage.map(({ date, used, remaining }) => [date, String(used), String(remaining)]);
    return table(['date', 'used', 'remaining'], rows);
  }
  if (answer.kind === 'shown') return shownText(answer.shown);
  if (answer.kind === 'calls') return callsText(answer.calls, answer.next, limitOf(operation.values.limit));
  return answer.kind === 'state'
    ? `client ${answer.clientId} is ${answer.state}`
    : 'the environment is available';
}

function shownText({ clientId, state, secrets, subscriptionKeys, machineScope }: ShownCredentials): string {
  const row = (name: string) => (it: ShownCredential) =>
    [
      name,
      it.expiresAt === undefined
        ? it.value
        : `${it.value}  (created at ${it.createdAt}, stops at ${it.expiresAt})`,
    ] as const;
  return pairs([
    ['client id', `${clientId}  (${state})`],
    ...secrets.map(row('client secret')),
    ...subscriptionKeys.map(row('subscription key')),
    ...(machineScope === undefined ? [] : [['machine scope', machineScope] as const]),
  ]);
}

/** @param next where older calls may follow */
function callsText(calls: readonly LoggedCall[], next: CallPosition | undefined, limit: number): string {
  const rows = table(
    ['time', 'status', 'reason', 'method', 'route', 'host', 'request id'],
    calls.map((call) => [
      new Date(call.time).toISOString(),
      String(call.status),
      call.reason ?? call.responseType ?? '',
      call.method,
      call.route,
      call.host,
      call.requestId,
    ]),
  );
  if (next === undefined || calls.length === limit) return rows;
  const back = new Date(next.time).toISOString();
  return `${rows}\n\nThe log was slow and was read back to ${back} only. Run the command again for older calls.`;
}

function registeredText(credentials: Credentials, operation: CommandContext): string {
  const { clientId, clientSecret, subscriptionKey, machineScope } = credentials;
  const lines = pairs([
    ['client id', clientId],
    ...(clientSecret === undefined ? [] : [['client secret', clientSecret] as const]),
    ['subscription key', subscriptionKey],
    ...(machineScope === undefined ? [] : [['machine scope', machineScope] as const]),
  ]);
  return [lines, ...whereToBegin(clientId, operation)].join('\n');
}

/** The authorization URL of a client that may ask a member; the hosts are known on one machine only. */
function whereToBegin(clientId: string, { values, system }: CommandContext): string[] {
  const [lob] = linesOfBusinessOf(values.lob ?? []);
  const redirectUri = values['redirect-uri']?.[0];
  if (system === undefined || lob === undefined || redirectUri === undefined) return [];
  const origins = localOrigins(system, environmentOf(values));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid',
    state: randomUUID(),
    aud: fhirBase(origins, lob, 'patient-access'),
  });
  const url = `${authorizationServerEndpoints(origins, lob).authorization}?`;
  const open = 'Open this URL in a browser and sign in as a test member:';
  if (values['no-pkce'] === true) return ['', open, `${url}${query}`];
  const codeVerifier = randomBytes(32).toString('base64url');
  query.set('code_challenge', createHash('sha256').update(codeVerifier).digest('base64url'));
  query.set('code_challenge_method', 'S256');
  return ['', open, `${url}${query}`, '', `Then exchange the code with "code_verifier":"${codeVerifier}"`];
}

function refusalText(refusal: ProvisioningRefusal): string {
  switch (refusal.code) {
    case 'invalid_request':
      return ['refused:', ...refusal.issues.map(({ path, message }) => `  ${path}: ${message}`)].join('\n');
    case 'client_not_found':
      return 'refused: this environment has no client with this ID';
    case 'state_conflict':
      return `refused: the client is ${refusal.state}`;
    case 'too_many_credentials':
      return 'refused: two are already active. Wait until the older one stops, stop it (stop-secret, stop-key), or use --overlap-seconds 0 to end both';
  }
}

/** Commands `clients …`: register, change, show and end clients of an environment. */

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
import type { Command, CommandGroup } from './command-line/command.ts';
import { environmentOf, linesOfBusinessOf, UsageError } from './command-line/command-line.ts';
import { isConfirmed } from './command-line/confirm.ts';
import { InvocationFailed } from './command-line/invoke.ts';
import { type CommandContext, dryRunOptions, functionName, isDryRun } from './command-line/operation.ts';
import type { OptionName, OptionValues } from './command-line/options.ts';
import { localOrigins } from './command-line/system.ts';
import { pairs, table } from './command-line/table.ts';
import type { ExitCode } from './command-line/terminal.ts';
import { demonstrate } from './demonstration.ts';
import { registrationFrom, registrationOptions } from './registration.ts';

/** Seconds for which an old credential stays valid by default: a deployed app takes over its new one well within ten minutes. */
const overlapSecondsUnlessTold = 600;

/** Actions of operators on clients; `health` is for the portal. */
type Action = Exclude<ProvisioningRequest['action'], 'health'>;

const command = (name: Action, about: string, own: readonly OptionName[] = ['request-id']): Command => ({
  ...{ name: name === 'register' ? name : `${name} <client id>`, about },
  options: [...own, ...dryRunOptions],
  run: async (operation) => await run(name, operation),
});
const rotation = 'Issues a new one; the previous one stops after --overlap-seconds. With 0, every other';
const stop = 'Stops the older of two';

/** `clients …`: each command sends one request to the environment's provisioning function. */
export const clientCommands: CommandGroup = {
  name: 'clients',
  about: 'Registers and manages the clients of one environment.',
  commands: [
    command('register', 'Registers a client.', [...registrationOptions, 'suspended', 'request-id']),
    command('update', 'Replaces the whole registration; ID, state and credentials stay the same.', [
      ...registrationOptions,
      'request-id',
    ]),
    command('suspend', 'Refuses every call of it.'),
    command('resume', 'Ends a suspension.'),
    command('revoke', 'Ends it and its grants. Final.', ['request-id', 'yes']),
    command('rotate-secret', `${rotation} secret stops at once.`, ['request-id', 'overlap-seconds']),
    command('rotate-key', `${rotation} key stops within 30 seconds.`, ['request-id', 'overlap-seconds']),
    command('stop-secret', `${stop} at once.`, ['request-id', 'created-at']),
    command('stop-key', `${stop} within 30 seconds.`, ['request-id', 'created-at']),
    command(
      'verify-organization',
      'Sets the identifiers of the payer’s organization that you have verified, in place of those before. Without any, the application can no longer match members.',
      [...organizationIdentifierKindNames, 'request-id'],
    ),
    command('describe', 'Shows its registration and state.', []),
    command('credentials', 'Shows its active secrets and keys. The view is audited.'),
    command('calls', 'Lists its calls from the log of calls, newest first.', ['limit']),
    {
      name: 'demonstrate',
      about:
        'Registers the sandbox’s demonstration, by which visitors of the portal read one fictional member without an account.',
      options: dryRunOptions,
      run: demonstrate,
    },
    command('usage', 'Counts its calls, day by day; default: today.', ['from', 'to']),
  ],
};

async function run(action: Action, operation: CommandContext): Promise<ExitCode> {
  const { values, print } = operation;
  const request = requestFrom(action, operation);
  if (isDryRun(operation, request)) return 0;
  const question = `Revoke ${operation.words[0] ?? ''}? It is final: its grants end, and it can't be resumed.`;
  if (action === 'revoke' && !(await isConfirmed(operation, question))) return 1;
  const answer = await provision(operation, request);
  if (values.json === true) print(JSON.stringify(answer, undefined, 2));
  else print(answer.kind === 'refusal' ? refusalText(answer.refusal) : answerText(answer, operation));
  return answer.kind === 'refusal' ? 1 : 0;
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
    const suspended = values.suspended === true ? ({ suspended: true } as const) : {};
    return { action, requestId, registration: registrationFrom(values), ...suspended };
  }
  const [clientId = ''] = words;
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

/** The identifiers of an organization that the operator has verified; an empty value removes those verified before. */
function organizationFrom(values: OptionValues): OrganizationIdentifier[] {
  return organizationIdentifierKindNames.flatMap((kind) =>
    (values[kind] ?? []).map((value) => {
      const found = readOrganizationIdentifier(kind, value);
      if (found !== undefined) return found;
      throw new UsageError(`--${kind} is not a valid ${organizationIdentifierKinds[kind].name}`);
    }),
  );
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

/**
 * A table of logged calls.
 *
 * @param next position of the next page, if there may be older calls
 */
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

/**
 * The authorization URL of a client with the authorization code grant. Hosts are known on one machine only, so it is left out elsewhere.
 */
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

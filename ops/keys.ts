/** Commands `ops keys`. */

import { RotateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type {
  KeyOperation,
  KeyOperationAnswer,
} from '../lambdas/authorization/signing/key-operations-contract.ts';
import { signingKeyOwners } from '../lambdas/catalog/oauth/token-issuer.ts';
import { allowOnly, listed, UsageError } from './command-line.ts';
import { isConfirmed } from './confirm.ts';
import { type CommandContext, commonOptions, functionName } from './operation.ts';
import { table } from './table.ts';
import type { ExitCode } from './terminal.ts';

/** Milliseconds for a rotation: four steps of a function, and RSA keys take a second to make. */
const rotationSeconds = 120;

/** `keys list|rotate|remove`: the keys an issuer signs its tokens with. */
export async function keysCommand(verb: string, operation: CommandContext): Promise<ExitCode> {
  const { values } = operation;
  if (!['list', 'rotate', 'remove'].includes(verb)) {
    throw new UsageError(`keys ${verb} is not a command; use list, rotate or remove`);
  }
  allowOnly(
    values,
    [...commonOptions, 'lob', ...(verb === 'remove' ? (['kid', 'yes'] as const) : [])],
    `keys ${verb}`,
  );
  const [issuer, ...others] = listed(values.lob ?? []).map(ownerOf);
  if (issuer === undefined || others.length > 0) throw new UsageError(`keys ${verb} needs one --lob`);
  if (verb === 'list') return shown(operation, await ask(operation, { action: 'list', issuer }));
  if (verb === 'rotate') return shown(operation, await rotate(operation, issuer));
  const { kid } = values;
  if (kid === undefined) throw new UsageError('keys remove needs --kid; `keys list` shows the IDs');
  const question = `Remove the key ${kid} of ${issuer}? Tokens it signed are refused from then on.`;
  if (!(await isConfirmed(operation, question))) return 1;
  return shown(operation, await ask(operation, { action: 'remove', issuer, kid }));
}

/** @throws UsageError for a name that owns no keys. */
function ownerOf(name: string): KeyOperation['issuer'] {
  const owner = signingKeyOwners.find((each) => each === name.toUpperCase());
  if (owner === undefined) throw new UsageError(`--lob ${name}: use one of ${signingKeyOwners.join(', ')}`);
  return owner;
}

async function ask(operation: CommandContext, request: KeyOperation): Promise<KeyOperationAnswer> {
  return (await operation.invoke(functionName(operation, 'keyRotation'), request)) as KeyOperationAnswer;
}

/** Secrets Manager rotates the keys; this command starts the rotation and waits until the next key signs. */
async function rotate(
  operation: CommandContext,
  issuer: KeyOperation['issuer'],
): Promise<KeyOperationAnswer> {
  const before = await ask(operation, { action: 'list', issuer });
  if (before.kind === 'refusal') return before;
  const { system } = operation;
  const client = new SecretsManagerClient(
    system === undefined
      ? {}
      : { endpoint: system.awsEndpoint, region: system.region, credentials: system.credentials },
  );
  await client.send(new RotateSecretCommand({ SecretId: before.secretId }));
  const deadline = Date.now() + rotationSeconds * 1_000;
  while (Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const after = await ask(operation, { action: 'list', issuer });
    if (after.kind === 'keys' && currentOf(after) !== currentOf(before)) return after;
  }
  operation.print(
    `The rotation did not finish within ${rotationSeconds} s. Secrets Manager keeps trying; check with \`keys list\`.`,
  );
  return before;
}

function currentOf(answer: Extract<KeyOperationAnswer, { readonly kind: 'keys' }>): string | undefined {
  return answer.keys.find(({ state }) => state === 'current')?.kid;
}

function shown({ values, print }: CommandContext, answer: KeyOperationAnswer): ExitCode {
  if (values.json === true) print(JSON.stringify(answer, undefined, 2));
  else if (answer.kind === 'keys') {
    const rows = answer.keys.map(({ kid, state, since, published }) => [
      kid,
      state,
      since,
      published ? 'published' : 'not published',
    ]);
    print(table(['key', 'state', 'since', ''], rows));
  } else {
    print(answer.reason === 'no_keys' ? 'refused: no key exists yet' : 'refused: no key with this ID');
  }
  return answer.kind === 'keys' ? 0 : 1;
}

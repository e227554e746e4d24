/** Commands `keys …`. */

import { RotateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type {
  KeyOperation,
  KeyOperationAnswer,
} from '../lambdas/authorization/signing/key-operations-contract.ts';
import { signingKeyOwners } from '../lambdas/catalog/oauth/token-issuer.ts';
import type { CommandGroup } from './command-line/command.ts';
import { listed, UsageError } from './command-line/command-line.ts';
import { isConfirmed } from './command-line/confirm.ts';
import { type CommandContext, commonOptions, functionName } from './command-line/operation.ts';
import { awsConfiguration } from './command-line/system.ts';
import { table } from './command-line/table.ts';
import type { ExitCode } from './command-line/terminal.ts';

/** Longest wait for a rotation, in seconds: it takes four steps of a function, and making RSA keys takes a second. */
const rotationSeconds = 120;

const ofIssuer = { lob: { about: 'line of business, M2M, FEDERATION or PAYERS', choices: signingKeyOwners } };

/** `keys …`: the keys with which an issuer signs tokens. */
export const keyCommands: CommandGroup = {
  name: 'keys',
  about:
    'Manages the keys that sign tokens, for each line of business, for the machine-to-machine token host (--lob M2M), for requests to a plan’s identity provider (--lob FEDERATION), and for those to other payers (--lob PAYERS).',
  commands: [
    {
      name: 'list',
      about: 'Lists the published keys: ID, state, start.',
      options: [...commonOptions, 'lob'],
      own: ofIssuer,
      run: async (operation) =>
        shown(operation, await ask(operation, { action: 'list', issuer: issuerOf(operation) })),
    },
    {
      name: 'rotate',
      about: 'Has the next key sign within a minute; no token and no call fails.',
      options: [...commonOptions, 'lob'],
      own: ofIssuer,
      run: async (operation) => shown(operation, await rotate(operation, issuerOf(operation))),
    },
    {
      name: 'remove',
      about: 'Removes a leaked key. APIs refuse its tokens within 45 seconds.',
      options: [...commonOptions, 'lob', 'kid', 'yes'],
      own: ofIssuer,
      run: remove,
    },
  ],
};

function issuerOf({ values }: CommandContext): KeyOperation['issuer'] {
  const [issuer, ...others] = listed(values.lob ?? []).map(ownerOf);
  if (issuer === undefined || others.length > 0) throw new UsageError('keys need one --lob');
  return issuer;
}

async function remove(operation: CommandContext): Promise<ExitCode> {
  const issuer = issuerOf(operation);
  const { kid } = operation.values;
  if (kid === undefined) throw new UsageError('keys remove needs --kid; `keys list` shows the IDs');
  const question = `Remove the key ${kid} of ${issuer}? Tokens it signed are refused from then on.`;
  if (!(await isConfirmed(operation, question))) return 1;
  return shown(operation, await ask(operation, { action: 'remove', issuer, kid }));
}

/**
 * Parses the owner of keys.
 *
 * @throws UsageError for a name that owns no keys.
 */
function ownerOf(name: string): KeyOperation['issuer'] {
  const owner = signingKeyOwners.find((each) => each === name.toUpperCase());
  if (owner === undefined) throw new UsageError(`--lob ${name}: use one of ${signingKeyOwners.join(', ')}`);
  return owner;
}

async function ask(operation: CommandContext, request: KeyOperation): Promise<KeyOperationAnswer> {
  return (await operation.invoke(functionName(operation, 'keyRotation'), request)) as KeyOperationAnswer;
}

/** Starts a rotation by Secrets Manager, and waits until the next key signs. */
async function rotate(
  operation: CommandContext,
  issuer: KeyOperation['issuer'],
): Promise<KeyOperationAnswer> {
  const before = await ask(operation, { action: 'list', issuer });
  if (before.kind === 'refusal') return before;
  const client = new SecretsManagerClient(awsConfiguration(operation.system));
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

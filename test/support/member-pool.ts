import {
  AdminGetUserCommand,
  type AdminGetUserCommandOutput,
  AdminInitiateAuthCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { createMemberAccounts } from '../../lambdas/loads/aws/member-accounts.ts';
import type { MemberAccounts } from '../../lambdas/loads/ingest/ingest-ports.ts';
import { assembly, resource } from '../local/aws/declarations.ts';
import { started } from '../local/aws/started.ts';

/** A member user pool of the stand-in, the accounts' adapter over it, and the calls that were made. */
export interface MemberPool {
  readonly accounts: MemberAccounts;
  /** Names of the operations that the adapter called, oldest first. */
  readonly calls: string[];
  user(memberId: string): Promise<AdminGetUserCommandOutput | undefined>;
  signsIn(name: string, password: string): Promise<boolean>;
  stop(): Promise<void>;
}

const UserPoolId = 'us-east-1_members';
const ClientId = 'authorize';

/** Starts a pool with the password policy and the alias of `lib/constructs/password-pool.ts`. */
export async function startMemberPool(): Promise<MemberPool> {
  let now = Date.now();
  const arn = `arn:aws:cognito-idp:us-east-1:123456789012:userpool/${UserPoolId}`;
  const endpoint = await started({
    assembly: assembly(
      resource(
        'AWS::Cognito::UserPool',
        'Pool',
        {
          AliasAttributes: ['email'],
          Policies: {
            PasswordPolicy: {
              MinimumLength: 15,
              RequireLowercase: false,
              RequireUppercase: false,
              RequireNumbers: false,
              RequireSymbols: false,
            },
          },
        },
        { physicalId: UserPoolId, arn },
      ),
      resource(
        'AWS::Cognito::UserPoolClient',
        'Client',
        { UserPoolId, ExplicitAuthFlows: ['ALLOW_ADMIN_USER_PASSWORD_AUTH'] },
        { physicalId: ClientId },
      ),
    ),
    // Each request is in a second of its own, so that the service's rates never apply.
    now: () => {
      now += 1_000;
      return now;
    },
  });
  const calls: string[] = [];
  const counted = new CognitoIdentityProviderClient(endpoint.asOperator);
  counted.middlewareStack.add(
    (next, context) => async (args) => {
      calls.push(String(context.commandName).replace(/Command$/, ''));
      return await next(args);
    },
    { step: 'initialize', name: 'counted' },
  );
  const client = new CognitoIdentityProviderClient(endpoint.asOperator);
  const answered = async <Answer>(call: Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await call;
    } catch (error) {
      if (error instanceof Error && /^(UserNotFound|NotAuthorized)Exception$/.test(error.name))
        return undefined;
      throw error;
    }
  };
  return {
    accounts: createMemberAccounts(counted, UserPoolId),
    calls,
    user: async (Username) => await answered(client.send(new AdminGetUserCommand({ UserPoolId, Username }))),
    async signsIn(USERNAME, PASSWORD) {
      const AuthFlow = 'ADMIN_USER_PASSWORD_AUTH';
      const AuthParameters = { USERNAME, PASSWORD };
      const command = new AdminInitiateAuthCommand({ UserPoolId, ClientId, AuthFlow, AuthParameters });
      return (await answered(client.send(command)))?.AuthenticationResult !== undefined;
    },
    stop: endpoint.stopAndForget,
  };
}

import { assembly, resource, table } from './declarations.ts';

export const UserPoolId = 'us-east-1_survivors';

/** An assembly with a table, whose state is in the engine, and a user pool, whose state is in the stand-ins. */
export const survivingAssembly = assembly(
  table(),
  resource(
    'AWS::Cognito::UserPool',
    'Pool',
    {},
    { physicalId: UserPoolId, arn: `arn:aws:cognito-idp:us-east-1:123456789012:userpool/${UserPoolId}` },
  ),
);

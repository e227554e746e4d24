import {
  AdminCreateUserCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { startAwsEndpoint } from '../../../local/aws/endpoint.ts';
import { survivingAssembly, UserPoolId } from './surviving-assembly.ts';

/**
 * A runner that is killed: writes as fast as it can and prints the number of each acknowledged write. `node killed-runner.ts <state folder>
 * <run>`.
 */
const [, , stateDirectory = '', run = ''] = process.argv;
const endpoint = await startAwsEndpoint({
  assembly: survivingAssembly,
  stateDirectory,
  invoke: async () => ({ payload: 'null' }),
  callers: new Map(),
  log: (line) => console.error(line),
  throttled: false,
});
await endpoint.deploy();
const configuration = {
  endpoint: endpoint.endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local-operator', secretAccessKey: 'not verified' },
};
const dynamoDb = new DynamoDBClient(configuration);
const cognito = new CognitoIdentityProviderClient(configuration);
for (let count = 0; ; count += 1) {
  const name = `${run}-${count}`;
  await dynamoDb.send(
    new PutItemCommand({ TableName: 'environment', Item: { pk: { S: name }, sk: { S: 'x' } } }),
  );
  process.stdout.write(`item ${name}\n`);
  await cognito.send(new AdminCreateUserCommand({ UserPoolId, Username: name, MessageAction: 'SUPPRESS' }));
  process.stdout.write(`user ${name}\n`);
}

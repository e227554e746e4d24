/** Local Lambda: the operation Invoke. */

import * as z from 'zod/mini';
import type { Assembly, Resource } from '../../assembly/resources.ts';
import type { PublishMetric } from '../../cloudwatch/metrics.ts';
import { asynchronousInvocations } from '../../lambda/asynchronous-invocations.ts';
import type { InvokeFunction } from '../../lambda/invocation.ts';
import { quota } from '../../limits/quotas.ts';
import { AwsError, NotImplemented } from '../protocol/aws-error.ts';
import type { RestRoute } from '../protocol/rest-routes.ts';
import { type Caller, operation, type Service } from '../protocol/service.ts';
import type { WireAnswer } from '../protocol/wire.ts';
import { mayInvokeFromOutside } from './permissions.ts';

export const lambdaRoutes: readonly RestRoute[] = [
  {
    operation: 'Invoke',
    method: 'POST',
    path: '/2015-03-31/functions/{name}/invocations',
    input: ({ path, query, headers, body }) => ({
      FunctionName: path.name,
      Qualifier: query.get('Qualifier') ?? undefined,
      InvocationType: headers['x-amz-invocation-type'] ?? 'RequestResponse',
      LogType: headers['x-amz-log-type'] ?? 'None',
      ClientContext: headers['x-amz-client-context'],
      Payload: body.toString('utf8'),
    }),
  },
];

const invocation = z.strictObject({
  FunctionName: z.string(),
  Qualifier: z.optional(z.literal('$LATEST')),
  InvocationType: z.enum(['RequestResponse', 'Event', 'DryRun']),
  LogType: z.enum(['None', 'Tail']),
  ClientContext: z.optional(z.undefined()),
  Payload: z.string(),
});

/**
 * Lambda's Invoke, for the functions of the templates. The log tail (`LogType: Tail`) is left out, because the local system writes function
 * logs itself.
 */
export function lambda(
  assembly: Assembly,
  invoke: InvokeFunction,
  log: (line: string) => void,
  publish: PublishMetric,
): Service {
  const functions = assembly.ofType('AWS::Lambda::Function');
  const events = asynchronousInvocations({
    invoke,
    log: (line) => log(`aws: ${line}`),
    afterwards: 'and its caller is not told',
    publish,
  });
  function find(nameOrArn: string): Resource {
    const name = /^(?:arn:aws:lambda:[\w-]+:)?(?:\d{12}:)?(?:function:)?([\w-]+)(?::\$LATEST)?$/.exec(
      nameOrArn,
    )?.[1];
    const found = functions.find(
      ({ arn, physicalId }) => arn === nameOrArn || (!nameOrArn.startsWith('arn:') && physicalId === name),
    );
    if (found !== undefined) return found;
    throw new AwsError('ResourceNotFoundException', `Function not found: ${nameOrArn}`, 404);
  }

  return {
    operations: {
      Invoke: operation(
        invocation,
        {
          action: 'lambda:InvokeFunction',
          resource: ({ FunctionName }) => find(FunctionName).arn,
          run({ FunctionName, InvocationType, Payload }, caller) {
            const found = find(FunctionName);
            const { arn } = found;
            checkOutsider(assembly, caller, found);
            checkPayload(Payload, InvocationType === 'Event' ? eventLimit : payloadLimit);
            if (InvocationType === 'DryRun') throw new NotImplemented('a dry run');
            if (InvocationType === 'RequestResponse') return invokeAndWait(arn, Payload, invoke);
            events.send(arn, Payload === '' ? '{}' : Payload);
            return undefined;
          },
        },
        'InvalidParameterValueException',
      ),
    },
  };
}

/** Checks a caller of another account: its own policies are not enough, and the function's resource policy must allow it too. */
function checkOutsider(assembly: Assembly, caller: Caller, { arn, account }: Resource): void {
  if (caller.everyAccount === true || caller.account === account) return;
  if (mayInvokeFromOutside(assembly, caller.principals, arn)) return;
  throw new AwsError(
    'AccessDeniedException',
    `User: ${caller.arn} is not authorized to perform: lambda:InvokeFunction on resource: ${arn} because no resource-based policy allows the lambda:InvokeFunction action`,
    403,
  );
}

const payloadLimit = quota('lambdaPayload');
const eventLimit = quota('lambdaEvent');

function checkPayload(payload: string, limit: number): void {
  if (Buffer.byteLength(payload) > limit) {
    throw new AwsError('RequestTooLargeException', `Request must be smaller than ${limit} bytes`, 413);
  }
  try {
    if (payload !== '') JSON.parse(payload);
  } catch {
    throw new AwsError('InvalidRequestContentException', 'Could not parse request body into json');
  }
}

async function invokeAndWait(arn: string, payload: string, invoke: InvokeFunction): Promise<WireAnswer> {
  const result = await invoke(arn, payload === '' ? '{}' : payload).catch((error: unknown) => {
    // The function's concurrency is exhausted, or its reserved concurrency is 0, which switches it off.
    if (!(error instanceof Error) || error.name !== 'FunctionThrottled') throw error;
    throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', 429);
  });
  const headers = { 'content-type': 'application/json', 'x-amz-executed-version': '$LATEST' };
  return {
    status: 200,
    headers:
      result.functionError === undefined
        ? headers
        : { ...headers, 'x-amz-function-error': result.functionError },
    body: result.payload,
  };
}

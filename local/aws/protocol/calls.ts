/** Identifies callers, words refusals, and formats log lines of calls to AWS services. */

import { AwsError, NotImplemented } from './aws-error.ts';
import type { Protocol } from './protocol.ts';
import type { Caller, Credential } from './service.ts';
import type { WireAnswer } from './wire.ts';

export interface CallServices {
  readonly callerOf: (accessKeyId: string, accessDenied: string) => Caller | undefined;
  /** Logs something that the stand-ins can't do, or have failed at; never a body. */
  readonly log: (line: string) => void;
}

/**
 * The caller of a call.
 *
 * @throws AwsError if nobody has the access key.
 */
export function knownCaller(options: CallServices, { accessKeyId }: Credential, protocol: Protocol): Caller {
  const caller = options.callerOf(accessKeyId, protocol.accessDenied);
  if (caller !== undefined) return caller;
  throw new AwsError(protocol.unknownCaller, 'The security token included in the request is invalid.', 403);
}

/** Formats a line about a call: service, operation, status, duration, and the function or operator that called. */
export function callLine(
  options: CallServices,
  credential: Credential | undefined,
  {
    call,
    status,
    milliseconds,
  }: { readonly call: string; readonly status: number; readonly milliseconds: number },
): string {
  const caller =
    credential === undefined ? undefined : options.callerOf(credential.accessKeyId, 'AccessDeniedException');
  const name = caller?.arn.split('/').at(-1) ?? 'nobody known';
  return `aws: ${call} ${status} ${milliseconds.toFixed(0)} ms by ${name}`;
}

/** The response to a failed call, in the form of its protocol. */
export function refusal(
  { log }: CallServices,
  protocol: Protocol,
  call: string,
  error: unknown,
  requestId: string,
): WireAnswer {
  if (error instanceof AwsError) {
    // The message names the role, the action and the resource, which a person needs to correct the template.
    if (error.code.startsWith('AccessDenied')) log(`aws: ${call}: ${error.message}`);
    return protocol.error(error, requestId);
  }
  if (error instanceof NotImplemented) {
    // An operation that the stand-in lacks fails: AWS would have carried it out, and an invented response would hide that.
    log(`aws: ${call}: ${error.message} is not implemented on one machine`);
    const message = `${error.message} is not implemented on one machine`;
    return protocol.error(new AwsError('UnknownOperationException', message, 501), requestId);
  }
  log(`aws: ${call} failed: ${error instanceof Error ? error.message : 'unknown'}`);
  return protocol.error(new AwsError('InternalFailure', 'the stand-in failed', 500), requestId);
}

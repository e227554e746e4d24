/** Callers, refusals and log lines of calls of AWS services. */

import { AwsError, NotImplemented } from './aws-error.ts';
import type { Protocol } from './protocol.ts';
import type { Caller, Credential } from './service.ts';
import type { WireAnswer } from './wire.ts';

export interface CallParts {
  readonly callerOf: (accessKeyId: string, accessDenied: string) => Caller | undefined;
  /** One line about something the stand-ins can't do or have failed at. Never a body. */
  readonly log: (line: string) => void;
}

/** @throws AwsError where nobody has the access key. */
export function knownCaller(parts: CallParts, { accessKeyId }: Credential, protocol: Protocol): Caller {
  const caller = parts.callerOf(accessKeyId, protocol.accessDenied);
  if (caller !== undefined) return caller;
  throw new AwsError(protocol.unknownCaller, 'The security token included in the request is invalid.', 403);
}

/** The line about a call for the call log: service, operation, status, duration, and the function or operator who called. */
export function callLine(
  parts: CallParts,
  credential: Credential | undefined,
  {
    call,
    status,
    milliseconds,
  }: { readonly call: string; readonly status: number; readonly milliseconds: number },
): string {
  const caller =
    credential === undefined ? undefined : parts.callerOf(credential.accessKeyId, 'AccessDeniedException');
  const name = caller?.arn.split('/').at(-1) ?? 'nobody known';
  return `aws: ${call} ${status} ${milliseconds.toFixed(0)} ms by ${name}`;
}

/** The answer to a call that failed, in the words of its protocol. */
export function refusal(
  { log }: CallParts,
  protocol: Protocol,
  call: string,
  error: unknown,
  requestId: string,
): WireAnswer {
  if (error instanceof AwsError) {
    // The message names the role, the action and the resource: what a person needs to mend the template.
    if (error.code.startsWith('AccessDenied')) log(`aws: ${call}: ${error.message}`);
    return protocol.error(error, requestId);
  }
  if (error instanceof NotImplemented) {
    // An operation that the stand-in lacks fails with an error: AWS would have done it, and an invented answer would hide that.
    log(`aws: ${call}: ${error.message} is not implemented on one machine`);
    const message = `${error.message} is not implemented on one machine`;
    return protocol.error(new AwsError('UnknownOperationException', message, 501), requestId);
  }
  log(`aws: ${call} failed: ${error instanceof Error ? error.message : 'unknown'}`);
  return protocol.error(new AwsError('InternalFailure', 'the stand-in failed', 500), requestId);
}

/** Local API Gateway: formats the access log line of a call. `request-log.ts` prints the calls in the terminal. */

import { type Call, contextVariable } from './call.ts';
import type { GatewayRefusal } from './refusal.ts';

/** The outcome of a call, as its log line shows it. */
export interface LoggedOutcome {
  readonly call: Call;
  readonly refusal?: GatewayRefusal;
  readonly status: number;
  readonly responseBytes: number;
  readonly responseMs: number;
  /** Absent if no integration was called. */
  readonly integrationMs?: number;
  /** Absent if no authorizer was called. */
  readonly authorizerMs?: number;
}

/**
 * Formats a call's line: the format with its `$context` variables filled in, and `-` for a variable without a value.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
export function accessLogLine(format: string, outcome: LoggedOutcome): string {
  return format.replace(/\$context\.([A-Za-z][\w.-]*\w)/g, (_all, name: string) => {
    const value = variable(name, outcome);
    // Escapes a value, so that it can't end the surrounding text.
    return value === undefined || value === '' ? '-' : JSON.stringify(value).slice(1, -1);
  });
}

function variable(name: string, outcome: LoggedOutcome): string | undefined {
  const { call, refusal } = outcome;
  const integrationMs = textOf(outcome.integrationMs);
  const authorizerMs = textOf(outcome.authorizerMs);
  const own: Readonly<Record<string, string | undefined>> = {
    status: String(outcome.status),
    responseLength: String(outcome.responseBytes),
    responseLatency: textOf(outcome.responseMs),
    integrationLatency: integrationMs,
    'integration.latency': integrationMs,
    'authorizer.latency': authorizerMs,
    'authorizer.integrationLatency': authorizerMs,
    'error.responseType': refusal?.type,
    'error.message': refusal?.message ?? undefined,
  };
  return Object.hasOwn(own, name) ? own[name] : contextVariable(name, call);
}

function textOf(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : String(Math.round(milliseconds));
}

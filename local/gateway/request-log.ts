import type { ServerAnswer } from './server.ts';

/**
 * Formats a line for a call: time, method, host, route, status, duration, request ID. The route is the resource's path with parameter
 * names, so that no member's ID, query or token is logged.
 */
export function requestLine({ request, answered, milliseconds }: ServerAnswer): string {
  const time = new Date(request.receivedAt).toISOString().slice(11, 23);
  const route = answered.resourcePath ?? '(no route)';
  const { refusal } = answered;
  const because =
    refusal === undefined
      ? ''
      : ` ${refusal.type}${refusal.reason === undefined ? '' : `: ${refusal.reason}`}`;
  const status = answered.answer.statusCode;
  const host = /^[a-z0-9.-]{1,100}$/.test(request.host) ? request.host : '(host)';
  return `${time} ${request.method} ${host} ${route} ${status} ${milliseconds.toFixed(0)} ms ${request.requestId}${because}`;
}
